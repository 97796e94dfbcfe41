/** Moving an order along: the events that people fire by hand, each with everything that belongs to it, in one transaction. */
import { sql } from 'kysely'
import type { Permission } from '#contract/access.ts'
import { badRequest, conflict, orNotFound } from '#contract/errors.ts'
import { dropStoppedOrder } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type ChangedOrder, changeOrder, type OrderFacts, takeOrder, tellBench } from './order-state.commands.ts'
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
      'order_status_not_settable',
      'An order cannot be set to {{state}} by hand: that follows from the work itself. Set ready, picked, cancelled or closed.',
      { state },
    )
  const order = orNotFound(await takeOrder(context.db, id), 'order_not_found', 'This order does not exist')
  if (standsThere(state, order)) return asChanged(order)
  mustBeFresh(order, version)
  const event = stateEvents[state]
  const why = whyNot(event, order, context.principal.permissions as readonly Permission[])
  if (why) throw conflict('order_status_forbids', why.text, why.values, { current: asChanged(order) })
  const changed = await fire[event](context, order)
  if (!changed) throw conflict('busy', 'Somebody else is changing this right now. Try again.')
  return changed
}

function mustBeFresh(order: OrderFacts, version: number | undefined): void {
  if (version !== undefined && version !== order.version)
    throw conflict('order_changed', 'Somebody changed this order meanwhile. Look at it again.', {}, { current: asChanged(order) })
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

/** What was taken from its bins has to go back before the order is done with; labels made already are blocked. */
const cancel: Firing = async (context, order) => {
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
  tellBench(context.notify, order)
  await dropStoppedOrder(context, order.id)
  // Leaving its list may have changed it again.
  return (await takeOrder(context.db, order.id)) ?? changed
}

/** What is in the house is unpacked: its labels must not go out, and everything that has not left is scanned again. */
const reopen: Firing = async (context, order) => {
  await barLabels(context, order)
  await unpack(context, order)
  const changed = await changeOrder(context, order.id, {
    from: ['packed'],
    set: { work_state: 'picked', packed_at: null, label_error: false },
    was: order.phase,
    event: { kind: 'order.reopened' },
  })
  if (changed) tellBench(context.notify, order)
  return changed
}

/** Everything comes out of the boxes but what left in an earlier parcel. */
async function unpack({ db, now }: Context, { id, company_id }: OrderFacts): Promise<void> {
  await sql`delete from parcel_lines b where b.operator_id = current_operator_id() and b.company_id = ${company_id} and b.order_id = ${id}
    and not exists (select from shipments s where s.operator_id = b.operator_id and s.order_id = b.order_id and s.parcel_no = b.parcel_no
      and s.operation_code = 'outbound' and s.handed_over_at is not null)`.execute(db)
  await sql`update order_lines l set packed_qty = coalesce((select sum(b.qty) from parcel_lines b
      where b.operator_id = l.operator_id and b.order_line_id = l.id), 0)
    where l.operator_id = current_operator_id() and l.company_id = ${company_id} and l.order_id = ${id} and l.packed_qty > 0`.execute(db)
  await sql`update order_serials n set removed_at = ${now().toISOString()}::timestamptz
    where n.operator_id = current_operator_id() and n.company_id = ${company_id} and n.order_id = ${id} and n.removed_at is null and n.returned_at is null
      and (exists (select from order_lines l where l.operator_id = n.operator_id and l.id = n.order_line_id and l.packed_qty = 0)
        or not exists (select from shipments s where s.operator_id = n.operator_id and s.session_id = n.session_id and s.order_id = n.order_id
          and s.operation_code = 'outbound' and s.handed_over_at is not null))`.execute(db)
}

const close: Firing = (context, order) =>
  changeOrder(context, order.id, {
    from: ['handed_over'],
    set: { work_state: 'closed' },
    was: order.phase,
    event: { kind: 'order.closed' },
  })

const fire = { release, cancel, reopen, close } as const

/** Labels that are booked must not go out any more: blocked here at once, and taken back at the courier afterwards. */
async function barLabels({ db, now, recordEvent, notify, enqueue }: Context, order: OrderFacts): Promise<void> {
  const blocked = await db
    .updateTable('shipments')
    .set(eb => ({ state: 'blocked', cancelled_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('order_id', '=', order.id)
    .where('operation_code', '=', 'outbound')
    .where('state', '=', 'booked')
    .returning(['id', 'tracking_no'])
    .execute()
  for (const { id, tracking_no } of blocked) {
    await recordEvent({
      kind: 'shipment.blocked',
      order_id: order.id,
      company_id: order.company_id,
      subject: 'shipment',
      subject_id: id,
      data: { tracking_no },
    })
    await enqueue('labels.void', { shipment_id: id }, { key: `labels.void:${id}` })
    notify('shipment', id, order.company_id)
  }
  await db
    .updateTable('print_jobs')
    .set({ state: 'cancelled', finished_at: now().toISOString() })
    .where('order_id', '=', order.id)
    .where('state', '=', 'queued')
    .execute()
}
