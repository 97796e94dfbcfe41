/** Erasing the person of parcels: what was written about them. Why and when a parcel needed somebody, and the staff, stay. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

const about = (order_ids: readonly number[], words: readonly string[]) =>
  sql`operator_id = current_operator_id() and (order_id = any (${order_ids}::bigint[])
    or (order_id is null and ${words.length > 0} and note || ' ' || next_step ilike any (${wordPatterns(words)}::text[])))`

export const eraseShipmentExceptions: ErasurePart = {
  tables: ['shipment_exceptions'],
  async erase(db, { order_ids, words }) {
    const { numAffectedRows } = await sql`update shipment_exceptions set note = '', next_step = ''
      where ${about(order_ids, words)} and note || next_step <> ''`.execute(db)
    return { shipment_exceptions: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids, words }) {
    return {
      shipment_exceptions: await rowsOf(
        db,
        sql`select order_id, kind, opened_at, next_step, next_at, note, resolved_at from shipment_exceptions
          where ${about(order_ids, words)} order by id`,
      ),
    }
  },
}
