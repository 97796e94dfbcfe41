/** What the way of its parcels means for an order. */
import { recountShipped } from '#features/orders/orders/lines/order-lines.commands.ts'
import { deliverOrders, handOverOrders, type StateTools } from '#features/orders/orders/order-state.commands.ts'

/** The order moves with its parcels: handed over when all are, closed when all have arrived. */
export async function updateOrderByShipments(tools: StateTools, order_id: number, at: string): Promise<void> {
  const rows = await tools.db
    .selectFrom('shipments')
    .select('state')
    .where('order_id', '=', order_id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', ['cancelled', 'blocked', 'draft', 'error'])
    .execute()
  const states = rows.map(row => row.state)
  if (states.length === 0) return
  if (states.some(state => ['booking', 'unknown', 'booked'].includes(state))) return recountShipped(tools.db, [order_id])
  await handOverOrders(tools, [order_id])
  await recountShipped(tools.db, [order_id])
  if (states.every(state => state === 'delivered')) await deliverOrders(tools, [order_id], { at })
}
