/** Three deadlines of the demo's warehouse, two days that differ, and the open orders on their pickups – all invented. */
import { randomUUID } from 'node:crypto'
import { boardOf } from '#features/insight/deadline-board/deadline-board.queries.ts'
import { openOrderIds } from '#features/orders/deadlines/deadlines.queries.ts'
import { giveDeadlines } from '#features/orders/orders/deadlines/order-deadlines.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Context, Services } from '#platform/http/feature-module.ts'

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
    await buildPoints(context, scope.company_id)
  })
}

const minutes = 60_000
/** Points of the last hours, one for every five minutes: it rose until three hours ago and has fallen since. */
const [points, highest] = [72, 36]

/** What was left of the next pickups in the last hours. */
async function buildPoints({ db, now }: Context, main: number): Promise<void> {
  const { rows, server_time } = await boardOf(db, { now: now(), figures: false, name: '', owner: { id: main, is_main: true } })
  const last = Math.floor(Date.parse(server_time) / minutes / 5) * 5 * minutes
  const measured = rows.flatMap(({ deadline_id, due_at, remaining }) => {
    const left = Object.values(remaining).reduce((sum, n) => sum + n, 0)
    if (due_at === null) return []
    return Array.from({ length: points }, (_, back) => ({
      ...{ deadline_id, due_at, at: new Date(last - (back + 1) * 5 * minutes).toISOString(), missed: null },
      remaining: Math.round(left + (0.6 * left + 8) * (back < highest ? back / highest : 1 - (back - highest) / (points - 6))),
    }))
  })
  if (measured.length > 0) await db.insertInto('deadline_points').values(measured).execute()
}
