/** Closing: intent, label, print – each step committed before the next, so that any of them may be the last one before a power cut. */

import { access } from '#contract/access.ts'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { unlabelledStates } from '#domain/order/shipment-states.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homepageFor } from '#features/company/companies/companies.rules.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { mayAct } from '#features/company/users/station-acts.queries.ts'
import { openAddition } from '#features/orders/additional-products/additional-products.queries.ts'
import { packShown } from '#features/orders/additional-products/order-additions.commands.ts'
import { stopOfLocked } from '#features/orders/orders/holds.queries.ts'
import { cancelPieces } from '#features/orders/orders/lines/order-lines.commands.ts'
import { lockOrder } from '#features/orders/orders/order-facts.queries.ts'
import { piecesOf, type Rest, type RestLine, restOfOrder } from '#features/orders/partial-shipments/partial-shipments.codes.ts'
import { decideRest } from '#features/orders/partial-shipments/partial-shipments.commands.ts'
import type { MissingPhotoReason } from '#features/packing/packing-photos/packing-photos.codes.ts'
import { mustBePhotographed } from '#features/packing/packing-photos/packing-photos.commands.ts'
import { toleranceOf } from '#features/packing/weighings/weight.rules.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { sendPrint, trySendingPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { closeCrates } from '#features/shipping/crate-choice/crate-use.commands.ts'
import { createShipment } from '#features/shipping/labels/booking.commands.ts'
import { parcelWeight } from '#features/shipping/labels/booking.queries.ts'
import { bookLeasedShipment, bookShipment, type LeasedShipment, leaseShipment } from '#features/shipping/labels/booking.server.ts'
import { updateOrderByShipments } from '#features/shipping/labels/shipment-status.commands.ts'
import { methodPrintsSlip } from '#features/shipping/shipping-methods/shipping-methods.queries.ts'
import { dispatchNote, dispatchWords } from '#integrations/printers/documents.ts'
import { commitWithNextStatement } from '#platform/database/database.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { isApproved } from './approval.server.ts'
import { finishSession } from './close-order.commands.ts'
import { lockSession, packingLines, packingOrder, packingParcels, totalsOf } from './packing.queries.ts'
import { missingSerials } from './packing.rules.ts'
import type { Closing } from './packing.schemas.ts'
import { printersOfParcel } from './parcel-printers.queries.ts'
import { weightForLabel } from './parcel-weight.server.ts'
import { linesSentLater } from './rest.queries.ts'
import { decidedRest } from './rest.rules.ts'
import { mustBeApproved } from './session.server.ts'

interface ClosingBody {
  label_printer_id: number | null
  a4_printer_id: number | null
  weight_g?: number | undefined
  weight_confirmed: boolean
  rest?: Rest | undefined
  rest_lines?: readonly { order_line_id: number; rest: Rest }[] | undefined
  notify_recipient?: boolean
  expected_on?: string | undefined
  approval?: string | undefined
  without_photo?: MissingPhotoReason | undefined
}

/** The station does not wait longer for the printer; the queue goes on. */
const printTimeoutMs = 4_000

export async function closeOrder(outside: ExternalContext, order_id: number, asked: ClosingBody): Promise<Closing> {
  const { begun, body } = await outside.transaction(async context => {
    const body = { ...asked, ...(await printersOfParcel(context, asked)) }
    return { begun: await beginClosing(context, order_id, body), body }
  })
  if (begun.kind === 'stopped')
    return { outcome: 'stopped', session_id: begun.session_id, parcels: [], print_jobs: [], text: begun.text, values: begun.values }
  if (begun.leased) await bookLeasedShipment(outside, begun.leased)
  for (const shipment_id of begun.fresh) await bookShipment(outside, shipment_id, { fresh: true })
  await printSessionSlip(outside, begun.session_id, body.a4_printer_id)
  await sendQueuedPrints(outside, begun.session_id)
  return outside.transaction(context => closingAnswer(context, order_id, begun.session_id))
}

type ClosingStart =
  | {
      kind: 'booking'
      session_id: number
      /** The first parcel to book: its lease begins with the commit. The lease of each further one begins when its turn comes. */
      leased?: LeasedShipment | undefined
      fresh: number[]
    }
  | { kind: 'stopped'; session_id: number; text: string; values: Record<string, string | number> }

