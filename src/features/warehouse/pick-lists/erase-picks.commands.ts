/** Erasing the person of picked orders: what was scanned, shown and noted. Quantities, reasons and decisions stay. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const erasePicks: ErasurePart = {
  tables: ['pick_scans', 'pick_shorts'],
  async erase(db, { order_ids }) {
    const ids = sql`any (${order_ids}::bigint[])`
    const scans = await sql`update pick_scans set raw = '', answer = '{}'
      where operator_id = current_operator_id() and order_id = ${ids} and (raw <> '' or answer <> '{}')`.execute(db)
    const shorts = await sql`update pick_shorts set note = '', photo_file_id = null
      where operator_id = current_operator_id() and order_id = ${ids} and (note <> '' or photo_file_id is not null)`.execute(db)
    return { pick_scans: Number(scans.numAffectedRows ?? 0), pick_shorts: Number(shorts.numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    const ids = sql`any (${order_ids}::bigint[])`
    return {
      pick_scans: await rowsOf(
        db,
        sql`select order_id, at, kind, raw, answer from pick_scans where operator_id = current_operator_id() and order_id = ${ids} order by at`,
      ),
      pick_shorts: await rowsOf(
        db,
        sql`select order_id, reported_at, sku, name, quantity, reason, note from pick_shorts where operator_id = current_operator_id() and order_id = ${ids} order by id`,
      ),
    }
  },
}
