/** The packer goes on with another parcel of the order. */
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, orNotFound } from '#contract/errors.ts'
import { unlabelledStates } from '#domain/order/shipment-states.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { mustNotBeStopped } from '#features/orders/orders/holds.queries.ts'
import { lockOrder } from '#features/orders/orders/order-facts.queries.ts'
import { missingApproval } from '#features/packing/approval/approval.rules.ts'
import { askedRules, givenApprovals } from '#features/packing/approval/approval-requests.queries.ts'
import { mustBePhotographed } from '#features/packing/packing-photos/packing-photos.commands.ts'
import { closeCrates } from '#features/shipping/crate-choice/crate-use.commands.ts'
import { createShipment } from '#features/shipping/labels/booking.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { packing } from './packing.contract.ts'
import { type OpenSession, packingLines, writeScan } from './packing.queries.ts'
import { missingSerials } from './packing.rules.ts'
import type { PackingOrder } from './packing.schemas.ts'
import { printersOfParcel } from './parcel-printers.queries.ts'
import { weightForLabel } from './parcel-weight.server.ts'
import { loadPackingOrder, mustBeApproved, ownSession } from './session.server.ts'

type Asked = HandlerInput<typeof packing.nextParcel>['body'] & { weight_g: number | undefined }

/** The full parcel gets its label in the background, unless the company prints labels when the order is complete. */
export async function nextParcel({ id, body }: HandlerInput<typeof packing.nextParcel>, context: Context): Promise<PackingOrder> {
  const { db, recordEvent, notify } = context
  orNotFound(await lockOrder(db, id), 'order_not_found', 'Order not found')
  const session = await ownSession(context, id)
  const { parcel_no, company_id } = session
  if (body.scan_id && (await isAnswered(context, id, body.scan_id))) return loadPackingOrder(context, id)
  const packed = await db
    .selectFrom('parcel_lines')
    .select('order_line_id')
    .where('order_id', '=', id)
    .where('parcel_no', '=', parcel_no)
    .where('qty', '>', 0)
    .execute()
  if (packed.length === 0) throw conflict('parcel_empty', 'Parcel {{parcel}} is empty: pack something first', { parcel: parcel_no })
  const [printers, settings] = await Promise.all([printersOfParcel(context, body), companySettings(db, company_id)])
  await mustBePhotographed(context, session, settings, body.without_photo)
  const weight_g = await weightForLabel(context, session, settings)
  // Without a printer the label of each parcel is saved when the order is closed.
  if (printers.label_printer_id !== null && settings.label_when === 'parcel')
    await bookParcel(
      context,
      session,
      packed.map(line => line.order_line_id),
      { ...printers, weight_g },
    )
  if (body.scan_id) await record(context, session, body.scan_id)
  await db
    .updateTable('packing_sessions')
    .set(eb => ({ parcel_no: eb('parcel_no', '+', 1), pack: null, version: eb('version', '+', 1) }))
    .where('id', '=', session.id)
    .execute()
  await recordEvent({ kind: 'packing.next_parcel', order_id: id, company_id, data: { parcel_no: parcel_no + 1, closed_no: parcel_no } })
  notify('packing', id, company_id)
  return loadPackingOrder(context, id)
}

/** The same request sent again: its answer was lost on the way, so the parcel that it began is open already. */
async function isAnswered({ db }: Context, order_id: number, scan_id: string): Promise<boolean> {
  const before = await db.selectFrom('packing_scans').select('order_id').where('id', '=', scan_id).executeTakeFirst()
  if (before && before.order_id !== order_id) throw conflict('scan_of_other_order', 'This scan belongs to another order')
  return before !== undefined
}

async function record({ db, principal }: Context, session: OpenSession, scan_id: string): Promise<void> {
  const { id: session_id, order_id, company_id, parcel_no, station } = session
  const by = { user_id: principal.id, user_name: principal.name, station }
  const written = await writeScan(db, { session_id, parcel_no, company_id }, by, order_id, {
    ...{ id: scan_id, raw: 'CMD:NEXT', result: 'parcel_next', method: 'scan', quantity: 0 },
    ...{ order_line_id: null, product_id: null, serial: null },
    answer: {
      ...{ scan_id, result: 'parcel_next', counted: 0, text: '', values: {}, choices: [] },
      ...{ product: null, approval: null, crate: null, addition: null, line_id: null },
    },
  })
  if (written === undefined) throw conflict('busy', 'Someone else is changing this right now. Try again.')
}

async function bookParcel(context: Context, session: OpenSession, packed: readonly number[], asked: Asked): Promise<void> {
  const { db } = context
  const { order_id, company_id, parcel_no } = session
  await mustNotBeStopped(db, order_id)
  // It is asked for when the order is closed, and so is the label of this parcel then.
  if (missingApproval(askedRules(session.plan), await givenApprovals(db, session.id), 'close', packed)) return
  const [lines, { serials }] = await Promise.all([packingLines(db, order_id), companySettings(db, company_id)])
  const unnamed = lines.find(
    line => packed.includes(line.order_line_id) && missingSerials({ ...line, serials: line.serials.length }, serials.ask_at) > 0,
  )
  if (unnamed) throw conflict('serial_number_required', '{{name}} needs a serial number for each item: scan it', { name: unnamed.name })
  await mustBeApproved(context, session, packed, 'close')
  await closeCrates(context, { order_id, company_id }, [parcel_no], { whole: false })
  // A label that fails is tried again when the order is closed.
  await createShipment(context, {
    of: { order_id },
    session_id: session.id,
    parcel_no,
    parcel_count: null,
    weight_g: asked.weight_g,
    station: session.station,
    label_printer_id: asked.label_printer_id,
    a4_printer_id: asked.a4_printer_id,
    queued: true,
  })
}

/** Whether the parcel has a label, or one on its way: then nothing is taken out of it by a scan. */
export async function mustBeUnlabelled({ db }: Pick<Context, 'db'>, order_id: number, parcel_no: number): Promise<void> {
  const labelled = await db
    .selectFrom('shipments')
    .select('id')
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', unlabelledStates)
    .limit(1)
    .executeTakeFirst()
  if (labelled)
    throw conflict('parcel_booked', 'Parcel {{parcel}} has its label. Cancel the label first, then take items out.', {
      parcel: parcel_no,
    })
}
