/** Erasing a person from what leads and staff wrote beside shifts and leave. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

export const eraseScheduleNotes: ErasurePart = {
  tables: ['schedule_notes', 'schedule_entries', 'shift_offers'],
  async erase(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    const notes = await sql`delete from schedule_notes where operator_id = current_operator_id() and note ${named}`.execute(db)
    const entries =
      await sql`update schedule_entries set decision = null where operator_id = current_operator_id() and decision ${named}`.execute(db)
    const offers = await sql`update shift_offers set reason = null where operator_id = current_operator_id() and reason ${named}`.execute(
      db,
    )
    return {
      schedule_notes: Number(notes.numAffectedRows ?? 0),
      schedule_entries: Number(entries.numAffectedRows ?? 0),
      shift_offers: Number(offers.numAffectedRows ?? 0),
    }
  },

  async read(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    return {
      schedule_notes: await rowsOf(
        db,
        sql`select e.work_date, n.note from schedule_notes n
          left join schedule_entries e on e.operator_id = n.operator_id and e.id = n.entry_id
          where n.operator_id = current_operator_id() and n.note ${named} order by n.entry_id`,
      ),
      schedule_entries: await rowsOf(
        db,
        sql`select work_date, decided_at, decision from schedule_entries
          where operator_id = current_operator_id() and decision ${named} order by id`,
      ),
      shift_offers: await rowsOf(
        db,
        sql`select created_at, reason from shift_offers where operator_id = current_operator_id() and reason ${named} order by id`,
      ),
    }
  },
}
