/** The schedule that closes orders some days after the last of their parcels has arrived, come back or been lost. */

import { sql } from 'kysely'
import { finalStates } from '#domain/order/shipment-states.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { closeOrders } from './order-state.commands.ts'

export const closeFinalOrders: ScheduledTask = {
  name: 'close orders whose parcels are final',
  seconds: 900,
  run: services => closeFinal(services),
}

/** Orders of one transaction. */
const batch = 200
/** A company's batches in one run: others follow in the next. */
const batches = 20

export async function closeFinal(services: Services): Promise<void> {
  const companies = await services.database.systemRead('the scheduler has no tenant', db =>
    db.selectFrom('companies').select(['operator_id', 'id']).orderBy('operator_id').orderBy('id').execute(),
  )
  for (const { operator_id, id } of companies) {
    const system = createSystemContext(services, { operator_id, company_id: id, companies: [id] })
    let full = true
    for (let run = 0; full && run < batches; run++)
      full = await system.transaction(async context => {
        const { close_after_days } = await companySettings(context.db, id)
        const before = new Date(context.now().getTime() - close_after_days * 86_400_000).toISOString()
        const due = await finalSince(context.db, before)
        await closeOrders(context, due)
        return due.length === batch
      })
  }
}

/** Orders that left, the oldest first, whose parcels were all final before an instant. */
async function finalSince(db: Db, before: string): Promise<number[]> {
  const parcels = sql`from shipments s where s.operator_id = o.operator_id and s.order_id = o.id and s.operation_code = 'outbound'`
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o
    where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.phase in ('delivered', 'handed_over')
      -- Those in the parcel of another order are closed with it.
      and o.combined_into is null
      and not exists (select ${parcels} and s.state <> all (${finalStates}::text[]))
      and coalesce(o.delivered_at, (select max(greatest(s.delivered_at, s.cancelled_at, s.handed_over_at,
        (select max(e.at) from shipment_events e where e.operator_id = s.operator_id and e.shipment_id = s.id))) ${parcels})) <= ${before}::timestamptz
    order by o.id limit ${batch}`.execute(db)
  return rows.map(row => row.id)
}
