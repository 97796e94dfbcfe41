/** Schemas of the calls in order-comments.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { commentTypes } from './order-comments.codes.ts'

export const CommentType = z.enum(commentTypes)
export type CommentType = z.infer<typeof CommentType>

export const OrderComment = z.object({
  comment_id: z.number().int(),
  order_id: z.number().int(),
  type: CommentType,
  /** Plain text; line ends are kept. */
  comment: z.string(),
  actor: z.string(),
  created_at: z.string(),
})
export type OrderComment = z.infer<typeof OrderComment>

export const orderCommentsSchemas = {
  components: { CommentType, OrderComment },
  calls: {
    list: {
      params: { ids: z.string().max(4_000) },
      reply: z.array(OrderComment),
      summary: 'The comments of one or many orders; the ids may be joined by commas, slashes or the letter s.',
    },
    add: {
      params: { type: z.string().max(40) },
      body: z.object({ comment: text(limits.note).min(1, 'Enter the comment first') }),
      reply: OrderComment,
      summary: 'Writes a comment on an order.',
    },
  },
} satisfies ContractSchemas
