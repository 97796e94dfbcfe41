/** Erasing a person from pickups: a note or an answer that names the person is emptied. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

const ofPerson = (words: readonly string[]) => sql`operator_id = current_operator_id() and company_id = current_company_id()
  and ${words.length > 0} and concat_ws(' ', note, words) ilike any (${wordPatterns(words)}::text[])`

export const erasePickups: ErasurePart = {
  tables: ['pickups'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`update pickups set note = '', words = null where ${ofPerson(words)}`.execute(db)
    return { pickups: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words }) {
    return {
      pickups: await rowsOf(
        db,
        sql`select agent_code, day, from_time, to_time, note, words, created_at from pickups where ${ofPerson(words)} order by id`,
      ),
    }
  },
}
