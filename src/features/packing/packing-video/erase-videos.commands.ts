/** Erasing the person of packed orders: the clips themselves go with the files of the order; here their rows and the reasons of holds. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseVideos: ErasurePart = {
  tables: ['packing_videos'],
  async erase(db, { order_ids }, now) {
    const { numAffectedRows } =
      await sql`update packing_videos set held_reason = null, held_until = null, held_by_name = null, file_id = null,
        state = case when state = 'failed' then state else 'expired' end, deleted_at = coalesce(deleted_at, ${now.toISOString()}::timestamptz)
      where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[])
        and (state not in ('expired', 'failed') or held_reason is not null)`.execute(db)
    await sql`update video_shares s set revoked_at = ${now.toISOString()}::timestamptz from packing_videos v
      where s.operator_id = current_operator_id() and v.operator_id = s.operator_id and v.id = s.video_id and s.revoked_at is null
        and v.order_id = any (${order_ids}::bigint[])`.execute(db)
    return { packing_videos: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      packing_videos: await rowsOf(
        db,
        sql`select order_id, station, starts_at, ends_at, state, held_until, held_reason from packing_videos
          where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
