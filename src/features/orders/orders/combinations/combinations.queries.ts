/** What is read of orders that may go in one parcel. */
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod'
import { compiledQuery, executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import { ShipTo } from '../orders.schemas.ts'
import { mostCombined } from './combinations.codes.ts'
import { asSortable, type CombinableOrder, refusalOfOrder, refusalOfPair, type SortableOrder } from './combinations.rules.ts'

const Point = z.object({ id: z.string().nullable().catch(null) }).catch({ id: null })
const Delivery = z.object({ wished_date: z.string().nullable().catch(null) }).catch({ wished_date: null })
const Customs = z.record(z.string(), z.unknown()).catch({})

interface ComparedOrder extends CombinableOrder {
  shop: string
  version: number
  item_count: number
  weight_g: number
  shipping_title: string | null
}

/** By one plan for any number of them: with the ids in sight the database expects few orders of the company, and reads an index of them to the end. */
const comparedRows = compiledQuery((db, { ids }: { ids: readonly number[] }) =>
  db
    .selectFrom('orders as o')
    .select([
      'o.id',
      'o.company_id',
      'o.order_no',
      'o.shop',
      'o.version',
      'o.ordered_at',
      'o.ship_by',
      'o.work_state',
      'o.held',
      'o.cancelled_at',
    ])
    .select([
      'o.currency',
      'o.payment_state',
      'o.agent_code',
      'o.shipping_method',
      'o.shipping_title',
      'o.service_point',
      'o.delivery',
      'o.customs',
    ])
    .select(['o.customer_email', 'o.customer_phone', 'o.ship_to', 'o.item_count', 'o.weight_g'])
    .select(['o.combined_into', 'o.split_of'])
    .where('o.id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('o.id'),
)

/** The orders with all by which they are judged, in the order of their ids. */
export async function comparedOrders(db: Db, ids: readonly number[]): Promise<ComparedOrder[]> {
  const [stopped, rows] = await Promise.all([stopsOf(db, ids), comparedRows(db, { ids })])
  return rows.map(({ service_point, delivery, customs, ship_to, combined_into, split_of, ...row }) => ({
    ...row,
    is_combined: combined_into !== null || stopped.combined.has(row.id),
    is_split: split_of !== null || stopped.split.has(row.id),
    begun: stopped.begun.has(row.id),
    service_point_id: Point.parse(service_point).id,
    wished_date: Delivery.parse(delivery).wished_date,
    customs: Customs.parse(customs),
    ship_to: ShipTo.parse(ship_to),
  }))
}

const ours = sql`operator_id = current_operator_id() and company_id = any (current_company_ids())`

/** What of other rows keeps the orders in an array of ids from going together. For many orders that is several times faster than a sub-query for each. */
const stops = {
  combined: (ids: RawBuilder<unknown>) => sql`select combined_into as id from orders where ${ours} and combined_into = any (${ids})`,
  split: (ids: RawBuilder<unknown>) =>
    sql`select split_of as id from orders where ${ours} and split_of = any (${ids}) and cancelled_at is null`,
  begun: (ids: RawBuilder<unknown>) => sql`
    select order_id as id from order_lines where ${ours} and order_id = any (${ids}) and (picked_qty > 0 or packed_qty > 0)
    union all select order_id from shipments where ${ours} and order_id = any (${ids}) and state not in ('cancelled', 'blocked', 'error', 'draft')
    union all select order_id from pick_slots where ${ours} and order_id = any (${ids}) and live`,
} as const

async function stopsOf(db: Db, asked: readonly number[]) {
  const ids = sql`${asked}::bigint[]`
  const [found] = await executeWithGenericPlan(
    db,
    sql<{ combined: number[]; split: number[]; begun: number[] }>`
    select array(${stops.combined(ids)}) as combined, array(${stops.split(ids)}) as split, array(${stops.begun(ids)}) as begun`,
  )
  return { combined: new Set(found?.combined), split: new Set(found?.split), begun: new Set(found?.begun) }
}

/** Orders that are compared in one statement. */
const comparedAtOnce = 1_000

/** The same of very many orders, with no more than it takes to sort them into parcels. */
export async function sortableOrders(db: Db, ids: readonly number[]): Promise<SortableOrder[]> {
  const sortable: SortableOrder[] = []
  for (let from = 0; from < ids.length; from += comparedAtOnce)
    sortable.push(...(await comparedOrders(db, ids.slice(from, from + comparedAtOnce))).map(asSortable))
  return sortable
}

/**
 * Ids of the orders among `alike` that may go in one parcel with another one of them. Orders with one key differ in their contacts at most: an order
 * goes along with those that have its e-mail address or none, and its phone number or none, which is counted without comparing each with each. Where
 * contacts are written alike they need not be read, which would take longer than everything else.
 */
const withPartner = (alike: RawBuilder<unknown>) => sql<{ id: number }>`
  with twins as materialized (select id, company_id, combine_key, customer_email, customer_phone from (${alike}) alike),
    stopped as materialized (
      ${sql.join(
        Object.values(stops).map(of => of(sql`array(select id from twins)`)),
        sql` union all `,
      )}),
    free as materialized (
      select t.*, count(*) over of_key > 1 as several,
        (min(customer_email) over of_key) is distinct from (max(customer_email) over of_key)
          or (min(customer_phone) over of_key) is distinct from (max(customer_phone) over of_key) as differ
      from twins t where not exists (select from stopped s where s.id = t.id) window of_key as (partition by company_id, combine_key)),
    counted as (
      select id, case
          when email is null and phone is null then count(*) over of_key
          when email is null then count(*) over of_phone + count(*) filter (where phone is null) over of_key
          when phone is null then count(*) over of_email + count(*) filter (where email is null) over of_key
          else count(*) over of_both + count(*) filter (where phone is null) over of_email + count(*) filter (where email is null) over of_phone
            + count(*) filter (where email is null and phone is null) over of_key end as fitting
      from (select id, company_id, combine_key, nullif(combine_text(customer_email), '') as email,
          nullif(right(regexp_replace(customer_phone, '[^0-9]', '', 'g'), 8), '') as phone from free where several and differ) f
      window of_key as (partition by company_id, combine_key), of_email as (partition by company_id, combine_key, email),
        of_phone as (partition by company_id, combine_key, phone), of_both as (partition by company_id, combine_key, email, phone))
  select id from free where several and not differ union all select id from counted where fitting > 1`

const comparedColumns = sql`o.id, o.company_id, o.combine_key, o.customer_email, o.customer_phone`
const ofKey = sql`o.operator_id = current_operator_id() and o.company_id = k.company_id and o.combine_key = k.combine_key`

/** Orders that wait to be picked and may go in one parcel with another one. The offset has each key looked up, where a join reads all that wait. */
export async function combinableIds(db: Db, companies: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`select array(${withPartner(sql`
    select o.* from (
        select company_id, combine_key from orders where ${ours} and company_id = any (${companies}::bigint[]) and combine_key is not null
        group by company_id, combine_key having count(*) > 1) k
      cross join lateral (select ${comparedColumns} from orders o where ${ofKey} offset 0) o`)}) as ids`.execute(db)
  return rows[0]?.ids ?? []
}

/** So many orders that are alike are looked at for one of them, the newest. */
const looked = 50

/** Those of the orders in an array of ids that may go in one parcel with another one: for the statement that reads a page. */
export const combinableAmong = (ids: RawBuilder<unknown>) => sql<number[]>`array(
  select id from (${withPartner(sql`
    select o.* from (
        select k.* from (select distinct company_id, combine_key from orders where ${ours} and id = any (${ids}) and combine_key is not null) k
        where exists (select from orders o where ${ofKey} offset 1)) k
      cross join lateral (
        (select ${comparedColumns} from orders o where ${ofKey} order by o.id desc limit ${sql.lit(looked)})
        union (select ${comparedColumns} from orders o where ${ofKey} and o.id = any (${ids}))) o`)}) fitting
  where id = any (${ids}))`

/** Orders that wait to be picked and may go in one parcel with this one. */
export async function suggestedWith(db: Db, order_id: number): Promise<{ id: number; order_no: string }[]> {
  const own = await db.selectFrom('orders').select(['company_id', 'combine_key']).where('id', '=', order_id).executeTakeFirst()
  if (!own?.combine_key) return []
  const others = await db
    .selectFrom('orders')
    .select('id')
    .where('company_id', '=', own.company_id)
    .where('combine_key', '=', own.combine_key)
    .where('id', '<>', order_id)
    .orderBy('id', 'desc')
    .limit(looked)
    .execute()
  if (others.length === 0) return []
  const orders = await comparedOrders(db, [order_id, ...others.map(other => other.id)])
  const self = orders.find(order => order.id === order_id)
  if (!self || refusalOfOrder(self)) return []
  return orders
    .filter(order => order !== self && !refusalOfOrder(order) && !refusalOfPair(self, order))
    .slice(0, mostCombined - 1)
    .map(({ id, order_no }) => ({ id, order_no }))
}

/** What people compare before they combine: the goods and the notes of each order. */
export async function contentsOf(db: Db, ids: readonly number[]) {
  const among = sql<number>`any(${[...ids]}::bigint[])`
  const lines = await db
    .selectFrom('order_lines')
    .select(['id', 'order_id', 'sku', 'name', 'variant'])
    .select(sql<number>`qty - cancelled_qty`.as('qty'))
    .where('order_id', '=', among)
    .where('type', '=', 'item')
    .where('requires_shipping', '=', true)
    .whereRef('qty', '>', 'cancelled_qty')
    .orderBy('order_id')
    .orderBy('line_no')
    .limit(2_000)
    .execute()
  const notes = await db
    .selectFrom('order_comments')
    .select(['order_id', 'comment'])
    .where('order_id', '=', among)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return { lines, notes }
}

/** The order that carries the parcel of this one, and the others in it; null where it goes by itself. */
export async function parcelOf(db: Db, order_id: number): Promise<{ lead_id: number; members: number[] } | null> {
  const order = await db.selectFrom('orders').select(['id', 'combined_into']).where('id', '=', order_id).executeTakeFirst()
  if (!order) return null
  const lead_id = order.combined_into ?? order.id
  const members = await db.selectFrom('orders').select('id').where('combined_into', '=', lead_id).orderBy('id').execute()
  return members.length === 0 ? null : { lead_id, members: members.map(member => member.id) }
}
