/** Status histories: written for the shop, which learns of them by webhook and reads them with its key. */
import { badRequest, orNotFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import { implement } from '#platform/http/feature-module.ts'
import { shopHistories, statusHistories } from './status-histories.contract.ts'
import { historiesAfter, historiesOf } from './status-histories.queries.ts'
import { shopHistoriesSchemas, statusHistoriesSchemas } from './status-histories.schemas.ts'

export const statusHistoriesServer = implement(statusHistories, statusHistoriesSchemas, {
  async list({ id }, { db }) {
    orNotFound(await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst(), 'order_not_found', 'Order not found')
    return historiesOf(db, id)
  },

  async add({ id, body }, { db, principal, recordEvent, notify }) {
    const { status, comment, client_id } = body
    if (status === '' && comment === '') throw badRequest('empty_history', 'Enter a status or a comment')
    const order = orNotFound(
      // Locked, so that the same entry sent twice at once is one.
      await db.selectFrom('orders').select('company_id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
      'order_not_found',
      'Order not found',
    )
    const known =
      client_id &&
      (await db
        .selectFrom('order_status_histories')
        .select('id')
        .where('order_id', '=', id)
        .where('client_id', '=', client_id)
        .executeTakeFirst())
    if (known) return elementAt(await historiesOf(db, id, known.id), 0)
    const { id: history_id } = await db
      .insertInto('order_status_histories')
      .values({
        ...body,
        client_id: client_id ?? null,
        order_id: id,
        company_id: order.company_id,
        seq: await nextNumber(db, order.company_id, 'status_history'),
        user_id: principal.id || null,
        actor: principal.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordEvent({
      kind: 'order.status_history',
      order_id: id,
      company_id: order.company_id,
      data: {
        history_id,
        status,
        comment: comment.slice(0, 200),
        visible_to_customer: body.visible_to_customer,
        notify_customer: body.notify_customer,
      },
    })
    notify('order', id, order.company_id)
    return elementAt(await historiesOf(db, id, history_id), 0)
  },
})

export const shopHistoriesServer = implement(shopHistories, shopHistoriesSchemas, {
  async read({ after, limit }, { db, principal }) {
    const found = await historiesAfter(db, principal.shop ?? 'main', after, limit)
    return { rows: found.slice(0, limit), more: found.length > limit }
  },
})
