/** Ending a list: who is still on it, and that it is over. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

export async function liveOrders(db: Db, pick_list_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('pick_slots')
    .select('order_id')
    .where('pick_list_id', '=', pick_list_id)
    .where('live', '=', true)
    .orderBy('order_id')
    .execute()
  return rows.map(row => row.order_id)
}

/** The list's row, taken until the end of the transaction. */
export const takeList = (db: Db, id: number): Promise<{ state: string; version: number } | undefined> =>
  db.selectFrom('pick_lists').select(['state', 'version']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Wagons of packed orders stay what they are; the others, and the list, are cancelled. */
export async function endList(db: Db, id: number): Promise<void> {
  await db
    .updateTable('pick_wagons')
    .set(eb => ({ state: 'cancelled', version: eb('version', '+', 1) }))
    .where('pick_list_id', '=', id)
    .where('state', 'not in', ['released', 'cancelled'])
    .execute()
  await db
    .updateTable('pick_lists')
    .set(eb => ({ state: 'cancelled', cancelled_at: sql<string>`now()`, completed_at: null, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
