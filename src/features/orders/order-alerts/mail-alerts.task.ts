/** Mails what alerts have gathered, and forgets what is old. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { dueMails, forgetHits, mailHits } from './alert-hits.commands.ts'

export async function mailDueAlerts(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the clock knows no tenant', db => dueMails(db, services.now()))
  for (const { operator_id, owner_company_id, alert_id, companies } of due) {
    const scope = { operator_id, company_id: owner_company_id, companies: [...new Set([owner_company_id, ...companies])] }
    await createSystemContext(services, scope).transaction(context => mailHits(context, alert_id, owner_company_id))
  }
}

export const mailAlerts: ScheduledTask = { name: 'mail alerts about orders', seconds: 15, run: mailDueAlerts }

export const forgetAlerts: ScheduledTask = {
  name: 'forget old alerts about orders',
  seconds: 3_600,
  run: async services => {
    await services.database.systemTransaction('alerts are kept for 13 months', db => forgetHits(db, services.now()))
  },
}
