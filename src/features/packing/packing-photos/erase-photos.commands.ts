/** Erasing the person of packed orders: the photos themselves go with the files of the order; here their rows. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const erasePhotos: ErasurePart = {
  tables: ['packing_photos'],
  async erase(db, { order_ids }, now) {
    const { numAffectedRows } =
      await sql`update packing_photos set file_id = null, held_until = null, held_by_name = null, held_reason = null,
        deleted_at = coalesce(deleted_at, ${now.toISOString()}::timestamptz)
      where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) 
        and (file_id is not null or held_reason is not null)`.execute(db)
    return { packing_photos: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      packing_photos: await rowsOf(
        db,
        sql`select order_id, parcel_no, station, taken_at, deleted_at, held_until, held_reason from packing_photos
          where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
