/** How many orders of pickups stand in which status, from the stored counts. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { type Phase, unsentPhases } from '../orders.rules.ts'
import { workText } from './order-counts.commands.ts'

export interface DeadlineCount {
  deadline_id: number
  /** `done` are those of the pickup itself that are packed or have left. */
  phase: Phase | 'done'
  n: number
  /** Orders that should have left with an earlier pickup; of what is done, those that are packed only. */
  carried: number
  /** In small orders. */
  work: number
}

interface Pickup {
  id: number
  due_at: string
}

const unsent = sql.raw(unsentPhases.map(phase => `'${phase}'`).join(', '))
const done = sql.raw(`'packed', 'handed_over', 'closed', 'delivered'`)

/** What must leave with each of these pickups or should have left before it, and what of it is done: exact at the instant of the statement. */
export async function deadlineCounts(
  db: Db,
  pickups: readonly Pickup[],
  { now, company_id }: { now: Date; company_id?: number | undefined },
): Promise<DeadlineCount[]> {
  if (pickups.length === 0) return []
  const { rows: companies } = await sql<{ id: number; counted: boolean }>`
    select c.id, coalesce(k.by_deadline, false) as counted from unnest(current_company_ids()) c(id)
      left join order_count_checks k on k.operator_id = current_operator_id() and k.company_id = c.id
    where ${company_id ?? null}::bigint is null or c.id = ${company_id ?? null}`.execute(db)
  const asked = { pickups, now }
  const [counted = [], uncounted = []] = [true, false].map(one => companies.filter(row => row.counted === one).map(row => row.id))
  const found = await Promise.all([
    counted.length > 0 ? fromCounts(db, counted, asked) : [],
    uncounted.length > 0 ? fromOrders(db, uncounted, asked) : [],
  ])
  return found.flat()
}

interface Asked {
  pickups: readonly Pickup[]
  now: Date
}

const pickupRows = (pickups: readonly Pickup[]) =>
  sql`unnest(${pickups.map(one => one.id)}::bigint[], ${pickups.map(one => one.due_at)}::timestamptz[]) as d(id, due_at)`

async function fromCounts(db: Db, companies: readonly number[], { pickups, now }: Asked): Promise<DeadlineCount[]> {
  const own = sql`c.operator_id = current_operator_id() and c.company_id = any (${companies}::bigint[])
    and c.deadline_id = any (${pickups.map(one => one.id)}::bigint[])`
  const { rows } = await sql<DeadlineCount>`
    with c as materialized (
      select deadline_id, deadline_at, phase, sum(n) as n, sum(work) as work from (
        select c.deadline_id, c.deadline_at, c.phase, c.n, c.work from deadline_counts c where ${own}
        union all
        select c.deadline_id, c.deadline_at, c.phase, c.n, c.work from order_count_changes c where ${own}) c
      group by 1, 2, 3)
    select c.deadline_id, c.phase, sum(c.n)::integer as n, coalesce(sum(c.n) filter (where c.deadline_at < ${now.toISOString()}), 0)::integer as carried,
      sum(c.work)::float8 / 100 as work
    from ${pickupRows(pickups)} join c on c.deadline_id = d.id and c.deadline_at <= d.due_at and c.phase in (${unsent})
    group by 1, 2 having sum(c.n) <> 0
    union all
    select c.deadline_id, 'done', sum(c.n)::integer, coalesce(sum(c.n) filter (where c.phase = 'packed'), 0)::integer, 0
    from ${pickupRows(pickups)} join c on c.deadline_id = d.id and c.deadline_at = d.due_at and c.phase in (${done}) group by 1`.execute(db)
  return rows
}

/** Of companies of which nothing is counted yet. */
async function fromOrders(db: Db, companies: readonly number[], { pickups, now }: Asked): Promise<DeadlineCount[]> {
  const own = sql`o.operator_id = current_operator_id() and o.company_id = any (${companies}::bigint[])`
  const { rows } = await sql<DeadlineCount>`
    select d.id as deadline_id, s.phase, s.n::integer, s.carried::integer, s.work::float8 / 100 as work from ${pickupRows(pickups)}, lateral (
      select o.phase, count(*) n, count(*) filter (where o.deadline_at < ${now.toISOString()}) carried, sum(${sql.raw(workText('o'))}) as work
      from orders o where ${own} and o.deadline_id = d.id and o.deadline_at <= d.due_at and o.phase in (${unsent})
      group by o.phase) s
    union all
    select d.id, 'done', s.n::integer, s.packed::integer, 0 from ${pickupRows(pickups)}, lateral (
      select count(*) n, count(*) filter (where o.phase = 'packed') packed from orders o
      where ${own} and o.deadline_id = d.id and o.deadline_at = d.due_at and o.phase in (${done})) s`.execute(db)
  return rows
}
