/** Reads connections, their health and their log. */
import { sql } from 'kysely'
import { pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { type LogKind, type LogOutcome, mostConnections } from './shop-connections.codes.ts'
import { lateCancellation } from './shop-connections.commands.ts'
import type { ConnectionRow, LogEntry, WaitingPush } from './shop-connections.schemas.ts'

export interface Connection {
  id: number
  company_id: number
  system: string
  shop: string
  name: string
  base_url: string
  settings: Record<string, string>
  state: 'active' | 'paused' | 'broken'
  pull_from: string
  cursor: unknown
  failures: number
  version: number
}

const columns = [
  'id',
  'company_id',
  'system',
  'shop',
  'name',
  'base_url',
  'settings',
  'state',
  'pull_from',
  'cursor',
  'failures',
  'version',
] as const

export const connectionById = (db: Db, company_id: number, id: number): Promise<Connection | undefined> =>
  db
    .selectFrom('shop_connections')
    .select(columns)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .$castTo<Connection>()
    .executeTakeFirst()

/** Connections that are to be read now. Only the system role may ask. */
export async function dueConnections(db: Db, now: Date): Promise<{ operator_id: number; company_id: number; id: number }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number; id: number }>`
    select s.operator_id, s.company_id, s.id from shop_connections s join companies c on c.operator_id = s.operator_id and c.id = s.company_id
    where c.closed_at is null and s.state = 'active' and s.next_pull_at <= ${now.toISOString()} and (s.pulling_until is null or s.pulling_until < ${now.toISOString()})
    order by s.next_pull_at, s.id limit 500`.execute(db)
  return rows
}

/** Connections that were not compared in the last 20 hours, those first that were compared longest ago. */
export async function unsweptConnections(
  db: Db,
  now: Date,
): Promise<{ operator_id: number; company_id: number; id: number; time_zone: string | null }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number; id: number; time_zone: string | null }>`
    select s.operator_id, s.company_id, s.id, c.settings ->> 'time_zone' as time_zone
    from shop_connections s join companies c on c.operator_id = s.operator_id and c.id = s.company_id
    where c.closed_at is null and s.state = 'active' and coalesce(s.swept_at, s.created_at) < ${new Date(now.getTime() - 20 * 3_600_000).toISOString()}
    order by coalesce(s.swept_at, s.created_at), s.id limit 500`.execute(db)
  return rows
}

/** Operators that have connections. Only the system role may ask. */
export async function operatorsWithShops(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('shop_connections').select('operator_id').distinct().execute()
  return rows.map(row => row.operator_id)
}

