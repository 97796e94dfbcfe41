/** Deliveries of shops: taken once, and orders that a shop has deleted. */
import type { Db } from '#platform/database/database.ts'

/** True for the first copy of a delivery. A second one that arrives meanwhile waits here for the first to end. */
export async function takeDelivery(db: Db, source: string, delivery_id: string): Promise<boolean> {
  const row = await db
    .insertInto('shop_deliveries')
    .values({ source, delivery_id })
    .onConflict(conflict => conflict.doNothing())
    .returning('source')
    .executeTakeFirst()
  return row !== undefined
}

export async function noteOutcome(db: Db, source: string, delivery_id: string, outcome: string): Promise<void> {
  await db
    .updateTable('shop_deliveries')
    .set({ outcome: outcome.slice(0, 500) })
    .where('source', '=', source)
    .where('delivery_id', '=', delivery_id)
    .execute()
}

const removal = (external_id: string): string => `removed/${external_id}`

/** A deletion carries no date: an order that arrives after it is older than it, unless the shop restores it. */
export async function noteRemoval(db: Db, source: string, external_id: string): Promise<void> {
  await takeDelivery(db, source, removal(external_id))
}
export async function forgetRemoval(db: Db, source: string, external_id: string): Promise<void> {
  await db.deleteFrom('shop_deliveries').where('source', '=', source).where('delivery_id', '=', removal(external_id)).execute()
}
export const wasRemoved = async (db: Db, source: string, external_id: string): Promise<boolean> =>
  (await db
    .selectFrom('shop_deliveries')
    .select('source')
    .where('source', '=', source)
    .where('delivery_id', '=', removal(external_id))
    .executeTakeFirst()) !== undefined

/** The orders that a request about a person names, else all that its customer has in the shop. */
export async function ordersOfRequest(
  db: Db,
  shop: string,
  { external_ids, customer_external_id }: { external_ids: readonly string[]; customer_external_id: string | null },
): Promise<number[]> {
  const orders = db.selectFrom('orders').select('id').where('shop', '=', shop).orderBy('id')
  if (external_ids.length > 0) return (await orders.where('external_id', 'in', external_ids).execute()).map(order => order.id)
  if (customer_external_id === null) return []
  return (await orders.where('customer_external_id', '=', customer_external_id).execute()).map(order => order.id)
}
