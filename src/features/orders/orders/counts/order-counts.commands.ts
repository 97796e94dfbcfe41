/** Counts of orders by company, status and country: changed with each order, added up by a schedule, compared with the orders by another. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { openPhases, type Phase, phases, unsentPhases } from '../orders.rules.ts'

const quoted = (some: readonly Phase[]) => some.map(phase => `'${phase}'`).join(', ')
const open: readonly Phase[] = openPhases
const openText = quoted(open)
const finalText = quoted(phases.filter(phase => !open.includes(phase)))
const unsentText = quoted(unsentPhases)

/** Counts of finished orders are kept for a week after their pickup. */
const keptFrom = (now: Date) => sql`${new Date(now.getTime() - 7 * 86_400_000).toISOString()}::timestamptz`

/** Columns of an order by which it is counted, in the order in which `insertCountChangesText` reads them before `n`. */
export const countedColumns = ['company_id', 'phase', 'ship_country', 'deadline_id', 'deadline_at', 'item_count'] as const
export const countedOf = (alias: string): string => countedColumns.map(name => `${alias}.${name}`).join(', ')

/**
 * Counts orders in the statement that changes them. `rows` is a query for the `countedColumns` and n, which is 1 for an order as it is now and -1
 * for the same as it was; all of it is text of this program, never input.
 */
export const insertCountChangesText = (
  rows: string,
): string => `insert into order_count_changes (company_id, phase, ship_country, deadline_id, deadline_at, n, work)
  select company_id, phase, country, deadline_id, deadline_at, sum(n), sum(n * work) from (
    select c.company_id, c.phase, case when c.phase in (${finalText}) then '' else c.ship_country end as country, c.deadline_id, c.deadline_at, c.n,
      ${workText('c')} as work from (${rows}) c) counted
  group by company_id, phase, country, deadline_id, deadline_at having sum(n) <> 0 or sum(n * work) <> 0`

/** The work of an order as the forecast takes it, in hundredths of a small one, so that sums are exact. */
export const workText = (alias: string): string => `least(500, 100 + 15 * greatest(0, ${alias}.item_count - 1))`

/** Adds changes of all companies to their counts. Returns how many there were; fewer than `most` means that none is left. */
export async function foldCountChanges(db: Db, most: number, now: Date): Promise<number> {
  // Rows of the counts are taken in the order of their key, so that two servers do not deadlock.
  const { rows } = await sql<{ n: number }>`
    with oldest as (
      select operator_id, company_id, id from order_count_changes order by operator_id, company_id, id limit ${most} for update skip locked),
    taken as (
      delete from order_count_changes c using oldest o where c.operator_id = o.operator_id and c.company_id = o.company_id and c.id = o.id
      returning c.operator_id, c.company_id, c.phase, c.ship_country, c.deadline_id, c.deadline_at, c.n, c.work),
    due as (
      insert into deadline_counts (operator_id, company_id, deadline_id, deadline_at, phase, n, work)
      select operator_id, company_id, deadline_id, deadline_at, phase, sum(n), sum(work) from taken
      where deadline_id is not null and deadline_at is not null and (phase in (${sql.raw(unsentText)}) or deadline_at > ${keptFrom(now)})
      group by operator_id, company_id, deadline_id, deadline_at, phase having sum(n) <> 0 or sum(work) <> 0
      order by operator_id, company_id, deadline_id, deadline_at, phase
      on conflict (operator_id, company_id, deadline_id, deadline_at, phase)
      do update set n = deadline_counts.n + excluded.n, work = deadline_counts.work + excluded.work),
    added as (
      insert into order_counts (operator_id, company_id, phase, ship_country, n)
      select operator_id, company_id, phase, ship_country, sum(n) from taken
      group by operator_id, company_id, phase, ship_country having sum(n) <> 0 order by operator_id, company_id, phase, ship_country
      on conflict (operator_id, company_id, phase, ship_country) do update set n = order_counts.n + excluded.n)
    select count(*) as n from taken`.execute(db)
  return rows[0]?.n ?? 0
}

export interface CountDifference {
  phase: Phase
  ship_country: string
  n: number
}

export interface DeadlineDifference {
  deadline_id: number
  deadline_at: string
  phase: Phase
  n: number
  /** Hundredths. */
  work: number
}

/**
 * Compares the counts of a company with its orders and adds what is missing. Writers go on meanwhile: one statement sees the orders and the
 * counts at the same instant, so whatever it adds is right afterwards too. The first check of a company counts the orders from before.
 */
