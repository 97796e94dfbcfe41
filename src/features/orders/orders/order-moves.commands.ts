import { badRequest, conflict, orNotFound } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type OrderFacts, takeOrder } from './order-facts.queries.ts'
import { type ChangedOrder, cancelOrders, closeOrders, notifyWorkers, releaseOrders, reopenOrders } from './order-state.commands.ts'
import { isSettable, type SettableState, standsThere, stateEvents, whyNot } from './orders.rules.ts'

/**
 * Fires what `set_state` names. A state in which the order stands already changes nothing.
 * @throws {Refusal} 400 for a state that is not set by hand, 404, 409 with the order as it is now
 */
export async function moveOrder(
  context: Context,
  id: number,
  state: string,
  { version }: { version?: number | undefined } = {},
): Promise<ChangedOrder> {
  if (!isSettable(state))
    throw badRequest(
      'order_status_not_settable',
      'An order cannot be set to {{state}} by hand: that follows from the work itself. Set ready, picked, cancelled or closed.',
      { state },
    )
  const order = orNotFound(await takeOrder(context.db, id), 'order_not_found', 'Order not found')
  if (standsThere(state, order)) return asChanged(order)
  mustBeFresh(order, version)
  const event = stateEvents[state]
  const why = whyNot(event, order, context.principal.permissions)
  if (why) throw conflict(why.code, why.text, why.values, { current: asChanged(order) })
  const [changed] = await commands[event](context, order)
  if (!changed) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  // A subscriber may have changed it again, as the pick list that it leaves.
  const now = await takeOrder(context.db, id)
  return asChanged(now ?? changed)
}

function mustBeFresh(order: OrderFacts, version: number | undefined): void {
  if (version !== undefined && version !== order.version)
    throw conflict('order_changed', 'Someone else changed this order. Check it and try again.', {}, { current: asChanged(order) })
}

export const asChanged = ({ id, company_id, order_no, work_state, phase, version }: ChangedOrder): ChangedOrder => ({
  id,
  company_id,
  order_no,
  work_state,
  phase,
  version,
})

type Command = (context: Context, order: OrderFacts) => Promise<ChangedOrder[]>

const commands: Record<(typeof stateEvents)[SettableState], Command> = {
  release: (context, { id }) => releaseOrders(context, [id]),
  close: (context, { id }) => closeOrders(context, [id]),

  async cancel(context, order) {
    const changed = await cancelOrders(context, [order.id], { at: context.now().toISOString() })
    if (changed.length > 0) notifyWorkers(context.notify, order)
    return changed
  },

  async reopen(context, order) {
    const changed = await reopenOrders(context, [order.id], { unpack: true })
    if (changed.length > 0) notifyWorkers(context.notify, order)
    return changed
  },
}
