/** A shop changes an order that stands on a list: the lines of the list follow, and pieces that are no longer wanted go back. */
import { sql } from 'kysely'
import { reducePicked } from '#features/orders/orders/lines/order-lines.commands.ts'
import { setShort } from '#features/orders/orders/order-state.commands.ts'
import type { Db } from '#platform/database/database.ts'
import { leaveList, type PickTools, settleList } from './pick-lists.queries.ts'
import { insertPutBack, setShortQuantity, writeDecision } from './task-rows.commands.ts'

/** An order's goods as the shop has them now. */
export interface WantedGoods {
  order_id: number
  lines: readonly { external_id: string; qty: number }[]
}

interface Followed {
  id: number
  order_id: number
  company_id: number
  order_line_id: number
  pick_list_id: number
  wagon_no: number
  slot_no: number
  product_id: number | null
  sku: string | null
  name: string
  bin: string | null
  asked: number
  picked: number
  state: string
  qty: number
  cancelled_qty: number
  wanted: number
}

/**
 * What the shop wants less of, or more: call it with the orders' rows taken, before their lines change, since a line that is deleted takes
 * the list's line with it. `addedGoods` comes after.
 */
export async function changedGoods(tools: PickTools, orders: readonly WantedGoods[]): Promise<void> {
  const { db, notify } = tools
  const cells = orders.flatMap(({ order_id, lines }) => lines.map(line => ({ order_id, ...line })))
  const { rows } = await sql<Followed>`
    select l.id, l.order_id, l.company_id, l.order_line_id, l.pick_list_id, l.wagon_no, l.slot_no, l.product_id, l.sku, l.name, l.bin, l.asked, l.picked, l.state,
      o.qty, o.cancelled_qty, coalesce(w.qty, 0) wanted
    from pick_lines l
    join pick_slots s on s.operator_id = l.operator_id and s.pick_list_id = l.pick_list_id and s.wagon_no = l.wagon_no and s.slot_no = l.slot_no and s.live
    join order_lines o on o.operator_id = l.operator_id and o.id = l.order_line_id
    left join unnest(${cells.map(cell => cell.order_id)}::bigint[], ${cells.map(cell => cell.external_id)}::text[], ${cells.map(cell => cell.qty)}::integer[])
      w (order_id, external_id, qty) on w.order_id = o.order_id and w.external_id = o.external_id
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.order_id = any (${orders.map(order => order.order_id)}::bigint[])
      and l.state <> 'gone' and coalesce(w.qty, 0) <> o.qty
    order by l.id for no key update of l`.execute(db)
  for (const line of rows) {
    const before = line.qty - line.cancelled_qty
    // What the shop lowers now may be what was cancelled here already.
    const needed = line.wanted - Math.max(0, line.cancelled_qty - Math.max(0, line.qty - line.wanted))
    if (needed < line.asked && needed < before) await askLess(tools, line, Math.max(0, needed))
    else if (needed > before) await askMore(tools, line, needed - before)
  }
  if (rows.length > 0) notify('pick_task')
}

async function askLess(tools: PickTools, line: Followed, needed: number): Promise<void> {
  const { db } = tools
  const surplus = Math.max(0, line.picked - needed)
  if (surplus > 0) {
    const { id: _id, asked: _asked, picked: _picked, state: _state, qty: _qty, cancelled_qty: _cancelled, wanted: _wanted, ...place } = line
    await insertPutBack(db, { ...place, quantity: surplus, reason: 'order_changed' })
    await reducePicked(db, [{ order_line_id: line.order_line_id, quantity: surplus }])
  }
  const done = needed > 0 && line.picked >= needed
  await db
    .updateTable('pick_lines')
    .set({
      ...(needed > 0 && { asked: needed, picked: line.picked - surplus }),
      ...(needed === 0 && { state: 'gone' }),
      ...(done && { state: 'picked' }),
      ...((needed === 0 || done) && { decided_at: sql<string>`now()` }),
    })
    .where('id', '=', line.id)
    .execute()
  await followShort(tools, line, Math.max(0, needed - line.picked))
}

