import { access } from '#contract/access.ts'
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import { companySettings, isClosed } from '#features/company/companies/companies.queries.ts'
import { mayAct } from '#features/company/users/station-acts.queries.ts'
import { mustNotBeStopped } from '#features/orders/orders/holds.queries.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { startPacking as moveToPacking, packable, releaseOrders } from '#features/orders/orders/order-state.commands.ts'
import { askedForOrder } from '#features/packing/approval/approval-rules.queries.ts'
import { rulesOfOrder } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { touchStation } from '#features/printing/stations/stations.commands.ts'
import { isBooking } from '#features/shipping/labels/booking.queries.ts'
import { totesOpened } from '#features/warehouse/totes/station-totes.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { isApproved } from './approval.server.ts'
import type { packing } from './packing.contract.ts'
import { isAvailable, lockSession } from './packing.queries.ts'
import type { PackingOrder } from './packing.schemas.ts'
import { loadPackingOrder } from './session.server.ts'

export async function startPacking({ id, body }: HandlerInput<typeof packing.start>, context: Context): Promise<PackingOrder> {
  const { db, principal, recordEvent, notify, now } = context
  const order = orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
  if (order.combined?.lead_no)
    throw conflict('order_packed_with', 'This order is packed with order {{order_no}}', { order_no: order.combined.lead_no })
  await mustNotBeStopped(db, id)
  await touchStation(db, body.station, now())
  const open = await lockSession(db, id)
  if (!open) {
    await openSession(context, order, body.station)
  } else if (open.user_id !== principal.id || open.station !== body.station || open.state === 'parked') {
    if (['closing', 'labelling'].includes(open.state) && (await isBooking(db, id, now())))
      throw conflict('label_in_progress', 'The label of this order is being made at {{station}}', { station: open.station })
    const own = open.user_id === principal.id
    if (!own && !isAvailable(open, now())) {
      if (!body.take_over)
        throw conflict(
          'order_busy',
          '{{name}} has it at {{station}}',
          { name: open.user_name, station: open.station },
          { current: await loadPackingOrder(context, id) },
        )
      if (
        !(await mayAct(context, 'take_over', body.station, access.scanAdmin)) &&
        !(await isApproved(context, id, 'take_over', body.approval))
      )
        throw forbidden('take_over_forbidden', '{{name}} is packing this order. Ask a lead to take it over.', {
          name: open.user_name,
        })
    }
    await db
      .updateTable('packing_sessions')
      .set(eb => ({
        user_id: principal.id,
        user_name: principal.name,
        station: body.station,
        state: open.state === 'parked' ? 'open' : open.state,
        parked_reason: null,
        last_scan_at: now().toISOString(),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', open.id)
      .where('ended_at', 'is', null)
      .execute()
    await recordEvent({
      kind: own ? 'packing.resumed' : 'packing.taken_over',
      order_id: id,
      company_id: order.company_id,
      subject: 'packing_session',
      subject_id: open.id,
      data: { from: open.user_name, from_station: open.station, station: body.station },
    })
  } else await db.updateTable('packing_sessions').set({ last_scan_at: now().toISOString() }).where('id', '=', open.id).execute()
  await totesOpened(context, id)
  notify('packing', id, order.company_id)
  return loadPackingOrder(context, id)
}

async function openSession(context: Context, order: NonNullable<Awaited<ReturnType<typeof takeOrder>>>, station: string): Promise<void> {
  const { db, principal, recordEvent, now } = context
  if (order.work_state === 'new') {
    // A scan at the station is a release, as long as nothing holds the order back.
    await releaseOrders(context, [order.id])
  } else if (!isOneOf(packable, order.work_state)) {
    if (order.work_state === 'in_pick')
      throw conflict('order_in_picking', 'This order is still being picked', {}, { current: await loadPackingOrder(context, order.id) })
    // All orders of a closed company have left or are cancelled.
    if (await isClosed(db, order.company_id))
      throw conflict('order_company_closed', 'The company of this order is closed. Its orders are not packed any more.')
    throw conflict('order_packed', 'This order is packed already', {}, { current: await loadPackingOrder(context, order.id) })
  }
  if (order.phase === 'short')
    throw conflict(
      'missing_pieces_undecided',
      'Items of this order were not found: someone has to decide first what becomes of it',
      {},
      { current: await loadPackingOrder(context, order.id) },
    )
  if (order.work_state === 'ready' || order.work_state === 'new') {
    const settings = await companySettings(db, order.company_id)
    if (!settings.pack_without_pick_list)
      throw conflict('order_not_picked', 'This order has not been picked yet, and the company packs only what was picked')
  }
  const earlier = await db
    .selectFrom('shipments')
    .select(eb => eb.fn.max('parcel_no').as('parcel_no'))
    .where('order_id', '=', order.id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', ['cancelled', 'blocked', 'error', 'draft'])
    .executeTakeFirst()
  const approvals = await askedForOrder(db, order, now())
  const serials = await rulesOfOrder(db, order)
  const session = await db
    .insertInto('packing_sessions')
    .values({
      company_id: order.company_id,
      order_id: order.id,
      user_id: principal.id,
      user_name: principal.name,
      station,
      ...((approvals.length > 0 || serials) && {
        plan: JSON.stringify({ ...(approvals.length > 0 && { approvals }), ...(serials && { serials }) }),
      }),
      parcel_no: (earlier?.parcel_no ?? 0) + 1,
      opened_at: now().toISOString(),
      last_scan_at: now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await moveToPacking(context, [order.id])
  await recordEvent({
    kind: 'packing.started',
    order_id: order.id,
    company_id: order.company_id,
    subject: 'packing_session',
    subject_id: session.id,
    data: { station },
  })
}
