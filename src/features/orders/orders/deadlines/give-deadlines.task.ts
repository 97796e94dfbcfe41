/** Gives all open orders their deadline again after deadlines, their days or the clock of the warehouse changed. */
import { openOrderIds, readPlan } from '#features/orders/deadlines/deadlines.queries.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { giveDeadlines } from './order-deadlines.commands.ts'

const batch = 1_000
const mostOrders = 500_000

/** Each batch is a transaction of its own, so that no one waits for the rest; doing it twice changes nothing. */
export const giveAllDeadlines: Tasks['orders.deadlines'] = async (_payload, { services, scope }) => {
  const rows = await services.database.systemRead('deadlines are the operator’s, orders its companies’', db =>
    db.selectFrom('companies').select('id').where('operator_id', '=', scope.operator_id).orderBy('id').execute(),
  )
  const system = createSystemContext(services, { ...scope, companies: rows.map(row => row.id) })
  const { ids, plan } = await system.transaction(async ({ db }) => ({
    ids: await openOrderIds(db, mostOrders),
    plan: await readPlan(db),
  }))
  for (let at = 0; at < ids.length; at += batch)
    await system.transaction(context => giveDeadlines(context, ids.slice(at, at + batch), { plan }))
  // The board and the list of deadlines count anew.
  await system.transaction(async ({ notify }) => notify('deadline'))
}
