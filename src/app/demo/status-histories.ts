/** What the warehouse of the demo said to its shops in the past weeks. */
import { sql } from 'kysely'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

export async function buildStatusHistories(services: Services, scope: TenantScope, person: { id: number; name: string }): Promise<void> {
  await services.database.transaction(scope, async db => {
    await sql`
      insert into order_status_histories (company_id, order_id, seq, status, comment, visible_to_customer, user_id, actor, created_at)
      select o.company_id, o.id, row_number() over (partition by o.company_id order by o.id), said.status, said.comment, said.visible, ${person.id}, ${person.name},
        o.created_at + interval '3 hours'
      from orders o join (values (0, 'delayed', 'An item comes tomorrow', true), (1, '', 'The address was completed on the phone', false),
        (2, 'processing', '', true)) said (nth, status, comment, visible) on said.nth = o.id % 3
      where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id % 23 = 0 and o.work_state <> 'ready'`.execute(
      db,
    )
    // The next entry goes on with the next number.
    await sql`
      insert into number_series (company_id, name, next)
      select company_id, 'status_history', max(seq) + 1 from order_status_histories where operator_id = current_operator_id() group by company_id`.execute(
      db,
    )
  })
}
