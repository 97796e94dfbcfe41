/** Erasing a person from bulk jobs: a note that names the person is emptied. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

export const eraseBulkNotes: ErasurePart = {
  tables: ['bulk_jobs'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`update bulk_jobs set args = args || '{"note":""}'
      where operator_id = current_operator_id() and args ->> 'note' <> '' and args ->> 'note' ilike any (${wordPatterns(words)}::text[])`.execute(
      db,
    )
    return { bulk_jobs: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words }) {
    return {
      bulk_jobs: await rowsOf(
        db,
        sql`select action, created_at, args from bulk_jobs
          where operator_id = current_operator_id() and args ->> 'note' ilike any (${wordPatterns(words)}::text[]) order by id`,
      ),
    }
  },
}
