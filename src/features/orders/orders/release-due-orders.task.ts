/** The schedule that releases new orders whose delay has passed and that nothing holds. */

import { elementAt } from '#domain/objects.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { releaseOrders } from './order-state.commands.ts'

export const releaseDueOrders: ScheduledTask = {
  name: 'release orders whose time has come',
  seconds: 5,
  run: services => releaseDue(services),
}

export async function releaseDue(services: Services): Promise<void> {
  const due = await services.database.systemRead('the scheduler has no tenant', db =>
    db
      .selectFrom('orders')
      .select(['operator_id', 'company_id', 'id'])
      .where('work_state', '=', 'new')
      .where('release_at', '<=', services.now().toISOString())
      .where('held', '=', false)
      .where('cancelled_at', 'is', null)
      .orderBy('release_at')
      .limit(1000)
      .execute(),
  )
  for (const orders of Map.groupBy(due, order => `${order.operator_id}/${order.company_id}`).values()) {
    const { operator_id, company_id } = elementAt(orders, 0)
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(context =>
      releaseOrders(
        context,
        orders.map(order => order.id),
      ),
    )
  }
}
