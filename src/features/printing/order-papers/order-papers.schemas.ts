/** Schemas of the calls in order-papers.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { orderDocuments } from './order-papers.codes.ts'

const Asked = z.object({
  /** The order sheet for the warehouse, the packing slip for the customer, or both. */
  document: z.enum(orderDocuments).default('sheet'),
  /** Language of the order sheet; the packing slip speaks the language of the order. */
  locale: z.string().max(10).optional(),
})

export const orderPapersSchemas = {
  calls: {
    print: {
      params: { printer: z.coerce.number<unknown>().int().positive() },
      query: Asked.extend({ client_id: z.uuid().optional() }),
      reply: z.object({ print_jobs: z.array(PrintJob) }),
      summary: 'Prints the order sheet, the packing slip or both on an A4 printer. The same client_id again prints nothing more.',
    },
    download: {
      query: Asked,
      summary: 'The order sheet, the packing slip or both as one PDF.',
    },
  },
} satisfies ContractSchemas
