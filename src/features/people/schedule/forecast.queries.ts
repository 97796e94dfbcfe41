/** How many orders a day brings: the mean of the last eight such weekdays that were no public holidays. */
import { sql } from 'kysely'
import { addDays } from '#domain/local-time.ts'
import { scopeOfPrincipal } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { forecastOf } from './forecast.rules.ts'
import { holidaysBetween, type Rules } from './schedule.queries.ts'
import type { Forecast } from './schedule.schemas.ts'

const weeks = 8

/** The warehouse packs for all companies of its operator, so their orders count. */
export async function orderForecast({ services, principal, db }: Context, rules: Rules, days: readonly string[]): Promise<Forecast[]> {
  const from = addDays(rules.today, -weeks * 7)
  const holidays = new Set((await holidaysBetween(db, rules, from, rules.today)).map(one => one.day))
  const counted = await services.database.readOnly(scopeOfPrincipal(principal, 'operator'), reach => ordersByDay(reach, from, rules))
  const planned_s = await plannedSecondsSince(db, from, rules.today)
  return days.map(day => ({ day, ...forecastOf(day, counted, holidays, planned_s) }))
}

async function ordersByDay(db: Db, from: string, { time_zone, today }: Rules): Promise<Map<string, { received: number; packed: number }>> {
  const { rows } = await sql<{ day: string; received: number; packed: number }>`
    select day::text, sum(received)::integer received, sum(packed)::integer packed from (
      select (o.ordered_at at time zone ${time_zone})::date as day, count(*) received, 0 packed from orders o
      where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids())
        and o.ordered_at >= ${from}::date::timestamp at time zone ${time_zone} and o.ordered_at < ${today}::date::timestamp at time zone ${time_zone} group by 1
      union all
      select (o.packed_at at time zone ${time_zone})::date, 0, count(*) from orders o
      where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids())
        and o.packed_at >= ${from}::date::timestamp at time zone ${time_zone} and o.packed_at < ${today}::date::timestamp at time zone ${time_zone} group by 1
    ) counted group by day`.execute(db)
  return new Map(rows.map(({ day, received, packed }) => [day, { received, packed }]))
}

async function plannedSecondsSince(db: Db, from: string, today: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select sum(extract(epoch from end_at - start_at) - break_s)::bigint seconds from schedule_entries
    where operator_id = current_operator_id() and company_id = current_company_id() and kind = 'shift' and state = 'published' and user_id is not null
      and work_date >= ${from}::date and work_date < ${today}::date`.execute(db)
  return rows[0]?.seconds ?? 0
}
