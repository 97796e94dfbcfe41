/** Erasing what systems of a company answered about an order. Rows of the outbox hold no personal data. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

/** An answer may repeat what was sent: about an order, its shipment or its return. */
const aboutOrders = (order_ids: readonly number[]) => sql`(object_type = 'order' and object_id = any (${order_ids}::bigint[])
  or object_type = 'shipment' and object_id in (select s.id from shipments s where s.operator_id = current_operator_id() and s.order_id = any (${order_ids}::bigint[]))
  or object_type = 'return' and object_id in (select r.id from returns r where r.operator_id = current_operator_id() and r.order_id = any (${order_ids}::bigint[])))`

export const eraseDeliveryAnswers: ErasurePart = {
  tables: ['outbox_deliveries'],
  async erase(db, { order_ids }) {
    const { numAffectedRows } = await sql`update outbox_deliveries set answer = null
      where operator_id = current_operator_id() and ${aboutOrders(order_ids)} and answer is not null`.execute(db)
    return { outbox_deliveries: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      outbox_deliveries: await rowsOf(
        db,
        sql`select object_type, object_id, at, answer from outbox_deliveries
          where operator_id = current_operator_id() and ${aboutOrders(order_ids)} and answer is not null order by at`,
      ),
    }
  },
}
