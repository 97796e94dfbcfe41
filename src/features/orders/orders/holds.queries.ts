/** The one answer to the question whether an order must not go out now. */
import { sql } from 'kysely'
import { type AppError, conflict } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'

export interface Stop {
  kind: 'cancelled' | 'hold' | 'manual' | 'auto'
  /** A sentence with places: the translation key. */
  text: string
  values: Record<string, string | number>
  /** For holds: payment, address, fraud, customer … */
  reason: string | null
  note: string
  /** Who, or what, stopped it. */
  actor: string
  at: string
  until: string | null
}

const stopSentences = {
  cancelled: 'This order was cancelled. Do not send it.',
  hold: 'Put on hold by {{name}}: {{note}}',
  combined: 'Combined with {{order_no}}, which is on hold',
  bareHold: 'Put on hold by {{name}}. Ask before you send it.',
  manual: 'Locked by {{name}}: {{note}}',
  bareManual: 'Locked by {{name}}. Ask before you send it.',
  auto: 'This order is locked until: {{note}}',
} as const

/**
 * What stops this order, or null when it may go out. Takes the order's row until the end of the transaction, so that a
 * hold set at the same moment either is seen here or waits until this transaction has ended: ask it in every transaction
 * that packs, books or prints. An order out of sight stops nothing: ask for the order itself first.
 */
export async function stopOf(db: Db, order_id: number): Promise<Stop | null> {
  const order = await takenStops(db, order_id)
  return order ? stopFor(db, order_id, order) : null
}

/** The same for an order whose row is locked already: `order` is what the lock returned. */
export const stopOfLocked = (db: Db, order: { id: number; held: boolean; cancelled_at: string | null }): Promise<Stop | null> =>
  stopFor(db, order.id, order)

/**
 * The same for a parcel that is packed and labelled: what was held back when the rest of the order was left for later stops the
 * rest, not the parcel that was sent without it.
 */
export async function stopOfParcel(db: Db, order_id: number): Promise<Stop | null> {
  const order = await takenStops(db, order_id)
  return order ? stopFor(db, order_id, order, { packed: true }) : null
}

const takenStops = (db: Db, order_id: number) =>
  db.selectFrom('orders').select(['held', 'cancelled_at']).where('id', '=', order_id).forNoKeyUpdate().executeTakeFirst()

/** The reason of the hold under which the rest of an order waits after a part of it was packed. */
export const restWaits = 'partial'

/** `stopOfParcel` of many at once: something stops the parcels of an order that stands in the statement as `o`. */
export const parcelStopped = sql<boolean>`(o.cancelled_at is not null or o.held and exists (select from order_locks stop
  where stop.operator_id = o.operator_id and stop.order_id = any (array(select m.id from orders m where m.operator_id = o.operator_id
    and (m.id = o.id or m.combined_into = o.id))) and stop.released_at is null and stop.reason is distinct from ${sql.lit(restWaits)}))`

/** The same for showing: takes nothing, and may be outdated a moment later. */
export async function stopSeen(db: Db, order_id: number): Promise<Stop | null> {
  const order = await db.selectFrom('orders').select(['held', 'cancelled_at']).where('id', '=', order_id).executeTakeFirst()
  return order ? stopFor(db, order_id, order) : null
}

async function stopFor(
  db: Db,
  order_id: number,
  order: { held: boolean; cancelled_at: string | null },
  { packed = false } = {},
): Promise<Stop | null> {
  if (order.cancelled_at !== null) {
    const event = await db
      .selectFrom('events')
      .select('actor_name')
      .where('order_id', '=', order_id)
      .where('kind', '=', 'order.cancelled')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return {
      kind: 'cancelled',
      text: stopSentences.cancelled,
      values: {},
      reason: null,
      note: '',
      actor: event?.actor_name ?? 'system',
      at: order.cancelled_at,
      until: null,
    }
  }
  if (!order.held) return null
  let locks = db
    .selectFrom('order_locks')
    .innerJoin('orders as o', 'o.id', 'order_locks.order_id')
    .select(['kind', 'reason', 'note', 'actor', 'order_locks.created_at', 'until', 'order_locks.order_id', 'o.order_no'])
    .where(
      'order_locks.order_id',
      '=',
      sql<number>`any(array(select m.id from orders m where m.operator_id = current_operator_id()
      and (m.id = ${order_id} or m.combined_into = ${order_id})))`,
    )
    .where('released_at', 'is', null)
  if (packed) locks = locks.where('reason', 'is distinct from', restWaits)
  // Its own lock says more than that of an order in the same parcel.
  const lock = await locks
    .orderBy(sql`order_locks.order_id = ${order_id}`, 'desc')
    .orderBy('order_locks.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!lock) return null
  return {
    ...(lock.order_id === order_id ? sentenceOf(lock) : { text: stopSentences.combined, values: { order_no: lock.order_no } }),
    kind: lock.kind,
    reason: lock.reason,
    note: lock.note,
    actor: lock.actor,
    at: lock.created_at,
    until: lock.until,
  }
}

function sentenceOf({
  kind,
  note,
  actor,
  reason,
}: {
  kind: 'hold' | 'manual' | 'auto'
  note: string
  actor: string
  reason: string | null
}): Pick<Stop, 'text' | 'values'> {
  if (kind === 'auto') return { text: stopSentences.auto, values: { note } }
  const words = note || reason || ''
  if (kind === 'hold')
    return words
      ? { text: stopSentences.hold, values: { name: actor, note: words } }
      : { text: stopSentences.bareHold, values: { name: actor } }
  return words
    ? { text: stopSentences.manual, values: { name: actor, note: words } }
    : { text: stopSentences.bareManual, values: { name: actor } }
}

/** The refusal that names a stop. */
const stopped = (stop: Stop): AppError => conflict('order_on_hold', stop.text, stop.values, { current: stop })

/** Throws the stop's sentence when there is one. */
export async function mustNotBeStopped(db: Db, order_id: number, find = stopOf): Promise<void> {
  const stop = await find(db, order_id)
  if (stop) throw stopped(stop)
}
