/** Labels by what a scanner reads off them. */
import { hasLabel } from '#features/shipping/labels/labels.queries.ts'
import type { Db } from '#platform/database/database.ts'

export interface ScannedLabel {
  shipment_id: number
  order_id: number
  company_id: number
  order_no: string
  session_id: number | null
  state: string
  operation_code: string
}

/** The newest parcel of an order that has this label. */
export const labelOfCode = (db: Db, code: string): Promise<ScannedLabel | undefined> =>
  db
    .selectFrom('shipments as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.id as shipment_id', 'o.id as order_id', 's.company_id', 'o.order_no', 's.session_id', 's.state', 's.operation_code'])
    .where(hasLabel(code))
    .orderBy('s.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** What a station says of a label that must not go out; undefined for any other label. */
export async function alarmOf(
  db: Db,
  { shipment_id, order_id, order_no, state }: ScannedLabel,
): Promise<{ text: string; values: Record<string, string> } | undefined> {
  if (state !== 'cancelled' && state !== 'blocked') return undefined
  const event = await db
    .selectFrom('events')
    .select('actor_name')
    .where('order_id', '=', order_id)
    .where('subject', '=', 'shipment')
    .where('subject_id', '=', shipment_id)
    .where('kind', 'in', ['shipment.cancelled', 'shipment.blocked'])
    .where('actor_kind', '=', 'user')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return event
    ? { text: 'This label of order {{order_no}} was cancelled by {{name}}: do not use it', values: { order_no, name: event.actor_name } }
    : { text: 'This label of order {{order_no}} was cancelled: do not use it', values: { order_no } }
}
