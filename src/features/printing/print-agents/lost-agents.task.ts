/** The schedule that finds print agents which no longer poll. */
import { storeLostAgents } from '#features/printing/printers/printers.commands.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { silentAfter } from './print-agents.queries.ts'

/** Takes the printers of silent agents off line: stations see it, and fallback printers take over. */
export async function takeLostAgentsOffline(services: Services): Promise<void> {
  const lost = await services.database.systemTransaction('the schedule looks after the print agents of every operator', db =>
    storeLostAgents(db, new Date(services.now().getTime() - silentAfter)),
  )
  services.notifier.publish(lost.map(({ operator_id, company_id }) => ({ topic: 'printer', operator_id, company_id }) as const))
}

export const watchPrintAgents: ScheduledTask = { name: 'print agents', seconds: 10, run: takeLostAgentsOffline }
