/** The schedule that says which orders are late: not ready when their pickup, or their ship-by time, has come. */
import { sql } from 'kysely'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { clockHolds } from './deadlines.codes.ts'

export const sayLateOrders: ScheduledTask = { name: 'late orders', seconds: 60, run: recordLateOrders }

/** After a longer outage of the server nothing is said of what was late before. */
const lookBack = '24 hours'
const mostAtOnce = 1_000

interface Late {
  id: number
  company_id: number
  due_at: string
}

/** Each time of an order is said once: a later one, such as that of a new pickup, is another time. */
export async function recordLateOrders(services: Services): Promise<void> {
  const companies = await services.database.systemRead('the clock knows no tenant', db =>
    db.selectFrom('companies').select(['operator_id', 'id', 'is_main']).orderBy('id').execute(),
  )
  for (const [operator_id, some] of Map.groupBy(companies, company => company.operator_id)) {
    const main = some.find(company => company.is_main)
    if (!main || services.closing.aborted) continue
    const scope = { operator_id, company_id: main.id, companies: some.map(company => company.id) }
    await createSystemContext(services, scope).transaction(async ({ db, recordEvents, now }) => {
      const at = now().toISOString()
      // Packed orders are late only where their deadline wants them handed over. Their time does not run while a hold stops it.
      const { rows } = await sql<Late>`
        select o.id, o.company_id, coalesce(o.deadline_at, o.ship_by) as due_at from orders o
        where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids())
          and o.phase in ('new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error', 'packed')
          and o.cancelled_at is null
          and coalesce(o.deadline_at, o.ship_by) <= ${at}::timestamptz and coalesce(o.deadline_at, o.ship_by) > ${at}::timestamptz - ${lookBack}::interval
          and (o.phase <> 'packed' or exists (select from deadlines d
            where d.operator_id = o.operator_id and d.id = o.deadline_id and d.target = 'handed_over'))
          and not (o.held and exists (select from order_locks l where l.operator_id = o.operator_id and l.order_id = o.id and l.kind = 'hold'
            and l.reason = any (${[...clockHolds]}::text[]) and l.released_at is null))
          and not exists (select from events e where e.operator_id = o.operator_id and e.order_id = o.id and e.kind = 'order.late'
            and (e.data ->> 'due_at')::timestamptz = coalesce(o.deadline_at, o.ship_by))
        order by o.id limit ${mostAtOnce}`.execute(db)
      await recordEvents(
        rows.map(({ id, company_id, due_at }) => ({
          kind: 'order.late',
          order_id: id,
          company_id,
          data: { due_at: new Date(due_at).toISOString() },
        })),
      )
    })
  }
}
