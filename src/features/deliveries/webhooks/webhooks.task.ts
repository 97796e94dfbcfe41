/** The schedules of webhooks: mails about pauses, the end of old backlogs, and the end of the log. */
import { endOldBacklogs, newlyPaused, notePauseMailed } from '#features/deliveries/outbox/outbox.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { forgetBodies } from './webhooks.commands.ts'
import { settingsPeople, webhookKind } from './webhooks.queries.ts'

const why = 'the webhooks of every operator are looked after'

/** Mails the people of the settings that a webhook was paused; once for each pause, also where two servers do it. */
export async function mailPauses(services: Services): Promise<void> {
  const paused = await services.database.systemRead(why, db => newlyPaused(db, webhookKind))
  for (const { operator_id, company_id, id, gone } of paused)
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(
      async ({ db, now, recordEvents, notify }) => {
        if (!(await notePauseMailed(db, id, now()))) return
        const about = { subject: 'outgoing_webhook', subject_id: id } as const
        const people = await settingsPeople(db, company_id)
        await recordEvents([
          { kind: 'outgoing_webhook.paused', ...about, data: { gone } },
          ...people.map(user_id => ({ kind: 'outgoing_webhook.mail_due' as const, ...about, data: { user_id, gone } })),
        ])
        notify('outgoing_webhook')
      },
    )
}

export async function endOldWebhookData(services: Services): Promise<void> {
  await services.database.systemTransaction(why, async db => {
    await endOldBacklogs(db, services.now())
    await forgetBodies(db, services.now())
  })
}

export const watchPauses: ScheduledTask = { name: 'webhooks that were paused', seconds: 30, run: mailPauses }
export const endWebhookData: ScheduledTask = { name: 'old events of webhooks', seconds: 3_600, run: endOldWebhookData }
