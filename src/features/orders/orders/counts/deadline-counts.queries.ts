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
const donePhases = ['packed', 'handed_over', 'closed', 'delivered'] as const satisfies readonly Phase[]
const done = sql.raw(donePhases.map(phase => `'${phase}'`).join(', '))

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

interface StoredCount extends Omit<DeadlineCount, 'phase'> {
  phase: Phase
  /** Those of the pickup itself. */
  own: number
}

/** Each row is read once: there are some for each pickup of a week, and for each older one with orders that still wait. */
async function fromCounts(db: Db, companies: readonly number[], { pickups, now }: Asked): Promise<DeadlineCount[]> {
  const asked = sql`c.operator_id = current_operator_id() and c.company_id = any (${companies}::bigint[])
    and c.deadline_id = any (${pickups.map(one => one.id)}::bigint[])`
  const { rows } = await sql<StoredCount>`
    select c.deadline_id, c.phase, sum(c.n)::integer as n, coalesce(sum(c.n) filter (where c.deadline_at < ${now.toISOString()}), 0)::integer as carried,
      sum(c.work)::float8 / 100 as work, coalesce(sum(c.n) filter (where c.deadline_at = d.due_at), 0)::integer as own
    from ${pickupRows(pickups)} join (
        select c.deadline_id, c.deadline_at, c.phase, c.n, c.work from deadline_counts c where ${asked}
        union all
        select c.deadline_id, c.deadline_at, c.phase, c.n, c.work from order_count_changes c where ${asked}) c
      on c.deadline_id = d.id and (c.phase in (${unsent}) and c.deadline_at <= d.due_at or c.phase in (${done}) and c.deadline_at = d.due_at)
    group by 1, 2`.execute(db)
  const waiting = rows.filter(row => row.n !== 0 && unsentPhases.some(phase => phase === row.phase))
  const ended = Map.groupBy(
    rows.filter(row => row.own !== 0 && donePhases.some(phase => phase === row.phase)),
    row => row.deadline_id,
  )
  return [
    ...waiting.map(({ own: _own, ...count }) => count),
    ...[...ended].map(([deadline_id, some]): DeadlineCount => {
      const packed = some.find(row => row.phase === 'packed')?.own ?? 0
      return { deadline_id, phase: 'done', n: some.reduce((sum, row) => sum + row.own, 0), carried: packed, work: 0 }
    }),
  ]
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
