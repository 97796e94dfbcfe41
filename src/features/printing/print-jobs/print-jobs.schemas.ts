/** Schemas of the calls in print-jobs.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { printStates } from './print-jobs.codes.ts'

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

export const printJobsSchemas = {
  components: { PrintState, PrintJob },
  calls: {
    list: {
      query: pageQuery.extend({
        state: PrintState.optional(),
        order_id: id.optional(),
        shipment_id: id.optional(),
        printer_id: id.optional(),
        station: z.string().max(20).optional(),
      }),
      reply: page(PrintJob),
      summary: 'The print jobs, page by page.',
    },
    get: {
      reply: PrintJob,
      summary: 'One print job.',
    },
    retry: {
      query: z.object({ printer_id: id.optional() }),
      reply: PrintJob,
      summary: 'Sends a job that did not come out again, to its own printer or another.',
    },
    cancel: {
      reply: PrintJob,
      summary: 'Cancels a print job that has not come out.',
    },
    reprint: {
      params: { printer: id },
      query: z.object({ request_id: z.uuid().optional() }),
      reply: PrintJob,
      summary: 'Prints the document again, marked as a copy unless nothing has come out yet. The same `request_id` prints once.',
    },
    document: {
      summary: 'What a job printed, as a PDF.',
    },
  },
} satisfies ContractSchemas
