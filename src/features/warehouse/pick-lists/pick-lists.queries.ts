/** Pick lists in the database: where lists and wagons stand, and orders that leave a list. Others may use it. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { reducePicked } from '#features/orders/orders/lines/order-lines.commands.ts'
import { finishPicking, resumePicking, returnToReady, skipPutBack } from '#features/orders/orders/order-state.commands.ts'
import { freeCodesOfOrders } from '#features/warehouse/paperless/release-codes.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { listStateOf, type WagonFacts, wagonStateOf } from './pick-lists.rules.ts'
import type { ListState, WagonState } from './pick-lists.schemas.ts'
import { insertPutBacksOfOrders, writeDecision } from './task-rows.commands.ts'

export type PickTools = Pick<TransactionContext, 'db' | 'recordEvent' | 'recordEvents' | 'notify'>

/**
 * Makes the states of a list and its wagons what the facts say: call it after every change of lines, slots, codes or orders
 * of a list, in the same transaction. Slots whose lines are all decided become picked (and their orders), slots of packed orders packed;
 * an order that is still held when the rest of a begun wagon is decided is taken off. With `wagon_no` only that wagon is looked at.
 *
 * Takes rows in this order: orders, wagons, list. Callers that take an order's row do so before they call this.
 */
export async function settleList(tools: PickTools, pick_list_id: number, wagon_no?: number): Promise<void> {
  const { db, notify } = tools
  const wagons = await takeWagons(db, pick_list_id, wagon_no)
  if (wagons.length === 0) return
  await settleSlots(tools, pick_list_id, wagon_no)
  let facts = await wagonFacts(db, pick_list_id, wagon_no)
  const begun = new Set(
    wagons.filter(({ state }) => state === 'claimed' || state === 'picking' || state === 'paused').map(one => one.wagon_no),
  )
  const left = facts.filter(one => begun.has(one.wagon_no) && one.waiting === 0 && one.blocked > 0)
  if (left.length > 0) {
    const stopped = await stoppedOn(
      db,
      pick_list_id,
      left.map(one => one.wagon_no),
    )
    await leaveList(tools, pick_list_id, stopped, 'order_removed')
    facts = await wagonFacts(db, pick_list_id, wagon_no)
  }
  let changed = false
  for (const wagon of wagons) {
    const its = facts.find(one => one.wagon_no === wagon.wagon_no)
    const state = its ? wagonStateOf(wagon.state, its) : wagon.state
    if (state === wagon.state) continue
    changed = true
    await db
      .updateTable('pick_wagons')
      .set(eb => ({
        state,
        version: eb('version', '+', 1),
        ...(state === 'picked' || state === 'at_packing' ? { picked_at: sql<string>`coalesce(picked_at, now())` } : {}),
        ...(state === 'released' ? { released_at: sql<string>`now()` } : {}),
      }))
      .where('pick_list_id', '=', pick_list_id)
      .where('wagon_no', '=', wagon.wagon_no)
      .execute()
  }
  // A list's row is taken only when something may change: pickers of one list must not wait for each other at every piece.
  if (changed || !(await listAgrees(db, pick_list_id))) await settleState(tools, pick_list_id)
  notify('pick_list', pick_list_id)
}

async function takeWagons(db: Db, pick_list_id: number, wagon_no: number | undefined): Promise<{ wagon_no: number; state: WagonState }[]> {
  let asked = db.selectFrom('pick_wagons').select(['wagon_no', 'state']).where('pick_list_id', '=', pick_list_id)
  if (wagon_no !== undefined) asked = asked.where('wagon_no', '=', wagon_no)
  return await asked.orderBy('wagon_no').forNoKeyUpdate().execute()
}

async function wagonFacts(db: Db, pick_list_id: number, wagon_no: number | undefined): Promise<WagonFacts[]> {
  const { rows } = await sql<WagonFacts>`select * from pick_wagon_facts(${pick_list_id}, ${wagon_no ?? null})`.execute(db)
  return rows
}

