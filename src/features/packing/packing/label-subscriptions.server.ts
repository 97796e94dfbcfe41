/** What packing does when the booking of a label ends: in the same transaction the session finishes, fails or is parked. */
import type { Context, RecordedEvent, Subscriptions } from '#platform/http/feature-module.ts'
import { completeParcel, failParcel, parkStoppedSession } from './close-order.commands.ts'

/** The parcel of an order; a shipment without one concerns no station. */
async function bookedParcel({ db }: Context, shipment_id: number) {
  const row = await db
    .selectFrom('shipments')
    .select(['order_id', 'company_id', 'session_id', 'operation_code', 'a4_printer_id', 'error'])
    .where('id', '=', shipment_id)
    .executeTakeFirst()
  return row && row.order_id !== null ? { ...row, order_id: row.order_id } : undefined
}

/** Only a parcel of a packing session has a station that waits for its label: an extra parcel and a return have none. */
async function failWaitingParcels(events: readonly RecordedEvent<'label.failed' | 'shipment.settled'>[], context: Context): Promise<void> {
  for (const { subject_id } of events) {
    const parcel = subject_id === null ? undefined : await bookedParcel(context, subject_id)
    if (parcel && parcel.session_id !== null && parcel.operation_code === 'outbound') await failParcel(context, parcel, parcel.error ?? '')
  }
}

export const labelSubscriptions: Subscriptions = {
  async 'shipment.booked'(events, context) {
    for (const { subject_id, order_id, data } of events) {
      const parcel = data.stopped || subject_id === null || order_id === null ? undefined : await bookedParcel(context, subject_id)
      if (parcel) await completeParcel(context, parcel)
    }
  },
  'label.failed': failWaitingParcels,
  'shipment.settled': failWaitingParcels,
  async 'label.stopped'(events, context) {
    for (const { order_id, company_id, data } of events)
      if (order_id !== null) await parkStoppedSession(context, { order_id, company_id }, data.note || data.reason)
  },
}