export async function checkCounts(
  db: Db,
  { operator_id, company_id }: Pick<TenantScope, 'operator_id' | 'company_id'>,
  now: Date,
): Promise<{ first: boolean; differences: (CountDifference | DeadlineDifference)[] }> {
  // A second check of the company waits here, and sees what the first one added.
  const { rows: checks } = await sql<{ first: boolean }>`
    with before as materialized (select by_deadline from order_count_checks where operator_id = ${operator_id} and company_id = ${company_id})
    insert into order_count_checks (operator_id, company_id, checked_at, by_deadline) values (${operator_id}, ${company_id}, ${now.toISOString()}, true)
    on conflict (operator_id, company_id) do update set checked_at = excluded.checked_at, by_deadline = true
    returning not coalesce((select by_deadline from before), false) as first`.execute(db)
  const ours = sql`operator_id = ${operator_id} and company_id = ${company_id}`
  // In two parts, each along its partial index.
  const { rows: differences } = await sql<CountDifference>`
    with truth as (
      select phase, '' as ship_country, count(*) as n from orders where ${ours} and phase in (${sql.raw(finalText)}) group by phase
      union all
      select phase, ship_country, count(*) from orders where ${ours} and phase in (${sql.raw(openText)}) group by phase, ship_country),
    counted as (
      select phase, ship_country, sum(n) as n from (
        select phase, ship_country, n from order_counts where ${ours}
        union all select phase, ship_country, n from order_count_changes where ${ours}) c
      group by phase, ship_country),
    missing as materialized (
      select phase, ship_country, (coalesce(t.n, 0) - coalesce(c.n, 0))::bigint as n
      from truth t full join counted c using (phase, ship_country) where coalesce(t.n, 0) <> coalesce(c.n, 0)),
    added as (
      insert into order_count_changes (operator_id, company_id, phase, ship_country, n)
      select ${operator_id}, ${company_id}, phase, ship_country, n from missing)
    select phase, ship_country, n from missing order by phase, ship_country`.execute(db)
  const byDeadline = await checkDeadlineCounts(db, { operator_id, company_id }, now)
  return { first: checks[0]?.first ?? false, differences: [...differences, ...byDeadline] }
}

/** The same for the counts by deadline. Finished orders are compared while their pickup is ahead, and their counts deleted a week after it. */
async function checkDeadlineCounts(
  db: Db,
  { operator_id, company_id }: Pick<TenantScope, 'operator_id' | 'company_id'>,
  now: Date,
): Promise<DeadlineDifference[]> {
  const ours = (alias: string) => sql.raw(`${alias}.operator_id = ${Number(operator_id)} and ${alias}.company_id = ${Number(company_id)}`)
  await sql`delete from deadline_counts c using (
      select ctid from deadline_counts k where ${ours('k')} and k.deadline_at <= ${keptFrom(now)}
        and (k.phase not in (${sql.raw(unsentText)}) or k.n = 0 and k.work = 0) for update skip locked) old
    where c.ctid = old.ctid`.execute(db)
  const compared = sql`(phase in (${sql.raw(unsentText)}) or deadline_at > ${now.toISOString()})`
  const { rows } = await sql<DeadlineDifference>`
    with truth as (
      select o.deadline_id, o.deadline_at, o.phase, count(*) as n, sum(${sql.raw(workText('o'))}) as work from orders o
      where ${ours('o')} and o.deadline_id is not null and o.deadline_at is not null and o.phase in (${sql.raw(unsentText)}) group by 1, 2, 3
      union all
      select o.deadline_id, o.deadline_at, o.phase, count(*), sum(${sql.raw(workText('o'))})
      from deadlines d join orders o on ${ours('o')} and o.deadline_id = d.id and o.deadline_at > ${now.toISOString()} and o.phase not in (${sql.raw(unsentText)})
      where d.operator_id = ${operator_id} group by 1, 2, 3),
    counted as (
      select deadline_id, deadline_at, phase, sum(n) as n, sum(work) as work from (
        select deadline_id, deadline_at, phase, n, work from deadline_counts c where ${ours('c')}
        union all
        select deadline_id, deadline_at, phase, n, work from order_count_changes c
        where ${ours('c')} and deadline_id is not null and deadline_at is not null) c
      where ${compared} group by 1, 2, 3),
    missing as materialized (
      select deadline_id, deadline_at, phase, (coalesce(t.n, 0) - coalesce(c.n, 0))::bigint as n, (coalesce(t.work, 0) - coalesce(c.work, 0))::bigint as work
      from truth t full join counted c using (deadline_id, deadline_at, phase)
      where coalesce(t.n, 0) <> coalesce(c.n, 0) or coalesce(t.work, 0) <> coalesce(c.work, 0)),
    added as (
      insert into deadline_counts (operator_id, company_id, deadline_id, deadline_at, phase, n, work)
      select ${operator_id}, ${company_id}, deadline_id, deadline_at, phase, n, work from missing order by deadline_id, deadline_at, phase
      on conflict (operator_id, company_id, deadline_id, deadline_at, phase)
      do update set n = deadline_counts.n + excluded.n, work = deadline_counts.work + excluded.work)
    select * from missing order by deadline_id, deadline_at, phase`.execute(db)
  return rows
}
