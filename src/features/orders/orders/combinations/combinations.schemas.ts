/** Schemas of the calls in combinations.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Changed } from '#features/orders/orders/orders.schemas.ts'
import { mostCombined } from './combinations.codes.ts'

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const Orders = z
  .array(id)
  .min(2, 'Select at least 2 orders')
  .max(mostCombined, 'At most 10 orders fit into one parcel')
  .refine(orders => new Set(orders).size === orders.length, 'Each order only once')

const PreviewedOrder = z.object({
  id,
  order_no: z.string(),
  shop: z.string(),
  version: z.number().int(),
  ordered_at: z.string(),
  ship_by: z.string().nullable(),
  recipient: z.string(),
  address: z.array(z.string()),
  contact: z.array(z.string()),
  method: z.string().nullable(),
  item_count: z.number().int(),
  weight_g: z.number().int(),
  lines: z.array(z.object({ order_item_id: id, sku: z.string().nullable(), name: z.string(), qty: z.number().int() })),
  notes: z.array(z.string()),
  /** It carries the parcel. */
  is_lead: z.boolean(),
  /** Why it cannot go with the others: a sentence with places, and what fills them. */
  refusal: z.object({ code: z.string(), text: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
})
export type PreviewedOrder = z.infer<typeof PreviewedOrder>

const Preview = z.object({
  orders: z.array(PreviewedOrder),
  /** All of them may go in one parcel. */
  possible: z.boolean(),
  item_count: z.number().int(),
  weight_g: z.number().int(),
})
export type CombinationPreview = z.infer<typeof Preview>

export const combinationsSchemas = {
  calls: {
    suggest: {
      query: z.object({ order_id: z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER) }),
      reply: z.object({ orders: z.array(z.object({ id, order_no: z.string() })) }),
      summary: 'Orders that may go in one parcel with this one: at most 9.',
    },
    preview: {
      body: z.strictObject({ orders: Orders }),
      reply: Preview,
      summary: 'Shows side by side what would go in one parcel, and for each order why it cannot.',
    },
    combine: {
      body: z.strictObject({
        orders: z
          .array(z.strictObject({ id, version: z.number().int() }))
          .min(2, 'Select at least 2 orders')
          .max(mostCombined, 'At most 10 orders fit into one parcel')
          .refine(orders => new Set(orders.map(order => order.id)).size === orders.length, 'Each order only once'),
      }),
      reply: Changed,
      summary: 'Sends orders in one parcel; the answer is the order that carries it. Each keeps its number and is reported to its shop.',
    },
    undo: {
      reply: Changed,
      summary: 'Every order of the parcel goes by itself again, as long as no one has begun to pick or pack it.',
    },
    takeOut: {
      reply: Changed,
      summary: 'One order goes by itself again, as long as no one has begun to pick or pack the parcel.',
    },
  },
} satisfies ContractSchemas
