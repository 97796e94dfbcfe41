/** Erasing a person from what was sent to systems of a company. What those systems keep is theirs to erase. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseWebhookBodies: ErasurePart = {
  tables: ['webhook_bodies'],
  async erase(db, { order_ids, customer_ids }) {
    const { numAffectedRows } = await sql`delete from webhook_bodies
      where operator_id = current_operator_id() and (order_id = any (${order_ids}::bigint[]) or customer_id = any (${customer_ids}::bigint[]))`.execute(
      db,
    )
    return { webhook_bodies: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids, customer_ids }) {
    return {
      webhook_bodies: await rowsOf(
        db,
        sql`select order_id, customer_id, sent_at, body from webhook_bodies
          where operator_id = current_operator_id() and (order_id = any (${order_ids}::bigint[]) or customer_id = any (${customer_ids}::bigint[])) order by sent_at`,
      ),
    }
  },
}
