/** The goods of a parcel, as a courier declares them, from the lines of an order. */

import { isGtin } from '#domain/gs1.ts'
import type { ParcelLine } from '#integrations/couriers/courier.ts'

export interface PackedLine {
  order_line_id: number
  sku: string | null
  name: string
  customs_text: string | null
  /** How many of the line lie in the parcel. */
  qty: number
  /** How many the order has. */
  ordered: number
  hs_code: string | null
  origin: string | null
  /** Minor units, each. */
  unit_price_excl_vat: number | null
  /** Minor units, of the whole line. */
  discount_excl_vat: number
  currency: string
  /** Grams, each, with the product's own packaging. */
  weight_g: number | null
  /** Without it; null where it weighs the same. */
  net_weight_g: number | null
  manufacturer_no?: string | null
  /** Of one piece, of which the first GTIN is declared. */
  barcodes?: readonly string[]
}

export function parcelLine(line: PackedLine): ParcelLine {
  const { order_line_id, sku, qty, ordered, unit_price_excl_vat, currency, origin, weight_g, manufacturer_no } = line
  const gtin = line.barcodes?.find(isGtin)
  return {
    order_line_id,
    sku,
    description: line.customs_text ?? line.name,
    quantity: qty,
    hs_code: line.hs_code?.replace(/\D/g, '') || null,
    origin,
    value:
      unit_price_excl_vat === null
        ? null
        : { amount: unit_price_excl_vat * qty - Math.round((line.discount_excl_vat * qty) / ordered), currency },
    ...weightsOf(weight_g, line.net_weight_g, qty),
    ...(manufacturer_no && { manufacturer_no }),
    ...(gtin !== undefined && { gtin }),
  }
}

const weightsOf = (weight_g: number | null, net_weight_g: number | null, qty: number) =>
  net_weight_g === null
    ? { net_weight_g: weight_g === null ? null : weight_g * qty }
    : { net_weight_g: net_weight_g * qty, gross_weight_g: (weight_g ?? net_weight_g) * qty }
