/** Prints the pages of the morning, each company by its own clock. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { printSelfTest } from './self-tests.commands.ts'
import { dueSelfTests } from './self-tests.queries.ts'

export const printSelfTests: ScheduledTask = { name: 'print self-tests of stations', seconds: 60, run: printDue }

export async function printDue(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the clock knows no tenant', db => dueSelfTests(db, services.now()))
  for (const { operator_id, company_id, station_id, day } of due) {
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    try {
      await system.transaction(context => printSelfTest(context, { company_id, station_id, day, scheduled: true }))
    } catch (error) {
      // A station whose printer was removed must not keep the others from theirs; two servers at once print one page.
      services.log.warn({ station_id, error: String(error) }, 'a self-test was not printed')
    }
  }
}
