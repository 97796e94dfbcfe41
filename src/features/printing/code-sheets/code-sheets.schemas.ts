/** Schemas of the calls in code-sheets.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { commands } from '#domain/codes.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'

export const CodeSheet = z
  .object({
    title: text(80).default('Pakhus'),
    /** With the words of the reader's own language. */
    commands: z
      .array(z.object({ command: z.enum(commands), caption: text(60).min(1), note: text(160).default('') }))
      .max(commands.length)
      .default([]),
    /** Order numbers, order codes or ids as people write them. */
    orders: z.array(text(limits.code).min(1)).max(100, 'At most 100 orders go on one sheet').default([]),
    orders_as: z.enum(['code128', 'qr']).default('code128'),
  })
  .refine(sheet => sheet.commands.length + sheet.orders.length > 0, 'Select at least one code')
export type CodeSheet = z.infer<typeof CodeSheet>

export const codeSheetsSchemas = {
  components: { CodeSheet },
  calls: {
    draw: {
      body: CodeSheet,
      summary: 'Draws a sheet of codes as a PDF.',
    },
    print: {
      body: CodeSheet,
      reply: PrintJob,
      summary: 'Prints a sheet of codes.',
    },
  },
} satisfies ContractSchemas
