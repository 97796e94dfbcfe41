/** What is read of orders that may go in one parcel. */
import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#platform/database/database.ts'
import { ShipTo } from '../orders.schemas.ts'
import { mostCombined } from './combinations.codes.ts'
import { asSortable, type CombinableOrder, parcelsOf, refusalOfOrder, refusalOfPair, type SortableOrder } from './combinations.rules.ts'

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

/** The orders with all by which they are judged, in the order of their ids. */
export async function comparedOrders(db: Db, ids: readonly number[]): Promise<ComparedOrder[]> {
  const stops = await stopsOf(db, ids)
  const rows = await db
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
    .where('o.id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .orderBy('o.id')
    .execute()
  return rows.map(({ service_point, delivery, customs, ship_to, combined_into, split_of, ...row }) => ({
    ...row,
    is_combined: combined_into !== null || stops.combined.has(row.id),
    is_split: split_of !== null || stops.split.has(row.id),
    begun: stops.begun.has(row.id),
    service_point_id: Point.parse(service_point).id,
    wished_date: Delivery.parse(delivery).wished_date,
    customs: Customs.parse(customs),
    ship_to: ShipTo.parse(ship_to),
  }))
}

/** What of other rows keeps orders from going together. For many orders that is several times faster than a sub-query for each. */
async function stopsOf(db: Db, ids: readonly number[]) {
  const here = sql`operator_id = current_operator_id() and company_id = any (current_company_ids())`
  const { rows } = await sql<{ stop: 'combined' | 'split' | 'begun'; ids: number[] }>`
    select 'combined' as stop, array(select combined_into from orders where ${here} and combined_into = any (${ids}::bigint[])) as ids
    union all select 'split', array(select split_of from orders where ${here} and split_of = any (${ids}::bigint[]) and cancelled_at is null)
    union all select 'begun', array(
      select order_id from order_lines where ${here} and order_id = any (${ids}::bigint[]) and (picked_qty > 0 or packed_qty > 0)
      union select order_id from shipments where ${here} and order_id = any (${ids}::bigint[])
        and state not in ('cancelled', 'blocked', 'error', 'draft')
      union select order_id from pick_slots where ${here} and order_id = any (${ids}::bigint[]) and live)`.execute(db)
  const of = (stop: (typeof rows)[number]['stop']) => new Set(rows.find(row => row.stop === stop)?.ids)
  return { combined: of('combined'), split: of('split'), begun: of('begun') }
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

/** So many orders of one customer are looked at. */
const looked = 50
/** So many waiting orders of customers with several are compared, the newest first. */
const mostCompared = 2_000

/** Orders that wait to be picked and may go in one parcel with another one of their customer. */
export async function combinableIds(db: Db, companies: readonly number[]): Promise<number[]> {
  // Along the index of waiting orders by customer, of which most have one.
  const { rows } = await sql<{ id: number }>`
    select unnest(ids) as id from (
      select array_agg(id) as ids, max(id) as newest from orders
      where operator_id = current_operator_id() and company_id = any (${companies}::bigint[]) and company_id = any (current_company_ids())
        and phase = 'ready' and customer_id is not null
      group by company_id, customer_id having count(*) > 1 order by newest desc limit ${mostCompared}) c
    limit ${mostCompared}`.execute(db)
  return idsInParcels(
    db,
    rows.map(row => row.id),
  )
}

/** Those of the orders of one page that may go in one parcel with another one. */
export async function combinableAmong(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from (
      select m.id, count(*) over (partition by c.company_id, c.customer_id) as waiting from (
        select distinct operator_id, company_id, customer_id from orders
        where operator_id = current_operator_id() and company_id = any (current_company_ids()) and id = any (${ids}::bigint[])
          and phase = 'ready' and customer_id is not null) c
      cross join lateral (select o.id from orders o
        where o.operator_id = c.operator_id and o.company_id = c.company_id and o.customer_id = c.customer_id and o.phase = 'ready'
        order by o.id desc limit ${looked}) m) counted
    where waiting > 1`.execute(db)
  return new Set(
    await idsInParcels(
      db,
      rows.map(row => row.id),
    ),
  )
}

async function idsInParcels(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length < 2) return []
  const { parcels } = parcelsOf(await sortableOrders(db, ids))
  return parcels.flatMap(parcel => parcel.map(order => order.id))
}

/** Orders of the same customer that wait to be picked and may go in one parcel with this one. */
export async function suggestedWith(db: Db, order_id: number): Promise<{ id: number; order_no: string }[]> {
  const own = await db.selectFrom('orders').select(['company_id', 'customer_id', 'phase']).where('id', '=', order_id).executeTakeFirst()
  if (!own || own.customer_id === null || own.phase !== 'ready') return []
  const others = await db
    .selectFrom('orders')
    .select('id')
    .where('company_id', '=', own.company_id)
    .where('customer_id', '=', own.customer_id)
    .where('phase', '=', sql.lit('ready' as const))
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