/** Slots follow their lines and their orders; only those in sight, which are all for the warehouse's own people. */
async function settleSlots(tools: PickTools, pick_list_id: number, wagon_no: number | undefined): Promise<void> {
  const { db } = tools
  let asked = db
    .selectFrom('pick_slots as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.wagon_no', 's.slot_no', 's.order_id', 's.state', 'o.work_state', 'o.cancelled_at'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('pick_lines as l')
            .select('l.id')
            .whereRef('l.pick_list_id', '=', 's.pick_list_id')
            .whereRef('l.wagon_no', '=', 's.wagon_no')
            .whereRef('l.slot_no', '=', 's.slot_no')
            .where('l.state', 'in', ['open', 'skipped']),
        )
        .$castTo<boolean>()
        .as('open'),
    )
    .where('s.pick_list_id', '=', pick_list_id)
    .where('s.live', '=', true)
  if (wagon_no !== undefined) asked = asked.where('s.wagon_no', '=', wagon_no)
  for (const slot of await asked.orderBy('s.order_id').execute()) {
    if (slot.cancelled_at !== null) continue
    const packed = slot.work_state === 'packed' || slot.work_state === 'handed_over' || slot.work_state === 'closed'
    const state = packed ? 'packed' : slot.open ? 'open' : 'picked'
    if (state === slot.state) continue
    await db
      .updateTable('pick_slots')
      .set({ state, live: !packed })
      .where('pick_list_id', '=', pick_list_id)
      .where('wagon_no', '=', slot.wagon_no)
      .where('slot_no', '=', slot.slot_no)
      .where('live', '=', true)
      .execute()
    if (state === 'picked')
      await finishPicking(tools, [{ order_id: slot.order_id, list: pick_list_id, wagon: slot.wagon_no, slot: slot.slot_no }])
    // A piece that was short is there after all: it has to be fetched.
    if (state === 'open') await resumePicking(tools, [slot.order_id])
  }
}

async function stoppedOn(db: Db, pick_list_id: number, wagons: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('pick_slots as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select('s.order_id')
    .where('s.pick_list_id', '=', pick_list_id)
    .where('s.wagon_no', '=', sql<number>`any(${wagons}::integer[])`)
    .where('s.live', '=', true)
    .where('s.state', '=', 'open')
    .where(eb => eb.or([eb('o.held', '=', true), eb('o.cancelled_at', 'is not', null)]))
    .where('o.work_state', 'in', ['in_pick', 'picked'])
    .execute()
  return rows.map(row => row.order_id)
}

const wagonStatesOf = async (db: Db, pick_list_id: number): Promise<WagonState[]> =>
  (await db.selectFrom('pick_wagons').select('state').where('pick_list_id', '=', pick_list_id).execute()).map(row => row.state)

async function listAgrees(db: Db, pick_list_id: number): Promise<boolean> {
  const list = await db.selectFrom('pick_lists').select('state').where('id', '=', pick_list_id).executeTakeFirst()
  return list === undefined || list.state === 'cancelled' || list.state === listStateOf(await wagonStatesOf(db, pick_list_id))
}

async function settleState({ db, recordEvent }: PickTools, pick_list_id: number): Promise<void> {
  const list = await db.selectFrom('pick_lists').select('state').where('id', '=', pick_list_id).forNoKeyUpdate().executeTakeFirst()
  if (!list || list.state === 'cancelled') return
  // Asked after the row was taken: what another picker finished meanwhile is seen.
  const state: ListState = listStateOf(await wagonStatesOf(db, pick_list_id))
  if (state === list.state) return
  await db
    .updateTable('pick_lists')
    .set(eb => ({
      state,
      version: eb('version', '+', 1),
      completed_at: state === 'completed' ? sql<string>`now()` : null,
      ...(state === 'cancelled' ? { cancelled_at: sql<string>`now()` } : {}),
    }))
    .where('id', '=', pick_list_id)
    .execute()
  await recordEvent({ kind: `pick_list.${state}`, subject: 'pick_list', subject_id: pick_list_id })
}

export type LeavingReason = 'order_cancelled' | 'order_removed' | 'order_changed' | 'list_cancelled' | 'short'

/**
 * Takes orders off a list: their lines are gone, what was picked becomes put-backs, their slots claim them no longer. Codes
 * are freed at once where nothing was picked, else when the pieces are back. Orders that live are ready again.
 * Answers how many put-backs there are. The caller settles the list.
 */
export async function leaveList(
  tools: PickTools,
  pick_list_id: number,
  order_ids: readonly number[],
  reason: LeavingReason,
): Promise<number> {
  const { db, recordEvent, notify } = tools
  if (order_ids.length === 0) return 0
  const ids = [...new Set(order_ids)].sort((a, b) => a - b)
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'company_id', 'work_state', 'cancelled_at'])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  // What is open at a station, or packed, stays: its slot follows the parcel.
  const mayLeave = orders
    .filter(order => order.cancelled_at !== null || ['new', 'ready', 'in_pick', 'picked'].includes(order.work_state))
    .map(order => order.id)
  const slots = await db
    .updateTable('pick_slots')
    .set({ state: 'removed', live: false })
    .where('pick_list_id', '=', pick_list_id)
    .where('order_id', '=', sql<number>`any(${mayLeave}::bigint[])`)
    .where('live', '=', true)
    .returning(['order_id', 'wagon_no', 'slot_no'])
    .execute()
  const leaving = orders.filter(order => slots.some(slot => slot.order_id === order.id))
  if (leaving.length === 0) return 0
  const left = leaving.map(order => order.id)
  const backs = await insertPutBacksOfOrders(db, pick_list_id, left, reason)
  await reducePicked(db, backs)
  await db
    .updateTable('pick_lines')
    .set({ state: 'gone', decided_at: sql<string>`now()` })
    .where('pick_list_id', '=', pick_list_id)
    .where('order_id', '=', sql<number>`any(${left}::bigint[])`)
    .where('state', '<>', 'gone')
    .execute()
  const carried = new Set(backs.map(row => row.order_id))
  await returnToReady(tools, left)
  // Of a cancelled order nothing has to go back that was never taken.
  await skipPutBack(
    tools,
    left.filter(id => !carried.has(id)),
  )
  const gone = leaving.filter(order => order.cancelled_at !== null).map(order => order.id)
  if (gone.length > 0) {
    const shorts = await writeDecision(db, { order_ids: gone }, { decision: 'cancel_line', by: 'system' })
    for (const { id, company_id } of shorts) notify('pick_task', id, company_id)
  }
  for (const order of leaving) {
    const slot = slots.find(one => one.order_id === order.id)
    await recordEvent({
      kind: 'order.taken_off_list',
      order_id: order.id,
      company_id: order.company_id,
      subject: 'pick_list',
      subject_id: pick_list_id,
      data: { list: pick_list_id, wagon: slot?.wagon_no, slot: slot?.slot_no, reason },
    })
  }
  // Empty totes are free again; the others once their pieces are back.
  await freeCodesOfOrders(
    tools,
    left.filter(id => !carried.has(id)),
  )
  await db
    .updateTable('pick_wagons')
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', sql<number>`any(${[...new Set(slots.map(slot => slot.wagon_no))].sort((a, b) => a - b)}::integer[])`)
    .execute()
  for (const order of leaving) {
    notify('order', order.id, order.company_id)
    notify('picking', order.id, order.company_id)
  }
  if (backs.length > 0) notify('pick_task')
  return backs.length
}

