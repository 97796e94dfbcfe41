/** The check is skipped: everything open counts as packed, with who, why and, where the company wants it, the PIN. */
import { sql } from 'kysely'
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { requirePin } from '#features/company/packing-pin/packing-pin.queries.ts'
import { mustNotBeStopped } from '#features/orders/orders/holds.queries.ts'
import { packAll } from '#features/orders/orders/lines/order-lines.commands.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { markActUsed } from '#features/packing/approval/approval-requests.commands.ts'
import { lineNeedsSerial } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { findApproval } from './approval.server.ts'
import type { packing } from './packing.contract.ts'
import type { PackingOrder } from './packing.schemas.ts'
import { loadPackingOrder, mustBeApproved, ownSession } from './session.server.ts'

export async function bypassCheck({ id, body }: HandlerInput<typeof packing.bypass>, outside: ExternalContext): Promise<PackingOrder> {
  const { needsPin, approval } = await outside.transaction(async context => ({
    needsPin: (await companySettings(context.db, context.principal.company.id)).bypass_needs_pin,
    approval: await findApproval(context, id, 'bypass', body.approval),
  }))
  if (needsPin && !approval) await requirePin(outside, body.pin)
  return outside.transaction(async context => {
    const { db, principal, recordEvent, notify } = context
    const order = orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
    await mustNotBeStopped(db, id)
    const session = await ownSession(context, id)
    const serials = await db
      .selectFrom('order_lines as l')
      .leftJoin('products as p', 'p.id', 'l.product_id')
      .select('l.name')
      .where('l.order_id', '=', id)
      .where('l.type', '=', 'item')
      .where(lineNeedsSerial)
      .whereRef('l.packed_qty', '<', eb => eb('l.qty', '-', eb.ref('l.cancelled_qty')))
      .executeTakeFirst()
    if (serials) throw conflict('serial_number_required', '{{name}} needs a serial number for each item: scan it', { name: serials.name })
    const open = await db
      .selectFrom('order_lines')
      .select('id')
      .where('order_id', '=', id)
      .where('type', '=', 'item')
      .whereRef('packed_qty', '<', eb => eb('qty', '-', eb.ref('cancelled_qty')))
      .execute()
    // Asked again, with everything packed already, it needs no second approval.
    if (needsPin && approval && open.length > 0 && !(await markActUsed(db, approval.request_id)))
      throw forbidden('approval_used', 'This approval has been used. Ask a lead again.')
    await mustBeApproved(
      context,
      session,
      open.map(line => line.id),
      'count',
    )
    await sql`with left_over as (${packAll(id)}),
      noted as (
        insert into packing_scans (company_id, id, session_id, order_id, raw, result, order_line_id, quantity, method, parcel_no, user_id, user_name, station)
        select ${order.company_id}, gen_random_uuid(), ${session.id}, ${id}, ${body.reason}, 'ok', id, packed_qty - before, 'bypass', ${session.parcel_no}, ${principal.id}, ${principal.name}, ${session.station} from left_over)
      insert into parcel_lines (company_id, order_id, parcel_no, order_line_id, qty)
      select ${order.company_id}, ${id}, ${session.parcel_no}, id, packed_qty - before from left_over
      on conflict (operator_id, order_id, parcel_no, order_line_id) do update set qty = parcel_lines.qty + excluded.qty`.execute(db)
    await recordEvent({
      kind: 'packing.bypassed',
      order_id: id,
      company_id: order.company_id,
      subject: 'packing_session',
      subject_id: session.id,
      data: { reason: body.reason },
    })
    notify('packing', id, order.company_id)
    return loadPackingOrder(context, id)
  })
}
