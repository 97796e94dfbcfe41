/** Erasing the person of orders from alerts: that an order met one stays, what was written about it goes. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseAlertHits: ErasurePart = {
  tables: ['order_alert_hits'],
  async erase(db, { order_ids }) {
    const hits = await sql`update order_alert_hits set note = ''
      where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) and note <> ''`.execute(db)
    return { order_alert_hits: Number(hits.numAffectedRows ?? 0) }
  },
  async read(db, { order_ids }) {
    return {
      order_alert_hits: await rowsOf(
        db,
        sql`select order_id, signals, mode, note, state, created_at from order_alert_hits
          where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
