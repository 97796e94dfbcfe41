/** The watch on parcels that couriers have: what has not moved, waits in a shop, or seems lost. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { openExceptions } from './shipment-exceptions.commands.ts'
import { type SilentShipment, silentShipments } from './shipment-exceptions.queries.ts'

export const watchSilentShipments: ScheduledTask = {
  name: 'watch parcels without news',
  seconds: 300,
  run: services => openByClock(services),
}

export async function openByClock(services: Services): Promise<void> {
  const silent = await services.database.systemTransaction('the clock knows no tenant', db => silentShipments(db, services.now()))
  const companies = new Map<string, SilentShipment[]>()
  for (const one of silent) {
    const key = `${one.operator_id}/${one.company_id}`
    companies.set(key, [...(companies.get(key) ?? []), one])
  }
  for (const found of companies.values()) {
    const [first] = found
    if (!first) continue
    const { operator_id, company_id } = first
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(context =>
      openExceptions(
        context,
        found.map(({ shipment_id, order_id, kind }) => ({ shipment_id, order_id, company_id, kind })),
      ),
    )
  }
}
