/** Ship-by dates: the handler, and after which changes of an order its deadline is looked at again. */
import { isOneOf } from '#domain/objects.ts'
import { clockHolds } from '#features/orders/deadlines/deadlines.codes.ts'
import { type Context, implement, type RecordedEvent, type Subscriptions } from '#platform/http/feature-module.ts'
import { giveDeadlines, setShipBy } from './order-deadlines.commands.ts'
import { orderDeadlines } from './order-deadlines.contract.ts'
import { orderDeadlinesSchemas } from './order-deadlines.schemas.ts'

const idsOf = (events: readonly RecordedEvent[]): number[] => [...new Set(events.flatMap(event => event.order_id ?? []))]

const follow = async (events: readonly RecordedEvent[], context: Context): Promise<void> => {
  await giveDeadlines(context, idsOf(events))
}

const subscriptions: Subscriptions = {
  'order.shipping_set': follow,
  'order.method_chosen': follow,
  'order.hold_released': async (events, context) => {
    const ended = events.filter(({ data }) => isOneOf(clockHolds, data.reason))
    await giveDeadlines(context, idsOf(ended), { moves: true })
  },
}

export const orderDeadlinesServer = implement(
  orderDeadlines,
  orderDeadlinesSchemas,
  { setShipBy: ({ id, body }, context) => setShipBy(context, id, body) },
  subscriptions,
)
