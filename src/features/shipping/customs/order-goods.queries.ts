/** The goods of an order as they are declared to couriers and customs. */
import { sql } from 'kysely'
import { withPartPrices } from '#features/orders/orders/bundle-values.queries.ts'
import type { ParcelLine } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'
import { parcelLine } from './parcel-lines.server.ts'

/** Of a product that are looked at for a GTIN. */
const mostBarcodes = 20

const lineColumns = [
  'l.id as order_line_id',
  'l.sku',
  'l.name',
  'l.qty as ordered',
  'l.unit_price_excl_vat',
  'l.discount_excl_vat',
  'l.bundle_of',
  'o.currency',
] as const

export const orderLines = (db: Db, order_id: number) =>
  db
    .selectFrom('order_lines as l')
    .innerJoin('orders as o', 'o.id', 'l.order_id')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(lineColumns)
    .select(eb => [
      eb.fn.coalesce('l.customs_text', 'p.customs_text').as('customs_text'),
      eb.fn.coalesce('l.hs_code', 'p.hs_code').as('hs_code'),
      eb.fn.coalesce('l.origin', 'p.origin').as('origin'),
      eb.fn.coalesce('l.weight_g', 'p.weight_g').as('weight_g'),
      'p.net_weight_g',
      'p.manufacturer_no',
      sql<
        string[]
      >`array(select b.barcode from product_barcodes b where b.operator_id = l.operator_id and b.product_id = l.product_id and b.quantity = 1
        order by b.barcode limit ${mostBarcodes}) || array_remove(array[l.barcode], null)`.as('barcodes'),
    ])
    .where('l.order_id', '=', order_id)
    .orderBy('l.line_no')
    .orderBy('l.id')

/** The goods of an order by the ids of its lines, for contents that a person chooses. */
export async function goodsOfOrder(db: Db, order_id: number): Promise<Map<number, (quantity: number) => ParcelLine | undefined>> {
  const rows = await withPartPrices(db, order_id, await orderLines(db, order_id).execute())
  return new Map(
    rows.map(row => [row.order_line_id, quantity => (quantity > row.ordered ? undefined : parcelLine({ ...row, qty: quantity }))]),
  )
}

/** All that an order ships, as one parcel would hold it. */
export async function orderedGoods(db: Db, order_id: number): Promise<ParcelLine[]> {
  const goods = await orderLines(db, order_id)
    .where('l.type', '=', 'item')
    .where('l.requires_shipping', '=', true)
    .where('l.qty', '>', 0)
    .execute()
  const rows = await withPartPrices(db, order_id, goods)
  return rows.map(row => parcelLine({ ...row, qty: row.ordered }))
}
