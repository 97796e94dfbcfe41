/** Statements of edits by hand: lines, and the marks of parts and copies. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { partMark } from '../bundles.rules.ts'
import { asImported, badgesNow, findAnew } from '../order-edits.commands.ts'

const mostGrams = 10_000_000

/** Sets the quantities of lines; what the shop ordered is kept once. */
export async function setQuantities(db: Db, changes: readonly { order_item_id: number; qty: number }[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    update order_lines l set shop_qty = coalesce(l.shop_qty, l.qty), qty = c.qty
    from unnest(${changes.map(one => one.order_item_id)}::bigint[], ${changes.map(one => one.qty)}::integer[]) c (id, qty)
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = c.id`.execute(db)
}

/** Adds lines from the products of the order's own company; answers their names. Products of another company are left out. */
export async function addLines(
  db: Db,
  order: { id: number; company_id: number },
  added: readonly { product_id: number; qty: number; external_id: string }[],
): Promise<{ product_id: number; name: string }[]> {
  if (added.length === 0) return []
  const { rows } = await sql<{ product_id: number; name: string }>`
    insert into order_lines (order_id, company_id, line_no, external_id, type, sku, product_id, name, variant, barcode, qty, shop_qty, weight_g, bin, hs_code,
      origin, customs_text, serial_required, requires_shipping)
    select ${order.id}, p.company_id,
      (select coalesce(max(l.line_no), 0) from order_lines l where l.operator_id = p.operator_id and l.order_id = ${order.id}) + a.n,
      a.external_id, 'item', p.sku, p.id, p.name, p.variant,
      (select b.barcode from product_barcodes b where b.operator_id = p.operator_id and b.product_id = p.id order by b.quantity, b.barcode limit 1),
      a.qty, 0, p.weight_g, p.bin, p.hs_code, p.origin, p.customs_text, p.serial_required and not b.is, not b.is
    from unnest(${added.map(one => one.product_id)}::bigint[], ${added.map(one => one.qty)}::integer[], ${added.map(one => one.external_id)}::text[])
      with ordinality a (product_id, qty, external_id, n)
    join products p on p.operator_id = current_operator_id() and p.id = a.product_id
    cross join lateral (select exists (select from product_components c where c.operator_id = p.operator_id and c.product_id = p.id) as is) b
    where p.company_id = ${order.company_id}
    order by a.n
    returning product_id, name`.execute(db)
  await addParts(
    db,
    order,
    added.map(one => one.external_id),
  )
  return rows
}

/** The parts of added bundles, as lines behind all others. */
async function addParts(db: Db, order: { id: number; company_id: number }, bundles: readonly string[]): Promise<void> {
  await sql`
    insert into order_lines (order_id, company_id, line_no, external_id, type, sku, product_id, name, variant, qty, shop_qty, cost_price, bundle_of)
    select l.order_id, l.company_id,
      (select max(x.line_no) from order_lines x where x.operator_id = l.operator_id and x.order_id = l.order_id)
        + row_number() over (order by l.line_no, c.position),
      l.external_id || ${partMark} || p.id, 'item', p.sku, p.id, p.name, p.variant, l.qty * c.qty, 0,
      case when p.cost_currency = o.currency then p.cost_price end, l.external_id
    from order_lines l
    join orders o on o.operator_id = l.operator_id and o.id = l.order_id
    join product_components c on c.operator_id = l.operator_id and c.product_id = l.product_id
    join products p on p.operator_id = c.operator_id and p.id = c.component_id
    where l.operator_id = current_operator_id() and l.company_id = ${order.company_id} and l.order_id = ${order.id}
      and l.external_id = any (${bundles}::text[])
    order by l.line_no, c.position`.execute(db)
}

/** Pieces of the goods and their weight, the badges and the words, as the lines are now. */
export async function recountOrder(db: Db, id: number) {
  const stored = await asImported(db, id)
  if (!stored) return {}
  await findAnew(db, id, stored)
  const goods = stored.order.lines.filter(line => line.type === 'item' && line.requires_shipping)
  return {
    item_count: goods.reduce((sum, line) => sum + line.qty, 0),
    weight_g: Math.min(
      goods.reduce((sum, line) => sum + line.qty * (line.weight_g ?? 0), 0),
      mostGrams,
    ),
    badges: JSON.stringify(
      await badgesNow(db, { ...stored, order: { ...stored.order, lines: stored.order.lines.filter(line => line.qty > 0) } }),
    ),
  }
}

/** Says from which lines of the whole order the lines of a part were taken, by their ids as the part was written. */
export async function linkSplitLines(db: Db, part_id: number): Promise<void> {
  await sql`update order_lines set split_from_line_id = external_id::bigint, shop_qty = 0
    where operator_id = current_operator_id() and company_id = any (current_company_ids()) and order_id = ${part_id} and external_id ~ '^[0-9]+$'`.execute(
    db,
  )
}
