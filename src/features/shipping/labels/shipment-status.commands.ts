/** What the way of its parcels means for an order. */
import { sql } from 'kysely'
import { changeOrder } from '#features/orders/orders/order-state.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'

/** The order moves with its parcels: handed over when all are, closed when all have arrived. */
export async function updateOrderByShipments(
  tools: Pick<TransactionContext, 'db' | 'recordEvent' | 'notify'>,
  order_id: number,
  at: string,
): Promise<void> {
  const rows = await tools.db
    .selectFrom('shipments')
    .select('state')
    .where('order_id', '=', order_id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', ['cancelled', 'blocked', 'draft', 'error'])
    .execute()
  const states = rows.map(row => row.state)
  if (states.length === 0) return
  if (states.some(state => ['booking', 'unknown', 'booked'].includes(state))) return countShipped(tools.db, [order_id])
  await changeOrder(tools, order_id, { from: ['packed'], set: { work_state: 'handed_over' }, event: { kind: 'order.handed_over' } })
  await countShipped(tools.db, [order_id])
  if (states.every(state => state === 'delivered'))
    await changeOrder(tools, order_id, {
      from: ['handed_over'],
      set: { delivered_at: at },
      event: { kind: 'order.delivered' },
    })
}

/** What has left of each line: all that is packed once the order is gone, before that what its parcels took with them. */
export async function countShipped(db: Db, order_ids: readonly number[]): Promise<void> {
  await sql`
    update order_lines l set shipped_qty = case when o.work_state in ('handed_over', 'closed') then l.packed_qty else least(l.packed_qty, coalesce((
      select sum(b.qty) from parcel_lines b where b.operator_id = l.operator_id and b.order_line_id = l.id and exists (
        select from shipments s where s.operator_id = b.operator_id and s.order_id = b.order_id and s.parcel_no = b.parcel_no
          and s.operation_code = 'outbound' and s.handed_over_at is not null)), 0)) end
    from orders o
    where l.operator_id = current_operator_id() and l.company_id = any(current_company_ids()) and l.order_id = any(${order_ids})
      and o.operator_id = l.operator_id and o.id = l.order_id`.execute(db)
}
