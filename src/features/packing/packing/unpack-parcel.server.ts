/** One parcel of an order is taken apart before it leaves: its label is cancelled, its items wait to be packed again. */
import { sql } from 'kysely'
import { access } from '#contract/access.ts'
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import { bookingStates, leftStates } from '#domain/order/shipment-states.ts'
import { mayAct } from '#features/company/users/station-acts.queries.ts'
import { recountPacked } from '#features/orders/orders/lines/order-lines.commands.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { reopenOrders } from '#features/orders/orders/order-state.commands.ts'
import { voidLabel } from '#features/shipping/labels/booking.server.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { mustBeUnlabelled } from './next-parcel.server.ts'
import type { packing } from './packing.contract.ts'
import { lockSession } from './packing.queries.ts'
import { removeSerials } from './serials.commands.ts'

/** The label is blocked before anything comes out, so that no one sends an empty parcel. Asked again, it goes on where it stopped. */
export async function unpackParcel({ id, body }: HandlerInput<typeof packing.unpack>, outside: ExternalContext): Promise<void> {
  const { state } = await outside.transaction(async context => {
    if (!(await mayAct(context, 'unpack', context.station, [...access.scanAdmin, ...access.parcelsAdmin])))
      throw forbidden('unpack_forbidden', 'Only a lead may unpack a parcel.')
    return unpackable(context, id, body.shipment_id)
  })
  if (state === 'booked') await voidLabel(outside, body.shipment_id)
  await outside.transaction(context => takeOut(context, id, body.shipment_id))
}

/** The parcel, its order taken until the end of the transaction; throws why it may not be unpacked. */
async function unpackable({ db }: Context, order_id: number, shipment_id: number) {
  const order = orNotFound(await takeOrder(db, order_id), 'order_not_found', 'Order not found')
  const parcel = orNotFound(
    await db
      .selectFrom('shipments')
      .select(['parcel_no', 'state', 'company_id'])
      .where('id', '=', shipment_id)
      .where('order_id', '=', order_id)
      .where('operation_code', '=', 'outbound')
      .executeTakeFirst(),
    'shipment_not_found',
    'Shipment not found',
  )
  if (order.cancelled_at !== null) throw conflict('order_cancelled', 'The order is cancelled')
  if (isOneOf(leftStates, parcel.state))
    throw conflict('parcel_handed_over_register_return', 'The parcel has left the warehouse: register a return instead')
  if (isOneOf(bookingStates, parcel.state))
    throw conflict('label_booking', 'A label is being booked at this moment: wait until it is there')
  const session = await lockSession(db, order_id)
  if (session) throw conflict('order_busy', '{{name}} has it at {{station}}', { name: session.user_name, station: session.station })
  return parcel
}

async function takeOut(context: Context, order_id: number, shipment_id: number): Promise<void> {
  const { db, notify, recordEvent } = context
  const { parcel_no, company_id } = await unpackable(context, order_id, shipment_id)
  // It may have a newer label.
  await mustBeUnlabelled(context, order_id, parcel_no)
  const out = await db
    .deleteFrom('parcel_lines')
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .returning('qty')
    .execute()
  const pieces = out.reduce((sum, { qty }) => sum + qty, 0)
  if (pieces === 0) return
  await recountPacked(db, [order_id])
  await removeSerials(
    context,
    [order_id],
    sql`exists (select from packing_scans c where c.operator_id = n.operator_id and c.order_id = n.order_id and c.session_id = n.session_id
        and c.order_line_id = n.order_line_id and (c.serial = n.serial or c.answer -> 'units' @> to_jsonb(n.serial)) and c.parcel_no = ${parcel_no}
        and c.undone_by is null)`,
  )
  await reopenOrders(context, [order_id], { unpack: false })
  await recordEvent({
    kind: 'parcel.unpacked',
    order_id,
    company_id,
    subject: 'shipment',
    subject_id: shipment_id,
    data: { parcel_no, pieces },
  })
  notify('packing', order_id, company_id)
}
