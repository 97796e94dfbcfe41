/** How many orders there are by status, from the stored counts. */
import { sql } from 'kysely'
import { countCap } from '#contract/page.ts'
import { executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { openPhases, type Phase, phases } from '../orders.rules.ts'
import { countIds, type Narrowed } from '../search.queries.ts'

interface OrderCount {
  company_id: number
  phase: Phase
  /** Empty for orders that have left the warehouse. */
  ship_country: string
  n: number
}

interface StoredCounts {
  counts: OrderCount[]
  /** Companies of which nothing is counted yet. */
  uncounted: number[]
}

/** The stored counts of companies, exact at the instant of the statement. */
async function storedCounts(db: Db, { operator_id }: TenantScope, companies: readonly number[]): Promise<StoredCounts> {
  const [row] = await executeWithGenericPlan<{ checked: number[]; counts: OrderCount[] }>(
    db,
    sql`with checked as materialized (
        select array_agg(company_id) as ids from order_count_checks where operator_id = ${operator_id} and company_id = any (${companies}::bigint[])),
      counted as (
        select company_id, phase, ship_country, n from order_counts
        where operator_id = ${operator_id} and company_id = any ((select ids from checked)::bigint[])
        union all
        select company_id, phase, ship_country, n from order_count_changes
        where operator_id = ${operator_id} and company_id = any ((select ids from checked)::bigint[]))
      select coalesce((select ids from checked), '{}') as checked, (select coalesce(json_agg(s), '[]') from (
        select company_id, phase, ship_country, sum(n)::bigint as n from counted group by company_id, phase, ship_country) s) as counts`,
  )
  const { checked, counts } = row ?? { checked: [], counts: [] }
  return { counts, uncounted: companies.filter(id => !checked.includes(id)) }
}

/** A number as lists show it: nothing is counted further than people page. */
export const shown = (n: number, is_more = n > countCap) => ({ count: Math.min(n, countCap), is_more })
type Shown = ReturnType<typeof shown>

const isOpen = (phase: Phase) => openPhases.some(open => open === phase)

/** How many orders the companies have, in all and of some status, and how many in the warehouse go abroad. */
export async function countOrders(
  db: Db,
  scope: TenantScope,
  all: Narrowed,
): Promise<{ inPhases(some: readonly Phase[]): Shown; abroad: Shown }> {
  const { counts, uncounted } = await storedCounts(db, scope, all.companies)
  const homes = new Map(all.companies.map((id, place) => [id, all.homes[place]]))
  let abroad = 0
  const byPhase = new Map<Phase, number>()
  for (const { company_id, phase, ship_country, n } of counts) {
    byPhase.set(phase, (byPhase.get(phase) ?? 0) + n)
    if (isOpen(phase) && ship_country !== homes.get(company_id)) abroad += n
  }
  if (uncounted.length > 0) {
    const [some, more] = await Promise.all([
      phaseCounts(db, scope, uncounted),
      countIds(db, {
        ...all,
        companies: uncounted,
        homes: uncounted.map(id => homes.get(id) ?? ''),
        phases: openPhases,
        abroad: true,
      }),
    ])
    for (const [phase, n] of some) byPhase.set(phase, (byPhase.get(phase) ?? 0) + n)
    abroad += more
  }
  return {
    inPhases: some => shown(some.reduce((sum, phase) => sum + (byPhase.get(phase) ?? 0), 0)),
    abroad: shown(abroad),
  }
}

/** How many orders stand in each phase, each counted to `countCap` along its index: for companies of which nothing is stored yet. */
async function phaseCounts(db: Db, { operator_id }: TenantScope, companies: readonly number[]): Promise<Map<Phase, number>> {
  // Each phase stands in the statement as it is: only so can the partial indexes by phase be used.
  const one = (phase: Phase) => sql`select ${sql.lit(phase)} as phase, (select count(*) from (
      select from orders where operator_id = ${operator_id} and company_id = any(${companies}) and phase = ${sql.lit(phase)} limit ${countCap + 1}
    ) few) as n`
  const { rows } = await sql<{ phase: Phase; n: number }>`${sql.join(phases.map(one), sql` union all `)}`.execute(db)
  return new Map(rows.map(({ phase, n }) => [phase, Number(n)]))
}
