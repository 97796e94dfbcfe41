/** Parcels that were handed over and of which their courier has said nothing since. */
import { sql } from 'kysely'
import type { Db } from '#server/database.ts'
import { unseenSentence } from './collect-lists.rules.ts'

/** Of all operators, oldest first: only the system role sees this. */
export async function unseenShipments(
  db: Db,
  before: Date,
): Promise<{ operator_id: number; company_id: number; order_id: number; id: number }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number; order_id: number; id: number }>`
    select operator_id, company_id, order_id, id from shipments
    where state = 'handed_over' and handed_over_at < ${before.toISOString()} order by handed_over_at limit 500`.execute(db)
  return rows
}

/** Marks it where nothing was heard of it meanwhile. */
export async function markUnseen(db: Db, id: number, { before, now }: { before: Date; now: Date }) {
  const parcel = await db
    .updateTable('shipments')
    .set(eb => ({ state: 'needs_attention', error: unseenSentence, error_kind: 'no_scan', version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'handed_over')
    .where('handed_over_at', '<', before.toISOString())
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
