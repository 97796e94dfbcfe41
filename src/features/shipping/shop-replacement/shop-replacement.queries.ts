/** What is known of an order's parcel shop. */
import { ShopAddress, StoredShop } from '#domain/order/stored-shop.ts'
import type { Db } from '#platform/database/database.ts'

/** The shop as its courier named it last; undefined where it never did. */
export const keptShop = (db: Db, of: { agent_code: string; country: string; shop_id: string }) =>
  db
    .selectFrom('parcel_shops')
    .select(['name', 'address1', 'postcode', 'seen_at', 'missed_at', 'gone_at'])
    .where('agent_code', '=', of.agent_code)
    .where('country', '=', of.country)
    .where('shop_id', '=', of.shop_id)
    .executeTakeFirst()

export async function shopOfOrder(db: Db, order_id: number) {
  const row = await db
    .selectFrom('orders')
    .select(['company_id', 'agent_code', 'shipping_method', 'service_point', 'ship_to', 'ship_country'])
    .where('id', '=', order_id)
    .executeTakeFirst()
  if (!row) return undefined
  const shop = StoredShop.parse(row.service_point)
  const address = ShopAddress.omit({ id: true }).parse(row.ship_to ?? {})
  const country = (shop?.country || row.ship_country || '').toUpperCase()
  const [last, kept] = await Promise.all([
    db
      .selectFrom('shipments')
      .select(['state', 'error_field', 'error_code'])
      .where('order_id', '=', order_id)
      .where('operation_code', '=', 'outbound')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    shop && row.agent_code !== null ? keptShop(db, { agent_code: row.agent_code, country, shop_id: shop.id }) : undefined,
  ])
  const refused = last?.state === 'error' && (last.error_code === 'parcel_shop_closed' || last.error_field === 'service_point')
  const place = shop?.postcode ? shop : address
  return {
    agent_code: row.agent_code,
    shipping_method: row.shipping_method,
    shop,
    near: { country, postcode: place.postcode, address1: place.address1 },
    closed: shop !== null && (refused || Boolean(kept?.gone_at)),
  }
}
