/** What parcels hold, in the database: what was packed for an order, and what stands on a shipment. */

import { additionsInParcel } from '#features/orders/additional-products/additional-products.queries.ts'
import type { ParcelLine } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'
import { parcelLine } from './parcel-lines.server.ts'

const lineColumns = [
  'l.id as order_line_id',
  'l.sku',
  'l.name',
  'l.qty as ordered',
  'l.unit_price_excl_vat',
  'l.discount_excl_vat',
  'o.currency',
] as const

const orderLines = (db: Db, order_id: number) =>
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
    ])
    .where('l.order_id', '=', order_id)
    .orderBy('l.line_no')
    .orderBy('l.id')

/** What the station packed into this parcel of an order. */
export async function packedLines(db: Db, order_id: number, parcel_no: number): Promise<ParcelLine[]> {
  const rows = await orderLines(db, order_id)
    .innerJoin('parcel_lines as b', 'b.order_line_id', 'l.id')
    .select('b.qty')
    .where('b.order_id', '=', order_id)
    .where('b.parcel_no', '=', parcel_no)
    .where('b.qty', '>', 0)
    .execute()
  const additions = await additionsInParcel(db, order_id, parcel_no)
  return [
    ...rows.map(parcelLine),
    ...additions.map(({ name, qty, weight_g, hs_code, value, currency }) => ({
      order_line_id: null,
      sku: null,
      description: name,
      quantity: qty,
      hs_code: hs_code?.replace(/\D/g, '') || null,
      origin: null,
      value: value === null || currency === null ? null : { amount: value * qty, currency },
      net_weight_g: weight_g * qty,
    })),
  ]
}

/** The contents of a shipment. */
export async function linesOfShipment(db: Db, shipment_id: number): Promise<ParcelLine[]> {
  const rows = await db
    .selectFrom('shipment_lines')
    .select(['order_line_id', 'sku', 'description', 'quantity', 'hs_code', 'origin', 'value', 'currency', 'net_weight_g'])
    .where('shipment_id', '=', shipment_id)
    .orderBy('line_no')
    .execute()
  return rows.map(({ value, currency, ...line }) => ({
    ...line,
    value: value === null || currency === null ? null : { amount: value, currency },
  }))
}

/** The goods of an order by the ids of its lines, for contents that a person chooses. */
export async function goodsOfOrder(db: Db, order_id: number): Promise<Map<number, (quantity: number) => ParcelLine | undefined>> {
  const rows = await orderLines(db, order_id).execute()
  return new Map(
    rows.map(row => [row.order_line_id, quantity => (quantity > row.ordered ? undefined : parcelLine({ ...row, qty: quantity }))]),
  )
}
