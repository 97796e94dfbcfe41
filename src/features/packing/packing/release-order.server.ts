/** An order leaves the station unpacked: set aside, given back, or put back into its bins. */
import { sql } from 'kysely'
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, orNotFound } from '#contract/errors.ts'
import { reducePacked } from '#features/orders/orders/lines/order-lines.commands.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { finishPutBack, stopPacking } from '#features/orders/orders/order-state.commands.ts'
import { isBooking } from '#features/shipping/labels/booking.queries.ts'
import { totesCleared, totesLeft } from '#features/warehouse/totes/station-totes.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { packing } from './packing.contract.ts'
import { lockSession } from './packing.queries.ts'
import { removeSerials } from './serials.commands.ts'
import { ownSession } from './session.server.ts'

export async function parkOrder({ id, body }: HandlerInput<typeof packing.park>, context: Context): Promise<void> {
  const session = await ownSession(context, id, ['open', 'label_error', 'label_check'])
  await context.db
    .updateTable('packing_sessions')
    .set(eb => ({
      state: session.state === 'open' ? 'parked' : session.state,
      parked_reason: body.reason || session.parked_reason,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', session.id)
    .execute()
  await totesLeft(context, id)
  const { kind, reason, order_line_id } = body
  await context.recordEvent({
    kind: 'packing.parked',
    order_id: id,
    company_id: session.company_id,
    subject: 'packing_session',
    subject_id: session.id,
    data: { reason, kind: session.state === 'label_error' ? 'label_error' : kind, ...(order_line_id !== undefined && { order_line_id }) },
  })
  context.notify('packing', id, session.company_id)
}

export async function abortPacking({ id, body }: HandlerInput<typeof packing.abort>, context: Context): Promise<void> {
  const order = orNotFound(await takeOrder(context.db, id), 'order_not_found', 'Order not found')
  const waits = await isBooking(context.db, id, context.now())
  const session = await ownSession(context, id, ['open', 'parked', 'label_error', ...(waits ? [] : ['closing', 'labelling'])])
  await abortSession(context, order, session, body.empty)
}

/** An order that waits in the exceptions goes back into the queue of the stations; what was packed stays counted. True where it waited. */
export async function releaseSetAside(context: Context, order_id: number): Promise<boolean> {
  const order = orNotFound(await takeOrder(context.db, order_id), 'order_not_found', 'Order not found')
  const session = await lockSession(context.db, order_id)
  if (!session || !['parked', 'label_error'].includes(session.state)) return false
  await abortSession(context, order, session, false)
  return true
}

async function abortSession(
  context: Context,
  { id, company_id }: { id: number; company_id: number },
  session: { id: number },
  empty: boolean,
): Promise<void> {
  const { db, now, recordEvent, notify } = context
  if (empty) await emptyParcels(context, id)
  await db
    .updateTable('packing_sessions')
    .set(eb => ({ state: 'aborted', ended_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', session.id)
    .execute()
  await stopPacking(context, [id])
  await totesLeft(context, id)
  await recordEvent({
    kind: 'packing.aborted',
    order_id: id,
    company_id,
    subject: 'packing_session',
    subject_id: session.id,
    data: { empty },
  })
  notify('packing', id, company_id)
}

export async function putBack({ id }: HandlerInput<typeof packing.putBack>, context: Context): Promise<void> {
  const { db, now, notify } = context
  const order = orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
  if (order.cancelled_at === null || !order.put_back_due)
    throw conflict('nothing_to_put_back', 'Nothing of this order waits to be put back')
  // Before its lines, as a scan does that is just being written.
  await db
    .updateTable('packing_sessions')
    .set({ state: 'aborted', ended_at: now().toISOString() })
    .where('order_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  await emptyParcels(context, id)
  await finishPutBack(context, [id])
  await totesCleared(context, id, context.principal)
  notify('packing', id, order.company_id)
}

/** Everything that is in boxes without a live label comes out again. */
async function emptyParcels(context: Context, order_id: number): Promise<void> {
  const { db } = context
  const { rows: out } = await sql<{ order_line_id: number; quantity: number }>`
    delete from parcel_lines b where b.operator_id = current_operator_id() and b.company_id = any (current_company_ids()) and b.order_id = ${order_id}
      and not exists (select from shipments s where s.operator_id = b.operator_id and s.order_id = b.order_id and s.parcel_no = b.parcel_no
        and s.operation_code = 'outbound' and s.state not in ('cancelled', 'blocked', 'error', 'draft'))
    returning order_line_id, qty quantity`.execute(db)
  await reducePacked(db, out)
  await removeSerials(context, [order_id], sql`l.packed_qty = 0`)
}
