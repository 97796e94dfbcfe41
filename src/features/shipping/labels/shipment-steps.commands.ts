/** The way of parcels after their label: handed over, taken back, not scanned. Each step writes the shipment and its event together. */
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { mustNotBeStopped, stopOfParcel } from '#features/orders/orders/holds.queries.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { updateOrderByShipments } from './shipment-status.commands.ts'

export interface MovedShipment {
  id: number
  company_id: number
  order_id: number | null
  agent_code: string
  tracking_no: string | null
  parcel_no: number
}
const moved = ['id', 'company_id', 'order_id', 'agent_code', 'tracking_no', 'parcel_no'] as const

interface Step {
  state: string
  at: string
  text: string
  place?: string | null
  /** By default the courier. */
  source?: string
}

/** The steps of these shipments, named after the person who works. */
async function recordSteps(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  shipments: readonly Pick<MovedShipment, 'id' | 'company_id' | 'order_id' | 'agent_code'>[],
  { state, at, text, place = null, source }: Step,
): Promise<void> {
  if (shipments.length === 0) return
  await db
    .insertInto('shipment_events')
    .values(
      shipments.map(({ id, company_id, order_id, agent_code }) => ({
        company_id,
        shipment_id: id,
        order_id,
        state,
        at,
        place,
        text,
        source: source ?? agent_code,
        user_id: principal.id || null,
        user_name: principal.id ? principal.name : null,
      })),
    )
    .execute()
}

/** The courier has them: those of the ids that were booked. Their orders are the caller's to move. */
export async function handOverShipments(context: Context, ids: readonly number[], at: string): Promise<MovedShipment[]> {
  const rows = await context.db
    .updateTable('shipments')
    .set(eb => ({ state: 'handed_over', handed_over_at: at, version: eb('version', '+', 1) }))
    .where('id', '=', sql<number>`any(${ids})`)
    .where('state', '=', 'booked')
    .returning(moved)
    .execute()
  await recordSteps(context, rows, { state: 'handed_over', at, text: 'The parcel is on its way' })
  return rows
}

/** Undoes the hand-over of those of which no courier has reported an event since. */
export async function takeBackShipments(context: Context, ids: readonly number[], since: string): Promise<MovedShipment[]> {
  const { rows } = await sql<MovedShipment>`
    update shipments s set state = 'booked', handed_over_at = null, version = version + 1
    where s.operator_id = current_operator_id() and s.company_id = any(current_company_ids()) and s.state = 'handed_over' and s.id = any(${ids})
      and not exists (select from shipment_events e where e.operator_id = s.operator_id and e.shipment_id = s.id and e.state <> 'booked'
        and e.at > ${since}::timestamptz)
    returning s.id, s.company_id, s.order_id, s.agent_code, s.tracking_no, s.parcel_no`.execute(context.db)
  const at = context.now().toISOString()
  await recordSteps(context, rows, { state: 'booked', at, text: 'The hand-over was taken back', source: 'own' })
  return rows
}

/** Marks a parcel that was handed over before and that has not been scanned since; undefined when an event has arrived meanwhile. */
export async function flagUnscanned(
  db: Db,
  id: number,
  { before, now, text }: { before: string; now: Date; text: string },
): Promise<MovedShipment | undefined> {
  const parcel = await db
    .updateTable('shipments')
    .set(eb => ({ state: 'needs_attention', error: text, error_kind: 'no_scan', version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'handed_over')
    .where('handed_over_at', '<', before)
    .returning(moved)
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
      text,
      source: 'system',
    })
    .execute()
  return parcel
}

const steps = {
  handed_over: ['booked'],
  delivered: ['booked', 'handed_over', 'in_transit', 'out_for_delivery', 'ready_for_pickup', 'delivery_failed', 'needs_attention'],
  delivery_failed: ['handed_over', 'in_transit', 'out_for_delivery', 'needs_attention'],
} as const

const stepRefusals = {
  handed_over: 'This parcel has left the warehouse already',
  delivered: 'This parcel cannot be delivered any more',
  delivery_failed: 'Only a parcel that is on its way can fail to be delivered',
} as const

