/** Print jobs: what was sent to which printer, how far it came, and printing it again. */

import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { Instant } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'

/**
 * `queued` waits here, `sending` is on its way, `accepted` is with the provider, `sent` waits at the provider until the printer's computer
 * is back, `done` came out as far as the computer knows. `failed`, `expired` and `cancelled` did not come out.
 */
export const printStates = ['queued', 'sending', 'sent', 'accepted', 'done', 'failed', 'expired', 'cancelled'] as const
export const PrintState = z.enum(printStates)
export type PrintState = z.infer<typeof PrintState>

export const PrintJob = z.object({
  id: z.number().int(),
  /** Whose document it is. */
  company_id: z.number().int(),
  printer_id: z.number().int(),
  printer_name: z.string(),
  station: z.string().nullable(),
  title: z.string(),
  /** label, slip, customs, test, sheet … */
  document: z.string(),
  format: z.enum(['pdf', 'zpl']),
  paper: z.string().nullable(),
  /** 0 for the first print; a copy carries its number on the paper. */
  copy_no: z.number().int(),
  copy_of: z.number().int().nullable(),
  state: PrintState,
  /** Sent without an answer: the provider may have it. */
  in_doubt: z.boolean(),
  /** What stands in the way, or went wrong. */
  error: z.string().nullable(),
  attempts: z.number().int(),
  order_id: z.number().int().nullable(),
  shipment_id: z.number().int().nullable(),
  /** The printer that was meant first, when another took over. */
  moved_from_printer_id: z.number().int().nullable(),
  requested_by_name: z.string().nullable(),
  created_at: Instant,
  accepted_at: Instant.nullable(),
  finished_at: Instant.nullable(),
  /** After this it does not come out any more, but asks. */
  expires_at: Instant,
})
export type PrintJob = z.infer<typeof PrintJob>

const id = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)

export const printJobs = calls(
  { name: 'printJobs', area: 'printing', access: access.bench, tenantScope: 'operator', internal: true, schemas: { PrintState, PrintJob } },
  {
    list: call('GET print_jobs', {
      query: pageQuery.extend({
        state: PrintState.optional(),
        order_id: id.optional(),
        shipment_id: id.optional(),
        printer_id: id.optional(),
        station: z.string().max(20).optional(),
      }),
      reply: page(PrintJob),
      access: access.station,
      summary: 'The print jobs, page by page.',
    }),
    get: call('GET print_jobs/{id}', { reply: PrintJob, access: access.station, summary: 'One print job.' }),
    retry: call('POST print_jobs/{id}/retry', {
      query: z.object({ printer_id: id.optional() }),
      reply: PrintJob,
      external: true,
      timeout: 'long',
      summary: 'Sends a job that did not come out again, to its own printer or another.',
    }),
    cancel: call('POST print_jobs/{id}/cancel', {
      reply: PrintJob,
      external: true,
      summary: 'Cancels a print job that has not come out.',
    }),
    reprint: call('POST print_jobs/{id}/reprint/on/{printer}', {
      params: { printer: id },
      query: z.object({ request_id: z.uuid().optional() }),
      reply: PrintJob,
      external: true,
      timeout: 'long',
      summary: 'Prints the document again, marked as a copy unless nothing has come out yet. The same `request_id` prints once.',
    }),
    document: call('GET print_jobs/{id}/document', {
      media: 'application/pdf',
      external: true,
      summary: 'What a job printed, as a PDF.',
    }),
  },
)
