/** Closing in the database: what becomes of session, order and print when a parcel got its label, failed, or was stopped. */

import { sql } from 'kysely'
import { bookingStates, unlabelledStates } from '#domain/order/shipment-states.ts'
import { restWaits } from '#features/orders/orders/holds.queries.ts'
import { insertHolds } from '#features/orders/orders/locks/order-locks.commands.ts'
import { failLabel, finishPacking, finishPackingInPart } from '#features/orders/orders/order-state.commands.ts'
import { shipPartially } from '#features/orders/partial-shipments/partial-shipments.commands.ts'
import { totesPacked } from '#features/warehouse/totes/station-totes.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type OpenSession, openSession } from './packing.queries.ts'

/** Finishes the session when this was the last missing label, and queues the papers of the session. */
export async function completeParcel(
  context: Context,
  shipment: { order_id: number; session_id: number | null; a4_printer_id: number | null },
): Promise<void> {
  // The order may have been released and opened again while the label was being booked.
  const open = shipment.session_id === null ? undefined : await openSession(context.db, shipment.order_id)
  // Its packer goes on with the next parcel.
  if (open?.state === 'open') return context.notify('packing', shipment.order_id, open.company_id)
  const session_id = open?.id ?? shipment.session_id
  if (session_id !== null && (await finishSession(context, session_id, open)) && shipment.a4_printer_id !== null)
    await context.enqueue(
      'packing.papers',
      { session_id, a4_printer_id: shipment.a4_printer_id },
      { key: `packing.papers:${session_id}`, run_at: new Date(context.now().getTime() + 10_000) },
    )
}

/**
 * Ends the session once every parcel of it has its label; answers false while one is missing. The caller has taken the order's row,
 * and may have read the session since.
 */
export async function finishSession(context: Context, session_id: number, read?: OpenSession): Promise<boolean> {
  const { db, now, notify } = context
  const session = read ?? (await db.selectFrom('packing_sessions').selectAll().where('id', '=', session_id).executeTakeFirst())
  if (!session || session.ended_at !== null || !['closing', 'labelling', 'label_error'].includes(session.state)) return true
  const [missing, { check }] = await Promise.all([
    db
      .selectFrom('parcel_lines as b')
      .select('b.parcel_no')
      .where('b.order_id', '=', session.order_id)
      .where('b.qty', '>', 0)
      .where(eb =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('shipments as s')
              .select('s.id')
              .whereRef('s.order_id', '=', 'b.order_id')
              .whereRef('s.parcel_no', '=', 'b.parcel_no')
              .where('s.operation_code', '=', 'outbound')
              .where('s.state', 'not in', [...unlabelledStates, ...bookingStates]),
          ),
        ),
      )
      .limit(1)
      .execute(),
    db
      .selectFrom('orders as o')
      .leftJoin('shipping_methods as m', j =>
        j
          .onRef('m.company_id', '=', 'o.company_id')
          .onRef('m.agent_code', '=', 'o.agent_code')
          .onRef('m.shipping_method', '=', 'o.shipping_method'),
      )
      .select(eb =>
        eb
          .and([
            eb.fn.coalesce('m.check_tracking_and_trace', sql<boolean>`false`),
            // Where the rest was cancelled there is no fresh label to check.
            eb.exists(eb.selectFrom('shipments as s').select('s.id').where('s.session_id', '=', session_id)),
          ])
          .as('check'),
      )
      .where('o.id', '=', session.order_id)
      .executeTakeFirstOrThrow(),
  ])
  if (missing.length > 0) return false

  await db
    .updateTable('packing_sessions')
    .set(eb => ({ state: check ? 'label_check' : 'done', ended_at: check ? null : now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', session_id)
    .execute()
  const open = session.rest === 'backorder' || session.rest === 'hold'
  const recorded = {
    subject: 'packing_session',
    subject_id: session_id,
    data: { station: session.station, packer: session.user_name, rest: session.rest },
  }
  if (session.rest === 'hold')
    await insertHolds(db, [{ id: session.order_id, company_id: session.company_id }], {
      reason: restWaits,
      note: 'Part of the order was sent',
      by: { id: session.user_id, name: session.user_name },
    })
  if (open) await finishPackingInPart(context, [session.order_id], { event: { kind: 'order.packed_in_part', ...recorded } })
  else await finishPacking(context, [session.order_id], { at: now().toISOString(), event: { kind: 'order.packed', ...recorded } })
  await shipPartially(context, session_id)
  await totesPacked(context, session.order_id)
  notify('packing', session.order_id, session.company_id)
  return true
}

/** The label cannot be had as things stand: the order waits among the exceptions, and the station goes on with the next. */
export async function failParcel(context: Context, shipment: { order_id: number; company_id: number }, error: string): Promise<void> {
  const { db, notify } = context
  // Its packer goes on with the next parcel; the label is tried again when the order is closed.
  if ((await openSession(db, shipment.order_id))?.state === 'open') return notify('packing', shipment.order_id, shipment.company_id)
  await db
    .updateTable('packing_sessions')
    .set(eb => ({ state: 'label_error', parked_reason: error.slice(0, 300), version: eb('version', '+', 1) }))
    .where('order_id', '=', shipment.order_id)
    .where('ended_at', 'is', null)
    .where('state', 'in', ['closing', 'labelling', 'label_error'])
    .execute()
  await failLabel(context, [shipment.order_id])
  notify('packing', shipment.order_id, shipment.company_id)
}

/** The order was stopped between the booking and its label: the session waits for a person. */
export async function parkStoppedSession(
  { db, notify }: Context,
  order: { order_id: number; company_id: number },
  reason: string,
): Promise<void> {
  await db
    .updateTable('packing_sessions')
    .set(eb => ({ state: 'parked', parked_reason: reason, version: eb('version', '+', 1) }))
    .where('order_id', '=', order.order_id)
    .where('ended_at', 'is', null)
    .execute()
  notify('packing', order.order_id, order.company_id)
}
