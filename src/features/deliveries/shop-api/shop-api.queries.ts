/** What a shop sees of its own order. */
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type * as z from 'zod'
import type { Db } from '#platform/database/database.ts'
import type { ShopOrder } from './shop-api.schemas.ts'

export const orderForShop = (
  db: Db,
  shop: string,
  external_id: string,
): Promise<Omit<z.infer<typeof ShopOrder>, 'tracking_url'> | undefined> =>
  db
    .selectFrom('orders as o')
    .select([
      'o.id as order_id',
      'o.external_id',
      'o.order_no',
      'o.shop',
      'o.phase',
      'o.cancelled_at',
      'o.packed_at',
      'o.delivered_at',
      'o.ship_by',
    ])
    .select(eb => [
      jsonArrayFrom(
        eb
          .selectFrom('order_lines as l')
          .select(['l.external_id', 'l.sku', 'l.name', 'l.qty', 'l.packed_qty', 'l.shipped_qty'])
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
          .where('s.order_id', '=', sql<number>`coalesce(o.combined_into, o.id)`)
          .where('s.operation_code', '=', 'outbound')
          .where('s.booked_at', 'is not', null)
          .orderBy('s.id'),
      ).as('parcels'),
    ])
    .where('o.shop', '=', shop)
    .where('o.external_id', '=', external_id)
    .executeTakeFirst()
