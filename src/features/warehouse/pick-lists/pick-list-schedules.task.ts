/** What comes round for pick lists: orders that were stopped or packed elsewhere leave their list. */

import { anonymous } from '#platform/auth/identity.ts'
import { recordEvent } from '#platform/database/events.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import type { Notice } from '#platform/notifications/change-notifier.ts'
import { companiesOfOperator, stoppedOrders } from './pick-list-schedules.queries.ts'
import { dropStoppedOrder, type PickTools } from './pick-lists.queries.ts'

export const watchPickLists: ScheduledTask = { name: 'watch pick lists', seconds: 15, run: services => watchLists(services) }

/** Imports and shops cancel orders without knowing of lists, and benches pack them. */
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
  for (const { operator_id, order_id } of stopped)
    await inside(services, operator_id, companies, tools => dropStoppedOrder(tools, order_id))
}

/** One transaction as the operator's main company, over all its companies. */
async function inside(
  services: Services,
  operator_id: number,
  companies: ReadonlyMap<number, { main: number; all: number[] }>,
  work: (tools: PickTools) => Promise<void>,
): Promise<void> {
  const of = companies.get(operator_id)
  if (!of) return
  const scope = { operator_id, company_id: of.main, companies: of.all }
  const system = anonymous({ operator_id, id: of.main, code: '', name: '', is_main: true, packing_ip_pattern: '' })
  const notices: Notice[] = []
  await services.database.transaction(scope, db =>
    work({
      db,
      recordEvent: event => recordEvent(db, system, '', event),
      notify: (topic, id, company_id = of.main) =>
        void notices.push({ topic, ...(id === undefined ? {} : { id }), operator_id, company_id }),
    }),
  )
  services.notifier.publish(notices)
}
