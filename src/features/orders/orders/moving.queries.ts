/** Moving an order along: the events that people fire by hand, each with everything that belongs to it, in one transaction. */
import { sql } from 'kysely'
import type { Permission } from '#contract/access.ts'
import { badRequest, conflict, found } from '#contract/errors.ts'
import type { Context } from '#server/serve.ts'
import { dropStoppedOrder } from '../../warehouse/pick-lists/pick-lists.queries.ts'
import { type ChangedOrder, changeOrder, type OrderFacts, takeOrder, tellBench } from './changes.queries.ts'
import { isSettable, standsThere, stateEvents, whyNot } from './orders.rules.ts'

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
      'An order cannot be set to {{state}} by hand: that follows from the work itself. Set ready, picked, cancelled or closed.',
      { state },
    )
  const order = found(await takeOrder(context.db, id), 'This order does not exist')
  if (standsThere(state, order)) return asChanged(order)
  mustBeFresh(order, version)
  const event = stateEvents[state]
  const why = whyNot(event, order, context.person.permissions as readonly Permission[])
  if (why) throw conflict(why.text, why.values, { current: asChanged(order) })
  const changed = await fire[event](context, order)
  if (!changed) throw conflict('Somebody else is changing this right now. Try again.')
  return changed
}

export function mustBeFresh(order: OrderFacts, version: number | undefined): void {
  if (version !== undefined && version !== order.version)
    throw conflict('Somebody changed this order meanwhile. Look at it again.', {}, { current: asChanged(order) })
}

export const asChanged = ({ id, company_id, order_no, work_state, phase, version }: ChangedOrder): ChangedOrder => ({
  id,
  company_id,
  order_no,
  work_state,
  phase,
  version,
})

type Firing = (context: Context, order: OrderFacts) => Promise<ChangedOrder | undefined>

const release: Firing = (context, order) =>
  changeOrder(context, order.id, {
    from: ['new'],
    set: { work_state: 'ready', release_at: null },
    was: order.phase,
    event: { kind: 'order.released' },
  })

/** What was taken from its bins has to go back before the order is done with; labels made already are barred. */
export const cancel: Firing = async (context, order) => {
  await barLabels(context, order)
  const touched = order.work_state !== 'new' && order.work_state !== 'ready'
  const changed = await changeOrder(context, order.id, {
    from: ['new', 'ready', 'in_pick', 'picked', 'in_pack'],
    set: { cancelled_at: context.now().toISOString(), put_back_due: touched, release_at: null, pinned_at: null, label_error: false },
    was: order.phase,
    even_cancelled: false,
    event: { kind: 'order.cancelled' },
  })
  if (!changed || !touched) return changed
  tellBench(context.tell, order)
  await dropStoppedOrder(context, order.id)
  // Leaving its list may have changed it again.
  return (await takeOrder(context.db, order.id)) ?? changed
}

/** The parcel is unpacked: its label must not go out, and everything is scanned again. */
const reopen: Firing = async (context, order) => {
  const { db, now } = context
  await barLabels(context, order)
  await sql`delete from parcel_lines where operator_id = scope_operator() and company_id = ${order.company_id} and order_id = ${order.id}`.execute(
    db,
  )
  await db.updateTable('order_lines').set({ packed_qty: 0 }).where('order_id', '=', order.id).where('packed_qty', '>', 0).execute()
  await db
    .updateTable('order_serials')
    .set({ removed_at: now().toISOString() })
    .where('order_id', '=', order.id)
    .where('removed_at', 'is', null)
    .where('returned_at', 'is', null)
    .execute()
  const changed = await changeOrder(context, order.id, {
    from: ['packed'],
    set: { work_state: 'picked', packed_at: null, label_error: false },
    was: order.phase,
    event: { kind: 'order.reopened' },
  })
  if (changed) tellBench(context.tell, order)
  return changed
}

const close: Firing = (context, order) =>
  changeOrder(context, order.id, {
    from: ['handed_over'],
    set: { work_state: 'closed' },
    was: order.phase,
    event: { kind: 'order.closed' },
  })

const fire = { release, cancel, reopen, close } as const

/** Labels that are booked must not go out any more: barred here at once, and taken back at the courier afterwards. */
async function barLabels({ db, now, record, tell, enqueue }: Context, order: OrderFacts): Promise<void> {
  const barred = await db
    .updateTable('shipments')
    .set(eb => ({ state: 'barred', cancelled_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('order_id', '=', order.id)
    .where('operation_code', '=', 'outbound')
    .where('state', '=', 'booked')
    .returning(['id', 'tracking_no'])
    .execute()
  for (const { id, tracking_no } of barred) {
    await record({
      kind: 'shipment.barred',
      order_id: order.id,
      company_id: order.company_id,
      subject: 'shipment',
      subject_id: id,
      data: { tracking_no },
    })
    await enqueue('labels.withdraw', { shipment_id: id }, { key: `labels.withdraw:${id}` })
    tell('shipment', id, order.company_id)
  }
  await db
    .updateTable('print_jobs')
    .set({ state: 'cancelled', finished_at: now().toISOString() })
    .where('order_id', '=', order.id)
    .where('state', '=', 'queued')
    .execute()
}
