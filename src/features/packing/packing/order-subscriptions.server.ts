/** What packing does when a packed order is reopened: everything comes out of its parcels but what has left. */
import { sql } from 'kysely'
import { recountPacked } from '#features/orders/orders/lines/order-lines.commands.ts'
import type { Context, Subscriptions } from '#platform/http/feature-module.ts'
import { removeSerials } from './serials.commands.ts'

export const orderSubscriptions: Subscriptions = {
  'order.reopened': (events, context) =>
    unpackOrders(
      context,
      events.filter(event => event.data.unpack).map(event => event.order_id!),
    ),
}

async function unpackOrders(context: Context, order_ids: readonly number[]): Promise<void> {
  const { db } = context
  if (order_ids.length === 0) return
  await sql`delete from parcel_lines b
    where b.operator_id = current_operator_id() and b.company_id = any (current_company_ids()) and b.order_id = any (${order_ids}::bigint[])
    and not exists (select from shipments s where s.operator_id = b.operator_id and s.order_id = b.order_id and s.parcel_no = b.parcel_no
      and s.operation_code = 'outbound' and s.handed_over_at is not null)`.execute(db)
  await recountPacked(db, order_ids)
  await removeSerials(
    context,
    order_ids,
    sql`(l.packed_qty = 0
        or not exists (select from shipments s where s.operator_id = n.operator_id and s.session_id = n.session_id and s.order_id = n.order_id
          and s.operation_code = 'outbound' and s.handed_over_at is not null))`,
  )
}
