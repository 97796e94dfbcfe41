/** Erasing a person from notes of bin counts, which belong to no order. */
import { sql } from 'kysely'
import { type ErasurePart, wordPatterns } from '#platform/database/erasure.ts'

export const eraseCountNotes: ErasurePart = {
  tables: ['bin_counts'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`update bin_counts set note = ''
      where operator_id = current_operator_id() and note ilike any (${wordPatterns(words)}::text[])`.execute(db)
    return { bin_counts: Number(numAffectedRows ?? 0) }
  },
}
