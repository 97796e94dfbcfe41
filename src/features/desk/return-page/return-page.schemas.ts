/** Schemas of the calls in return-page.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { page, pageQuery } from '#contract/page.ts'
import { TimelineEntry } from '#features/orders/orders/orders.schemas.ts'
import { labelStates } from '#features/returns/returns/returns.codes.ts'

export const returnPageSchemas = {
  calls: {
    timeline: {
      query: pageQuery,
      reply: page(TimelineEntry),
      summary: 'What happened to a return, the newest first; also before it was linked to an order, and as its pieces were put back.',
    },
    labelState: {
      reply: z.object({
        state: z.enum(labelStates),
        tracking_no: z.string().nullable(),
        /** The label may be saved and printed: it is ready, and its parcel has not arrived. */
        is_open: z.boolean(),
      }),
      summary: 'How far the courier label of a return is.',
    },
    label: {
      summary: 'The courier label of a return as PDF; 409 `label_gone` once its parcel has arrived or the label was cancelled.',
    },
    printPutBack: {
      body: z.strictObject({ client_id: z.uuid('Send a client_id of your own, so that a repeated request does not print twice') }),
      reply: z.object({ print_job_id: z.number().int(), state: z.string() }),
      summary:
        'Prints the label that lies on a restocked item until it is in its bin: item, bin, return number and barcode. The same client_id answers the same print job; 409 `put_back_none`.',
    },
    printLabel: {
      body: z.strictObject({ client_id: z.uuid('Send a client_id of your own, so that a repeated request does not print twice') }),
      reply: z.object({ print_job_id: z.number().int(), state: z.string() }),
      summary: 'Prints the courier label of a return, again as a marked copy. The same client_id answers the same print job.',
    },
  },
} satisfies ContractSchemas
