/** The clock releases new orders whose delay has passed and that nothing holds. */
import { sql } from 'kysely'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'

export const releaseDueOrders: ScheduledTask = {
  name: 'release orders whose time has come',
  seconds: 5,
  run: services => releaseOrders(services),
}

export async function releaseOrders(services: Services): Promise<void> {
  const released = await services.database.systemTransaction('the clock knows no tenant', async db => {
    const { rows } = await sql<{ operator_id: number; company_id: number; id: number }>`
      with due as (
        select operator_id, id from orders where work_state = 'new' and release_at is not null and release_at <= ${services.now().toISOString()}
          and not held and cancelled_at is null order by release_at limit 1000 for update skip locked
      ), gone as (
        update orders o set work_state = 'ready', release_at = null, version = o.version + 1 from due
        where o.operator_id = due.operator_id and o.id = due.id returning o.operator_id, o.company_id, o.id
      ), happened as (
        insert into events (operator_id, company_id, kind, order_id, data) select operator_id, company_id, 'order.released', id, '{"from":"new","to":"ready"}' from gone
      )
      select operator_id, company_id, id from gone`.execute(db)
    return rows
  })
  services.notifier.publish(released.map(order => ({ topic: 'order', ...order })))
}
