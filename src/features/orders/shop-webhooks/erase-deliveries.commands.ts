/** Erasing a person from what is noted about deliveries of shops. Their bodies are not stored. */
import { sql } from 'kysely'
import { type ErasurePart, wordPatterns } from '#platform/database/erasure.ts'

export const eraseDeliveryOutcomes: ErasurePart = {
  tables: ['shop_deliveries'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`update shop_deliveries set outcome = null
      where operator_id = current_operator_id() and outcome ilike any (${wordPatterns(words)}::text[])`.execute(db)
    return { shop_deliveries: Number(numAffectedRows ?? 0) }
  },
}
