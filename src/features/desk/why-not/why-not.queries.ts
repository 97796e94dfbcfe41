/** What stands around an order, for its causes. */
import type { Db } from '#platform/database/database.ts'
import type { Around } from './why-not.rules.ts'

export async function aroundOrder(db: Db, order_id: number): Promise<Omit<Around, 'pack_without_pick_list'>> {
  const [exception, short, slot] = await Promise.all([
    db
      .selectFrom('packing_exceptions')
      .select(['owner_name as owner', 'reported_at as since'])
      .where('order_id', '=', order_id)
      .where('resolved_at', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('pick_shorts')
      .select('reported_at')
      .where('order_id', '=', order_id)
      .where('decided_at', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('pick_slots as s')
      .innerJoin('pick_lists as l', 'l.id', 's.pick_list_id')
      .select('l.created_at')
      .where('s.order_id', '=', order_id)
      .where('s.live', '=', true)
      .limit(1)
      .executeTakeFirst(),
  ])
  return { exception: exception ?? null, short_since: short?.reported_at ?? null, listed_since: slot?.created_at ?? null }
}
