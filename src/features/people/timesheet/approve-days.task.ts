/** Approves days inside the tolerance by themselves, some hours after their last end. */
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { approveInsideTolerance } from './timesheet.commands.ts'
import { companiesWithPunches } from './timesheet.queries.ts'

export const approveHours: ScheduledTask = {
  name: 'approve hours inside the tolerance',
  seconds: 600,
  run: services => approveDueHours(services),
}

/** Days that a late correction may still finish. */
const daysBack = 7

export async function approveDueHours(services: Services): Promise<void> {
  const now = services.now()
  const since = new Date(now.getTime() - daysBack * 86_400_000).toISOString().slice(0, 10)
  const companies = await services.database.systemTransaction('the clock knows no tenant', db => companiesWithPunches(db, since))
  for (const { operator_id, company_id } of companies) {
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(async context => {
      const { time_zone } = await companySettings(context.db, company_id)
      await approveInsideTolerance(context, { from: since, to: localDay(now, time_zone) })
    })
  }
}
