/** Counts of orders by company, status and country: changed with each order, added up by a schedule, compared with the orders by another. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { openPhases, type Phase, phases } from '../orders.rules.ts'

const quoted = (some: readonly Phase[]) => some.map(phase => `'${phase}'`).join(', ')
const open: readonly Phase[] = openPhases
const openText = quoted(open)
const finalText = quoted(phases.filter(phase => !open.includes(phase)))

/**
 * Counts orders in the statement that changes them. `rows` is a query for company_id, phase, ship_country and n, which is 1 for an order that
 * came to this status and -1 for one that left it; all of it is text of this program, never input.
 */
export const insertCountChangesText = (rows: string): string => `insert into order_count_changes (company_id, phase, ship_country, n)
  select company_id, phase, country, sum(n) from (
    select c.company_id, c.phase, case when c.phase in (${finalText}) then '' else c.ship_country end as country, c.n from (${rows}) c) counted
  group by company_id, phase, country having sum(n) <> 0`

/** Adds changes of all companies to their counts. Returns how many there were; fewer than `most` means that none is left. */
export async function foldCountChanges(db: Db, most: number): Promise<number> {
  // Rows of order_counts are taken in the order of their key, so that two servers do not deadlock.
  const { rows } = await sql<{ n: number }>`
    with oldest as (
      select operator_id, company_id, id from order_count_changes order by operator_id, company_id, id limit ${most} for update skip locked),
    taken as (
      delete from order_count_changes c using oldest o where c.operator_id = o.operator_id and c.company_id = o.company_id and c.id = o.id
      returning c.operator_id, c.company_id, c.phase, c.ship_country, c.n),
    added as (
      insert into order_counts (operator_id, company_id, phase, ship_country, n)
      select operator_id, company_id, phase, ship_country, sum(n) from taken
      group by operator_id, company_id, phase, ship_country order by operator_id, company_id, phase, ship_country
      on conflict (operator_id, company_id, phase, ship_country) do update set n = order_counts.n + excluded.n)
    select count(*) as n from taken`.execute(db)
  return rows[0]?.n ?? 0
}

export interface CountDifference {
  phase: Phase
  ship_country: string
  n: number
}

/**
 * Compares the counts of a company with its orders and adds what is missing. Writers go on meanwhile: one statement sees the orders and the
 * counts at the same instant, so whatever it adds is right afterwards too. The first check of a company counts the orders from before.
 */
export async function checkCounts(
  db: Db,
  { operator_id, company_id }: Pick<TenantScope, 'operator_id' | 'company_id'>,
  now: Date,
): Promise<{ first: boolean; differences: CountDifference[] }> {
  // A second check of the company waits here, and sees what the first one added.
  const { rows: checks } = await sql<{ first: boolean }>`
    insert into order_count_checks as c (operator_id, company_id, checked_at) values (${operator_id}, ${company_id}, ${now.toISOString()})
    on conflict (operator_id, company_id) do update set checked_at = excluded.checked_at returning c.xmax = 0 as first`.execute(db)
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
  return { first: checks[0]?.first ?? false, differences }
}
