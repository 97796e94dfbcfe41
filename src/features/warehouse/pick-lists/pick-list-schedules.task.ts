/** Schedule of pick lists: orders that were stopped or packed elsewhere leave their list. */

import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { companiesOfOperator, stoppedOrders } from './pick-list-schedules.queries.ts'
import { dropStoppedOrder } from './pick-lists.queries.ts'

export const watchPickLists: ScheduledTask = { name: 'watch pick lists', seconds: 15, run: services => watchLists(services) }

/** Imports and shops cancel orders without knowing of lists, and stations pack them. */
export async function watchLists(services: Services): Promise<void> {
  const { stopped, companies } = await services.database.systemTransaction('the clock knows no tenant', async db => {
    const stopped = await stoppedOrders(db)
    return {
      stopped,
      companies: await companiesOfOperator(
        db,
        stopped.map(one => one.operator_id),
      ),
    }
  })
  for (const { operator_id, order_id } of stopped) {
    const of = companies.get(operator_id)
    if (!of) continue
    const system = createSystemContext(services, { operator_id, company_id: of.main, companies: of.all })
    await system.transaction(context => dropStoppedOrder(context, order_id))
  }
}
