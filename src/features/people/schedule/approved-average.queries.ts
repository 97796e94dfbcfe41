/** Approved hours a week on average, which a timesheet shows. */
import { sql } from 'kysely'
import { isOneOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { workingTimeCountries } from '../employees/employees.codes.ts'
import { averageFromOf, daysFromTo, isOptedOut, neutralBetween } from './average.queries.ts'
import { rulesHere } from './own-rules.rules.ts'
import { ownRulesByCountry } from './schedule.queries.ts'
import { weeklyAverage } from './working-time.rules.ts'

/** The hours of a week that a person has on average, and may have, at the end of a day. */
export interface WeeklyAverage {
  average_s: number
  limit_s: number
  opted_out: boolean
}

export const noAverage: WeeklyAverage = { average_s: 0, limit_s: 48 * 3600, opted_out: false }

/**
 * Approved hours of a week on average, over the period of each person's law that ends with a day, or what the person has worked of it.
 * What is not approved yet is not read: timesheets of many people would wait for it.
 */
export async function approvedAverages(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  to: string,
  user_id?: number,
): Promise<Map<number, WeeklyAverage>> {
  const { sender } = await companySettings(db, principal.company.id)
  const home = isOneOf(workingTimeCountries, sender.country) ? sender.country : 'DK'
  const people = await db
    .selectFrom('users as u')
    .leftJoin('employees as p', 'p.user_id', 'u.id')
    .select(['u.id as user_id', 'p.country', 'p.birth_date', 'p.average_opt_out_from', 'p.average_opt_out_to'])
    .where('u.company_id', '=', principal.company.id)
    .where('u.kind', '=', 'person')
    .$if(user_id !== undefined, rows => rows.where('u.id', '=', user_id ?? 0))
    .execute()
  const own = await ownRulesByCountry(db)
  const found = new Map<number, WeeklyAverage>()
  for (const [country, some] of Map.groupBy(people, person => person.country ?? home)) {
    const from = averageFromOf(country, to)
    const ids = some.map(person => person.user_id)
    const { rows } = await sql<{ user_id: number; seconds: number; first_day: string }>`
      select user_id, sum(paid_s)::integer seconds, min(work_date) first_day from timesheet_days
      where operator_id = current_operator_id() and company_id = current_company_id() and user_id = any (${ids}::bigint[])
        and work_date between ${from}::date and ${to}::date group by user_id`.execute(db)
    const worked = new Map(rows.map(row => [row.user_id, row]))
    const neutral = await neutralBetween(db, ids, from, to)
    const limit_s = (rulesHere(country, to, own.get(country) ?? [])?.average_h ?? 48) * 3600
    for (const person of some) {
      const { seconds, first_day } = worked.get(person.user_id) ?? { seconds: 0, first_day: from }
      const days = Math.max(7, daysFromTo(first_day, to) - (neutral.get(person.user_id) ?? 0))
      const average_s = Math.floor(weeklyAverage({ worked_s: seconds, days, neutral_days: 0 }))
      found.set(person.user_id, { average_s, limit_s, opted_out: isOptedOut({ ...person, country }, to) })
    }
  }
  return found
}
