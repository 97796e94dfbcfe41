/** Erasing what systems of a company answered about an order. Rows of the outbox hold no personal data. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseDeliveryAnswers: ErasurePart = {
  tables: ['outbox_deliveries'],
  async erase(db, { order_ids }) {
    const { numAffectedRows } = await sql`update outbox_deliveries set answer = null
      where operator_id = current_operator_id() and object_type = 'order' and object_id = any (${order_ids}::bigint[]) and answer is not null`.execute(
      db,
    )
    return { outbox_deliveries: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      outbox_deliveries: await rowsOf(
        db,
        sql`select object_id as order_id, at, answer from outbox_deliveries
          where operator_id = current_operator_id() and object_type = 'order' and object_id = any (${order_ids}::bigint[]) and answer is not null order by at`,
      ),
    }
  },
}