/**
 * Everything is packed or decided, nothing stops it: the intent of every parcel is committed with the closing itself. `queued`: labels that
 * were refused are tried again away from the station, by the queue.
 */
export async function beginClosing(context: Context, order_id: number, body: ClosingBody, { queued = false } = {}): Promise<ClosingStart> {
  const { db, principal, now, notify, recordEvent } = context
  const [found, session] = await Promise.all([lockOrder(db, order_id), lockSession(db, order_id)])
  const order = orNotFound(found, 'order_not_found', 'Order not found')
  if (!session) {
    const last = await db
      .selectFrom('packing_sessions')
      .select('id')
      .where('order_id', '=', order_id)
      .where('state', '=', 'done')
      .where('user_id', '=', principal.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    // The answer to the first request was lost on its way: the second hears it.
    if (last && !queued && order.work_state !== 'in_pack') return { kind: 'booking', session_id: last.id, fresh: [] }
    throw conflict('packing_session_closed', 'This order is not open here. Scan its code again.')
  }
  if (queued ? session.state !== 'label_error' : session.user_id !== principal.id)
    throw conflict('order_busy', '{{name}} has it at {{station}}', { name: session.user_name, station: session.station })
  if (session.state === 'label_check') return { kind: 'booking', session_id: session.id, fresh: [] }
  const stop = await stopOfLocked(db, order)
  if (stop) return { kind: 'stopped', session_id: session.id, text: stop.text, values: stop.values }
  if (session.state === 'parked') throw conflict('order_set_aside', 'This order was set aside. Scan its code again.')

  const [lines, settings, parcels] = await Promise.all([
    packingLines(db, order_id),
    companySettings(db, order.company_id),
    parcelsWithoutLabel(db, order_id),
  ])
  const { packed, to_pack } = totalsOf(lines)
  const unnamed = lines.find(line => missingSerials({ ...line, serials: line.serials.length }, settings.serials.ask_at) > 0)
  if (unnamed) throw conflict('serial_number_required', '{{name}} needs a serial number for each item: scan it', { name: unnamed.name })
  await mustBeApproved(
    context,
    session,
    lines.filter(line => line.packed_qty > 0).map(line => line.order_line_id),
    'close',
  )
  const asked = { rest: body.rest ?? session.rest ?? undefined, rest_lines: body.rest_lines }
  const missing = decidedRest(lines, asked, packed < to_pack ? await linesSentLater(db, order_id) : [])
  const rest = missing && restOfOrder(missing)
  // Nothing is in this parcel: what was added to the order waits for the next one.
  const waits = parcels.length === 0 && packed > 0 && packed < to_pack && rest !== 'cancel'
  const addition = waits ? undefined : await openAddition(db, order_id)
  if (addition) throw conflict('additions_open', '{{name}} is not in the parcel yet', { name: addition.name })
  if (packed < to_pack) {
    if (!missing || !rest) throw conflict('order_incomplete', '{{missing}} items are not packed yet', { missing: to_pack - packed })
    // What an earlier parcel took along is no reason to leave the rest for later a second time.
    if (packed === 0 || (rest !== 'cancel' && session.state === 'open' && parcels.length === 0 && !(await labelledBefore(db, session.id))))
      throw conflict('nothing_packed', 'Nothing is packed yet. Set the order aside instead.')
    await cancelRest(context, { ...order, station: session.station }, missing, body.approval)
    // Asked again after a label that failed, it stays as it was decided.
    if (session.state === 'open' || session.rest === null)
      await decideRest(db, {
        ...{ order_id, company_id: order.company_id, session_id: session.id, lines: missing, decided_by: principal.name },
        ...{ notify_recipient: body.notify_recipient !== false, expected_on: (rest === 'backorder' && body.expected_on) || null },
      })
  }
  if (!waits) await packShown(context, { order_id, session_id: session.id, parcel_no: Math.max(1, ...parcels), by: principal.name })
  await db
    .updateTable('packing_sessions')
    .set(eb => ({
      state: 'labelling',
      rest: packed < to_pack ? (rest ?? null) : null,
      last_scan_at: now().toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', session.id)
    .execute()
  // Nothing has to be sent, or all of it lies in parcels that were labelled before.
  if (parcels.length === 0) {
    await finishSession(context, session.id)
    await updateOrderByShipments(context, order_id, now().toISOString())
    return { kind: 'booking', session_id: session.id, fresh: [] }
  }

  if (session.state === 'open' && parcels.includes(session.parcel_no))
    await mustBePhotographed(context, session, settings, body.without_photo)
  if (body.weight_g !== undefined && parcels.length === 1 && !body.weight_confirmed) {
    const { expected_g: reckoned } = await parcelWeight(db, order_id, elementAt(parcels, 0), settings)
    if (Math.abs(body.weight_g - reckoned) > toleranceOf(reckoned, settings))
      throw conflict('weight_mismatch', 'The scale says {{weight}} g, the products and the box {{reckoned}} g. Is anything missing?', {
        weight: body.weight_g,
        reckoned,
      })
  }
  const whole = packed === to_pack && parcels.length === 1 && session.parcel_no === 1
  await closeCrates(context, { order_id, company_id: order.company_id }, parcels, { whole })
  const fresh: number[] = []
  for (const parcel_no of parcels) {
    const weight_g =
      parcels.length === 1 && body.weight_g !== undefined
        ? body.weight_g
        : await weightForLabel(context, { order_id, parcel_no }, parcel_no === session.parcel_no ? settings : unasked(settings))
    const { shipment_id, state } = await createShipment(context, {
      of: { order_id },
      session_id: session.id,
      parcel_no,
      parcel_count: Math.max(...parcels, session.parcel_no),
      weight_g,
      station: session.station,
      label_printer_id: body.label_printer_id,
      a4_printer_id: body.a4_printer_id,
      queued,
    })
    if (state === 'booking') fresh.push(shipment_id)
    else {
      const failed = await db
        .selectFrom('shipments')
        .select(['error', 'error_field'])
        .where('id', '=', shipment_id)
        .executeTakeFirstOrThrow()
      // The session fails by it, as after a refusal of the courier itself.
      await recordEvent({
        kind: 'label.failed',
        order_id,
        company_id: order.company_id,
        subject: 'shipment',
        subject_id: shipment_id,
        data: { error: failed.error ?? '', field: failed.error_field, kind: 'validation' },
      })
    }
  }
  notify('packing', order_id, order.company_id)
  if (queued) return { kind: 'booking', session_id: session.id, fresh: [] }
  const [first, ...others] = fresh
  const leased = first === undefined ? undefined : await leaseShipment(context, first, true)
  return { kind: 'booking', session_id: session.id, leased, fresh: others }
}

/** A parcel that was begun before the company had parcels weighed, or whose label failed, is closed by what its products weigh. */
const unasked = ({ weigh_parcels }: CompanySettings): Pick<CompanySettings, 'weigh_parcels'> => ({
  weigh_parcels: weigh_parcels === 'always' ? 'scale' : weigh_parcels,
})

/** Takes the pieces off the order that nothing follows for, where this person may, or a lead has approved it. */
async function cancelRest(
  context: Context,
  { id, company_id, station }: { id: number; company_id: number; station: string },
  missing: readonly RestLine[],
  approval: string | undefined,
): Promise<void> {
  const { db, recordEvent } = context
  const pieces = piecesOf(missing, 'cancel')
  if (pieces === 0) return
  const may = await mayAct(context, 'cancel_rest', station, [...access.scanAdmin, ...access.parcelsAdmin])
  if (!may && !(await isApproved(context, id, 'cancel_rest', approval)))
    throw forbidden('cancel_lines_forbidden', 'You do not have permission to cancel lines. Ask a lead.')
  for (const { order_line_id, quantity, rest } of missing)
    if (rest === 'cancel' && !(await cancelPieces(db, order_line_id, quantity)))
      throw conflict('busy', 'Someone else is changing this right now. Try again.')
  await recordEvent({ kind: 'order.lines_cancelled', order_id: id, company_id, data: { pieces } })
}

/** Parcels that hold something and have neither a label nor one on its way. */
async function parcelsWithoutLabel(db: Context['db'], order_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('parcel_lines as b')
    .select('b.parcel_no')
    .distinct()
    .where('b.order_id', '=', order_id)
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
            .where('s.state', 'not in', unlabelledStates),
        ),
      ),
    )
    .orderBy('b.parcel_no')
    .execute()
  return rows.map(row => row.parcel_no)
}

/** Whether a parcel of this session got its label before the order was complete. */
async function labelledBefore(db: Context['db'], session_id: number): Promise<boolean> {
  const parcel = await db
    .selectFrom('shipments')
    .select('id')
    .where('session_id', '=', session_id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', unlabelledStates)
    .limit(1)
    .executeTakeFirst()
  return parcel !== undefined
}

/** Sends what the session's labels queued; the queue takes over whatever takes too long here. */
async function sendQueuedPrints(outside: ExternalContext, session_id: number): Promise<void> {
  const waiting = await outside.transaction(({ db }) => {
    commitWithNextStatement(db)
    return db
      .selectFrom('print_jobs as p')
      .leftJoin('shipments as s', 's.id', 'p.shipment_id')
      .select('p.id')
      .where('p.state', '=', 'queued')
      .where(eb => eb.or([eb('s.session_id', '=', session_id), eb('p.idempotency_key', '=', `slip:${session_id}:0`)]))
      .orderBy('p.id')
      .execute()
  })
  const sent = Promise.allSettled(waiting.map(({ id }) => trySendingPrint(outside, id)))
  await Promise.race([sent, new Promise(resolve => setTimeout(resolve, printTimeoutMs).unref())])
}

/** The session as it stands, as one answer for the station. */
async function closingAnswer({ db, now }: Context, order_id: number, session_id: number): Promise<Closing> {
  const [session, parcels, print_jobs] = await Promise.all([
    db.selectFrom('packing_sessions').select(['state', 'parked_reason']).where('id', '=', session_id).executeTakeFirstOrThrow(),
    packingParcels(db, order_id),
    db
      .selectFrom('print_jobs as p')
      .leftJoin('shipments as s', 's.id', 'p.shipment_id')
      .select(['p.id', 'p.document', 'p.state', 'p.error'])
      .where(eb => eb.or([eb('s.session_id', '=', session_id), eb('p.idempotency_key', '=', `slip:${session_id}:0`)]))
      .orderBy('p.id')
      .execute(),
  ])
  const answer = (outcome: Closing['outcome'], text: string, values: Closing['values'] = {}): Closing => ({
    outcome,
    session_id,
    parcels,
    print_jobs,
    text,
    values,
  })
  switch (session.state) {
    case 'done':
      return parcels.length === 0 ? answer('no_parcel', 'Done. Nothing had to be sent.') : answer('labelled', 'The parcel is done')
    case 'label_check':
      return answer('label_check', 'Scan the new label')
    case 'label_error':
      return answer('label_error', '{{error}}', { error: session.parked_reason ?? '' })
    case 'parked': {
      const order = await packingOrder(db, order_id, now())
      return answer('stopped', order?.stopped?.text ?? 'This order was stopped', order?.stopped?.values ?? {})
    }
    default:
      return answer('waiting', 'The courier has not answered yet. The label prints automatically when it does.')
  }
}

/** Finishes the papers of a session that a dying server left half printed; the same key never prints twice. */
export async function finishSlip(outside: ExternalContext, session_id: number, a4_printer_id: number): Promise<void> {
  await printSessionSlip(outside, session_id, a4_printer_id)
  await sendQueuedPrints(outside, session_id)
}

/** The dispatch note of a finished session, where the company or the shipping method wants one in the box. */
async function printSessionSlip(outside: ExternalContext, session_id: number, a4_printer_id: number | null): Promise<void> {
  if (a4_printer_id === null) return
  const wanted = await outside.transaction(async ({ db }) => {
    const session = await db
      .selectFrom('packing_sessions')
      .select(['order_id', 'company_id', 'state'])
      .where('id', '=', session_id)
      .executeTakeFirst()
    if (!session || !['done', 'label_check'].includes(session.state)) return undefined
    // It lies in the first box: taken back with that label, it must not come out and be packed with the next one.
    const box = await db
      .selectFrom('shipments')
      .select('id')
      .where('session_id', '=', session_id)
      .where('operation_code', '=', 'outbound')
      .where('state', 'not in', ['draft', 'error'])
      .orderBy('parcel_no')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const slip = { order_id: session.order_id, shipment_id: box?.id }
    if ((await companySettings(db, session.company_id)).print_slip) return slip
    const order = await db
      .selectFrom('orders')
      .select(['agent_code', 'shipping_method'])
      .where('id', '=', session.order_id)
      .executeTakeFirstOrThrow()
    return (await methodPrintsSlip(db, session.company_id, order.agent_code, order.shipping_method)) ? slip : undefined
  })
  if (wanted !== undefined) await queueSlip(outside, wanted.order_id, a4_printer_id, `slip:${session_id}:0`, wanted.shipment_id)
}

/** `packing/order_print`: the dispatch note again, now and here. */
export async function printSlip(
  outside: ExternalContext,
  order_id: number,
  printer_id: number,
  anew: boolean,
): Promise<{ print_job_id: number; state: string }> {
  // Asked twice within a breath by a slow network it prints once; `disable_cache` says that another is meant.
  const minute = anew ? `${outside.now().getTime()}` : `${Math.floor(outside.now().getTime() / 60_000)}`
  const print_job_id = await queueSlip(outside, order_id, printer_id, `slip:${order_id}:${printer_id}:${minute}`)
  const job = await sendPrint(outside, print_job_id)
  return { print_job_id, state: job.state }
}

async function queueSlip(
  outside: ExternalContext,
  order_id: number,
  printer_id: number,
  key: string,
  shipment_id?: number,
): Promise<number> {
  const { services, scope } = outside
  const { order, settings, logo } = await outside.transaction(async ({ db, now }) => {
    const order = orNotFound(await packingOrder(db, order_id, now()), 'order_not_found', 'Order not found')
    const settings = await companySettings(db, order.company_id)
    const logo =
      settings.logo_file_id === null
        ? undefined
        : await db.selectFrom('files').select('sha256').where('id', '=', settings.logo_file_id).executeTakeFirst()
    return { order, settings, logo }
  })
  const logoBytes = logo && (await services.files.get(scope.operator_id, logo.sha256).catch(() => undefined))
  const { sender } = settings
  const bytes = await dispatchNote({
    company: {
      name: order.company_name,
      contact: [
        sender.address1,
        `${sender.postcode} ${sender.city}`.trim(),
        settings.support_phone,
        settings.support_email,
        homepageFor(settings, settings.locale),
      ].filter(Boolean),
      logo: logoBytes ?? null,
    },
    order_no: order.order_no,
    order_code: order.order_code,
    date: new Intl.DateTimeFormat(settings.locale.replace('_', '-'), { dateStyle: 'long', timeZone: settings.time_zone }).format(
      outside.now(),
    ),
    ship_to: [
      order.ship_to.name,
      order.ship_to.company,
      order.ship_to.address1,
      `${order.ship_to.postcode} ${order.ship_to.city}`,
      order.ship_to.country,
    ].filter((part): part is string => part !== null && part !== ''),
    lines: order.lines.map(line => ({
      sku: line.sku ?? '',
      name: [line.name, line.variant].filter(Boolean).join(', '),
      qty: line.qty,
      packed: line.packed_qty,
    })),
    note: null,
    language: settings.locale.replace('_', '-'),
    words: dispatchWords,
    at: outside.now(),
  })
  const stored = await services.files.put(scope.operator_id, bytes)
  return outside.transaction(async context => {
    const file_id = await recordFile(context.db, stored, {
      media_type: 'application/pdf',
      name: `${order.order_no}.pdf`,
      company_id: order.company_id,
      order_id,
    })
    return queuePrint(context, {
      printer_id,
      document: 'slip',
      title: `${order.order_no}`,
      file_id,
      format: 'pdf',
      paper: 'a4',
      order_id,
      ...(shipment_id === undefined ? {} : { shipment_id }),
      company_id: order.company_id,
      idempotency_key: key,
    })
  })
}
