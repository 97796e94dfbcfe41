/** Erasing the person of packed orders: what was typed or scanned and what the station showed. Counts and serial numbers stay. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const erasePackingScans: ErasurePart = {
  tables: ['packing_scans', 'packing_sessions'],
  async erase(db, { order_ids }) {
    const ids = sql`any (${order_ids}::bigint[])`
    const scans = await sql`update packing_scans set raw = '', answer = '{}'
      where operator_id = current_operator_id() and order_id = ${ids} and (raw <> '' or answer <> '{}')`.execute(db)
    const sessions = await sql`update packing_sessions set parked_reason = null
      where operator_id = current_operator_id() and order_id = ${ids} and parked_reason is not null`.execute(db)
    return { packing_scans: Number(scans.numAffectedRows ?? 0), packing_sessions: Number(sessions.numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    const ids = sql`any (${order_ids}::bigint[])`
    return {
      packing_scans: await rowsOf(
        db,
        sql`select order_id, at, raw, result, answer from packing_scans where operator_id = current_operator_id() and order_id = ${ids} order by at`,
      ),
      packing_sessions: await rowsOf(
        db,
        sql`select order_id, opened_at, parked_reason from packing_sessions where operator_id = current_operator_id() and order_id = ${ids} order by id`,
      ),
    }
  },
}
