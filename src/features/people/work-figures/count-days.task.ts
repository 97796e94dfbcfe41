/** Each night the days of the last week are counted: phones that were without network send what they kept. */
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { countDays } from './work-figures.commands.ts'

const nightHour = 2
const lateDays = 7

export const countWorkDays: ScheduledTask = {
  name: 'count the work of the last days',
  seconds: 900,
  run: services => countLastDays(services),
}

async function countLastDays(services: Services): Promise<void> {
  const companies = await services.database.systemRead('the clock knows no tenant', db =>
    db.selectFrom('companies').select(['operator_id', 'id', 'is_main']).where('is_main', '=', true).execute(),
  )
  for (const { operator_id, id } of companies) {
    const all = await services.database.systemRead('the clock knows no tenant', db =>
      db.selectFrom('companies').select('id').where('operator_id', '=', operator_id).execute(),
    )
    const scope = { operator_id, company_id: id, companies: [id] }
    const { now } = services
    const days = await services.database.readOnly(scope, async db => {
      const { time_zone } = await companySettings(db, id)
      const local = Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(time_zone)
      const yesterday = local.toPlainDate().subtract({ days: 1 })
      const counted = await db
        .selectFrom('work_days_counted')
        .select('counted_at')
        .where('day', '=', yesterday.toString())
        .executeTakeFirst()
      if (local.hour < nightHour || (counted && localDay(new Date(counted.counted_at), time_zone) === local.toPlainDate().toString()))
        return []
      return Array.from({ length: lateDays }, (_, back) => yesterday.subtract({ days: back }).toString())
    })
    const company = { operator_id, id, code: '', name: '', is_main: true, packing_ip_pattern: '' }
    const principal = { ...anonymous(company), operatorCompanies: all.map(one => one.id) }
    await countDays({ services, scope, principal, now }, days)
  }
}
