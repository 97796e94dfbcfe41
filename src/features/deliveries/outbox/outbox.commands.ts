/** Writes the outbox: rows in the transaction of a change, destinations, deliveries and their ends. */
import { type RawBuilder, sql } from 'kysely'
import { withheldFromShop } from '#features/shipping/courier-events/courier-events.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { hoursUntilPause, pauseAfter, probePause } from './deliveries.rules.ts'
import { type EventsOfObject, type OutboxType, objectTypeOf, outboxEvents, outboxKinds, publicTypes } from './public-events.rules.ts'

/** `('order.imported', 'order', 'order.created', array['source', 'items']), …`: the kinds that are delivered as rows of SQL. */
const deliveredRows = outboxKinds
  .map(kind => {
    const { type, fields } = outboxEvents[kind]
    return `('${kind}', '${objectTypeOf(type)}', '${type}', array[${fields.map(field => `'${field}'`).join(', ')}]::text[])`
  })
  .join(', ')

/**
 * The shop of an outbox row `w`, in the order in which SQL takes the first. A new order stands in no snapshot of the statement that makes it;
 * its event names the shop.
 */
const shopOfObject = `(select max(e.shop) from outbox_events e where e.object_type = w.object_type and e.object_id = w.object_id),
  (select o.shop from orders o where o.operator_id = current_operator_id() and w.object_type = 'order' and o.id = w.object_id),
  (select o.shop from shipments s join orders o on o.operator_id = s.operator_id and o.id = s.order_id
    where s.operator_id = current_operator_id() and w.object_type = 'shipment' and s.id = w.object_id),
  (select r.shop from returns r where r.operator_id = current_operator_id() and w.object_type = 'return' and r.id = w.object_id)`

/** Only these belong to `order.*`: mails to customers and people of the company have rows of the same objects. */
const publicList = publicTypes.map(type => `'${type}'`).join(', ')

/**
 * Steps that write recorded events into the outbox with the next numbers of their objects, and a delivery for each destination that wants
 * them. An event that names no object is left out. The row of an object's last number stays locked until the transaction ends: two changes
 * of one object have their numbers in the order of their commits.
 */
export const outboxSteps = (events: string): readonly string[] => [
  `outbox_events as materialized (
    select * from (
      select e.id as n, e.company_id, e.now, p.object_type, p.type,
        case when p.object_type = 'order' then e.order_id when e.subject = p.object_type then e.subject_id end as object_id, e.data ->> 'shop' as shop,
        coalesce((select jsonb_object_agg(f, e.data -> f) from unnest(p.fields) f where e.data ? f), '{}') as payload
      from ${events} e join (values ${deliveredRows}) p(kind, object_type, type, fields) on p.kind = e.kind) o
    where object_id is not null)`,
  `outbox_counted as (
    insert into outbox_objects as o (object_type, object_id, seq)
    select object_type, object_id, count(*) from outbox_events group by object_type, object_id order by object_type, object_id
    on conflict (operator_id, object_type, object_id) do update set seq = o.seq + excluded.seq
    returning object_type, object_id, seq)`,
  // The n-th object's number stands in the n-th place: a join would compare each event with each object, since no one knows how many there are.
  `outbox_written as (
    insert into outbox (company_id, at, object_type, object_id, seq, kind, payload)
    select e.company_id, e.now, e.object_type, e.object_id,
      ((select array_agg(seq order by object_type, object_id) from outbox_counted))[dense_rank() over (order by e.object_type, e.object_id)] + 1
        - row_number() over (partition by e.object_type, e.object_id order by e.n desc), e.type, e.payload
    from outbox_events e order by e.n
    returning company_id, id, at, object_type, object_id, seq, kind, payload)`,
  `outbox_delivered as (
    insert into outbox_deliveries (company_id, at, destination_kind, destination_id, outbox_id, object_type, object_id, seq, next_at)
    select w.company_id, w.at, d.kind, d.id, w.id, w.object_type, w.object_id, w.seq, w.at
    from outbox_written w join outbox_destinations d
      on d.operator_id = current_operator_id() and d.company_id = w.company_id and d.state <> 'disabled' 
        and (w.kind = any (d.events) or (w.kind in (${publicList}) and split_part(w.kind, '.', 1) || '.*' = any (d.events)))
    where (d.shop is null or d.shop = coalesce(${shopOfObject}))
      and not (d.kind = 'webhook' and w.object_type = 'shipment' and ${withheldFromShop('w')}))`,
]

