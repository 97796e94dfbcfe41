/** Counts of what came in and went out, by hour. Each statement reads along an index by time. */
import { type RawBuilder, sql } from 'kysely'
import { duePhases } from '#features/orders/orders/orders.rules.ts'
import type { Database, Db } from '#platform/database/database.ts'
import type { Metric } from './figures.codes.ts'
import type { Span } from './figures.rules.ts'

export interface HourCount {
  /** The start of the hour. */
  at: string
  metric: Metric
  agent_code: string
  n: number
}

const spansOf = (
  spans: readonly Span[],
): RawBuilder<unknown> => sql`unnest(${spans.map(span => new Date(span.from).toISOString())}::timestamptz[],
  ${spans.map(span => new Date(span.to).toISOString())}::timestamptz[]) as s(f, t)`

const inReach = (table: string, company_id: number | undefined): RawBuilder<unknown> => {
  const row = sql.ref(table)
  return sql`${row}.operator_id = current_operator_id() and ${row}.company_id = any (current_company_ids())${
    company_id === undefined ? sql`` : sql` and ${row}.company_id = ${company_id}`
  }`
}

/** The start of the hour on the warehouse's clock or of the quarter of an hour: every zone differs from UTC by whole quarters. */
const startOf = (unit: 'hour' | 'quarter', column: string, time_zone: string): RawBuilder<unknown> =>
  unit === 'hour'
    ? sql`date_trunc('hour', ${sql.ref(column)}, ${time_zone})`
    : sql`date_bin('15 minutes', ${sql.ref(column)}, timestamptz 'epoch')`

/** Rows of company_id, at, metric, agent_code and n, counted from the orders, sessions and parcels themselves. */
export const countedHours = (
  spans: readonly Span[],
  time_zone: string,
  { unit = 'hour', company_id }: { unit?: 'hour' | 'quarter'; company_id?: number | undefined } = {},
): RawBuilder<unknown> => sql`
  select o.company_id, ${startOf(unit, 'o.created_at', time_zone)} as at, 'received' as metric, '' as agent_code, count(*)::integer as n
    from ${spansOf(spans)} join orders o on ${inReach('o', company_id)} and o.created_at >= s.f and o.created_at < s.t
    where o.split_of is null group by 1, 2
  union all
  select p.company_id, p.at, m.metric, '', m.n from (
    select c.company_id, ${startOf(unit, 'c.ended_at', time_zone)} as at, count(distinct c.order_id)::integer as packed,
      count(distinct c.order_id) filter (where c.ended_at <= coalesce(o.deadline_at, o.ship_by, 'infinity'))::integer as on_time
    from ${spansOf(spans)} join packing_sessions c on ${inReach('c', company_id)} and c.ended_at >= s.f and c.ended_at < s.t and c.state = 'done'
        and not exists (select from packing_sessions e where e.operator_id = c.operator_id and e.order_id = c.order_id and e.state = 'done'
          and (e.ended_at, e.id) < (c.ended_at, c.id))
      join orders o on o.operator_id = c.operator_id and o.id = c.order_id
    group by 1, 2) p cross join lateral (values ('packed', p.packed), ('packed_on_time', p.on_time)) m(metric, n) where m.n > 0
  union all
  select h.company_id, ${startOf(unit, 'h.handed_over_at', time_zone)}, 'handed_over', h.agent_code, count(*)::integer
    from ${spansOf(spans)} join shipments h on ${inReach('h', company_id)} and h.handed_over_at >= s.f and h.handed_over_at < s.t
    where h.operation_code = 'outbound' group by 1, 2, 4`

/** The same from what is stored: hours, of today quarters of them. */
const storedHours = (spans: readonly Span[], company_id?: number): RawBuilder<unknown> => sql`
  select h.company_id, h.at, h.metric, h.agent_code, h.n
    from ${spansOf(spans)} join activity_hours h on ${inReach('h', company_id)} and h.at >= s.f and h.at < s.t`

export async function hourCounts(
  db: Db,
  { stored, live }: { stored: readonly Span[]; live: readonly Span[] },
  { unit, time_zone, company_id }: { unit: 'hour' | 'day'; time_zone: string; company_id?: number | undefined },
): Promise<HourCount[]> {
  const { rows } = await sql<HourCount>`
    select date_trunc(${unit}, h.at, ${time_zone}) as at, h.metric, h.agent_code, sum(h.n)::integer as n
    from (${storedHours(stored, company_id)} union all ${countedHours(live, time_zone, { company_id })}) h
    group by 1, 2, 3 order by 1`.execute(db)
  return rows
}

/**
 * Until when each day is stored, in ms since 1970; infinite where the whole day is. The rows belong to the main company and hold for
 * all: a shop cannot read them itself.
 */
export async function storedUntil(database: Database, operator_id: number, from: string, to: string): Promise<Map<string, number>> {
  const rows = await database.systemRead('days that are counted hold for every company', db =>
    db
      .selectFrom('activity_days')
      .select(['day', 'counted_until'])
      .where('operator_id', '=', operator_id)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .execute(),
  )
  return new Map(rows.map(row => [row.day, row.counted_until === null ? Number.POSITIVE_INFINITY : Date.parse(row.counted_until)]))
}

export async function holdsNow(db: Db, company_id: number | undefined): Promise<{ reason: string; n: number }[]> {
  const { rows } = await sql<{ reason: string; n: number }>`
    select l.reason, count(*)::integer as n from orders o cross join lateral (
      select coalesce(k.reason, k.kind) as reason from order_locks k
      where k.operator_id = o.operator_id and k.order_id = o.id and k.released_at is null order by k.id desc limit 1) l
    where ${inReach('o', company_id)} and o.phase = 'held'
    group by 1 order by 2 desc, 1 limit 20`.execute(db)
  return rows
}

/** Orders whose ship-by time has passed, as the list of orders finds them. */
export async function lateNow(db: Db, now: Date, company_id: number | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from orders o
    where ${inReach('o', company_id)} and o.phase in (${sql.join(duePhases.map(phase => sql.lit(phase)))}) and o.ship_by < ${now.toISOString()}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

export async function returnsIn(db: Db, span: Span, company_id: number | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from returns r
    where ${inReach('r', company_id)} and r.requested_at >= ${new Date(span.from).toISOString()} and r.requested_at < ${new Date(span.to).toISOString()}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

const isAtWork = sql.raw(`p.ended_at is null and p.out_not_after is null and p.type = 'work' and p.state in ('open', 'time_unverified')`)

const recentDay = (now: Date): string => new Date(now.getTime() - 14 * 86_400_000).toISOString().slice(0, 10)

export async function namesAtWork(db: Db, now: Date): Promise<{ name: string; since: string }[]> {
  const { rows } = await sql<{ name: string; since: string }>`
    select u.name, coalesce(p.started_at, p.not_before) as since from punches p join users u on u.operator_id = p.operator_id and u.id = p.user_id
    where p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.work_date >= ${recentDay(now)} and ${isAtWork}
    order by since, p.id limit 1000`.execute(db)
  return rows
}

/** Who is clocked in for work now; null where no one was in the last two weeks. */
export async function peopleAtWork(db: Db, now: Date): Promise<number | null> {
  const { rows } = await sql<{ n: number; used: boolean }>`
    select count(*) filter (where ${isAtWork})::integer as n,
      count(*) > 0 as used
    from punches p where p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.work_date >= ${recentDay(now)}`.execute(
    db,
  )
  return rows[0]?.used ? rows[0].n : null
}
