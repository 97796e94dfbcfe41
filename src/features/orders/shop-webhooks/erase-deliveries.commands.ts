/** Erasing a person from what is noted about deliveries of shops. Their bodies are not stored. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

export const eraseDeliveryOutcomes: ErasurePart = {
  tables: ['shop_deliveries'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`update shop_deliveries set outcome = null
      where operator_id = current_operator_id() and outcome ilike any (${wordPatterns(words)}::text[])`.execute(db)
    return { shop_deliveries: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words }) {
    return {
      shop_deliveries: await rowsOf(
        db,
        sql`select source, received_at, outcome from shop_deliveries where operator_id = current_operator_id() and outcome ilike any (${wordPatterns(words)}::text[]) order by received_at`,
      ),
    }
  },
}
