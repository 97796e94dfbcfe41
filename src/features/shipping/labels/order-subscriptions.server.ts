/** What labels do when their order is cancelled or unpacked. */
import type { Context, RecordedEvent, Subscriptions } from '#platform/http/feature-module.ts'

export const labelSubscriptions: Subscriptions = {
  'order.cancelled': (events, context) => blockLabels(context, events),
  'order.reopened': (events, context) =>
    blockLabels(
      context,
      events.filter(event => event.data.unpack),
    ),
}

/** Booked labels must not go out any more: they are blocked here at once, and cancelled at the courier afterwards. */
async function blockLabels(
  { db, now, recordEvents, notify, enqueue }: Context,
  events: readonly Pick<RecordedEvent, 'order_id'>[],
): Promise<void> {
  const order_ids = events.map(event => event.order_id!)
  if (order_ids.length === 0) return
  const blocked = await db
    .updateTable('shipments')
    .set(eb => ({ state: 'blocked', cancelled_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('order_id', 'in', order_ids)
    .where('operation_code', '=', 'outbound')
    .where('state', '=', 'booked')
    .returning(['id', 'company_id', 'order_id', 'tracking_no'])
    .execute()
  await recordEvents(
    blocked.map(({ id, company_id, order_id, tracking_no }) => ({
      kind: 'shipment.blocked',
      order_id,
      company_id,
      subject: 'shipment',
      subject_id: id,
      data: { tracking_no },
    })),
  )
  for (const { id, company_id } of blocked) {
    await enqueue('labels.void', { shipment_id: id }, { key: `labels.void:${id}` })
    notify('shipment', id, company_id)
  }
}
