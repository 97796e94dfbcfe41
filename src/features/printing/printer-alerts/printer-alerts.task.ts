/** The schedule that finds printers which are offline, and mails people. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { dueOutages, mailOutage, storeOutages } from './printer-alerts.commands.ts'

export async function mailOutages(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the schedule looks after the printers of every operator', async db => {
    await storeOutages(db, services.now())
    return dueOutages(db, services.now())
  })
  for (const outage of due) {
    const { operator_id, company_id } = outage
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(context =>
      mailOutage(context, outage),
    )
  }
}

export const watchOutages: ScheduledTask = { name: 'printers that are offline', seconds: 30, run: mailOutages }
