/** Reading status histories, with what became of their delivery. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

const publicKind = 'order.status_history'

export const historiesOf = (db: Db, order_id: number, only?: number) => {
  const asked = db
    .selectFrom('order_status_histories as h')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('outbox as o')
          .innerJoin('outbox_deliveries as d', join => join.onRef('d.outbox_id', '=', 'o.id').onRef('d.at', '=', 'o.at'))
          .select([
            sql<string | null>`max(d.finished_at) filter (where d.state = 'delivered')`.as('delivered_at'),
            sql<string | null>`max(left(coalesce(d.answer, d.status::text), 200)) filter (where d.state = 'failed')`.as('error'),
          ])
          .where('o.object_type', '=', 'order')
          .whereRef('o.object_id', '=', 'h.order_id')
          .where('o.kind', '=', publicKind)
          .where(sql<boolean>`(o.payload ->> 'history_id')::bigint = h.id`)
          .as('d'),
      join => join.onTrue(),
    )
    .select(['h.id', 'h.created_at as at', 'h.status', 'h.comment', 'h.visible_to_customer', 'h.notify_customer', 'h.actor'])
    .select(['d.delivered_at', 'd.error'])
    .where('h.order_id', '=', order_id)
    .orderBy('h.id', 'desc')
    .limit(200)
  return (only === undefined ? asked : asked.where('h.id', '=', only)).execute()
}

/** One more than asked for shows that there are more. */
export const historiesAfter = (db: Db, shop: string, after: number, limit: number) =>
  db
    .selectFrom('order_status_histories as h')
    .innerJoin('orders as o', 'o.id', 'h.order_id')
    .select(['h.seq', 'o.external_id', 'o.order_no', 'h.created_at as at', 'h.status', 'h.comment'])
    .select(['h.visible_to_customer', 'h.notify_customer'])
    .where('o.shop', '=', shop)
    .where('h.seq', '>', after)
    .orderBy('h.seq')
    .limit(limit + 1)
    .execute()
