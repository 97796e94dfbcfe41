/** Erasing a person from saved views: a search that names the person is emptied, and a view named after the person gets a number. */
import { sql } from 'kysely'
import { type ErasurePart, wordPatterns } from '#platform/database/erasure.ts'

export const eraseSavedViews: ErasurePart = {
  tables: ['saved_views'],
  async erase(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    const { numAffectedRows } = await sql`
      update saved_views set query = case when query::text ${named} then (select coalesce(jsonb_object_agg(q.key, q.value), '{}')
          from jsonb_each(query) q where not q.value::text ${named}) else query end,
        name = case when name ${named} then '#' || id else name end
      where operator_id = current_operator_id() and (query::text ${named} or name ${named})`.execute(db)
    return { saved_views: Number(numAffectedRows ?? 0) }
  },
}
