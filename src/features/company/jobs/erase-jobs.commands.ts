/** Erasing a person from the messages and results of jobs. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

export const eraseJobMessages: ErasurePart = {
  tables: ['jobs'],
  async erase(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    const { numAffectedRows } = await sql`
      update jobs set message = case when message ${named} then null else message end, result = case when result::text ${named} then null else result end,
        title = case when title ${named} then kind else title end
      where operator_id = current_operator_id() and (message ${named} or result::text ${named} or title ${named})`.execute(db)
    return { jobs: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    return {
      jobs: await rowsOf(
        db,
        sql`select kind, created_at, case when title ${named} then title end as title, case when message ${named} then message end as message,
            case when result::text ${named} then result end as result
          from jobs where operator_id = current_operator_id() and (message ${named} or result::text ${named} or title ${named}) order by id`,
      ),
    }
  },
}
