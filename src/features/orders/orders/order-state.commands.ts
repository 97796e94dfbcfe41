/** Changing an order: its row is taken, judged, changed once and the change is written down – always in this order. */
import { type ExpressionBuilder, sql, type UpdateObject } from 'kysely'
import type { NewEvent } from '#contract/events.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import type { Facts, Phase, WorkState } from './orders.rules.ts'

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

/** Bookings that may have succeeded, and labels that a courier would take. */
const bookingStates = ['booking', 'unknown'] as const
const liveStates = ['booked'] as const
/** Parcels that nothing more will happen to. */
const finalStates = ['draft', 'error', 'delivered', 'returned_to_sender', 'lost', 'cancelled', 'blocked'] as const

/** What the states of an order's outbound parcels mean for it. */
export const labelFacts = (states: readonly string[]): Pick<Facts, 'live_labels' | 'labels_booking' | 'parcels_moving'> => {
  const count = (some: readonly string[]) => states.filter(state => some.includes(state)).length
  return { live_labels: count(liveStates), labels_booking: count(bookingStates), parcels_moving: states.length - count(finalStates) }
}

/** Everything that `whyNot` judges by, without taking the row. */
export async function orderFacts(db: Db, id: number): Promise<OrderFacts | undefined> {
  const [row, around] = await Promise.all([
    db.selectFrom('orders as o').select(factColumns).where('o.id', '=', id).executeTakeFirst(),
    aroundOrder(db, id),
  ])
  return row && ({ ...row, ...around } as OrderFacts)
}

/**
 * The order's facts, its row taken until the end of the transaction: whoever changes an order or what stops it comes
 * through here first, so that two changes of one order never overlap. (Not `for share`: two sharers that both go on to
 * change the row would wait for each other.)
 */
export async function takeOrder(db: Db, id: number): Promise<OrderFacts | undefined> {
  const row = await db.selectFrom('orders as o').select(factColumns).where('o.id', '=', id).forNoKeyUpdate().executeTakeFirst()
  // A statement of its own: its snapshot is younger than whatever the row was waited for.
  return row && ({ ...row, ...(await aroundOrder(db, id)) } as OrderFacts)
}

async function aroundOrder(db: Db, id: number): Promise<Pick<Facts, 'live_labels' | 'labels_booking' | 'parcels_moving' | 'locked'>> {
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

/** What is recorded about an order; which order, and how its phase moved, is added. */
export type OrderEvent = NewEvent extends infer E
  ? E extends { kind: `order.${string}` }
    ? Omit<E, 'order_id' | 'company_id'>
    : never
  : never

export interface OrderChange {
  /** The work states in which the change makes sense; any when absent. */
  from?: readonly WorkState[]
  /** Changes nothing unless the order still has this version. */
  version?: number | undefined
  /** Cancelled orders are left alone unless this says otherwise. */
  even_cancelled?: boolean
  set: UpdateObject<DB, 'orders', 'orders'>
  /** Written down with `from` and `to` of the phase added where it changed. */
  event?: OrderEvent
  /** The phase before, where the caller knows it. */
  was?: Phase
}

export interface ChangedOrder {
  id: number
  company_id: number
  order_no: string
  work_state: WorkState
  phase: Phase
  version: number
}

/**
 * One conditional UPDATE, its event and its notice.
 * Answers undefined, and changes nothing, when the order is not in a state (or version) in which this may happen.
 */
export async function changeOrder(
  { db, recordEvent, notify }: Pick<TransactionContext, 'db' | 'recordEvent' | 'notify'>,
  id: number,
  { from, version, even_cancelled = false, set, event, was }: OrderChange,
): Promise<ChangedOrder | undefined> {
  let update = db
    .updateTable('orders')
    .set(set)
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
  if (from) update = update.where('work_state', '=', sql<WorkState>`any(${from})`)
  if (version !== undefined) update = update.where('version', '=', version)
  if (!even_cancelled) update = update.where('cancelled_at', 'is', null)
  const changed = (await update.returning(['id', 'company_id', 'order_no', 'work_state', 'phase', 'version']).executeTakeFirst()) as
    | ChangedOrder
    | undefined
  if (!changed) return undefined
  if (event) {
    const moved = was !== undefined && was !== changed.phase ? { from: was, to: changed.phase } : {}
    await recordEvent({ ...event, order_id: id, company_id: changed.company_id, data: { ...moved, ...event.data } } as NewEvent)
  }
  notify('order', id, changed.company_id)
  return changed
}

/** `held` as it follows from the open locks, for the UPDATE that changes them: `set: { held: heldByLocks(id) }`. */
export const heldByLocks = (order_id: number) => (eb: ExpressionBuilder<DB, 'orders'>) =>
  eb
    .exists(eb.selectFrom('order_locks as l').select('l.id').where('l.order_id', '=', order_id).where('l.released_at', 'is', null))
    .$castTo<boolean>()

/** Screens on which somebody works on this order must hear at once that something stands in the way. */
export function tellBench(tell: TransactionContext['notify'], order: Pick<OrderFacts, 'id' | 'company_id' | 'work_state'>): void {
  tell('packing', order.id, order.company_id)
  if (order.work_state === 'in_pick') tell('picking', order.id, order.company_id)
}
