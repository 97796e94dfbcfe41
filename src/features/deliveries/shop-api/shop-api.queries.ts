/** What a shop sees of its own orders and parcels. */
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type * as z from 'zod'
import { completeOf } from '#features/orders/orders/bundle-values.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { firstKnown } from '#platform/database/indexed-choice.ts'
import type { ShopOrder, ShopShipment } from './shop-api.schemas.ts'

type Order = Omit<z.infer<typeof ShopOrder>, 'tracking_url'>

const ordersForShop = (db: Db) =>
  db
    .selectFrom('orders as o')
    .select([
      'o.id as order_id',
      'o.external_id',
      'o.order_no',
      'o.shop',
      'o.phase',
      'o.ordered_at',
      'o.cancelled_at',
      'o.packed_at',
      'o.delivered_at',
      'o.ship_by',
      'o.agent_code',
      'o.shipping_method',
      'o.currency',
      'o.total_incl_vat',
    ])
    .select(sql<Order['ship_to']>`case when o.erased_at is null then o.ship_to end`.as('ship_to'))
    .select(eb => [
      jsonArrayFrom(
        eb
          .selectFrom('order_lines as l')
          .select(['l.external_id', 'l.sku', 'l.name', 'l.qty', 'l.bundle_of'])
          .select([completeOf('packed_qty').as('packed_qty'), completeOf('shipped_qty').as('shipped_qty')])
          // While another order carries its parcel, its lines and parcels are there.
          .where('l.order_id', 'in', sql<number>`(o.id, o.combined_into)`)
          .where(l =>
            l.or([
              l('l.combined_order_id', '=', l.ref('o.id')),
              l('l.combined_order_id', 'is', null).and('l.order_id', '=', l.ref('o.id')),
            ]),
          )
          .where('l.type', '=', 'item')
          .orderBy('l.line_no'),
      ).as('lines'),
      jsonArrayFrom(
        eb
          .selectFrom('shipments as s')
          .select(['s.parcel_no', 's.agent_code', 's.shipping_method', 's.state', 's.tracking_no', 's.booked_at'])
          .where('s.order_id', '=', sql.raw<number>(firstKnown('o.combined_into', 'o.id')))
          .where('s.operation_code', '=', 'outbound')
          .where('s.booked_at', 'is not', null)
          .orderBy('s.id'),
      ).as('parcels'),
    ])

export const orderForShop = (db: Db, shop: string, external_id: string): Promise<Order | undefined> =>
  ordersForShop(db).where('o.shop', '=', shop).where('o.external_id', '=', external_id).executeTakeFirst()

export const ordersById = (db: Db, ids: readonly number[]): Promise<Order[]> =>
  ids.length === 0 ? Promise.resolve([]) : ordersForShop(db).where('o.id', 'in', ids).execute()

/** An order for systems of its company, and whether its person was erased. */
export const orderForWebhook = (db: Db, id: number): Promise<(Order & { erased: boolean }) | undefined> =>
  ordersForShop(db).select(sql<boolean>`o.erased_at is not null`.as('erased')).where('o.id', '=', id).executeTakeFirst()

export const shipmentForWebhook = (db: Db, id: number): Promise<Omit<z.infer<typeof ShopShipment>, 'tracking_url'> | undefined> =>
  db
    .selectFrom('shipments as s')
    .leftJoin('orders as o', j => j.onRef('o.operator_id', '=', 's.operator_id').onRef('o.id', '=', 's.order_id'))
    .select([
      's.id as shipment_id',
      's.order_id',
      'o.external_id',
      'o.order_no',
      'o.shop',
      's.parcel_no',
      's.operation_code',
      's.agent_code',
      's.shipping_method',
      's.state',
      's.tracking_no',
      's.weight_g',
      's.booked_at',
      's.handed_over_at',
      's.delivered_at',
      's.cancelled_at',
    ])
    .where('s.id', '=', id)
    .executeTakeFirst()

/** Days for which changes are known: rows of the outbox are kept so long. */
export const changeDays = 90
/** Rows of the outbox that one page of changes reads. */
const mostRead = 5_000
/** Seconds that a change may take from its time to its commit: what is younger is answered again. */
const settlingSeconds = 120

export interface ChangePosition {
  id: number
  at: string
}

/** The present end of a company's changes; older than what may still be committed. */
export async function latestPosition(db: Db, now: Date, from?: string): Promise<ChangePosition> {
  const end = new Date(now.getTime() - settlingSeconds * 1_000).toISOString()
  const at = from !== undefined && from < end ? from : end
  const row = await db
    .selectFrom('outbox')
    .select(eb => eb.fn.max('id').as('id'))
    .where('at', '<', at)
    .executeTakeFirst()
  return { id: row?.id ?? 0, at }
}

/**
 * Orders of a shop that changed behind a position, each once, and the next position. Ids are drawn before the commit, so the position
 * stays behind what is younger than a change may take: such orders come again in the next answer, and none is left out.
 */
export async function changedOrders(
  db: Db,
  shop: string,
  after: ChangePosition,
  limit: number,
  now: Date,
): Promise<{ ids: number[]; next: ChangePosition; has_more: boolean }> {
  const rows = await db
    .selectFrom('outbox as x')
    .leftJoin('shipments as s', j =>
      j.onRef('s.operator_id', '=', 'x.operator_id').onRef('s.id', '=', 'x.object_id').on('x.object_type', '=', 'shipment'),
    )
    .leftJoin('orders as o', j =>
      j
        .onRef('o.operator_id', '=', 'x.operator_id')
        .on(eb =>
          eb('o.id', '=', eb.case().when('x.object_type', '=', 'order').then(eb.ref('x.object_id')).else(eb.ref('s.order_id')).end()),
        ),
    )
    .select(['x.id', 'x.at', 'o.shop'])
    .select('o.id as order_id')
    .where('x.id', '>', after.id)
    .orderBy('x.id')
    .limit(mostRead)
    .execute()
  const ids = new Set<number>()
  let next = after
  let settled = true
  const youngest = new Date(now.getTime() - settlingSeconds * 1_000).toISOString()
  let read = 0
  for (const row of rows) {
    const ours = row.order_id !== null && row.shop === shop
    if (ours && ids.size === limit && !ids.has(row.order_id ?? 0)) break
    if (ours && row.order_id !== null) ids.add(row.order_id)
    settled &&= new Date(row.at).toISOString() < youngest
    if (settled) next = { id: row.id, at: new Date(row.at).toISOString() }
    read++
  }
  // Only what is settled moves the position: a page that ends within the young rows is asked again with the next change.
  const has_more = settled && (read < rows.length || rows.length === mostRead)
  return { ids: [...ids], next, has_more }
}
