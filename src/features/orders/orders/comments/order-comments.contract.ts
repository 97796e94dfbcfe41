/** Comments: what people write to each other about an order, by type. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { limits, text } from '#contract/limits.ts'

export const commentTypes = ['info', 'praise', 'advice', 'warning'] as const
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

export const orderComments = calls(
  { name: 'orderComments', area: 'orders', access: access.bench, tenantScope: 'operator', schemas: { CommentType, OrderComment } },
  {
    list: call('GET order_comments/{ids}', {
      params: { ids: z.string().max(4_000) },
      reply: z.array(OrderComment),
      summary: 'The comments of one or many orders; the ids may be joined by commas, slashes or the letter s.',
    }),
    add: call('POST order_comments/{id}/{type}', {
      params: { type: z.string().max(40) },
      body: z.object({ comment: text(limits.note).min(1, 'Write the comment first') }),
      reply: OrderComment,
      summary: 'Writes a comment on an order.',
    }),
  },
)
