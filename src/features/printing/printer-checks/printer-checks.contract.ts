/** Checks of a printer: its last jobs, and the test page. */

import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { Printer } from '#features/printing/printers/printers.contract.ts'

export const TestPrint = z.object({ job: PrintJob, number: z.number().int(), code: z.string() })
export type TestPrint = z.infer<typeof TestPrint>

export const printerChecks = calls(
  { name: 'printerChecks', area: 'printing', access: access.station, schemas: { TestPrint } },
  {
    details: call('GET print_node/printers/{id}/details', {
      reply: Printer.extend({ jobs: z.array(PrintJob), waiting: z.number().int() }),
      external: true,
      tenantScope: 'operator',
      summary: 'One printer, and what it can do.',
    }),
    testPrint: call('POST print_node/test_print', {
      query: z.object({
        printer_id: z.coerce.number<unknown>().int().positive().optional(),
        /** What the device uses the printer for; judged by the printer when absent. */
        paper: z.enum(['a4', 'label']).optional(),
      }),
      reply: TestPrint,
      external: true,
      timeout: 'long',
      summary: 'Prints the test page; without a printer on the first label printer that is on line.',
    }),
    proveTest: call('POST print_node/test_print/{number}/scanned_back', {
      params: { number: z.coerce.number<unknown>().int().positive().max(999_999_999) },
      reply: Printer,
      internal: true,
      summary: 'The code of a test page was scanned: printer and scanner are OK.',
    }),
  },
)
