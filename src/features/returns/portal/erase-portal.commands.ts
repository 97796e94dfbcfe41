/** Erasing the person of orders: links to their returns end. Photos go with the files of the order. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

const ofOrders = (order_ids: readonly number[]) => sql`(order_id = any (${order_ids}::bigint[]) or return_id in (
  select r.id from returns r where r.operator_id = current_operator_id() and r.order_id = any (${order_ids}::bigint[])))`

export const erasePortal: ErasurePart = {
  tables: ['portal_links', 'portal_photos'],
  async erase(db, { order_ids }) {
    const links = await sql`delete from portal_links where operator_id = current_operator_id() and ${ofOrders(order_ids)}`.execute(db)
    const photos =
      await sql`delete from portal_photos where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[])`.execute(db)
    return { portal_links: Number(links.numAffectedRows ?? 0), portal_photos: Number(photos.numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      portal_links: await rowsOf(
        db,
        sql`select order_id, return_id, purpose, created_at, expires_at from portal_links
          where operator_id = current_operator_id() and ${ofOrders(order_ids)} order by id`,
      ),
      portal_photos: await rowsOf(
        db,
        sql`select order_id, file_id, created_at from portal_photos
          where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
