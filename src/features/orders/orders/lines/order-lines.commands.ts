/** The pieces of order lines: what is picked, packed, shipped and cancelled of each. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

const inScope = (alias: string) =>
  sql.raw(`${alias}.operator_id = current_operator_id() and ${alias}.company_id = any (current_company_ids())`)

// Steps of larger statements: a scan is one statement, so that its row, its counters and its parcel never disagree.

/** Counts picked pieces (or uncounts them, below zero) of the line that each row of `source` names in `order_line_id`. */
export const addPicked = (source: string, quantity: number): RawBuilder<unknown> => sql`
  update order_lines o set picked_qty = greatest(0, o.picked_qty + ${quantity}) from ${sql.raw(source)}
  where ${inScope('o')} and o.id = ${sql.raw(source)}.order_line_id`

/** Counts packed pieces of one line, once for the row of `source`. */
export const addPacked = (
  source: string,
  { order_id, order_line_id, quantity }: { order_id: number; order_line_id: number | null; quantity: number },
): RawBuilder<{ packed_qty: number }> => sql`
  update order_lines l set packed_qty = l.packed_qty + ${quantity} from ${sql.raw(source)}
  where ${quantity} <> 0 and ${inScope('l')} and l.order_id = ${order_id} and l.id = ${order_line_id}::bigint
  returning l.packed_qty`

/** Counts every piece of the order's goods as packed; returns the lines that had pieces left, with what was packed before. */
export const packAll = (order_id: number): RawBuilder<{ id: number; before: number; packed_qty: number }> => sql`
  update order_lines set packed_qty = qty - cancelled_qty
  where ${inScope('order_lines')} and order_id = ${order_id} and type = 'item' and requires_shipping and packed_qty < qty - cancelled_qty
  returning id, (select old.packed_qty from order_lines old where old.operator_id = order_lines.operator_id and old.id = order_lines.id) before, packed_qty`

// Statements of their own

/** Pieces of these lines are no longer on their wagon. */
export async function reducePicked(db: Db, lines: readonly { order_line_id: number; quantity: number }[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update order_lines l set picked_qty = greatest(0, l.picked_qty - p.quantity)
    from (select order_line_id, sum(quantity) quantity
      from unnest(${lines.map(line => line.order_line_id)}::bigint[], ${lines.map(line => line.quantity)}::integer[]) u (order_line_id, quantity) group by 1) p
    where ${inScope('l')} and l.id = p.order_line_id`.execute(db)
}

/** Pieces of these lines were taken out of their parcels. */
export async function reducePacked(db: Db, lines: readonly { order_line_id: number; quantity: number }[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update order_lines l set packed_qty = l.packed_qty - p.quantity
    from (select order_line_id, sum(quantity)::integer quantity
      from unnest(${lines.map(line => line.order_line_id)}::bigint[], ${lines.map(line => line.quantity)}::integer[]) u (order_line_id, quantity) group by 1) p
    where ${inScope('l')} and l.id = p.order_line_id`.execute(db)
}

/** Makes packed what lies in the parcels of these orders. */
export async function recountPacked(db: Db, order_ids: readonly number[]): Promise<void> {
  await sql`
    update order_lines l set packed_qty = coalesce((select sum(b.qty) from parcel_lines b where b.operator_id = l.operator_id and b.order_line_id = l.id), 0)
    where ${inScope('l')} and l.order_id = any (${order_ids}::bigint[]) and l.packed_qty > 0`.execute(db)
}

/** Makes shipped what has left: all that is packed once the order is gone, before that what its parcels took with them. */
export async function recountShipped(db: Db, order_ids: readonly number[]): Promise<void> {
  await sql`
    update order_lines l set shipped_qty = case when o.work_state in ('handed_over', 'closed') then l.packed_qty else least(l.packed_qty, coalesce((
      select sum(b.qty) from parcel_lines b where b.operator_id = l.operator_id and b.order_line_id = l.id and exists (
        select from shipments s where s.operator_id = b.operator_id and s.order_id = b.order_id and s.parcel_no = b.parcel_no
          and s.operation_code = 'outbound' and s.handed_over_at is not null)), 0)) end
    from orders o
    where ${inScope('l')} and l.order_id = any (${order_ids}::bigint[]) and o.operator_id = l.operator_id and o.id = l.order_id`.execute(db)
}

/** How many pieces of these lines have come back and were inspected. */
export async function setReturned(db: Db, lines: readonly { order_line_id: number; quantity: number }[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update order_lines l set returned_qty = least(l.shipped_qty, p.quantity)
    from unnest(${lines.map(line => line.order_line_id)}::bigint[], ${lines.map(line => line.quantity)}::integer[]) p (order_line_id, quantity)
    where ${inScope('l')} and l.id = p.order_line_id`.execute(db)
}

/** Cancels pieces of a line that are not packed yet; false when fewer are left. */
export async function cancelPieces(db: Db, order_line_id: number, quantity: number): Promise<boolean> {
  const line = await db
    .updateTable('order_lines')
    .set(eb => ({ cancelled_qty: eb('cancelled_qty', '+', quantity) }))
    .where('id', '=', order_line_id)
    .where(eb => eb(eb('qty', '-', eb('cancelled_qty', '+', eb.ref('packed_qty'))), '>=', quantity))
    .returning('id')
    .executeTakeFirst()
  return line !== undefined
}

/** Corrects what customs and couriers learn about a line. */
export async function correctLine(
  db: Db,
  order_line_id: number,
  set: { hs_code: string } | { origin: string } | { weight_g: number },
): Promise<void> {
  await db.updateTable('order_lines').set(set).where('id', '=', order_line_id).execute()
}
