/** Comments: read for any number of orders, and added to one. */

import { badRequest, conflict, orNotFound } from '#contract/errors.ts'
import { joinedIds } from '#contract/joined-ids.ts'
import { implement } from '#platform/http/feature-module.ts'
import { orderComments } from './order-comments.contract.ts'
import { addComment, commentsOf, mostComments, mostCommentsAnswered } from './order-comments.queries.ts'
import { CommentType, orderCommentsSchemas } from './order-comments.schemas.ts'

export const orderCommentsServer = implement(orderComments, orderCommentsSchemas, {
  async list({ ids }, { db }) {
    const comments = await commentsOf(db, joinedIds(ids))
    if (comments.length > mostCommentsAnswered)
      throw badRequest('too_many_comments_asked', 'These orders have more than {{most}} comments. Ask for fewer orders at once.', {
        most: mostCommentsAnswered,
      })
    return comments
  },

  async add({ id, type, body }, { db, principal, recordEvent, notify, now }) {
    const known = CommentType.safeParse(type)
    if (!known.success)
      throw badRequest('comment_type_unknown', 'A comment is one of info, praise, advice and warning; {{type}} is none of them', { type })
    const order = orNotFound(
      // Locked, so that two comments at once do not both become the last that fits.
      await db.selectFrom('orders').select(['company_id']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
      'order_not_found',
      'Order not found',
    )
    const { n } = await db
      .selectFrom('order_comments')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow()
    if (n >= mostComments) throw conflict('too_many_comments', 'This order has {{count}} comments already', { count: n })
    const comment = await addComment(db, {
      company_id: order.company_id,
      order_id: id,
      type: known.data,
      comment: body.comment,
      user_id: principal.id || null,
      actor: principal.name,
      created_at: now().toISOString(),
    })
    await recordEvent({
      kind: 'order.commented',
      order_id: id,
      company_id: order.company_id,
      data: { type: known.data, comment: body.comment.slice(0, 200) },
    })
    notify('order', id, order.company_id)
    return comment
  },
})
