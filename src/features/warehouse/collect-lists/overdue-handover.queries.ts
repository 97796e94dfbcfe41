/** Parcels that were handed over and of which their courier has said nothing since. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { unseenSentence } from './collect-lists.rules.ts'

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
): Promise<{ operator_id: number; company_id: number; order_id: number; id: number; before: string }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number; order_id: number; id: number; before: string }>`
    select s.operator_id, s.company_id, s.order_id, s.id, o.before
    from unnest(${operators.map(one => one.operator_id)}::bigint[], ${operators.map(one => one.before.toISOString())}::timestamptz[]) o (operator_id, before)
    join shipments s on s.operator_id = o.operator_id and s.state = 'handed_over' and s.handed_over_at < o.before
    order by s.handed_over_at limit 500`.execute(db)
  return rows
}

/** Marks it unless an event of it has arrived meanwhile. */
export async function markUnseen(db: Db, id: number, { before, now }: { before: string; now: Date }) {
  const parcel = await db
    .updateTable('shipments')
    .set(eb => ({ state: 'needs_attention', error: unseenSentence, error_kind: 'no_scan', version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'handed_over')
    .where('handed_over_at', '<', before)
    .returning(['company_id', 'order_id', 'tracking_no', 'parcel_no'])
    .executeTakeFirst()
  if (!parcel) return undefined
  await db
    .insertInto('shipment_events')
    .values({
      company_id: parcel.company_id,
      shipment_id: id,
      order_id: parcel.order_id,
      state: 'needs_attention',
      at: now.toISOString(),
      text: unseenSentence,
      source: 'system',
    })
    .execute()
  return parcel
}
