/** Keeps what a courier reports of a parcel, and moves shipment and order by it. */
import { createHash } from 'node:crypto'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { newestReason } from '#features/shipping/courier-events/courier-events.rules.ts'
import type { TrackingEvent } from '#integrations/couriers/courier.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { newestEvent, nextTrackAt, stateAfter } from './courier-events.rules.ts'
import { updateOrderByShipments } from './shipment-status.commands.ts'

/** Events of one answer; couriers report some dozens. */
const mostEvents = 200
/** Letters of an event that are kept. */
const mostWords = 300

/** The same event, read again, has the same key. */
const keyOf = (agent_code: string, { state, at, place, text }: TrackingEvent): string =>
  createHash('sha256')
    .update(JSON.stringify([agent_code, state, at, place, text]))
    .digest('hex')
    .slice(0, 40)

/** Stores the new ones of these events and takes the shipment to the state of the newest of all; answers how many were new. */
export async function applyCourierEvents(context: Context, shipment_id: number, events: readonly TrackingEvent[]): Promise<number> {
  const { db, now, recordEvent, notify } = context
  const shipment = () =>
    db
      .selectFrom('shipments')
      .select([
        'id',
        'company_id',
        'order_id',
        'state',
        'agent_code',
        'operation_code',
        'booked_at',
        'created_at',
        'delivered_at',
        'event_reason',
      ])
      .where('id', '=', shipment_id)
  const before = await shipment().executeTakeFirst()
  if (!before) return 0
  if (before.order_id !== null) await takeOrder(db, before.order_id)
  // Read again under the lock: somebody may have scanned the parcel meanwhile.
  const row = await shipment().forNoKeyUpdate().executeTakeFirst()
  if (!row) return 0
  const { company_id, order_id, agent_code } = row
  const latest = now().getTime() + 86_400_000
  const sound = events.filter(event => Date.parse(event.at) <= latest).slice(0, mostEvents)
  const stored =
    sound.length === 0
      ? []
      : await db
          .insertInto('shipment_events')
          .values(
            sound.map(event => ({
              company_id,
              shipment_id,
              order_id,
              state: event.state,
              at: event.at,
              place: event.place?.slice(0, 100) ?? null,
              text: event.text.slice(0, mostWords),
              source: agent_code,
              courier_key: keyOf(agent_code, event),
            })),
          )
          .onConflict(known =>
            known.columns(['operator_id', 'shipment_id', 'courier_key']).where('courier_key', 'is not', null).doNothing(),
          )
          .returning('id')
          .execute()
  const known = await db
    .selectFrom('shipment_events')
    .select(['state', 'at', 'place', 'text'])
    .where('shipment_id', '=', shipment_id)
    .where('courier_key', 'is not', null)
    .orderBy('at', 'desc')
    .limit(mostEvents)
    .execute()
  const newest = newestEvent(known)
  const state = stateAfter(row, newest)
  const reason = newestReason(known)
  const heard = known[0]?.at ?? row.booked_at ?? row.created_at
  await db
    .updateTable('shipments')
    .set(eb => ({
      next_track_at: nextTrackAt(state ?? row.state, heard, now()),
      event_reason: reason,
      ...(state &&
        newest && {
          state,
          error: null,
          error_kind: null,
          version: eb('version', '+', 1),
          handed_over_at: eb.fn.coalesce('handed_over_at', eb.val(newest.at)),
          ...(state === 'delivered' && { delivered_at: newest.at }),
        }),
    }))
    .where('id', '=', shipment_id)
    .execute()
  const subject = { order_id, company_id, subject: 'shipment', subject_id: shipment_id }
  const place = newest?.place ?? known[0]?.place ?? null
  if (state && newest) {
    if (state === 'delivery_failed') await recordEvent({ kind: 'shipment.delivery_failed', ...subject, data: { place, reason } })
    else if (state !== 'needs_attention') await recordEvent({ kind: `shipment.${state}`, ...subject, data: { place } })
    if (row.operation_code === 'outbound' && order_id !== null) await updateOrderByShipments(context, order_id, newest.at)
  }
  // After the state: what the newest event names goes on.
  if (state === 'needs_attention' || (reason && reason !== row.event_reason))
    await recordEvent({ kind: 'shipment.problem_reported', ...subject, data: { place, reason } })
  else if (!reason && row.event_reason) await recordEvent({ kind: 'shipment.problem_ended', ...subject })
  if (stored.length > 0) {
    notify('shipment', shipment_id, company_id)
    if (order_id !== null) notify('order', order_id, company_id)
  }
  return stored.length
}
