/** Flags clock-ins whose clock-out was forgotten; no end is guessed. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { flagMissingOut } from './punches.commands.ts'
import { forgottenPunches, lockedPunch } from './punches.queries.ts'

export const watchPunches: ScheduledTask = { name: 'flag forgotten clock-outs', seconds: 60, run: services => flagForgotten(services) }

export async function flagForgotten(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the clock knows no tenant', db => forgottenPunches(db, services.now()))
  for (const { operator_id, company_id, id } of due) {
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(async context => {
      const punch = await lockedPunch(context.db, id)
      if (punch.state === 'open' && punch.ended_at === null) await flagMissingOut(context, punch)
    })
  }
}
