/** Counts days of work and stores them: what was counted before is replaced. */

import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { countDay, type DayFigures, uncountedDays } from './work-figures.queries.ts'

/** The staff of the company in scope: scans of others are not theirs. */
const staffOf = (db: Db, company_id: number) => db.selectFrom('users').select('id').where('company_id', '=', company_id).execute()

async function storeDay(db: Db, company_id: number, day: string, rows: readonly DayFigures[], now: Date): Promise<void> {
  const staff = new Set((await staffOf(db, company_id)).map(({ id }) => id))
  await db.deleteFrom('work_daily').where('company_id', '=', company_id).where('day', '=', day).execute()
  const own = rows.filter(row => staff.has(row.user_id))
  if (own.length > 0)
    await db
      .insertInto('work_daily')
      .values(own.map(row => ({ ...row, company_id })))
      .execute()
  const counted_at = now.toISOString()
  await db
    .insertInto('work_days_counted')
    .values({ company_id, day, counted_at })
    .onConflict(c => c.columns(['operator_id', 'company_id', 'day']).doUpdateSet({ counted_at }))
    .execute()
}

type Counting = Pick<ExternalContext, 'services' | 'scope' | 'principal' | 'now'>

/** Staff of the main company work on the orders of every company. */
const wide = ({ scope, principal }: Counting) => ({
  ...scope,
  companies: principal.company.is_main ? [...principal.operatorCompanies] : scope.companies,
})

/** Today so far, without storing it. */
export async function figuresOfToday(context: Counting): Promise<DayFigures[]> {
  const { services, scope, now } = context
  return services.database.readOnly(wide(context), async db => {
    const { time_zone } = await companySettings(db, scope.company_id)
    return countDay(db, localDay(now(), time_zone), time_zone)
  })
}

/** Counts days again. Each is a transaction of its own; `progress` may stop it. */
export async function countDays(
  context: Counting,
  days: readonly string[],
  progress: (done: number, total: number) => Promise<void> = async () => undefined,
): Promise<void> {
  const { services, scope, now } = context
  for (const [place, day] of days.entries()) {
    await progress(place, days.length)
    await services.database.transaction(wide(context), async db => {
      const { time_zone } = await companySettings(db, scope.company_id)
      await storeDay(db, scope.company_id, day, await countDay(db, day, time_zone), now())
    })
  }
}

/** Days of the period up to yesterday that have no figures yet. */
export async function daysToCount(context: Counting, period: { from: string; to: string }): Promise<string[]> {
  const { services, scope, now } = context
  return services.database.readOnly(scope, async db => {
    const { time_zone } = await companySettings(db, scope.company_id)
    const yesterday = Temporal.PlainDate.from(localDay(now(), time_zone)).subtract({ days: 1 }).toString()
    const [to = yesterday] = [period.to, yesterday].toSorted()
    return to < period.from ? [] : uncountedDays(db, { from: period.from, to }, time_zone)
  })
}
