/** Three deadlines of the demo's warehouse, two days that differ, and the open orders on their pickups – all invented. */
import { randomUUID } from 'node:crypto'
import { openOrderIds } from '#features/orders/deadlines/deadlines.queries.ts'
import { giveDeadlines } from '#features/orders/orders/deadlines/order-deadlines.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

/** The deadlines of the main company about the orders of all, in its zone. */
export async function buildDeadlines(services: Services, scope: TenantScope, time_zone: string): Promise<void> {
  const year = services.now().toISOString().slice(0, 4)
  await createSystemContext(services, scope).transaction(async context => {
    const { db } = context
    const usual = { weekdays: [1, 2, 3, 4, 5], holidays: 'DK', time_zone }
    await db
      .insertInto('deadlines')
      .values([
        {
          ...usual,
          ...{ client_id: randomUUID(), name: 'Parcels abroad', countries: ['DE', 'GB', 'NO', 'SE'], target: 'packed' },
          ...{ cut_off: '14:00', pickup_time: '16:00', sla_days: 2 },
        },
        {
          ...usual,
          ...{ client_id: randomUUID(), name: 'Own van', shipping_methods: ['own:van'], countries: ['DK'], target: 'handed_over' },
          ...{ cut_off: '13:30', pickup_time: '15:30', sla_days: 1 },
        },
        {
          ...usual,
          ...{ client_id: randomUUID(), name: 'Shops', shipping_methods: ['own:pickup'], target: 'packed' },
          ...{ cut_off: '15:00', pickup_time: '17:00', sla_days: 1 },
        },
      ])
      .execute()
    await db
      .insertInto('deadline_days')
      .values([
        { day: `${year}-12-24`, open: false, note: 'Christmas Eve' },
        { day: `${year}-12-31`, open: true, cut_off: '10:00', pickup_time: '12:00', note: 'New Year’s Eve' },
      ])
      .execute()
    await giveDeadlines(context, await openOrderIds(db, 10_000), { moves: true })
  })
}
