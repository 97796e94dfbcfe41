/** Writes connections, their log, and what is known of each order on both sides. */
import { sql } from 'kysely'
import {
  changeDestination,
  createDestination,
  hastenDeliveries,
  pauseDestination,
  removeDestination,
} from '#features/deliveries/outbox/outbox.commands.ts'
import type { OutboxType } from '#features/deliveries/outbox/public-events.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { PullCursor } from './pull-cursor.rules.ts'
import { type LogKind, type LogOutcome, shopKind } from './shop-connections.codes.ts'

/** After each of them it is looked up which facts of the order the shop does not have. */
const pushEvents: readonly OutboxType[] = [
  'order.packed',
  'order.partially_packed',
  'order.partially_shipped',
  'order.handed_over',
  'order.cancelled',
  'order.status_history',
  'shipment.booked',
  'shipment.settled',
  'shipment.handed_over',
]

interface ConnectionFields {
  name: string
  base_url: string
  settings: Record<string, string>
}

export async function addConnection(
  db: Db,
  fields: ConnectionFields & { client_id: string; system: string; shop: string; pull_from: string },
  now: Date,
): Promise<number> {
  const { settings, pull_from, ...rest } = fields
  const id = await createDestination(db, shopKind, pushEvents)
  await db
    .insertInto('shop_connections')
    .values({
      id,
      ...rest,
      settings: JSON.stringify(settings),
      pull_from,
      cursor: JSON.stringify({ watermark: pull_from } satisfies Partial<PullCursor>),
      next_pull_at: now.toISOString(),
    })
    .execute()
  return id
}

