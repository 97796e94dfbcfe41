/** Parcels that were handed over and of which their courier has said nothing since. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** Operators with parcels that were handed over before, and the settings of their warehouse: only the system role sees all of them. */
export async function operatorsWaiting(db: Db, before: Date): Promise<{ operator_id: number; settings: unknown }[]> {
  const { rows } = await sql<{ operator_id: number; settings: unknown }>`
    select c.operator_id, c.settings from companies c
    where c.is_main and exists (select from shipments s where s.operator_id = c.operator_id and s.state = 'handed_over'
      and s.handed_over_at < ${before.toISOString()}::timestamptz)
    order by c.operator_id`.execute(db)
  return rows
}

/** What each of these operators handed over before its own instant, oldest first. */
export async function unseenShipments(
  db: Db,
  operators: readonly { operator_id: number; before: Date }[],
): Promise<{ operator_id: number; company_id: number; order_id: number | null; id: number; before: string }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number; order_id: number | null; id: number; before: string }>`
    select s.operator_id, s.company_id, s.order_id, s.id, o.before
    from unnest(${operators.map(one => one.operator_id)}::bigint[], ${operators.map(one => one.before.toISOString())}::timestamptz[]) o (operator_id, before)
    join shipments s on s.operator_id = o.operator_id and s.state = 'handed_over' and s.handed_over_at < o.before
    order by s.handed_over_at limit 500`.execute(db)
  return rows
}
