/** Erasing the person of packed orders: what was said of the order. The kind, the times and the staff stay. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseExceptions: ErasurePart = {
  tables: ['packing_exceptions'],
  async erase(db, { order_ids }) {
    const { numAffectedRows } = await sql`update packing_exceptions set note = ''
      where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) and note <> ''`.execute(db)
    return { packing_exceptions: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      packing_exceptions: await rowsOf(
        db,
        sql`select order_id, kind, item, note, reported_at, resolved_at from packing_exceptions
          where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