/** Answers whether the connection still has this version. */
export async function changeConnection(db: Db, id: number, version: number, fields: ConnectionFields): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shop_connections')
    .set(eb => ({ ...fields, settings: JSON.stringify(fields.settings), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Makes a connection active: it reads at once, and what waits for the shop is sent. */
export async function activateConnection(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('shop_connections')
    .set(eb => ({
      state: 'active',
      failures: 0,
      denials: 0,
      next_pull_at: now.toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await changeDestination(db, id, { events: pushEvents, active: true })
  await hastenDeliveries(db, id, now)
}

/** Nothing is read or sent; what happens meanwhile waits. */
export async function stopConnection(db: Db, id: number, state: 'paused' | 'broken'): Promise<void> {
  await db
    .updateTable('shop_connections')
    .set(eb => ({ state, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await pauseDestination(db, id)
}

/** Answers how many pushes waited. Orders stay. */
export async function removeConnection(db: Db, id: number): Promise<number> {
  await db.deleteFrom('shop_connections').where('id', '=', id).execute()
  return removeDestination(db, id)
}

export interface LogRow {
  kind: LogKind
  outcome: LogOutcome
  words?: string | null
  ref?: string | null
  order_id?: number | null
  count?: number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are removed
const unstorable = /[\u0000-\u001f\u007f]|\p{Cs}/gu
const storable = (text: string | null | undefined, most: number) =>
  text
    ?.replace(unstorable, ' ')
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '') ?? null

export async function writeLog(db: Db, connection_id: number, rows: readonly LogRow[], at: Date): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('connection_log')
    .values(
      rows.map(({ kind, outcome, words, ref, order_id = null, count = 1 }) => ({
        connection_id,
        at: at.toISOString(),
        kind,
        outcome,
        shop_words: storable(words, 500),
        ref: storable(ref, 100),
        order_id,
        count,
      })),
    )
    .execute()
}

/** Takes a connection for one reading; false where another server reads it. */
export async function takeConnection(db: Db, id: number, until: Date, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shop_connections')
    .set({ pulling_until: until.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where(eb => eb.or([eb('pulling_until', 'is', null), eb('pulling_until', '<', now.toISOString())]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function storeCursor(
  db: Db,
  id: number,
  cursor: PullCursor,
  { new_order_at }: { new_order_at: string | null },
): Promise<void> {
  await db
    .updateTable('shop_connections')
    .set({ cursor: JSON.stringify(cursor), ...(new_order_at !== null && { last_order_at: new_order_at }) })
    .where('id', '=', id)
    .execute()
}

/** The end of a reading that went well. */
export async function endReading(
  db: Db,
  id: number,
  { caught_up, next, now }: { caught_up: boolean; next: Date; now: Date },
): Promise<void> {
  await db
    .updateTable('shop_connections')
    .set({
      caught_up,
      failures: 0,
      denials: 0,
      last_ok_at: now.toISOString(),
      next_pull_at: next.toISOString(),
      pulling_until: null,
    })
    .where('id', '=', id)
    .execute()
}

/** The end of one that failed. Answers how many have failed in a row. */
export async function endFailedReading(db: Db, id: number, pause_s: (failures: number) => number, now: Date): Promise<void> {
  const row = await db
    .updateTable('shop_connections')
    .set(eb => ({ failures: eb('failures', '+', 1), caught_up: false, pulling_until: null }))
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirst()
  if (!row) return
  await db
    .updateTable('shop_connections')
    .set({ next_pull_at: new Date(now.getTime() + pause_s(row.failures) * 1_000).toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Counts a refusal of the key; answers how many in a row. */
export async function countDenial(db: Db, id: number): Promise<number> {
  const row = await db
    .updateTable('shop_connections')
    .set(eb => ({ denials: eb('denials', '+', 1) }))
    .where('id', '=', id)
    .returning('denials')
    .executeTakeFirst()
  return row?.denials ?? 0
}

export async function forgetDenials(db: Db, id: number): Promise<void> {
  await db.updateTable('shop_connections').set({ denials: 0 }).where('id', '=', id).where('denials', '>', 0).execute()
}

export async function noteSweep(db: Db, id: number, now: Date): Promise<void> {
  await db.updateTable('shop_connections').set({ swept_at: now.toISOString() }).where('id', '=', id).execute()
}

/** Days that the log is kept. */
const logDays = 30

/** Of one operator; in the system role. */
export const forgetOldLog = async (db: Db, operator_id: number, now: Date): Promise<void> => {
  await sql`delete from connection_log
    where operator_id = ${operator_id} and at < ${new Date(now.getTime() - logDays * 86_400_000).toISOString()}`.execute(db)
}

// ——— What is known of an order on both sides

interface RefKey {
  connection_id: number
  order_id: number
  fact: string
}

/** Remembers what was read of orders, or written as their status. */
export async function storeKnown(
  db: Db,
  connection_id: number,
  rows: readonly { order_id: number; external_id: string; fact: 'content' | 'status'; value: string; value_hash: string | null }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('shop_refs')
    .values(
      rows.map(row => ({
        connection_id,
        object_type: 'order' as const,
        object_id: row.order_id,
        state: 'done' as const,
        written_at: now.toISOString(),
        ...row,
        value: row.value.slice(0, 200),
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['operator_id', 'connection_id', 'order_id', 'fact']).doUpdateSet(eb => ({
        value: eb.ref('excluded.value'),
        value_hash: eb.ref('excluded.value_hash'),
        written_at: eb.ref('excluded.written_at'),
      })),
    )
    .execute()
}

type Reservation =
  /** `again`: it was tried before, and may have been carried out. */
  { kind: 'reserved'; again: boolean } | { kind: 'done' } | { kind: 'busy' }

/**
 * Reserves one push of an order before the shop is asked. The order's row is locked for the moment, so that two servers never push facts
 * of one order at once.
 */
export async function reservePush(
  db: Db,
  key: RefKey & { object_type: 'order' | 'shipment'; object_id: number; external_id: string; of_fact: string | null },
  lease_s: number,
  now: Date,
): Promise<Reservation> {
  await db.selectFrom('orders').select('id').where('id', '=', key.order_id).forNoKeyUpdate().execute()
  const rows = await db
    .selectFrom('shop_refs')
    .select(['fact', 'state', 'leased_until'])
    .where('connection_id', '=', key.connection_id)
    .where('order_id', '=', key.order_id)
    .execute()
  const at = now.toISOString()
  if (rows.some(row => row.leased_until !== null && Date.parse(row.leased_until) > now.getTime())) return { kind: 'busy' }
  const known = rows.find(row => row.fact === key.fact)
  if (known && (known.state === 'done' || known.state === 'refused')) return { kind: 'done' }
  const leased_until = new Date(now.getTime() + lease_s * 1_000).toISOString()
  if (known) {
    await db.updateTable('shop_refs').set({ state: 'sending', leased_until }).where(refIs(key)).execute()
    return { kind: 'reserved', again: true }
  }
  await db
    .insertInto('shop_refs')
    .values({ ...key, state: 'sending', leased_until, written_at: at })
    .execute()
  return { kind: 'reserved', again: false }
}

const refIs = (key: RefKey) => sql<boolean>`connection_id = ${key.connection_id} and order_id = ${key.order_id} and fact = ${key.fact}`

export interface PushEnd {
  /** `waiting`: nothing was written. `sending`: it may have been written; the shop is asked before the next attempt. */
  state: 'done' | 'refused' | 'waiting' | 'sending'
  value?: string | null
  made?: readonly { external_type: string; external_id: string }[]
}

export async function endPush(db: Db, key: RefKey, { state, value, made }: PushEnd, now: Date): Promise<void> {
  await db
    .updateTable('shop_refs')
    .set({
      state,
      leased_until: null,
      written_at: now.toISOString(),
      ...(value !== undefined && { value: value?.slice(0, 200) ?? null }),
      ...(made && { made: JSON.stringify(made.slice(0, 20)) }),
    })
    .where(refIs(key))
    .execute()
}

/** Facts that were given up are tried again: a person asks for it. */
export async function reopenPushes(db: Db, connection_id: number, order_id: number): Promise<void> {
  await db
    .updateTable('shop_refs')
    .set({ state: 'sending' })
    .where('connection_id', '=', connection_id)
    .where('order_id', '=', order_id)
    .where('state', '=', 'refused')
    .execute()
}
/** Ends those that are not done: a person has dropped them. */
export async function dropPushes(db: Db, connection_id: number, order_id: number): Promise<void> {
  await db
    .updateTable('shop_refs')
    .set({ state: 'refused', leased_until: null })
    .where('connection_id', '=', connection_id)
    .where('order_id', '=', order_id)
    .where('state', 'in', ['waiting', 'sending'])
    .execute()
}

/** A cancellation of the shop that came too late: the shop gets a note. */
export async function addLateCancellation(db: Db, connection_id: number, order_id: number, external_id: string, now: Date): Promise<void> {
  await db
    .insertInto('shop_refs')
    .values({
      connection_id,
      order_id,
      object_type: 'order',
      object_id: order_id,
      external_id,
      fact: lateCancellation,
      state: 'waiting',
      written_at: now.toISOString(),
    })
    .onConflict(conflict => conflict.columns(['operator_id', 'connection_id', 'order_id', 'fact']).doNothing())
    .execute()
}
export const lateCancellation = 'note-late-cancellation'
