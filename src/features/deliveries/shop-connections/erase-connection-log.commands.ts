/** Erasing a person from what shops said about orders. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

export const eraseConnectionLog: ErasurePart = {
  tables: ['connection_log'],
  async erase(db, { words, order_ids }) {
    const named = sql`shop_words is not null and (order_id = any (${order_ids}::bigint[]) or shop_words ilike any (${wordPatterns(words)}::text[]))`
    const { numAffectedRows } =
      await sql`update connection_log set shop_words = null where operator_id = current_operator_id() and ${named}`.execute(db)
    return { connection_log: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words, order_ids }) {
    return {
      connection_log: await rowsOf(
        db,
        sql`select at, kind, outcome, shop_words, ref from connection_log where operator_id = current_operator_id() and shop_words is not null
          and (order_id = any (${order_ids}::bigint[]) or shop_words ilike any (${wordPatterns(words)}::text[])) order by at`,
      ),
    }
  },
}
