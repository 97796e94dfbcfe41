/** Attaching stored orders to their customers: changed orders, and orders from before there were customers. */
import { elementAt } from '#domain/objects.ts'
import { noteAttachedOrders } from '#features/customers/customers/customer-changes.commands.ts'
import { customerSteps, newCustomerCells, newLookupCells } from '#features/customers/customers/customers.commands.ts'
import { type KnownLookupRow, knownLookups, knownLookupsText } from '#features/customers/customers/customers.queries.ts'
import {
  type Attachment,
  type Contact,
  type CustomerPlan,
  isOwnLookup,
  lookupsOf,
  planCustomers,
} from '#features/customers/customers/customers.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { attachmentCells } from '../upsert/columns.queries.ts'
import { type Cells, ours, run, table, values } from '../upsert/sql.queries.ts'

const attachCells: Cells<Attachment & { order_id: number }> = [['order_id', 'bigint', row => row.order_id], ...attachmentCells]

const attachText = `with ${customerSteps(table('c', newCustomerCells, 1), table('l', newLookupCells, 1 + newCustomerCells.length)).join(
  ',\n',
)}
  update orders o set customer_id = coalesce(r.customer_id, s.customer_id)
  from ${table('r', attachCells, 1 + newCustomerCells.length + newLookupCells.length)}
    left join stored_lookups s on s.check_type = r.customer_check_type and s.check_value = r.customer_check_value
  where ${ours('o')} and o.id = r.order_id and o.customer_id is null and coalesce(r.customer_id, s.customer_id) is not null`

/** Stores what the plan says, and sets the customer of those orders that have none. The attachments stand in the order of `order_ids`. */
export async function attachCustomers(db: Db, order_ids: readonly number[], plan: CustomerPlan): Promise<void> {
  const { customers, lookups, attachments } = plan
  if (customers.length === 0 && lookups.length === 0 && attachments.every(one => one.customer_id === null)) return
  await run(db, attachText, [
    ...values(
      customers.map((customer, place) => ({ ...customer, place })),
      newCustomerCells,
    ),
    ...values(lookups, newLookupCells),
    ...values(
      attachments.map((attachment, at) => ({ ...attachment, order_id: elementAt(order_ids, at) })),
      attachCells,
    ),
  ])
}

interface OldOrder extends Contact {
  id: number
}

const oldOrdersText = `select o.id, o.shop, o.customer_external_id, o.customer_name, o.customer_email, o.customer_phone,
    jsonb_build_object('name', o.ship_to ->> 'name', 'postcode', o.ship_to ->> 'postcode', 'country', o.ship_country, 'phone', o.ship_to ->> 'phone') as recipient
  from orders o where ${ours('o')} and o.id < $1 order by o.id desc limit $2`

const knownText = `select (${knownLookupsText('$1', '$2')}) as customers`

const progressText = `update customer_backfills b set before_order_id = $2, done = b.done + $3,
    finished_at = case when $4::boolean then now() end
  where ${ours('b')} and b.before_order_id = $1 and b.finished_at is null returning b.done`

/**
 * Attaches the next orders, newest first, and remembers how far it came in the same transaction: an interrupted back-fill goes on
 * there. Answers how many orders are done, and whether all are.
 */
export async function attachNextOrders(
  db: Db,
  company: { id: number; sender: { email: string; phone: string; country: string } },
  most: number,
): Promise<{ done: number; finished: boolean }> {
  const state = await db
    .selectFrom('customer_backfills')
    .select(['before_order_id', 'done', 'finished_at'])
    .where('company_id', '=', company.id)
    .forUpdate()
    .executeTakeFirst()
  if (!state || state.finished_at) return { done: state?.done ?? 0, finished: true }
  const orders = await run<OldOrder>(db, oldOrdersText, [state.before_order_id, most])
  const lookups = orders.map(order => lookupsOf(order, company.id).filter(lookup => !isOwnLookup(lookup, company.sender)))
  const asked = lookups.flat()
  const [known] = await run<{ customers: KnownLookupRow[] }>(db, knownText, [asked.map(one => one.type), asked.map(one => one.value)])
  await attachCustomers(
    db,
    orders.map(order => order.id),
    planCustomers(orders, lookups, knownLookups(asked, known!.customers)),
  )
  await noteAttachedOrders(
    db,
    orders.map(order => order.id),
  )
  const finished = orders.length < most
  const [after] = await run<{ done: number }>(db, progressText, [
    state.before_order_id,
    orders.at(-1)?.id ?? state.before_order_id,
    orders.length,
    finished,
  ])
  return { done: after!.done, finished }
}
