/** What parcels hold, in the database: what was packed for an order, and what stands on a shipment. */

import { transitCurrency } from '#domain/customs/transit.ts'
import { additionsInParcel } from '#features/orders/additional-products/additional-products.queries.ts'
import { withPartPrices } from '#features/orders/orders/bundle-values.queries.ts'
import { orderLines } from '#features/shipping/customs/order-goods.queries.ts'
import { parcelLine } from '#features/shipping/customs/parcel-lines.server.ts'
import type { ParcelLine } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'

/** What the station packed into this parcel of an order. */
export async function packedLines(db: Db, order_id: number, parcel_no: number): Promise<ParcelLine[]> {
  const packed = await orderLines(db, order_id)
    .innerJoin('parcel_lines as b', 'b.order_line_id', 'l.id')
    .select('b.qty')
    .where('b.order_id', '=', order_id)
    .where('b.parcel_no', '=', parcel_no)
    .where('b.qty', '>', 0)
    .execute()
  const rows = await withPartPrices(db, order_id, packed)
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
    .select(['order_line_id', 'sku', 'description', 'quantity', 'hs_code', 'origin', 'value', 'currency', 'net_weight_g', 'gross_weight_g'])
    .select(['manufacturer_no', 'gtin', 'transit_value'])
    .where('shipment_id', '=', shipment_id)
    .orderBy('line_no')
    .execute()
  return rows.map(({ value, currency, transit_value, ...line }) =>
    lineAsStored({
      ...line,
      value: value === null || currency === null ? null : { amount: value, currency },
      transit_value: transit_value === null ? null : { amount: transit_value, currency: transitCurrency },
    }),
  )
}

/** A line as it is read again: without what it does not have. */
export const lineAsStored = ({ gross_weight_g, manufacturer_no, gtin, transit_value, ...line }: ParcelLine): ParcelLine => ({
  order_line_id: line.order_line_id,
  sku: line.sku,
  description: line.description,
  quantity: line.quantity,
  hs_code: line.hs_code,
  origin: line.origin,
  net_weight_g: line.net_weight_g,
  ...(manufacturer_no != null && { manufacturer_no }),
  ...(gtin != null && { gtin }),
  ...(transit_value != null && { transit_value }),
  ...(gross_weight_g != null && { gross_weight_g }),
  value: line.value,
})
