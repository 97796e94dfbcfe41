/** Reading what a customer's page shows of other areas. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { CustomerOrder } from './customer-page.schemas.ts'

/** Orders of these customers, the newest first, with their parcels. */
export async function ordersOfCustomer(
  db: Db,
  members: readonly number[],
  company_id: number | null,
  query: { page: number; limit: number },
): Promise<Page<CustomerOrder>> {
  const every = db.selectFrom('orders as o').where('o.customer_id', '=', sql<number>`any(${members})`)
  const all = company_id === null ? every : every.where('o.company_id', '=', company_id)
  const rows = await all
    .select(['o.id', 'o.company_id', 'o.order_no', 'o.phase', 'o.ordered_at', 'o.item_count', 'o.total_incl_vat', 'o.currency'])
    .select(sql<string>`coalesce(o.ship_to ->> 'city', '')`.as('city'))
    .select('o.ship_country')
    .orderBy('o.id', 'desc')
    .limit(query.limit)
    .offset(pageOffset(query))
    .execute()
  const parcels = await db
    .selectFrom('shipments')
    .select(['id as shipment_id', 'order_id', 'operation_code', 'state', 'agent_code', 'tracking_no', 'delivered_at'])
    .where('order_id', '=', sql<number>`any(${rows.map(row => row.id)})`)
    .where('state', 'not in', ['cancelled', 'blocked'])
    .orderBy('id')
    .execute()
  const byOrder = Map.groupBy(parcels, parcel => parcel.order_id)
  return {
    rows: rows.map(row => ({
      ...row,
      parcels: (byOrder.get(row.id) ?? []).map(({ order_id: _order, ...parcel }) => parcel),
    })),
    ...(await cappedCount(db, all)),
    offset: pageOffset(query),
    limit: query.limit,
  }
}

/** Which orders of these customers the companies in scope have, and who of them knows the customers. */
export async function companiesOfCustomer(
  db: Db,
  members: readonly number[],
): Promise<{ company_id: number; order_ids: number[]; open: number }[]> {
  const of = sql`any(${[...members]}::bigint[])`
  const { rows } = await sql<{ company_id: number; order_ids: number[]; open: number }>`
    select k.company_id, coalesce(array_agg(o.id order by o.id) filter (where o.id is not null), '{}') as order_ids,
      count(o.id) filter (where o.phase not in ('closed', 'delivered', 'cancelled', 'handed_over'))::int as open
    from (select distinct company_id from customer_companies where operator_id = current_operator_id() and company_id = any (current_company_ids())
      and customer_id = ${of}) k
      left join orders o on o.operator_id = current_operator_id() and o.company_id = k.company_id and o.customer_id = ${of} and o.erased_at is null
    group by k.company_id order by k.company_id`.execute(db)
  return rows
}