/** Creates a destination: events from now on are delivered to it, of one shop or of all. */
export async function createDestination(
  db: Db,
  kind: string,
  events: readonly (OutboxType | EventsOfObject)[],
  shop: string | null = null,
): Promise<number> {
  const { id } = await db
    .insertInto('outbox_destinations')
    .values({ kind, events: [...events], shop })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes what a destination wants. Made active, it gets what waits, in order, whatever failed before. */
export async function changeDestination(
  db: Db,
  id: number,
  change: { events: readonly (OutboxType | EventsOfObject)[]; active: boolean; shop?: string | null },
): Promise<void> {
  await db
    .updateTable('outbox_destinations')
    .set({
      events: [...change.events],
      state: change.active ? 'active' : 'disabled',
      shop: change.shop ?? null,
      ...fresh,
    })
    .where('id', '=', id)
    .execute()
}

/** Changes what a paused destination wants; it stays paused and keeps what waits. Answers whether it is paused. */
export async function changePausedDestination(
  db: Db,
  id: number,
  { events, shop }: { events: readonly (OutboxType | EventsOfObject)[]; shop: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_destinations')
    .set({ events: [...events], shop })
    .where('id', '=', id)
    .where('state', '=', 'paused')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Nothing is known of earlier failures. */
const fresh = { failures: 0, failing_since: null, resume_at: null, paused_at: null, pause_mailed_at: null, lost: 0 }

/** Starts a paused destination: it gets what waits, in order. Answers whether it was paused. */
export async function resumeDestination(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_destinations')
    .set({ state: 'active', ...fresh })
    .where('id', '=', id)
    .where('state', '=', 'paused')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Stops sending to a destination; what happens meanwhile waits for it. */
export async function pauseDestination(db: Db, id: number): Promise<void> {
  await db.updateTable('outbox_destinations').set({ state: 'paused' }).where('id', '=', id).execute()
}

/** Sends what waits for a destination now instead of at its time. */
export async function hastenDeliveries(db: Db, destination_id: number, now: Date): Promise<void> {
  await db
    .updateTable('outbox_deliveries')
    .set({ next_at: now.toISOString() })
    .where('destination_id', '=', destination_id)
    .where('state', '=', 'waiting')
    .where('next_at', '>', now.toISOString())
    .execute()
}

/**
 * Sends one delivery that is not delivered now. One that has failed begins anew; one that waits keeps the place in its attempts, so that
 * a person's attempt neither restarts the three days nor uses them up. What waits before it for the same object goes with it.
 * Answers whether there is such a delivery.
 */
export async function retryDelivery(db: Db, destination_id: number, id: number, now: Date): Promise<boolean> {
  const at = now.toISOString()
  const { rows } = await sql<{ id: number }>`
    with chosen as (
      select id, object_type, object_id, seq, replay_no from outbox_deliveries
      where destination_id = ${destination_id} and id = ${id} and state in ('waiting', 'failed'))
    update outbox_deliveries d set state = 'waiting', next_at = ${at}, finished_at = null,
      attempts = case when d.state = 'failed' then 0 when d.next_at > ${at} then greatest(d.attempts - 1, 0) else d.attempts end
    from chosen c
    where d.destination_id = ${destination_id} and (d.id = c.id or (d.state = 'waiting' and d.object_type = c.object_type
      and d.object_id = c.object_id and (d.seq, d.replay_no) < (c.seq, c.replay_no)))
    returning d.id`.execute(db)
  if (rows.length === 0) return false
  // A receiver that is left alone after failures is asked all the same.
  await db
    .updateTable('outbox_destinations')
    .set({ resume_at: null })
    .where('id', '=', destination_id)
    .where('state', '=', 'active')
    .execute()
  return true
}

/** Ends a delivery for good, with the reason of who decided it. */
export async function dropDelivery(db: Db, destination_id: number, id: number, reason: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_deliveries')
    .set({ state: 'failed', answer: reason, finished_at: now.toISOString() })
    .where('destination_id', '=', destination_id)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'failed'])
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes a destination with the deliveries that wait for it; answers how many those are. */
export async function removeDestination(db: Db, id: number): Promise<number> {
  await db.deleteFrom('outbox_destinations').where('id', '=', id).execute()
  const { numDeletedRows } = await db
    .deleteFrom('outbox_deliveries')
    .where('destination_id', '=', id)
    .where('state', 'in', ['waiting', 'sending'])
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export interface DeliveryKey {
  operator_id: number
  id: number
  at: string
}

export interface ClaimedDelivery extends DeliveryKey {
  company_id: number
  destination_id: number
  destination_kind: string
  outbox_id: number
  object_type: string
  object_id: number
  seq: number
  replay_no: number
  attempts: number
  kind: string
  payload: unknown
}

/** Seconds for which an attempt holds its delivery; longer than a sender may take. */
const leaseSeconds = 30

/**
 * Takes deliveries for one attempt each. Who takes them has until the end of the lease; after it the next one sends the same delivery
 * again. Those that are taken, finished or not the first of their object any more are left out. Only the system role may do this.
 */
export async function claimDeliveries(db: Db, keys: readonly DeliveryKey[], now: Date): Promise<ClaimedDelivery[]> {
  if (keys.length === 0) return []
  const until = new Date(now.getTime() + leaseSeconds * 1_000).toISOString()
  const { rows } = await sql<ClaimedDelivery>`
    with taken as (
      select d.operator_id, d.id, d.at from outbox_deliveries d
        join unnest(${keys.map(key => key.operator_id)}::bigint[], ${keys.map(key => key.id)}::bigint[], ${keys.map(key => key.at)}::timestamptz[])
          as k(operator_id, id, at) on d.operator_id = k.operator_id and d.id = k.id and d.at = k.at
      where d.state in ('waiting', 'sending') and d.next_at <= ${now.toISOString()} and ${isFirst}
      for update of d skip locked),
    claimed as (
      update outbox_deliveries d set state = 'sending', attempts = d.attempts + 1, next_at = ${until}
      from taken t where d.operator_id = t.operator_id and d.id = t.id and d.at = t.at
      returning d.*)
    select c.operator_id, c.id, c.at, c.company_id, c.destination_id, c.destination_kind, c.outbox_id, c.object_type, c.object_id, c.seq,
      c.replay_no, c.attempts, o.kind, o.payload
    from claimed c join outbox o on o.operator_id = c.operator_id and o.id = c.outbox_id and o.at = c.at`.execute(db)
  return rows
}

/** No earlier delivery of the same object to the same destination is unfinished. */
const isFirst = sql`not exists (select from outbox_deliveries p
  where p.operator_id = d.operator_id and p.destination_id = d.destination_id and p.object_type = d.object_type and p.object_id = d.object_id
    and (p.seq, p.replay_no) < (d.seq, d.replay_no) and p.state in ('waiting', 'sending'))`

export interface DueDelivery extends DeliveryKey {
  company_id: number
  destination_id: number
  failures: number
}

/** What may be sent now: the first delivery of each object, some for each destination. Only the system role may ask. */
export async function dueDeliveries(db: Db, kinds: readonly string[], now: Date): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select t.operator_id, t.company_id, t.id destination_id, t.failures, due.id, due.at
    from outbox_destinations t cross join lateral (
      select d.id, d.at, d.next_at from outbox_deliveries d
      where d.operator_id = t.operator_id and d.destination_id = t.id and d.state in ('waiting', 'sending') and d.next_at <= ${now.toISOString()} and ${isFirst}
      order by d.next_at, d.at, d.id limit 8) due
    where t.state = 'active' and not exists (select from companies c where c.operator_id = t.operator_id and c.id = t.company_id and c.closed_at is not null)
      and t.kind = any (${kinds}) and (t.resume_at is null or t.resume_at <= ${now.toISOString()})
    order by due.next_at, due.at, due.id limit 4000`.execute(db)
  return rows
}

export interface DeliveryOutcome {
  /** `gone`: the receiver wants nothing any more. `refused`: it does not want this delivery; others may go on. */
  outcome: 'delivered' | 'failed' | 'gone' | 'refused'
  /** HTTP status, where there was an answer. */
  status: number | null
  /** The start of the answer, or what went wrong. */
  answer: string
  retry_after_s?: number
}

/**
 * Writes down how an attempt ended. Does nothing when the lease ran out and another attempt has begun.
 * A failed attempt delays what waits for the same object, so that a long queue behind it costs nothing meanwhile.
 */
export async function finishAttempt(
  db: Db,
  delivery: ClaimedDelivery,
  { outcome, status, answer, retry_after_s }: DeliveryOutcome,
  { now, took_ms, random }: { now: Date; took_ms: number; random: number },
): Promise<void> {
  const at = now.toISOString()
  const pause =
    outcome === 'delivered' || outcome === 'refused'
      ? undefined
      : pauseAfter(delivery.attempts, random, retry_after_s, delivery.destination_kind)
  const state = outcome === 'delivered' ? 'delivered' : pause === undefined ? 'failed' : 'waiting'
  const next_at = pause === undefined ? at : new Date(now.getTime() + pause * 1_000).toISOString()
  const { numUpdatedRows } = await db
    .updateTable('outbox_deliveries')
    .set({ state, status, answer: answer.slice(0, 4_000), took_ms, next_at, finished_at: state === 'waiting' ? null : at })
    .where('operator_id', '=', delivery.operator_id)
    .where('id', '=', delivery.id)
    .where('at', '=', delivery.at)
    .where('state', '=', 'sending')
    .where('attempts', '=', delivery.attempts)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await scheduleFollowers(db, delivery, state === 'waiting' ? { all: next_at } : { first: at })
  await countOutcome(db, delivery, outcome, now)
}

/** Moves what waits behind a delivery: all of it to a later time, or the first to now. */
async function scheduleFollowers(db: Db, delivery: ClaimedDelivery, to: { all: string } | { first: string }): Promise<void> {
  const waiting = sql`f.operator_id = ${delivery.operator_id} and f.destination_id = ${delivery.destination_id} and f.object_type = ${delivery.object_type}
    and f.object_id = ${delivery.object_id} and f.state = 'waiting'`
  if ('all' in to)
    await sql`update outbox_deliveries f set next_at = ${to.all}
      where ${waiting} and (f.seq, f.replay_no) > (${delivery.seq}::integer, ${delivery.replay_no}::integer) and f.next_at < ${to.all}`.execute(
      db,
    )
  else
    await sql`update outbox_deliveries d set next_at = ${to.first}
      from (select f.operator_id, f.id, f.at from outbox_deliveries f where ${waiting} order by f.seq, f.replay_no limit 1) f
      where d.operator_id = f.operator_id and d.id = f.id and d.at = f.at and d.state = 'waiting' and d.next_at > ${to.first}`.execute(db)
}

/** Counts failures in a row: after some the destination gets one delivery at a time, after three days it is paused. */
async function countOutcome(db: Db, delivery: ClaimedDelivery, outcome: DeliveryOutcome['outcome'], now: Date): Promise<void> {
  if (outcome === 'refused') return
  const destination = db
    .updateTable('outbox_destinations')
    .where('operator_id', '=', delivery.operator_id)
    .where('id', '=', delivery.destination_id)
  if (outcome === 'delivered') {
    await destination.set({ failures: 0, failing_since: null, resume_at: null }).where('failures', '>', 0).execute()
    return
  }
  const counted = await destination
    .set(eb => ({
      failures: eb('failures', '+', 1),
      failing_since: eb.fn.coalesce('failing_since', eb.val(now.toISOString())),
    }))
    .returning(['failures', 'failing_since'])
    .executeTakeFirst()
  if (!counted) return
  const pause = probePause(counted.failures)
  const tooLong = now.getTime() - Date.parse(counted.failing_since ?? '') >= hoursUntilPause(delivery.destination_kind) * 3_600_000
  if (outcome === 'gone' || tooLong)
    await destination.set({ state: 'paused', paused_at: now.toISOString() }).where('state', '=', 'active').execute()
  else if (pause !== undefined) await destination.set({ resume_at: new Date(now.getTime() + pause * 1_000).toISOString() }).execute()
}

interface ReplaySpan {
  from: string
  to: string
  states: readonly ('delivered' | 'failed')[]
  /** Without it, of all kinds. */
  events?: readonly string[] | undefined
}

/** Deliveries that one replay sends again at most. */
const mostReplayed = 100_000

/** Sends finished deliveries of a time again, in their order; answers how many. What still waits comes by itself. */
export const replayDeliveries = (db: Db, destination_id: number, { from, to, states, events }: ReplaySpan, now: Date): Promise<number> =>
  sendAgain(
    db,
    destination_id,
    sql`d.at >= ${from} and d.at < ${to} and d.state = any (${states})
      and (${events ?? null}::text[] is null or exists (select from outbox o where o.operator_id = d.operator_id and o.id = d.outbox_id
        and o.at = d.at and o.kind = any (${events ?? []}::text[])))`,
    now,
  )

/** Sends one finished delivery again; answers whether there is one that was not sent again already. */
export const replayDelivery = async (db: Db, destination_id: number, id: number, now: Date): Promise<boolean> =>
  (await sendAgain(db, destination_id, sql`d.id = ${id} and d.state in ('delivered', 'failed')`, now)) > 0

async function sendAgain(db: Db, destination_id: number, which: RawBuilder<unknown>, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into outbox_deliveries (company_id, at, destination_kind, destination_id, outbox_id, object_type, object_id, seq, replay_no, next_at)
    select d.company_id, d.at, d.destination_kind, d.destination_id, d.outbox_id, d.object_type, d.object_id, d.seq, d.replay_no + 1, ${now.toISOString()}
    from outbox_deliveries d
    where d.operator_id = current_operator_id() and d.company_id = current_company_id() and d.destination_id = ${destination_id} and ${which}
      and not exists (select from outbox_deliveries later where later.operator_id = d.operator_id and later.destination_id = d.destination_id
        and later.outbox_id = d.outbox_id and later.at = d.at and later.replay_no > d.replay_no)
    order by d.at, d.outbox_id limit ${mostReplayed}
    on conflict do nothing returning id`.execute(db)
  return rows.length
}

/** Days for which a paused destination keeps what waits. */
const backlogDays = 14

/** Ends what waited too long for a paused destination, and counts it there; asked as the system. */
export async function endOldBacklogs(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await sql`
    with ended as (
      update outbox_deliveries d set state = 'failed', finished_at = ${at}, answer = 'Lost: it waited for more than 14 days'
      from outbox_destinations t
      where t.paused_at is not null and t.state = 'paused' and d.operator_id = t.operator_id and d.destination_id = t.id
        and d.state in ('waiting', 'sending')  and d.at < ${at}::timestamptz - make_interval(days => ${backlogDays})
      returning d.operator_id, d.destination_id),
    counted as (select operator_id, destination_id, count(*) n from ended group by operator_id, destination_id)
    update outbox_destinations t set lost = t.lost + c.n from counted c where t.operator_id = c.operator_id and t.id = c.destination_id`.execute(
    db,
  )
}

interface PausedDestination {
  operator_id: number
  company_id: number
  id: number
  gone: boolean
}

/** Destinations of a kind that were paused by themselves, and about which no one was mailed yet; asked as the system. */
export async function newlyPaused(db: Db, kind: string): Promise<PausedDestination[]> {
  const { rows } = await sql<PausedDestination>`
    select operator_id, company_id, id, paused_at - failing_since < interval '72 hours' as gone from outbox_destinations
    where paused_at is not null and pause_mailed_at is null and state = 'paused' and kind = ${kind} order by operator_id, id limit 500`.execute(
    db,
  )
  return rows
}

/** Notes that people are mailed about a pause; false where another server was first, or it goes on already. */
export async function notePauseMailed(db: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_destinations')
    .set({ pause_mailed_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'paused')
    .where('pause_mailed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
