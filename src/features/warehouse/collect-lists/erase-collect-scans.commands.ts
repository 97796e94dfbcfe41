/** Erasing the person of handed-over parcels: what was scanned and shown. That the parcel was handed over, when and by whom stays. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseCollectScans: ErasurePart = {
  tables: ['collect_scans'],
  async erase(db, { order_ids }) {
    const { numAffectedRows } = await sql`update collect_scans c set raw = '', answer = '{}' from shipments s
      where c.operator_id = current_operator_id() and s.operator_id = c.operator_id and s.id = c.shipment_id
        and s.order_id = any (${order_ids}::bigint[]) and (c.raw <> '' or c.answer <> '{}')`.execute(db)
    return { collect_scans: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      collect_scans: await rowsOf(
        db,
        sql`select s.order_id, c.at, c.raw, c.result, c.answer from collect_scans c
            join shipments s on s.operator_id = c.operator_id and s.id = c.shipment_id
          where c.operator_id = current_operator_id() and s.order_id = any (${order_ids}::bigint[]) order by c.at`,
      ),
    }
  },
}
