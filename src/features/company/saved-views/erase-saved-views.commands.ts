/** Erasing a person from saved views: a search that names the person is emptied, and a view named after the person gets a number. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

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

  async read(db, { words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    return {
      saved_views: await rowsOf(
        db,
        sql`select screen, created_at, case when name ${named} then name end as name,
            (select jsonb_object_agg(q.key, q.value) from jsonb_each(query) q where q.value::text ${named}) as query
          from saved_views where operator_id = current_operator_id() and (query::text ${named} or name ${named}) order by id`,
      ),
    }
  },
}
