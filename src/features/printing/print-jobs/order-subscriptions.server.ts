/** What the print queue does when an order is cancelled or unpacked: its papers are not printed any more. */
import type { Context, RecordedEvent, Subscriptions } from '#platform/http/feature-module.ts'

export const printJobSubscriptions: Subscriptions = {
  'order.cancelled': (events, context) => cancelQueued(context, events),
  'order.reopened': (events, context) =>
    cancelQueued(
      context,
      events.filter(event => event.data.unpack),
    ),
}

async function cancelQueued({ db, now }: Context, events: readonly Pick<RecordedEvent, 'order_id'>[]): Promise<void> {
  const order_ids = events.map(event => event.order_id!)
  if (order_ids.length === 0) return
  await db
    .updateTable('print_jobs')
    .set({ state: 'cancelled', finished_at: now().toISOString() })
    .where('order_id', 'in', order_ids)
    .where('state', '=', 'queued')
    .execute()
}
