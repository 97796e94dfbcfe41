/** The value of parts whose price stands on their bundle, and how many bundles are complete. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { piecesOf, pricedPieces, valuesOfParts } from './bundle-values.rules.ts'

interface PartLine {
  order_line_id: number
  bundle_of: string | null
  unit_price_excl_vat: number | null
  discount_excl_vat: number
}

/** The lines of an order with the prices of parts; the bundles are read only where one has none of its own. */
export async function withPartPrices<Line extends PartLine>(db: Db, order_id: number, lines: readonly Line[]): Promise<Line[]> {
  if (lines.every(line => line.bundle_of === null || line.unit_price_excl_vat)) return [...lines]
  const rows = await db
    .selectFrom('order_lines as l')
    .innerJoin('orders as o', 'o.id', 'l.order_id')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.id', 'l.external_id', 'l.bundle_of', 'l.combined_order_id', 'l.qty', 'l.shop_qty', 'l.requires_shipping'])
    .select(eb => [
      eb.fn
        .coalesce('l.cost_price', eb.case().when('p.cost_currency', '=', eb.ref('o.currency')).then(eb.ref('p.cost_price')).end())
        .as('cost_price'),
      sql<number | null>`(l.unit_price_excl_vat * coalesce(nullif(l.shop_qty, 0), l.qty) - l.discount_excl_vat)::bigint`.as('amount'),
    ])
    .where('l.order_id', '=', order_id)
    .where('l.type', '=', 'item')
    .orderBy('l.line_no')
    .execute()
  const values = valuesOfParts(rows)
  const pieces = new Map(rows.map(row => [row.id, piecesOf(row)]))
  return lines.map(line => {
    const value = line.unit_price_excl_vat ? undefined : values.get(line.order_line_id)
    return value === undefined ? line : { ...line, ...pricedPieces(value, pieces.get(line.order_line_id) ?? 0) }
  })
}

/** Of a line `l`: pieces, or complete bundles where only its parts are sent. */
export const completeOf = (pieces: 'packed_qty' | 'shipped_qty'): RawBuilder<number> => {
  const column = sql.ref(pieces)
  return sql<number>`case when l.requires_shipping then l.${column} else coalesce((
    select min(part.${column} * (l.qty - l.cancelled_qty) / (part.qty - part.cancelled_qty)) from order_lines part
    where part.operator_id = l.operator_id and part.order_id = l.order_id and part.bundle_of = l.external_id and part.id <> l.id
      and part.combined_order_id is not distinct from l.combined_order_id and part.requires_shipping and part.qty > part.cancelled_qty), l.${column}) end`
}
