/** The schedule that counts orders of customers, sorts their words in, and looks for customers who may be one person. */
import { sql } from 'kysely'
import {
  type CustomerChange,
  type FoundDouble,
  type Root,
  refreshCustomers,
  refreshTotals,
  suggestAlike,
  suggestByLookups,
  takeCustomerChanges,
} from '#features/customers/customers/customer-changes.commands.ts'
import { type Contact, lookupsOf } from '#features/customers/customers/customers.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'

export const refreshChangedCustomers: ScheduledTask = {
  name: 'count orders of customers and sort in their words',
  seconds: 5,
  run: services => takeChanges(services),
}

/** So many changes are taken in one transaction, and milliseconds after which the others wait for the next run. */
const batch = 1_000
const longestRun = 4_000

export async function takeChanges({ database }: Pick<Services, 'database'>): Promise<void> {
  const until = performance.now() + longestRun
  let full = true
  while (full && performance.now() < until)
    full = await database.systemTransaction('the clock knows no tenant', async db => {
      const changes = await takeCustomerChanges(db, batch)
      await refreshChanged(db, changes)
      return changes.length === batch
    })
}

interface ChangedOrder extends Contact {
  operator_id: number
  company_id: number
  root_id: number
}

async function refreshChanged(db: Db, changes: readonly CustomerChange[]): Promise<void> {
  if (changes.length === 0) return
  const ofOrders = changes.filter(change => change.order_id !== null)
  const { rows: orders } = await sql<ChangedOrder>`
    select o.operator_id, o.company_id, c.root_id, o.shop, o.customer_external_id, o.customer_name, o.customer_email, o.customer_phone,
      jsonb_build_object('name', o.ship_to ->> 'name', 'postcode', o.ship_to ->> 'postcode', 'country', o.ship_country, 'phone', o.ship_to ->> 'phone') as recipient
    from unnest(${ofOrders.map(change => change.operator_id)}::bigint[], ${ofOrders.map(change => change.order_id)}::bigint[]) as x(operator_id, id)
      join orders o on o.operator_id = x.operator_id and o.id = x.id
      join customers c on c.operator_id = o.operator_id and c.id = o.customer_id
    where c.erased_at is null and o.erased_at is null`.execute(db)
  const named = changes.filter(change => change.customer_id !== null)
  const { rows: others } = await sql<Root>`
    select c.operator_id, c.root_id from unnest(${named.map(change => change.operator_id)}::bigint[], ${named.map(change => change.customer_id)}::bigint[]) as x(operator_id, id)
      join customers c on c.operator_id = x.operator_id and c.id = x.id`.execute(db)
  const known = new Map([...orders, ...others].map(({ operator_id, root_id }) => [root_id, { operator_id, root_id }]))
  const roots = [...known.values()].sort((one, other) => one.operator_id - other.operator_id || one.root_id - other.root_id)
  await refreshTotals(db, roots)
  await refreshCustomers(db, roots)
  await suggestAlike(db, roots)
  const doubles = orders.flatMap(({ operator_id, company_id, root_id, ...contact }): FoundDouble[] =>
    lookupsOf(contact, company_id).map(lookup => ({ operator_id, root_id, lookup })),
  )
  await suggestByLookups(db, doubles)
}
