/** Schemas of the calls in erasure.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { page, pageQuery } from '#contract/page.ts'
import { phases } from '#features/orders/orders/orders.rules.ts'

/** Orders of one request; who has more is asked for in several. */
export const mostOrders = 500

const PersonOrder = z.object({
  order_id: z.number().int(),
  order_no: z.string(),
  company_id: z.number().int(),
  phase: z.enum(phases),
  customer_name: z.string(),
  customer_email: z.string().nullable(),
  customer_phone: z.string().nullable(),
  ordered_at: z.string(),
  erased_at: z.string().nullable(),
})

export const DataRequest = z.object({
  id: z.number().int(),
  company_id: z.number().int(),
  /** `report`: a copy for the person. */
  kind: z.enum(['erase', 'report']),
  /** `waiting`: an order of the person is still open. */
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** What a shop asked with; empty for a person's request, since requests are kept for ever. */
  reason: z.string(),
  /** Null for all orders of a shop. */
  orders: z.number().int().nullable(),
  /** Orders that are done. */
  done: z.number().int(),
  /** Rows that were erased, or that the copy holds, in all tables together. */
  rows: z.number().int(),
  requested_by: z.string().nullable(),
  has_file: z.boolean(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})
export type DataRequest = z.infer<typeof DataRequest>

export const erasureSchemas = {
  components: { PersonOrder, DataRequest },
  calls: {
    orders: {
      query: z.object({ query: z.string().trim().min(1).max(254) }),
      reply: z.object({ rows: z.array(PersonOrder), more: z.boolean() }),
      summary: 'The orders of the customers with this e-mail address, phone number or order number.',
    },
    list: {
      query: pageQuery,
      reply: page(DataRequest),
      summary: 'What was asked for about persons, by people here and by shops.',
    },
    request: {
      body: z.strictObject({
        kind: z.enum(['erase', 'report']),
        order_ids: z.array(z.number().int().positive()).min(1).max(mostOrders),
      }),
      reply: z.object({ ids: z.array(z.number().int()) }),
      summary: 'Asks for a copy of what is stored about the person of these orders, or for its erasure: one request for each company.',
    },
    file: {
      summary: 'The copy of what is stored about a person, as a ZIP archive. It is removed after seven days.',
    },
  },
} satisfies ContractSchemas