async function askMore(tools: PickTools, line: Followed, more: number): Promise<void> {
  const { db } = tools
  const undecided = line.state === 'short' && (await followShort(tools, line, line.asked - line.picked + more))
  await db
    .updateTable('pick_lines')
    .set({
      // Pieces that were decided to be missing are not looked for again.
      asked: (line.state === 'short' && !undecided ? line.picked : line.asked) + more,
      ...(!undecided && line.state !== 'skipped' && { state: 'open', decided_at: null }),
    })
    .where('id', '=', line.id)
    .execute()
}

/** Sets the pieces of the undecided short of a line; with none missing it needs no decision. Answers whether there is one. */
async function followShort(tools: PickTools, { id, order_id }: Followed, missing: number): Promise<boolean> {
  const { db } = tools
  const followed =
    missing > 0
      ? await setShortQuantity(db, id, missing)
      : (await writeDecision(db, { pick_line_id: id }, { decision: 'cancel_line', by: 'system' })).length > 0
  if (followed) await setShort(tools, [order_id], await hasOpenShort(db, order_id))
  return followed
}

const hasOpenShort = async (db: Db, order_id: number): Promise<boolean> =>
  (await db
    .selectFrom('pick_shorts')
    .select('id')
    .where('order_id', '=', order_id)
    .where('decided_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** What the shop added is picked last; an order of which nothing is left to pick leaves its list. Settles the lists. */
export async function addedGoods(tools: PickTools, order_ids: readonly number[]): Promise<void> {
  const { db, notify } = tools
  await sql`
    insert into pick_lines (pick_list_id, company_id, wagon_no, slot_no, order_id, order_line_id, product_id, sku, name, variant, bin, walk_no, cell, asked)
    select s.pick_list_id, o.company_id, s.wagon_no, s.slot_no, o.order_id, o.id, o.product_id, o.sku, o.name, o.variant, coalesce(p.bin, o.bin),
      (select coalesce(max(n.walk_no), 0) from pick_lines n where n.operator_id = s.operator_id and n.pick_list_id = s.pick_list_id and n.wagon_no = s.wagon_no)
        + row_number() over (partition by s.pick_list_id, s.wagon_no order by o.order_id, o.line_no),
      (select max(n.cell) from pick_lines n where n.operator_id = s.operator_id and n.pick_list_id = s.pick_list_id and n.bin = coalesce(p.bin, o.bin)),
      o.qty - o.cancelled_qty - o.packed_qty
    from order_lines o
    join pick_slots s on s.operator_id = o.operator_id and s.order_id = o.order_id and s.live
    left join products p on p.operator_id = o.operator_id and p.id = o.product_id
    where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.order_id = any (${order_ids}::bigint[])
      and o.type = 'item' and o.requires_shipping and o.qty - o.cancelled_qty - o.packed_qty > 0
      and not exists (select from pick_lines n where n.operator_id = o.operator_id and n.order_line_id = o.id and n.pick_list_id = s.pick_list_id
        and n.wagon_no = s.wagon_no and n.slot_no = s.slot_no and n.state <> 'gone')`.execute(db)
  const slots = await db
    .selectFrom('pick_slots as s')
    .select(['s.pick_list_id', 's.wagon_no', 's.order_id', 's.company_id'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('pick_lines as l')
            .select('l.id')
            .whereRef('l.pick_list_id', '=', 's.pick_list_id')
            .whereRef('l.order_id', '=', 's.order_id')
            .where('l.state', '<>', 'gone'),
        )
        .$castTo<boolean>()
        .as('wanted'),
    )
    .where('s.order_id', '=', sql<number>`any(${order_ids}::bigint[])`)
    .where('s.live', '=', true)
    .orderBy('s.pick_list_id')
    .orderBy('s.wagon_no')
    .execute()
  for (const [pick_list_id, its] of Map.groupBy(slots, slot => slot.pick_list_id)) {
    const left = its.filter(slot => !slot.wanted).map(slot => slot.order_id)
    await leaveList(tools, pick_list_id, left, 'order_changed')
    for (const wagon_no of new Set(its.map(slot => slot.wagon_no))) await settleList(tools, pick_list_id, wagon_no)
    notify('pick_list', pick_list_id)
  }
  for (const { order_id, company_id } of slots) notify('picking', order_id, company_id)
}