/**
 * An order was cancelled or held: its list follows. A cancelled one leaves its list at once; a held one
 * stays until the rest of its wagon is decided. Call it in the transaction that stops the order, after the change.
 */
export async function dropStoppedOrder(tools: PickTools, order_id: number): Promise<void> {
  const { db, notify } = tools
  const slot = await db
    .selectFrom('pick_slots as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.pick_list_id', 's.wagon_no', 'o.company_id', 'o.cancelled_at', 'o.held'])
    .where('s.order_id', '=', order_id)
    .where('s.live', '=', true)
    .executeTakeFirst()
  if (!slot) return
  if (slot.cancelled_at !== null) await leaveList(tools, slot.pick_list_id, [order_id], 'order_cancelled')
  notify('picking', order_id, slot.company_id)
  await settleList(tools, slot.pick_list_id, slot.wagon_no)
}

/** @throws {Refusal} 409 while one of these orders is open at a station */
export async function mustNotBePacked(db: Db, pick_list_id: number, order_ids?: readonly number[]): Promise<void> {
  let asked = db
    .selectFrom('pick_slots as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select('o.order_no')
    .where('s.pick_list_id', '=', pick_list_id)
    .where('s.live', '=', true)
    .where('o.work_state', '=', 'in_pack')
  if (order_ids) asked = asked.where('s.order_id', '=', sql<number>`any(${order_ids}::bigint[])`)
  const order = await asked.limit(1).executeTakeFirst()
  if (order)
    throw conflict('order_in_packing', 'Order {{order}} is being packed at this moment: finish or stop that first', {
      order: order.order_no,
    })
}
