/** How many orders a day brings: the mean of the last eight such weekdays that were no public holidays. */
import { sql } from 'kysely'
import { boundsOfDay } from '#domain/local-days.ts'
import { addDays, daysBetween } from '#domain/local-time.ts'
import { scopeOfPrincipal } from '#platform/auth/identity.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { forecastOf } from './forecast.rules.ts'
import { holidaysBetween, type Rules } from './schedule.queries.ts'
import type { Forecast } from './schedule.schemas.ts'

const weeks = 8

interface DayCount {
  day: string
  received: number
  packed: number
}

/** What the last weeks brought: read once, for any number of days to come. */
export interface PastWork {
  counted: ReadonlyMap<string, DayCount>
  holidays: ReadonlySet<string>
  planned_s: number
}

/** The warehouse packs for all companies of its operator, so their orders count. */
export async function pastWork({ services, principal, db }: Context, rules: Rules): Promise<PastWork> {
  const from = addDays(rules.today, -weeks * 7)
  const holidays = new Set((await holidaysBetween(db, rules, from, rules.today)).map(one => one.day))
  const counted = await services.database.readOnly(scopeOfPrincipal(principal, 'operator'), reach => countedDays(reach, from, rules))
  return { counted, holidays, planned_s: await plannedSecondsSince(db, from, rules.today) }
}

export const forecastOn = (day: string, { counted, holidays, planned_s }: PastWork): Forecast => ({
  day,
  ...forecastOf(day, counted, holidays, planned_s),
})

/** Ended days from the hours that are counted each night; yesterday, of which a part may be counted, and days without a count from the rows themselves. */
async function countedDays(db: Db, from: string, { time_zone, today }: Rules): Promise<Map<string, DayCount>> {
  const [start, end] = [boundsOfDay(from, time_zone).from, boundsOfDay(today, time_zone).from]
  const { rows: stored } = await sql<DayCount>`
    select (h.at at time zone ${time_zone})::date::text as day, coalesce(sum(h.n) filter (where h.metric = 'received'), 0)::integer received,
      coalesce(sum(h.n) filter (where h.metric = 'packed'), 0)::integer packed
    from activity_hours h where h.operator_id = current_operator_id() and h.company_id = any (current_company_ids())
      and h.at >= ${start} and h.at < ${end} and h.metric in ('received', 'packed') group by 1`.execute(db)
  const found = new Map(stored.map(row => [row.day, row]))
  const yesterday = addDays(today, -1)
  const open = daysBetween(from, yesterday).filter(day => day === yesterday || !found.get(day)?.received)
  const bounds = open.map(day => boundsOfDay(day, time_zone))
  const { rows: live } = await sql<DayCount>`
    select s.day, o.n received, p.n packed
    from unnest(${open}::text[], ${bounds.map(one => one.from)}::timestamptz[], ${bounds.map(one => one.to)}::timestamptz[]) as s(day, f, t)
    cross join lateral (select count(*)::integer n from orders o where o.operator_id = current_operator_id()
      and o.company_id = any (current_company_ids()) and o.created_at >= s.f and o.created_at < s.t and o.split_of is null) o
    cross join lateral (select count(distinct c.order_id)::integer n from packing_sessions c where c.operator_id = current_operator_id()
      and c.company_id = any (current_company_ids()) and c.state = 'done' and c.ended_at >= s.f and c.ended_at < s.t) p
    where o.n + p.n > 0`.execute(db)
  for (const row of live) found.set(row.day, row)
  return found
}

async function plannedSecondsSince(db: Db, from: string, today: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select sum(extract(epoch from end_at - start_at) - break_s)::bigint seconds from schedule_entries
    where operator_id = current_operator_id() and company_id = current_company_id() and kind = 'shift' and state = 'published' and user_id is not null
      and work_date >= ${from}::date and work_date < ${today}::date`.execute(db)
  return rows[0]?.seconds ?? 0
}
