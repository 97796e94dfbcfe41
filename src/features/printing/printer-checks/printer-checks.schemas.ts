/** Schemas of the calls in printer-checks.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { Printer } from '#features/printing/printers/printers.schemas.ts'

export const TestPrint = z.object({ job: PrintJob, number: z.number().int(), code: z.string() })
export type TestPrint = z.infer<typeof TestPrint>

export const printerChecksSchemas = {
  components: { TestPrint },
  calls: {
    details: {
      reply: Printer.extend({ jobs: z.array(PrintJob), waiting: z.number().int() }),
      summary: 'One printer, and what it can do.',
    },
    testPrint: {
      query: z.object({
        printer_id: z.coerce.number<unknown>().int().positive().optional(),
        /** What the device uses the printer for; judged by the printer when absent. */
        paper: z.enum(['a4', 'label']).optional(),
      }),
      reply: TestPrint,
      summary: 'Prints the test page; without a printer on the first label printer that is on line.',
    },
    proveTest: {
      params: { number: z.coerce.number<unknown>().int().positive().max(999_999_999) },
      reply: Printer,
      summary: 'The code of a test page was scanned: printer and scanner are OK.',
    },
  },
} satisfies ContractSchemas
