/** Schemas of the calls in order-edits.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { Changed } from '#features/orders/orders/orders.schemas.ts'
import { mostEdits } from './order-edits.codes.ts'

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const pieces = z.number().int().min(1, 'Enter at least 1').max(9_999, 'Enter at most 9,999')
const Reason = text(200).default('')
const Made = z.object({ id: z.number().int(), order_no: z.string() })
/** The same id again makes nothing more and answers the first order. */
const client_id = z.uuid()

export const LineEdit = z.discriminatedUnion('kind', [
  /** How many pieces are to be sent. */
  z.strictObject({ kind: z.literal('qty'), order_item_id: id, qty: pieces }),
  z.strictObject({ kind: z.literal('remove'), order_item_id: id }),
  z.strictObject({ kind: z.literal('add'), product_id: id, qty: pieces }),
  z.strictObject({ kind: z.literal('replace'), order_item_id: id, product_id: id, qty: pieces }),
])
export type LineEdit = z.output<typeof LineEdit>

/** Some pieces of a line. */
const Share = z.strictObject({ order_item_id: id, qty: pieces })

export const FoundProduct = z.object({
  product_id: z.number().int(),
  sku: z.string(),
  name: z.string(),
  variant: z.string().nullable(),
  barcode: z.string().nullable(),
  bin: z.string().nullable(),
  weight_g: z.number().int().nullable(),
})
export type FoundProduct = z.infer<typeof FoundProduct>

const Query = z.object({ query: z.string().max(200).default('') })

export const orderEditsSchemas = {
  calls: {
    create: {
      body: z.strictObject({
        client_id,
        /** Whose order it is; the person's own company when it is left out. */
        company_id: id.optional(),
        /** As the import takes an order, without a number. */
        order: z.record(z.string().max(40), z.unknown()),
      }),
      reply: Made,
      summary: 'Writes an order by hand; it is checked as an import is, and gets a number of its own.',
    },
    copy: {
      body: z.strictObject({
        client_id,
        lines: z.array(Share).min(1, 'Leave at least one item').max(200),
        reason: Reason,
        /** Nothing to pay. Prices stay for customs. */
        free: z.boolean().default(true),
      }),
      reply: Made,
      summary: 'Makes a new order of an old one: the same recipient, some of its items.',
    },
    lines: {
      body: z.strictObject({
        version: z.number().int(),
        edits: z.array(LineEdit).min(1, 'Change at least one item').max(mostEdits),
        reason: Reason,
      }),
      reply: Changed,
      summary: 'Changes the items of an order: quantity, more, fewer, another product. A pick list that it stands on follows.',
    },
    split: {
      body: z.strictObject({ version: z.number().int(), client_id, lines: z.array(Share).min(1, 'Select at least one item').max(200) }),
      reply: Made,
      summary: 'Sends some pieces of an order as a part of its own, with the number of the order and its part.',
    },
    undoSplit: {
      reply: Changed,
      summary: 'Puts a part back into its order, as long as no one has begun to pick either.',
    },
    products: {
      query: Query,
      reply: z.array(FoundProduct),
      summary: 'Products of the company of an order, by name, SKU or barcode: at most 20.',
    },
    productsOf: {
      query: Query.extend({ company_id: z.coerce.number<unknown>().int().positive().optional() }),
      reply: z.array(FoundProduct),
      summary: 'Products of a company, by name, SKU or barcode: at most 20.',
    },
  },
} satisfies ContractSchemas
