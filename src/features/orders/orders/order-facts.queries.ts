/** What an order is judged by before it is changed. */
import { sql } from 'kysely'
import { bookingStates, finalStates } from '#domain/order/shipment-states.ts'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { Combined, Facts, Phase } from './orders.rules.ts'

export interface OrderFacts extends Facts {
  id: number
  company_id: number
  order_no: string
  phase: Phase
  version: number
  release_at: string | null
}

const factColumns = [
  'o.id',
  'o.company_id',
  'o.order_no',
  'o.work_state',
  'o.held',
  'o.cancelled_at',
  'o.put_back_due',
  'o.pinned_at',
  'o.phase',
  'o.version',
  'o.release_at',
] as const

/** With which orders it goes in one parcel, and whether the work on that has begun. */
export function combinedFacts(order: 'o' | 'orders') {
  const o = sql.raw(order)
  return sql<Combined | null>`case
    when ${o}.combined_into is not null then (select jsonb_build_object('lead_no', l.order_no, 'begun', ${begun('l')}, 'held_no', null)
      from orders l where l.operator_id = ${o}.operator_id and l.id = ${o}.combined_into)
    when exists (select from orders m where m.operator_id = ${o}.operator_id and m.combined_into = ${o}.id)
      then jsonb_build_object('lead_no', null, 'begun', ${begun(order)}, 'held_no', (select m.order_no from orders m
        where m.operator_id = ${o}.operator_id and m.combined_into = ${o}.id and m.held order by m.id limit 1)) end`
}

/** Something of the parcel was picked or packed, or has a label. */
function begun(order: 'l' | 'o' | 'orders') {
  const o = sql.raw(order)
  return sql`(${o}.work_state not in ('new', 'ready')
    or exists (select from order_lines x where x.operator_id = ${o}.operator_id and x.order_id = ${o}.id and (x.picked_qty > 0 or x.packed_qty > 0))
    or exists (select from shipments s where s.operator_id = ${o}.operator_id and s.order_id = ${o}.id
      and s.state not in ('cancelled', 'blocked', 'error', 'draft')))`
}

/** Labels that a courier would take. */
const liveStates = ['booked'] as const

type ParcelFacts = Pick<Facts, 'live_labels' | 'labels_booking' | 'parcels_moving'>

/** What the states of an order's outbound parcels mean for it. */
export const labelFacts = (states: readonly string[]): ParcelFacts => {
  const count = (some: readonly string[]) => states.filter(state => some.includes(state)).length
  return { live_labels: count(liveStates), labels_booking: count(bookingStates), parcels_moving: states.length - count(finalStates) }
}

/** Everything that `whyNot` judges by, without locking the row. */
export async function orderFacts(db: Db, id: number): Promise<OrderFacts | undefined> {
  const [row, around] = await Promise.all([
    db.selectFrom('orders as o').select(factColumns).select(combinedFacts('o').as('combined')).where('o.id', '=', id).executeTakeFirst(),
    factsAround(db, id),
  ])
  return row && { ...row, ...around }
}

/**
 * The order's facts, its row locked until the end of the transaction: every change of an order, or of what stops it, starts
 * here, so that two changes of one order never overlap. (Not `for share`: two sharers that both go on to change the row
 * would deadlock.)
 */
export async function takeOrder(db: Db, id: number): Promise<OrderFacts | undefined> {
  const row = await lockOrder(db, id)
  // A statement of its own: its snapshot is younger than the transaction that the lock waited for.
  return row && { ...row, ...(await factsAround(db, id)) }
}

/** By one plan for any number of them: with the ids in sight the database expects fewer orders of the company, and reads an index of them to the end. */
interface Ids extends Record<string, unknown> {
  ids: readonly number[]
}
const among = (ids: readonly number[]) => sql<number>`any(${ids}::bigint[])`

const lockedRows = compiledQuery((db, { ids }: Ids) =>
  db.selectFrom('orders as o').select('o.id').where('o.id', '=', among(ids)).orderBy('o.id').forNoKeyUpdate(),
)

/** Many orders at once, those that are there; locked in the order of their ids. */
export async function takeOrders(db: Db, ids: readonly number[]): Promise<OrderFacts[]> {
  await lockedRows(db, { ids })
  return factsOfOrders(db, ids)
}

const factRows = compiledQuery((db, { ids }: Ids) =>
  db.selectFrom('orders as o').select(factColumns).select(combinedFacts('o').as('combined')).where('o.id', '=', among(ids)).orderBy('o.id'),
)
const parcelRows = compiledQuery((db, { ids }: Ids) =>
  db.selectFrom('shipments').select(['order_id', 'state']).where('order_id', '=', among(ids)).where('operation_code', '=', 'outbound'),
)
const manualLocks = compiledQuery((db, { ids }: Ids) =>
  db
    .selectFrom('order_locks')
    .select('order_id')
    .distinct()
    .where('order_id', '=', among(ids))
    .where('kind', '=', 'manual')
    .where('released_at', 'is', null),
)

/** The same without locks. */
export async function factsOfOrders(db: Db, ids: readonly number[]): Promise<OrderFacts[]> {
  const [rows, parcels, locks] = await Promise.all([factRows(db, { ids }), parcelRows(db, { ids }), manualLocks(db, { ids })])
  const statesOf = Map.groupBy(parcels, parcel => parcel.order_id)
  const lockedByHand = new Set(locks.map(lock => lock.order_id))
  return rows.map(row => ({
    ...row,
    ...labelFacts((statesOf.get(row.id) ?? []).map(parcel => parcel.state)),
    locked: lockedByHand.has(row.id),
  }))
}

/** The order's row alone, locked in the same way. */
export const lockOrder = (db: Db, id: number) =>
  db
    .selectFrom('orders as o')
    .select(factColumns)
    .select(combinedFacts('o').as('combined'))
    .where('o.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

async function factsAround(db: Db, id: number): Promise<ParcelFacts & Pick<Facts, 'locked'>> {
  const { live_labels, labels_booking, parcels_moving, locked } = await db
    .selectFrom('shipments as s')
    .where('s.order_id', '=', id)
    .where('s.operation_code', '=', 'outbound')
    .select(eb => [
      eb.fn.countAll<number>().filterWhere('s.state', 'in', liveStates).as('live_labels'),
      eb.fn.countAll<number>().filterWhere('s.state', 'in', bookingStates).as('labels_booking'),
      eb.fn.countAll<number>().filterWhere('s.state', 'not in', finalStates).as('parcels_moving'),
      eb
        .exists(
          eb
            .selectFrom('order_locks as l')
            .select('l.id')
            .where('l.order_id', '=', id)
            .where('l.kind', '=', 'manual')
            .where('l.released_at', 'is', null),
        )
        .as('locked'),
    ])
    .executeTakeFirstOrThrow()
  return { live_labels, labels_booking, parcels_moving, locked: Boolean(locked) }
}
