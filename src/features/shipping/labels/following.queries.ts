/** What the way of its parcels means for an order. */
import type { Tools } from '#server/serve.ts'
import { changeOrder } from '../../orders/orders/changes.queries.ts'

/** The order moves with its parcels: handed over when all are, closed when all have arrived. */
export async function orderFollows(tools: Pick<Tools, 'db' | 'record' | 'tell'>, order_id: number, at: string): Promise<void> {
  const rows = await tools.db
    .selectFrom('shipments')
    .select('state')
    .where('order_id', '=', order_id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', ['cancelled', 'barred', 'draft', 'error'])
    .execute()
  const states = rows.map(row => row.state)
  if (states.length === 0 || states.some(state => ['booking', 'unknown', 'booked'].includes(state))) return
  await changeOrder(tools, order_id, { from: ['packed'], set: { work_state: 'handed_over' }, event: { kind: 'order.handed_over' } })
  await tools.db
    .updateTable('order_lines')
    .set(eb => ({ shipped_qty: eb.ref('packed_qty') }))
    .where('order_id', '=', order_id)
    .execute()
  if (states.every(state => state === 'delivered'))
    await changeOrder(tools, order_id, {
      from: ['handed_over'],
      set: { delivered_at: at },
      event: { kind: 'order.delivered' },
    })
}
