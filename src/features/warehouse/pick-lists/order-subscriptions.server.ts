/** What pick lists do when an order changes that stands on one, and when a map is deleted. */
import type { Subscriptions } from '#platform/http/feature-module.ts'
import { addedGoods, changedGoods } from './order-changes.commands.ts'
import { dropStoppedOrder } from './pick-lists.queries.ts'

export const pickListSubscriptions: Subscriptions = {
  async 'order.cancelled'(events, context) {
    // A shop sees its own orders only, and a wagon carries those of others: the schedule takes its orders off.
    for (const { order_id, data } of events) if (data.by !== 'shop') await dropStoppedOrder(context, order_id!)
  },
  'order.lines_changing': (events, context) =>
    changedGoods(
      context,
      events.map(({ order_id, data }) => ({ order_id: order_id!, lines: data.lines })),
    ),
  'order.lines_changed': (events, context) =>
    addedGoods(
      context,
      events.map(({ order_id }) => order_id!),
    ),
  /** Lists of the past forget by which map they were walked. */
  async 'warehouse_map.result_removing'(events, { db }) {
    await db
      .updateTable('pick_lists')
      .set({ map_result_id: null })
      .where(
        'map_result_id',
        'in',
        events.map(({ subject_id }) => subject_id!),
      )
      .execute()
  },
}
