/** Erasing a person from notes of bin counts, which belong to no order. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

export const eraseCountNotes: ErasurePart = {
  tables: ['bin_counts'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`update bin_counts set note = ''
      where operator_id = current_operator_id() and note ilike any (${wordPatterns(words)}::text[])`.execute(db)
    return { bin_counts: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words }) {
    return {
      bin_counts: await rowsOf(
        db,
        sql`select bin, asked_at, note from bin_counts where operator_id = current_operator_id() and note ilike any (${wordPatterns(words)}::text[]) order by id`,
      ),
    }
  },
}
