/** What comes round for pick lists: orders that were stopped or packed elsewhere leave their list. */
import { recordEvent } from '#platform/database/events.ts'
import type { Notice } from '#platform/notifications/change-notifier.ts'
import { nobody } from '#platform/auth/identity.ts'
import type { Round } from '#platform/jobs/scheduler.ts'
import type { House } from '#platform/http/feature-module.ts'
import { dropStoppedOrder, type PickTools } from './pick-lists.queries.ts'
import { companiesOfOperator, stoppedOrders } from './pick-list-schedules.queries.ts'

export const watchPickLists: Round = { name: 'watch pick lists', seconds: 15, run: house => watchLists(house) }

/** Imports and shops cancel orders without knowing of lists, and benches pack them. */
export async function watchLists(house: House): Promise<void> {
  const { stopped, companies } = await house.database.asSystem('the clock knows no tenant', async db => {
    const stopped = await stoppedOrders(db)
    return {
      stopped,
      companies: await companiesOfOperator(
        db,
        stopped.map(one => one.operator_id),
      ),
    }
  })
  for (const { operator_id, order_id } of stopped) await inside(house, operator_id, companies, tools => dropStoppedOrder(tools, order_id))
}

/** One transaction as the operator's main company, over all its companies. */
async function inside(
  house: House,
  operator_id: number,
  companies: ReadonlyMap<number, { main: number; all: number[] }>,
  work: (tools: PickTools) => Promise<void>,
): Promise<void> {
  const of = companies.get(operator_id)
  if (!of) return
  const scope = { operator_id, company_id: of.main, companies: of.all }
  const system = nobody({ operator_id, id: of.main, code: '', name: '', is_main: true, packing_ip_pattern: '' })
  const notices: Notice[] = []
  await house.database.within(scope, db =>
    work({
      db,
      record: event => recordEvent(db, system, '', event),
      tell: (topic, id, company_id = of.main) => void notices.push({ topic, ...(id === undefined ? {} : { id }), operator_id, company_id }),
    }),
  )
  house.live.publish(notices)
}