/** What is here of orders of a shop: the status that we wrote last, and the content that was read last. */
export async function knownOrders(
  db: Db,
  connection_id: number,
  shop: string,
  external_ids: readonly string[],
): Promise<Map<string, { order_id: number; written_status: string | null; content_hash: string | null }>> {
  if (external_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('orders as o')
    .select(['o.id as order_id', 'o.external_id'])
    .select(eb => [
      eb
        .selectFrom('shop_refs as r')
        .select('r.value')
        .whereRef('r.order_id', '=', 'o.id')
        .where('r.connection_id', '=', connection_id)
        .where('r.fact', '=', 'status')
        .as('written_status'),
      eb
        .selectFrom('shop_refs as r')
        .select('r.value_hash')
        .whereRef('r.order_id', '=', 'o.id')
        .where('r.connection_id', '=', connection_id)
        .where('r.fact', '=', 'content')
        .as('content_hash'),
    ])
    .where('o.shop', '=', shop)
    .where('o.external_id', '=', sql<string>`any(${[...external_ids]})`)
    .execute()
  return new Map(rows.map(({ external_id, ...row }) => [external_id, row]))
}

/** When the shop delivered a webhook last. */
export const lastWebhookAt = async (db: Db, system: string, shop: string): Promise<string | null> =>
  (
    await db
      .selectFrom('shop_deliveries')
      .select(eb => eb.fn.max('received_at').as('at'))
      .where('source', '=', `${system}:${shop}`)
      .executeTakeFirst()
  )?.at ?? null

/** Orders of a shop that are not packed, those that were compared longest ago first. */
export const openOrdersOf = (db: Db, connection_id: number, shop: string, limit: number): Promise<{ external_id: string }[]> =>
  db
    .selectFrom('orders as o')
    .leftJoin('shop_refs as r', join =>
      join.onRef('r.order_id', '=', 'o.id').on('r.connection_id', '=', connection_id).on('r.fact', '=', 'content'),
    )
    .select('o.external_id')
    .where('o.shop', '=', shop)
    .where('o.cancelled_at', 'is', null)
    .where('o.split_of', 'is', null)
    .where('o.work_state', 'in', ['new', 'ready', 'in_pick', 'picked', 'in_pack'])
    .where(eb =>
      eb.or([
        eb('r.id', 'is not', null),
        eb('o.source', 'in', eb.selectFrom('shop_connections as c').select('c.system').where('c.id', '=', connection_id)),
      ]),
    )
    .orderBy(sql`r.written_at nulls first`)
    .orderBy('o.id')
    .limit(limit)
    .execute()

const openStates = ['waiting', 'sending'] as const

export async function connectionsOf(db: Db, company_id: number, now: Date): Promise<Omit<ConnectionRow, 'title'>[]> {
  const { rows } = await sql<Omit<ConnectionRow, 'title'> & { cursor: { watermark: string } }>`
    select c.id, c.system, c.shop, c.name, c.base_url, c.settings, c.state, c.pull_from, c.version, c.last_order_at, c.last_ok_at, c.failures,
      case when c.state = 'active' and c.caught_up and c.failures = 0 then 0
        else greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - coalesce(case when c.failures > 0 or c.state <> 'active' then c.last_ok_at end, (c.cursor ->> 'watermark')::timestamptz)))::integer end as lag_s,
      (select max(d.received_at) from shop_deliveries d where d.operator_id = c.operator_id and d.company_id = c.company_id and d.source = c.system || ':' || c.shop) as webhook_at,
      coalesce(t.pulled, 0)::integer as pulled_today, coalesce(t.pushed, 0)::integer as pushed_today, coalesce(t.swept, 0)::integer as swept_today,
      w.waiting, w.waiting_since, w.dead,
      e.shop_words as error, e.at as error_at
    from shop_connections c
    join companies k on k.operator_id = c.operator_id and k.id = c.company_id
    left join lateral (
      select sum(l.count) filter (where l.kind in ('pull', 'fetch', 'backfill', 'sweep') and l.outcome in ('created', 'updated')) as pulled,
        sum(l.count) filter (where l.kind = 'push' and l.outcome = 'done') as pushed,
        sum(l.count) filter (where l.kind = 'sweep' and l.outcome in ('created', 'updated')) as swept
      from connection_log l
      where l.operator_id = c.operator_id and l.connection_id = c.id
        and l.at >= date_trunc('day', ${now.toISOString()}::timestamptz at time zone coalesce(k.settings ->> 'time_zone', 'UTC')) at time zone coalesce(k.settings ->> 'time_zone', 'UTC')) t on true
    left join lateral (
      select count(*) filter (where o.state in ('waiting', 'sending'))::integer as waiting, min(o.at) filter (where o.state in ('waiting', 'sending')) as waiting_since,
        count(*) filter (where o.state = 'failed' and o.at > ${new Date(now.getTime() - 7 * 86_400_000).toISOString()})::integer as dead
      from outbox_deliveries o where o.operator_id = c.operator_id and o.destination_id = c.id and o.state <> 'delivered') w on true
    left join lateral (
      select l.shop_words, l.at from connection_log l
      where l.operator_id = c.operator_id and l.connection_id = c.id and l.outcome in ('failed', 'refused') and l.shop_words is not null
      order by l.at desc, l.id desc limit 1) e on true
    where c.operator_id = current_operator_id() and c.company_id = ${company_id}
    order by c.name, c.id limit ${mostConnections}`.execute(db)
  return rows
}

interface LogQuery {
  page: number
  limit: number
  kind?: LogKind | undefined
  outcome?: LogOutcome | undefined
  bad?: boolean | undefined
  q?: string | undefined
}

export async function logOfConnection(db: Db, connection_id: number, query: LogQuery) {
  const words = query.q?.trim()
  const some = db
    .selectFrom('connection_log')
    .where('connection_id', '=', connection_id)
    .$if(query.kind !== undefined, s => s.where('kind', '=', query.kind ?? 'pull'))
    .$if(query.outcome !== undefined, s => s.where('outcome', '=', query.outcome ?? 'done'))
    .$if(query.bad === true, s => s.where('outcome', 'in', ['refused', 'failed']))
    .$if(!!words, s => {
      const pattern = `%${(words ?? '').replace(/[\\%_]/g, '\\$&')}%`
      return s.where(eb => eb.or([eb('ref', 'ilike', pattern), eb('shop_words', 'ilike', pattern)]))
    })
  const rows: LogEntry[] = await some
    .select(['id', 'at', 'kind', 'outcome', 'shop_words', 'ref', 'order_id', 'count'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(pageOffset(query))
    .execute()
  return { rows, ...(await cappedCount(db, some)), offset: pageOffset(query), limit: query.limit }
}

const mostWaiting = 200

/** Pushes that wait, and those that were given up in the last week, the oldest first. */
export const waitingOf = (db: Db, connection_id: number, now: Date): Promise<WaitingPush[]> =>
  db
    .selectFrom('outbox_deliveries as d')
    .innerJoin('outbox as x', join => join.onRef('x.id', '=', 'd.outbox_id').onRef('x.at', '=', 'd.at'))
    .leftJoin('shipments as s', join => join.onRef('s.id', '=', 'd.object_id').on('d.object_type', '=', 'shipment'))
    .leftJoin('orders as o', join =>
      join.on(eb =>
        eb('o.id', '=', eb.case().when('d.object_type', '=', 'order').then(eb.ref('d.object_id')).else(eb.ref('s.order_id')).end()),
      ),
    )
    .select(['d.id', 'd.at', 'x.kind as event', 'o.id as order_id', 'o.order_no', 'd.attempts', 'd.next_at', 'd.answer'])
    .select(eb => eb('d.state', '=', 'failed').as('given_up'))
    .where('d.destination_id', '=', connection_id)
    .where(eb =>
      eb.or([
        eb('d.state', 'in', [...openStates]),
        eb.and([eb('d.state', '=', 'failed'), eb('d.at', '>', new Date(now.getTime() - 7 * 86_400_000).toISOString())]),
      ]),
    )
    .orderBy('d.at')
    .orderBy('d.id')
    .limit(mostWaiting)
    .$castTo<WaitingPush>()
    .execute()

/** The order that a delivery of the outbox is about. */
export const orderOfDelivery = async (db: Db, object_type: string, object_id: number): Promise<number | null> => {
  if (object_type === 'order') return object_id
  const row = await db.selectFrom('shipments').select('order_id').where('id', '=', object_id).executeTakeFirst()
  return row?.order_id ?? null
}

/** The order, and those that go in its parcel: what happens to the parcel happens to all of them. */
export async function ordersOfParcel(db: Db, order_id: number): Promise<number[]> {
  const members = await db.selectFrom('orders').select('id').where('combined_into', '=', order_id).orderBy('id').execute()
  return [order_id, ...members.map(member => member.id)]
}

export const deliveryOf = (db: Db, connection_id: number, id: number): Promise<{ object_type: string; object_id: number } | undefined> =>
  db
    .selectFrom('outbox_deliveries')
    .select(['object_type', 'object_id'])
    .where('destination_id', '=', connection_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** Orders whose cancellation came too late and whose shop has no note of it yet. */
export const lateCancellationsOf = (db: Db, connection_id: number): Promise<{ order_id: number }[]> =>
  db
    .selectFrom('shop_refs')
    .select('order_id')
    .where('connection_id', '=', connection_id)
    .where('fact', '=', lateCancellation)
    .where('state', '=', 'waiting')
    .orderBy('id')
    .limit(20)
    .execute()

/** The shop's id of an order that is known here by its number. */
export const externalIdOf = async (db: Db, shop: string, order_no: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('orders')
      .select('external_id')
      .where('shop', '=', shop)
      .where('split_of', 'is', null)
      .where('order_no', 'in', [order_no, `#${order_no}`])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.external_id
