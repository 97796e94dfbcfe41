/** Code sheets: command codes for the bench and order codes, on paper. */

import * as z from 'zod'
import { call, calls } from '#contract/endpoint.ts'
import { limits, text } from '#contract/limits.ts'
import { settingsPages } from '#contract/settings-access.ts'
import { commands } from '#domain/codes.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.contract.ts'

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
  .refine(sheet => sheet.commands.length + sheet.orders.length > 0, 'Choose at least one code')
export type CodeSheet = z.infer<typeof CodeSheet>

export const codeSheets = calls(
  { name: 'codeSheets', area: 'printing', access: settingsPages.qrcode, tenantScope: 'operator', internal: true, schemas: { CodeSheet } },
  {
    draw: call('POST code_sheets/draw', {
      body: CodeSheet,
      media: 'application/pdf',
      external: true,
      summary: 'Draws a sheet of codes as a PDF.',
    }),
    print: call('POST code_sheets/print/on/{printer_id}', {
      body: CodeSheet,
      reply: PrintJob,
      external: true,
      timeout: 'long',
      summary: 'Prints a sheet of codes.',
    }),
  },
)
