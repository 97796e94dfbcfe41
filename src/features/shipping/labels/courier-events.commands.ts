/** Keeps what a courier reports of a parcel, and moves shipment and order by it. */
import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { newestReason } from '#features/shipping/courier-events/courier-events.rules.ts'
import type { TrackingEvent } from '#integrations/couriers/courier.ts'
import { compiledQuery, executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { eventThatDecides, nextTrackAt, stateByEvents } from './courier-events.rules.ts'
import { updateOrderByShipments } from './shipment-status.commands.ts'

/** Events of one answer; couriers report some dozens. */
const mostEvents = 200
/** Letters of an event that are kept. */
const mostWords = 300

/** A parcel that is not to leave, or of which no one knows whether it was booked. */
const isStopped = (state: string): boolean => ['cancelled', 'blocked', 'draft', 'error', 'booking', 'unknown', 'lost'].includes(state)

/** The same event, read again, has the same key. What is both sent and answered has other words in both: there code and second count. */
const keyOf = (agent_code: string, { state, at, place, text, code }: TrackingEvent): string =>
  createHash('sha256')
    .update(
      JSON.stringify(code === undefined ? [agent_code, state, at, place, text] : [agent_code, code, Math.floor(Date.parse(at) / 1_000)]),
    )
    .digest('hex')
    .slice(0, 40)

/** Hours after which a courier that sent an event counts as silent, and is asked as often as before. */
const pushHours = 48

interface KnownEvent {
  state: string
  at: string
  place: string | null
  text: string
  fresh: boolean
}

/** Stores those of these events that are new; answers the latest of all, the newest first, and whether the courier sends its events by itself. */
async function storeEvents(
  db: Db,
  { id, company_id, order_id, agent_code }: Pick<Selectable<DB['shipments']>, 'id' | 'company_id' | 'order_id' | 'agent_code'>,
  events: readonly TrackingEvent[],
  now: Date,
): Promise<{ known: KnownEvent[]; pushed: boolean }> {
  const pushedSince = new Date(now.getTime() - pushHours * 3_600_000).toISOString()
  const rows = await executeWithGenericPlan(
    db,
    sql<{ known: KnownEvent[]; pushed: boolean }>`
    with stored as (
      insert into shipment_events (company_id, shipment_id, order_id, state, at, place, text, source, courier_key)
      select ${company_id}::bigint, ${id}::bigint, ${order_id}::bigint, e.state, e.at, e.place, e.text, ${agent_code}, e.key
      from unnest(${events.map(one => one.state)}::text[], ${events.map(one => one.at)}::timestamptz[],
        ${events.map(one => one.place?.slice(0, 100) ?? null)}::text[], ${events.map(one => one.text.slice(0, mostWords))}::text[],
        ${events.map(one => keyOf(agent_code, one))}::text[]) with ordinality e(state, at, place, text, key, n)
      order by e.n
      on conflict (operator_id, shipment_id, courier_key) where courier_key is not null do nothing
      returning state, at, place, text),
    known as (
      select state, at, place, text, true fresh from stored
      union all
      select state, at, place, text, false from shipment_events
      where operator_id = current_operator_id() and shipment_id = ${id} and courier_key is not null
      order by at desc limit ${mostEvents})
    select coalesce((select jsonb_agg(k order by k.at desc) from known k), '[]') known,
      exists (select from courier_webhooks w where w.operator_id = current_operator_id() and w.company_id = ${company_id}
        and w.agent_code = ${agent_code} and w.received_at > ${pushedSince}::timestamptz) pushed`,
  )
  return elementAt(rows, 0)
}

/** Read under the lock: somebody may scan the parcel meanwhile. */
const lockedShipment = compiledQuery((db, { id }: { id: number }) =>
  db
    .selectFrom('shipments')
    .select(['id', 'company_id', 'order_id', 'state', 'agent_code', 'operation_code', 'booked_at', 'created_at', 'delivered_at'])
    .select('event_reason')
    .where('id', '=', id)
    .forNoKeyUpdate(),
)

async function orderOf(db: Db, shipment_id: number): Promise<number | null> {
  const row = await db.selectFrom('shipments').select('order_id').where('id', '=', shipment_id).executeTakeFirst()
  return row?.order_id ?? null
}

/** The words of an answer take the place of a code that was sent alone. */
async function fillWords(db: Db, shipment_id: number, agent_code: string, events: readonly TrackingEvent[]): Promise<void> {
  const worded = events.filter(event => event.code !== undefined && event.text !== event.code)
  if (worded.length === 0) return
  await sql`
    update shipment_events e set text = t.text, place = coalesce(e.place, t.place)
    from unnest(${worded.map(event => keyOf(agent_code, event))}::text[], ${worded.map(event => event.code ?? '')}::text[],
      ${worded.map(event => event.text.slice(0, mostWords))}::text[], ${worded.map(event => event.place?.slice(0, 100) ?? null)}::text[]) t(key, code, text, place)
    where e.operator_id = current_operator_id() and e.shipment_id = ${shipment_id} and e.courier_key = t.key and e.text = t.code`.execute(
    db,
  )
}

/**
 * Stores the new ones of these events and takes the shipment to the state that all of them lead to; answers how many were new.
 * `known_order` is the shipment's order, where the caller has read it.
 */
export async function applyCourierEvents(
  context: Context,
  shipment_id: number,
  events: readonly TrackingEvent[],
  known_order?: number | null,
): Promise<number> {
  const { db, now, recordEvent, notify } = context
  const order_id = known_order === undefined ? await orderOf(db, shipment_id) : known_order
  if (order_id !== null) await takeOrder(db, order_id)
  const [row] = await lockedShipment(db, { id: shipment_id })
  if (!row) return 0
  const { company_id, agent_code } = row
  const latest = now().getTime() + 86_400_000
  const sound = events.filter(event => Date.parse(event.at) <= latest).slice(0, mostEvents)
  const { known, pushed } = await storeEvents(db, row, sound, now())
  const stored = known.filter(one => one.fresh).length
  await fillWords(db, shipment_id, agent_code, sound)
  const { newest, delivered_at, left_at } = eventThatDecides(known)
  const state = stateByEvents(row, known, newest)
  const reason = newestReason(known)
  const collect_by = sound
    .flatMap(event => event.collect_by ?? [])
    .toSorted()
    .at(-1)
  const heard = known[0]?.at ?? row.booked_at ?? row.created_at
  await db
    .updateTable('shipments')
    .set(eb => ({
      next_track_at: nextTrackAt(state ?? row.state, heard, now(), pushed),
      event_reason: reason,
      ...(collect_by !== undefined && { collect_by }),
      ...(state &&
        newest && {
          state,
          error: null,
          error_kind: null,
          version: eb('version', '+', 1),
        }),
      // The earliest that anybody says: a scan here, or an event that comes late.
      ...(left_at !== null && !isStopped(row.state) && { handed_over_at: sql`least(handed_over_at, ${left_at}::timestamptz)` }),
      ...(delivered_at !== null && !isStopped(row.state) && { delivered_at }),
    }))
    .where('id', '=', shipment_id)
    .execute()
  const subject = { order_id, company_id, subject: 'shipment', subject_id: shipment_id }
  const place = newest?.place ?? known[0]?.place ?? null
  if (state && newest) {
    if (state === 'delivery_failed') await recordEvent({ kind: 'shipment.delivery_failed', ...subject, data: { place, reason } })
    else if (state !== 'needs_attention') await recordEvent({ kind: `shipment.${state}`, ...subject, data: { place } })
    if (row.operation_code === 'outbound' && order_id !== null) await updateOrderByShipments(context, order_id, newest.at)
  }
  // After the state: what the newest event names goes on.
  if (state === 'needs_attention' || (reason && reason !== row.event_reason))
    await recordEvent({ kind: 'shipment.problem_reported', ...subject, data: { place, reason } })
  else if (!reason && row.event_reason) await recordEvent({ kind: 'shipment.problem_ended', ...subject })
  if (stored > 0) {
    notify('shipment', shipment_id, company_id)
    if (order_id !== null) notify('order', order_id, company_id)
  }
  return stored
}
