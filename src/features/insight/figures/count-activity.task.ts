/**
 * Stores the counts of hours: of a day once it has ended, and of today's ended quarters of an hour as long as it lasts. The last days are counted
 * again, because devices without network send late.
 */
import { sql } from 'kysely'
import { boundsOfDay } from '#domain/local-days.ts'
import { mainCompanySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { daysBetween } from '#features/insight/statistics/statistics.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { countedHours, storedUntil } from './figures.queries.ts'
import { type Span, startOfQuarter } from './figures.rules.ts'

const nightHour = 2
/** Days that are counted again in the next nights. */
const lateDays = 3
/** Days of before that one run counts, and how far back it goes. */
const daysPerRun = 30
const mostDaysBack = 400
/** A quarter is stored this long after its end: what was written in it is committed then. */
const settleMs = 5 * 60_000
const why = 'the clock knows no tenant'

export const countActivity: ScheduledTask = {
  name: 'count the activity of ended hours',
  seconds: 900,
  run: countEndedDays,
}

export async function countEndedDays(services: Services): Promise<void> {
  const companies = await services.database.systemRead(why, db =>
    db.selectFrom('companies').select(['operator_id', 'id', 'is_main']).orderBy('id').execute(),
  )
  for (const [operator_id, some] of Map.groupBy(companies, company => company.operator_id)) {
    const main = some.find(company => company.is_main)
    if (!main || services.closing.aborted) continue
    const scope = { operator_id, company_id: main.id, companies: some.map(company => company.id) }
    const { time_zone } = await mainCompanySettings(services.database, operator_id)
    for (const day of await daysToCount(services, scope, time_zone)) {
      if (services.closing.aborted) return
      await services.database.transaction(scope, db => storeDay(db, day, time_zone, services.now()))
    }
    await services.database.transaction(scope, db => storeToday(db, time_zone, services.now()))
    await checkDays(services, scope, time_zone)
  }
}

/** Yesterday and the days before it that are not counted, and once a night the last days again. */
async function daysToCount(services: Services, scope: { operator_id: number; company_id: number; companies: number[] }, time_zone: string) {
  const local = Temporal.Instant.fromEpochMilliseconds(services.now().getTime()).toZonedDateTimeISO(time_zone)
  if (local.hour < nightHour) return []
  const yesterday = local.toPlainDate().subtract({ days: 1 })
  const { rows } = await services.database.readOnly(scope, db =>
    sql<{ first: string | null }>`select min(created_at) as first from orders
      where operator_id = current_operator_id() and company_id = any (current_company_ids())`.execute(db),
  )
  const first = rows[0]?.first
  if (first == null) return []
  const began = Temporal.Instant.fromEpochMilliseconds(Date.parse(first)).toZonedDateTimeISO(time_zone).toPlainDate()
  const earliest = yesterday.subtract({ days: mostDaysBack })
  const from = Temporal.PlainDate.compare(began, earliest) > 0 ? began : earliest
  if (Temporal.PlainDate.compare(from, yesterday) > 0) return []
  const until = await storedUntil(services.database, scope.operator_id, from.toString(), yesterday.toString())
  const isWhole = (day: string) => until.get(day) === Number.POSITIVE_INFINITY
  const open = daysBetween(from.toString(), yesterday.toString()).filter(day => !isWhole(day))
  if (isWhole(yesterday.toString())) return open.toReversed().slice(0, daysPerRun)
  const late = daysBetween(yesterday.subtract({ days: lateDays - 1 }).toString(), yesterday.toString())
  return [...new Set([...late.toReversed(), ...open.toReversed()])].slice(0, daysPerRun)
}

/** Days that one run of the night compares with the rows, those first that were not compared for longest. */
const checkedPerRun = 7

interface Difference {
  company_id: number
  metric: string
  agent_code: string
  expected: number
  found: number
}

/** Compares stored days with the rows themselves, corrects them, and keeps and logs what was wrong. Days that still change are left out. */
async function checkDays(
  { database, log, now, closing }: Services,
  scope: { operator_id: number; company_id: number; companies: number[] },
  time_zone: string,
): Promise<void> {
  const at = now()
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(time_zone)
  if (local.hour !== nightHour) return
  const settled = local.toPlainDate().subtract({ days: lateDays }).toString()
  const days = await database.readOnly(scope, db =>
    db
      .selectFrom('activity_days')
      .select('day')
      .where('company_id', '=', scope.company_id)
      .where('day', '<', settled)
      .where('counted_until', 'is', null)
      .where('counted_at', '<', new Date(at.getTime() - 12 * 3_600_000).toISOString())
      .orderBy('counted_at')
      .limit(checkedPerRun)
      .execute(),
  )
  for (const { day } of days) {
    if (closing.aborted) return
    const differences = await database.transaction(scope, async db => {
      const found = await differencesOf(db, day, time_zone)
      if (found.length > 0)
        await db
          .insertInto('counter_checks')
          .values(found.map(one => ({ ...one, day, at: at.toISOString() })))
          .execute()
      await storeDay(db, day, time_zone, at)
      return found.length
    })
    if (differences > 0)
      log.error({ operator_id: scope.operator_id, day, differences }, 'stored figures differ from the rows and are corrected')
  }
}

async function differencesOf(db: Db, day: string, time_zone: string): Promise<Difference[]> {
  const { from, to } = boundsOfDay(day, time_zone)
  const { rows } = await sql<Difference>`
    with real as (select company_id, metric, agent_code, sum(n)::integer as n
        from (${countedHours([{ from: Date.parse(from), to: Date.parse(to) }], time_zone)}) h group by 1, 2, 3),
      stored as (select company_id, metric, agent_code, sum(n)::integer as n from activity_hours
        where operator_id = current_operator_id() and company_id = any (current_company_ids()) and at >= ${from} and at < ${to} group by 1, 2, 3)
    select company_id, metric, agent_code, coalesce(r.n, 0) as expected, coalesce(s.n, 0) as found
    from real r full join stored s using (company_id, metric, agent_code)
    where r.n is distinct from s.n order by 1, 2, 3 limit 1000`.execute(db)
  return rows
}

async function storeDay(db: Db, day: string, time_zone: string, now: Date): Promise<void> {
  const { from, to } = boundsOfDay(day, time_zone)
  await storeHours(db, { from: Date.parse(from), to: Date.parse(to) }, time_zone)
  await storedDay(db, day, now, null)
}

/** Today's ended quarters. Each run counts them again, since an order may be unpacked and a hand-over taken back. */
async function storeToday(db: Db, time_zone: string, now: Date): Promise<void> {
  const day = localDay(now, time_zone)
  const from = Date.parse(boundsOfDay(day, time_zone).from)
  const to = startOfQuarter(now.getTime() - settleMs)
  if (to <= from) return
  await storeHours(db, { from, to }, time_zone, 'quarter')
  await storedDay(db, day, now, new Date(to))
}

/** Makes what is stored of a span equal to the rows, by the hour or its quarters; what is right is not written. */
async function storeHours(db: Db, { from, to }: Span, time_zone: string, unit: 'hour' | 'quarter' = 'hour'): Promise<void> {
  await sql`
    with real as materialized (select company_id, at, metric, agent_code, n from (${countedHours([{ from, to }], time_zone, { unit })}) h),
      gone as (delete from activity_hours a where a.operator_id = current_operator_id() and a.company_id = any (current_company_ids())
        and a.at >= ${new Date(from).toISOString()} and a.at < ${new Date(to).toISOString()}
        and not exists (select from real r where (r.company_id, r.at, r.metric, r.agent_code) = (a.company_id, a.at, a.metric, a.agent_code)))
    insert into activity_hours as a (company_id, at, metric, agent_code, n) select company_id, at, metric, agent_code, n from real
    on conflict (operator_id, company_id, at, metric, agent_code) do update set n = excluded.n where a.n <> excluded.n`.execute(db)
}

async function storedDay(db: Db, day: string, now: Date, until: Date | null): Promise<void> {
  const row = { counted_at: now.toISOString(), counted_until: until?.toISOString() ?? null }
  await db
    .insertInto('activity_days')
    .values({ day, ...row })
    .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'day']).doUpdateSet(row))
    .execute()
}
