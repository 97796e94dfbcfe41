/** What the demo's clerks noted about customers: notes of each kind, flags, doubles that wait for a decision, and some that are merged. */
import { sql } from 'kysely'
import { mergeCustomers } from '#features/customers/customers/customer-edits.commands.ts'
import { takeChanges } from '#features/orders/orders/customers/customer-changes.task.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const notes = [
  { type: 'info', note: 'Prefers to be called in the afternoon', at_station: false },
  { type: 'praise', note: 'Always answers the same day', at_station: false },
  { type: 'advice', note: 'Put the invoice into the parcel', at_station: true },
  { type: 'warning', note: 'Two parcels were reported missing: ask for a signature', at_station: true },
] as const

const merged = 12

export async function buildCustomers(services: Services, scope: TenantScope, clerk: { id: number; name: string }): Promise<void> {
  await takeChanges(services)
  await services.database.transaction(scope, async db => {
    for (const [place, { type, note, at_station }] of notes.entries())
      await sql`insert into customer_notes (company_id, customer_id, type, note, at_station, user_id, actor, created_at)
        select k.company_id, k.customer_id, ${type}, ${note}, ${at_station}, ${clerk.id}, ${clerk.name}, k.sorted_at
        from customer_companies k where k.operator_id = current_operator_id() and k.listed and k.customer_id % 97 = ${place}`.execute(db)
    await sql`insert into customer_flags (company_id, customer_id, flag, actor)
      select k.company_id, k.customer_id, case k.customer_id % 4 when 0 then 'no_sms' when 1 then 'no_email' when 2 then 'signature' else 'known_problem' end, ${clerk.name}
      from customer_companies k where k.operator_id = current_operator_id() and k.listed and k.customer_id % 61 = 7`.execute(db)
  })
  const { rows: pairs } = await services.database.readOnly(scope, db =>
    sql<{ root_id: number; member_id: number }>`select a_id as root_id, b_id as member_id from customer_suggestions
      where operator_id = current_operator_id() and state = 'open' order by a_id, b_id limit ${merged * 2}`.execute(db),
  )
  const taken = new Set<number>()
  const context = createSystemContext(services, scope)
  for (const pair of pairs) {
    if (taken.size >= merged * 2 || taken.has(pair.root_id) || taken.has(pair.member_id)) continue
    taken.add(pair.root_id).add(pair.member_id)
    await context.transaction(inside => mergeCustomers(inside, pair))
  }
}
