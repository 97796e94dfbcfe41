/** Erasing a person from what staff wrote to their clock-ins. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

export const erasePunchNotes: ErasurePart = {
  tables: ['punch_notes'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`delete from punch_notes
      where operator_id = current_operator_id() and note ilike any (${wordPatterns(words)}::text[])`.execute(db)
    return { punch_notes: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words }) {
    return {
      punch_notes: await rowsOf(
        db,
        sql`select v.at, n.note from punch_notes n
          left join punch_versions v on v.operator_id = n.operator_id and v.punch_id = n.punch_id and v.no = n.no
          where n.operator_id = current_operator_id() and n.note ilike any (${wordPatterns(words)}::text[]) order by v.at, n.punch_id`,
      ),
    }
  },
}
