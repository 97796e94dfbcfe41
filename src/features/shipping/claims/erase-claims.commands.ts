/** Erasing the person of parcels: what was written of a claim. Its kind, amount, days and outcome stay. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

const about = (order_ids: readonly number[], words: readonly string[]) =>
  sql`operator_id = current_operator_id() and (order_id = any (${order_ids}::bigint[])
    or (order_id is null and ${words.length > 0} and note ilike any (${wordPatterns(words)}::text[])))`

export const eraseClaims: ErasurePart = {
  tables: ['claims'],
  async erase(db, { order_ids, words }) {
    const { numAffectedRows } = await sql`update claims set note = '' where ${about(order_ids, words)} and note <> ''`.execute(db)
    return { claims: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids, words }) {
    return {
      claims: await rowsOf(
        db,
        sql`select order_id, kind, state, amount, granted, currency, noticed_on, reference, note, created_at from claims
          where ${about(order_ids, words)} order by id`,
      ),
    }
  },
}
