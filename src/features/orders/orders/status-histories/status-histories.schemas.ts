/** Schemas of the calls in status-histories.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'

const StatusHistory = z.object({
  id: z.number().int(),
  at: z.string(),
  /** A word of the shop's own; '' where only a text was written. */
  status: z.string(),
  comment: z.string(),
  visible_to_customer: z.boolean(),
  notify_customer: z.boolean(),
  actor: z.string(),
  /** When the shop's own system took it; null while it waits, or where no webhook asks for it. */
  delivered_at: z.string().nullable(),
  /** What that system answered when it did not. */
  error: z.string().nullable(),
})

const NewStatusHistory = z.strictObject({
  status: text(40).default(''),
  comment: text(limits.note).default(''),
  visible_to_customer: z.boolean().default(false),
  notify_customer: z.boolean().default(false),
  /** The same id again writes nothing more. */
  client_id: z.uuid().optional(),
})

export const statusHistoriesSchemas = {
  components: { StatusHistory },
  calls: {
    list: {
      reply: z.array(StatusHistory),
      summary: 'What was said to the shop about this order, newest first, and whether it arrived.',
    },
    add: {
      body: NewStatusHistory,
      reply: StatusHistory,
      summary: 'Says a status, a text or both to the shop: a webhook order.status_history, and cms/status_histories for its key.',
    },
  },
} satisfies ContractSchemas

export const shopHistoriesSchemas = {
  calls: {
    read: {
      query: z.object({
        /** The last number that the shop has; 0 begins at the first one. */
        after: z.coerce.number<unknown>().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
        limit: z.coerce.number<unknown>().int().min(1).max(500).default(100),
      }),
      reply: z.object({
        rows: z.array(
          z.object({
            seq: z.number().int(),
            external_id: z.string(),
            order_no: z.string(),
            at: z.string(),
            status: z.string(),
            comment: z.string(),
            visible_to_customer: z.boolean(),
            notify_customer: z.boolean(),
          }),
        ),
        /** There are more after the last row. */
        more: z.boolean(),
      }),
      summary: 'What was said to this shop about its orders, oldest first, from a number on.',
    },
  },
} satisfies ContractSchemas