/** One step of a parcel on its way; a step that was taken already changes nothing. */
export async function recordShipmentStep(
  context: Context,
  shipment_id: number,
  event: keyof typeof steps,
  place: string | null,
): Promise<void> {
  const { db, now, recordEvent, notify } = context
  const at = now().toISOString()
  const shipment = () =>
    db
      .selectFrom('shipments')
      .select(['id', 'order_id', 'company_id', 'state', 'agent_code', 'operation_code'])
      .where('id', '=', shipment_id)
  const { order_id } = orNotFound(await shipment().executeTakeFirst(), 'shipment_not_found', 'Shipment not found')
  if (order_id !== null) await takeOrder(db, order_id)
  // Read again under the lock: another scanner may have sent the same a moment ago.
  const row = orNotFound(await shipment().forNoKeyUpdate().executeTakeFirst(), 'shipment_not_found', 'Shipment not found')
  if (row.state === event) return
  if (row.state === 'cancelled' || row.state === 'blocked')
    throw conflict('label_cancelled_remove_parcel', 'This label was cancelled: take the parcel out')
  if (event === 'handed_over' && row.order_id !== null) await mustNotBeStopped(db, row.order_id, stopOfParcel)
  const moved = await db
    .updateTable('shipments')
    .set(eb => ({
      state: event,
      error: null,
      error_kind: null,
      version: eb('version', '+', 1),
      ...(event === 'handed_over' && { handed_over_at: at }),
      ...(event === 'delivered' && { delivered_at: at, handed_over_at: eb.fn.coalesce('handed_over_at', eb.val(at)) }),
    }))
    .where('id', '=', shipment_id)
    .where('state', 'in', steps[event])
    .returning('id')
    .executeTakeFirst()
  if (!moved)
    throw ['draft', 'booking', 'unknown', 'error'].includes(row.state)
      ? conflict('parcel_has_no_label', 'This parcel has no label yet')
      : conflict('shipment_status_forbids', stepRefusals[event])
  const text = {
    handed_over: 'The parcel is on its way',
    delivered: 'The parcel was delivered',
    delivery_failed: 'The parcel could not be delivered',
  }[event]
  await recordSteps(context, [row], { state: event, at, text, place })
  await recordEvent({
    kind: `shipment.${event}`,
    order_id: row.order_id,
    company_id: row.company_id,
    subject: 'shipment',
    subject_id: shipment_id,
    data: { place },
  })
  notify('shipment', shipment_id, row.company_id)
  if (row.operation_code === 'outbound' && row.order_id !== null) await updateOrderByShipments(context, row.order_id, at)
}

const losable = [
  'handed_over',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivery_failed',
  'needs_attention',
  'returning',
] as const

/** Somebody says that the parcel is lost; one that is lost already stays so. */
export async function reportLost(context: Context, shipment_id: number): Promise<void> {
  const { db, now, recordEvent, notify } = context
  const known = await db.selectFrom('shipments').select('order_id').where('id', '=', shipment_id).executeTakeFirst()
  const { order_id } = orNotFound(known, 'shipment_not_found', 'Shipment not found')
  if (order_id !== null) await takeOrder(db, order_id)
  const lost = await db
    .updateTable('shipments')
    .set(eb => ({ state: 'lost', next_track_at: null, version: eb('version', '+', 1) }))
    .where('id', '=', shipment_id)
    .where('state', 'in', losable)
    .returning(['id', 'company_id', 'order_id', 'agent_code'])
    .executeTakeFirst()
  if (!lost) {
    const row = await db.selectFrom('shipments').select('state').where('id', '=', shipment_id).executeTakeFirst()
    if (row?.state === 'lost') return
    throw conflict('shipment_status_forbids', 'Only a parcel that is on its way can be lost')
  }
  await recordSteps(context, [lost], { state: 'lost', at: now().toISOString(), text: 'The parcel is lost', source: 'own' })
  await recordEvent({ kind: 'shipment.lost', order_id, company_id: lost.company_id, subject: 'shipment', subject_id: shipment_id })
  notify('shipment', shipment_id, lost.company_id)
  if (order_id !== null) notify('order', order_id, lost.company_id)
}
