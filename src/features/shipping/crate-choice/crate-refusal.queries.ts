/** Boxes that a parcel must not go out in: its courier does not take them, a rule of a product says so, or they are too small. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { crateInput, rulesFor } from './crate-choice.queries.ts'
import { isTooSmall, mayGoInto } from './crate-choice.rules.ts'

export type CrateRefusal = { why: 'other_courier' | 'volume' } | { why: 'rule' | 'too_small'; item: string }

/** What is in the parcel counts. While it is empty, a box is refused that takes no item of the order. */
export async function crateRefusal(
  db: Db,
  { order_id, parcel_no, crate }: { order_id: number; parcel_no: number; crate: { id: number; inner_mm: readonly number[] } },
  now: Date,
): Promise<CrateRefusal | null> {
  const { left_out, items, lines } = await crateInput(db, { order_id }, now)
  if (left_out.some(one => one.crate.id === crate.id && one.why === 'other_courier')) return { why: 'other_courier' }
  const inside = await db
    .selectFrom('parcel_lines')
    .select(['order_line_id', 'qty'])
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('qty', '>', 0)
    .execute()
  const qtyOf = new Map(inside.map(({ order_line_id, qty }) => [order_line_id, qty]))
  const packed = items.flatMap(item => ({ ...item, qty: qtyOf.get(item.id) ?? 0 })).filter(({ qty }) => qty > 0)
  /** The item that is against the box. */
  const against = (refused: (item: (typeof items)[number]) => boolean) =>
    inside.length > 0 ? packed.find(refused) : items.every(refused) ? items[0] : undefined
  const named = (item: (typeof items)[number]) => lines.find(({ id }) => id === item.id)?.name ?? ''
  const ruled = against(({ rules }) => !mayGoInto(rules, crate.id))
  if (ruled) return { why: 'rule', item: named(ruled) }
  const large = against(({ size_mm }) => size_mm !== null && isTooSmall(crate.inner_mm, [{ size_mm, qty: 1 }]))
  if (large) return { why: 'too_small', item: named(large) }
  return isTooSmall(crate.inner_mm, packed) ? { why: 'volume' } : null
}

/** What is against one more piece in a box that was scanned before it. */
export async function pieceRefusal(
  db: Db,
  { order_id, company_id, order_line_id, crate_id }: { order_id: number; company_id: number; order_line_id: number; crate_id: number },
  now: Date,
): Promise<{ why: 'rule' | 'too_small'; item: string; name: string } | null> {
  const line = await db
    .selectFrom('order_lines as l')
    .innerJoin('crate_types as c', j => j.onRef('c.operator_id', '=', 'l.operator_id').on('c.id', '=', crate_id))
    .leftJoin('products as p', j => j.onRef('p.operator_id', '=', 'l.operator_id').onRef('p.id', '=', 'l.product_id'))
    .select(['l.name as item', 'c.name', 'c.inner_mm', 'p.length_mm', 'p.width_mm', 'p.height_mm'])
    .select(sql<string | null>`coalesce(p.sku_key, upper(l.sku))`.as('sku'))
    .where('l.id', '=', order_line_id)
    .executeTakeFirst()
  if (!line) return null
  const { item, name, inner_mm, length_mm, width_mm, height_mm, sku } = line
  const rules = sku === null ? undefined : (await rulesFor(db, company_id, order_id, [sku], now)).get(sku)
  if (rules && !mayGoInto(rules, crate_id)) return { why: 'rule', item, name }
  const size = length_mm !== null && width_mm !== null && height_mm !== null ? ([length_mm, width_mm, height_mm] as const) : null
  return size && isTooSmall(inner_mm, [{ size_mm: size, qty: 1 }]) ? { why: 'too_small', item, name } : null
}
