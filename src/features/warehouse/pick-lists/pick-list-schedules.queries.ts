/** What the schedule looks for, across all operators, as the system. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/**
 * Orders that claim a slot although they were cancelled or have left the warehouse, or that are held while everything else on
 * their wagon is decided.
 */
export async function stoppedOrders(db: Db): Promise<{ operator_id: number; order_id: number }[]> {
  const { rows } = await sql<{ operator_id: number; order_id: number }>`
    select s.operator_id, s.order_id from pick_slots s join orders o on o.operator_id = s.operator_id and o.id = s.order_id
    where s.live and (o.cancelled_at is not null or o.work_state in ('packed', 'handed_over', 'closed')
      or o.held and s.state = 'open' and exists (select from pick_wagons w where w.operator_id = s.operator_id and w.pick_list_id = s.pick_list_id
          and w.wagon_no = s.wagon_no and w.state in ('claimed', 'picking', 'paused'))
        and not exists (select from pick_slots t join orders x on x.operator_id = t.operator_id and x.id = t.order_id
          where t.operator_id = s.operator_id and t.pick_list_id = s.pick_list_id and t.wagon_no = s.wagon_no and t.live and t.state = 'open' and not x.held))
    order by s.order_id limit 500`.execute(db)
  return rows
}

export async function companiesOfOperator(db: Db, operators: readonly number[]): Promise<Map<number, { main: number; all: number[] }>> {
  const rows = await db
    .selectFrom('companies')
    .select(['operator_id', 'id', 'is_main'])
    .where('operator_id', '=', sql<number>`any(${[...new Set(operators)]}::bigint[])`)
    .execute()
  const of = new Map<number, { main: number; all: number[] }>()
  for (const { operator_id, id, is_main } of rows) {
    const known = of.get(operator_id) ?? { main: id, all: [] }
    known.all.push(id)
    if (is_main) known.main = id
    of.set(operator_id, known)
  }
  return of
}
