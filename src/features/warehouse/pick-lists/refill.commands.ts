/** Pieces that a packing station lacks are picked again. */
import { sql } from 'kysely'
import { reducePicked } from '#features/orders/orders/lines/order-lines.commands.ts'
import { waitForStock } from '#features/orders/orders/order-state.commands.ts'
import { addedGoods } from './order-changes.commands.ts'
import type { PickTools } from './pick-lists.queries.ts'

interface LackedPieces {
  order_line_id: number
  quantity: number
}

/**
 * While the order has a place on a wagon, its lines are open again there, and the picker who goes on with the wagon fetches the pieces. Without one
 * the order waits for the next pick list, which asks for what is not packed. Call it with the order's row taken, after its packing was stopped.
 */
export async function refillOrder(tools: PickTools, order_id: number, pieces: readonly LackedPieces[]): Promise<'wagon' | 'next_list'> {
  const { db, notify } = tools
  const slot = await db
    .selectFrom('pick_slots')
    .select('pick_list_id')
    .where('order_id', '=', order_id)
    .where('live', '=', true)
    .executeTakeFirst()
  if (!slot) {
    await waitForStock(tools, [order_id])
    return 'next_list'
  }
  const { rows: gone } = await sql<LackedPieces>`
    with lacked as materialized (
      select l.id, l.order_line_id, l.picked, greatest(l.asked, p.quantity) asked, least(l.picked, greatest(l.asked, p.quantity) - p.quantity) kept
      from pick_lines l join unnest(${pieces.map(one => one.order_line_id)}::bigint[], ${pieces.map(one => one.quantity)}::integer[]) p (order_line_id, quantity)
        on p.order_line_id = l.order_line_id
      where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.pick_list_id = ${slot.pick_list_id}
        and l.order_id = ${order_id} and l.state <> 'gone'
      order by l.id for no key update of l),
    opened as (
      update pick_lines l set asked = lacked.asked, picked = lacked.kept, state = 'open', decided_at = null, taken_by = null, taken_by_name = null, taken_at = null
      from lacked where l.operator_id = current_operator_id() and l.id = lacked.id)
    select order_line_id, picked - kept quantity from lacked where picked > kept`.execute(db)
  await reducePicked(db, gone)
  // Lines that the list does not have yet are added; its wagon is open again.
  await addedGoods(tools, [order_id])
  notify('pick_task')
  return 'wagon'
}
