/** Hours a week on average: what was worked before some days, from which the plan of those days goes on. */
import { sql } from 'kysely'
import { addDays } from '#domain/local-time.ts'
import type { Db } from '#platform/database/database.ts'
import type { WorkingTimeCountry } from '../employees/employees.codes.ts'
import { isUnder18 } from '../employees/employees.rules.ts'
import { rulesOn } from './own-rules.rules.ts'
import type { NightRules } from './working-time.codes.ts'
import { type AverageSums, averageFrom, type NightSums } from './working-time.rules.ts'

/** Of a person, what the average depends on. */
interface AveragedPerson {
  user_id: number
  country: WorkingTimeCountry
  birth_date: string | null
  average_opt_out_from: string | null
  average_opt_out_to: string | null
}

/** Only Britain knows it, and not for minors. */
export const isOptedOut = (
  { country, birth_date, average_opt_out_from: from, average_opt_out_to: to }: AveragedPerson,
  day: string,
): boolean => country === 'GB' && from !== null && from <= day && (to === null || day <= to) && !isUnder18(birth_date, day)

export const daysFromTo = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

export const averageFromOf = (country: WorkingTimeCountry, day: string): string => {
  const rules = rulesOn(country, day)
  return rules ? averageFrom(rules, day) : day
}

/** Sums of the period that ends with the last of some days: the work before the first of them, and days without influence up to the last. */
export async function averageSumsOf(
  db: Db,
  people: readonly AveragedPerson[],
  start: string,
  end: string,
  zone: string,
): Promise<Map<number, AverageSums>> {
  const found = new Map<number, AverageSums>()
  for (const [country, some] of Map.groupBy(people, person => person.country)) {
    const from = averageFromOf(country, end)
    const ids = some.map(person => person.user_id)
    const worked = await workedBetween(db, ids, from, addDays(start, -1))
    const neutral = await neutralBetween(db, ids, from, end)
    const days = daysFromTo(from, end)
    const night = rulesOn(country, end)?.night
    const nights = night && (await nightSums(db, ids, night, { from, start, end, zone }, { worked, neutral }))
    for (const person of some) {
      const id = person.user_id
      found.set(id, {
        worked_s: worked.get(id) ?? 0,
        neutral_days: neutral.get(id) ?? 0,
        days,
        opted_out: isOptedOut(person, end),
        night: nights?.get(id) ?? null,
      })
    }
  }
  return found
}

/**
 * Seconds of each person: of a day those that are approved, else those that were clocked, else those that are planned. Days that are
 * approved are left out of the others by a hashed list and not by a join: a plan that was made without statistics of new rows took a minute.
 */
async function workedBetween(db: Db, ids: readonly number[], from: string, to: string): Promise<Map<number, number>> {
  const within = sql`operator_id = current_operator_id() and company_id = current_company_id() and user_id = any (${ids}::bigint[])
    and work_date between ${from}::date and ${to}::date`
  const day = sql`user_id * 100000 + (work_date - date '2000-01-01')`
  const { rows } = await sql<{ user_id: number; seconds: number }>`
    with approved as materialized (select user_id, ${day} as day, paid_s from timesheet_days where ${within}),
    days as (
      select user_id, work_date, case when bool_and(started_at is not null and ended_at is not null)
        then extract(epoch from sum(ended_at - started_at) filter (where type <> 'break')) end clocked,
        bool_or(type = 'break') paused, null::numeric planned, null::bigint pause
      from punches where ${within} and state <> 'deleted' and ${day} not in (select day from approved) group by user_id, work_date
      union all
      select user_id, work_date, null, null, extract(epoch from sum(end_at - start_at)) - sum(break_s), sum(break_s)
      from schedule_entries where ${within} and kind = 'shift' and state <> 'removed' and ${day} not in (select day from approved)
      group by user_id, work_date)
    select user_id, sum(seconds)::integer seconds from (
      select user_id, sum(paid_s) seconds from approved group by user_id
      union all
      select user_id, coalesce(max(clocked) - case when bool_or(paused) then 0 else coalesce(max(pause), 0) end, max(planned), 0)
      from days group by user_id, work_date) d group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.seconds]))
}

type ByPerson = ReadonlyMap<number, number>

/** The sums of night workers; those of the period `from` which the weekly average goes are known. */
async function nightSums(
  db: Db,
  ids: readonly number[],
  night: NightRules,
  { from, start, end, zone }: { from: string; start: string; end: string; zone: string },
  known: { worked: ByPerson; neutral: ByPerson },
): Promise<Map<number, NightSums>> {
  const since = averageFrom(night, end)
  const before = addDays(start, -1)
  const same = since === from
  const worked = same ? known.worked : await workedBetween(db, ids, since, before)
  const neutral = same ? known.neutral : await neutralBetween(db, ids, since, end)
  const nights = await nightsBetween(db, ids, night, { from: since, to: before, zone })
  // Only who works at night at times is looked at for a year.
  const some = night.year_h === null ? [] : [...nights].filter(([, one]) => one.night_s > 0).map(([id]) => id)
  const year = some.length === 0 ? nights : await nightsBetween(db, some, night, { from: addDays(end, -364), to: before, zone })
  return new Map(
    ids.map(id => {
      const { planned_days, night_days } = nights.get(id) ?? noNights
      const sums = { worked_s: worked.get(id) ?? 0, days: daysFromTo(since, end), neutral_days: neutral.get(id) ?? 0 }
      return [id, { ...sums, planned_days, night_days, year_s: (year.get(id) ?? noNights).night_s }]
    }),
  )
}

const noNights = { planned_days: 0, night_days: 0, night_s: 0 }

/**
 * How often people are planned at night: by the clock at the start, so that a night of a clock change counts an hour more or less. `offset`
 * keeps the clock of a shift from being read anew at each use of it.
 */
async function nightsBetween(
  db: Db,
  ids: readonly number[],
  { night_from, night_to, least_s }: NightRules,
  { from, to, zone }: { from: string; to: string; zone: string },
): Promise<Map<number, typeof noNights>> {
  const [begins, ends] = [night_from * 3600, night_to * 3600]
  const { rows } = await sql<{ user_id: number } & typeof noNights>`
    select user_id, count(*)::integer planned_days, count(*) filter (where night_s >= ${least_s}::integer)::integer night_days, sum(night_s)::integer night_s
    from (
      select user_id, work_date, sum(greatest(0, least(start + length, ${ends}::float8) - start)
        + greatest(0, least(start + length, 86400 + ${ends}::float8) - greatest(start, ${begins}::float8))) night_s
      from (
        select user_id, work_date, date_part('epoch', end_at - start_at) length, date_part('epoch', (start_at at time zone ${zone})::time) start
        from schedule_entries
        where operator_id = current_operator_id() and company_id = current_company_id() and user_id = any (${ids}::bigint[])
          and work_date between ${from}::date and ${to}::date and kind = 'shift' and state <> 'removed' offset 0) shifts
      group by user_id, work_date) days
    group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row]))
}

/** Days of paid holiday and of sickness. */
export async function neutralBetween(db: Db, ids: readonly number[], from: string, to: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ user_id: number; days: number }>`
    select user_id, sum(least(date_to, ${to}::date) - greatest(work_date, ${from}::date) + 1)::integer days from schedule_entries
    where operator_id = current_operator_id() and company_id = current_company_id() and user_id = any (${ids}::bigint[]) and kind = 'leave' and part = 'full'
      and reason_id <> 4 and state in ('approved', 'cancel_requested', 'registered', 'seen') and work_date <= ${to}::date
      and greatest(work_date, date_to) >= ${from}::date
    group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.days]))
}
