/**
 * Booking: exactly once in effect. The intent is committed first; the courier is asked outside any transaction; an unknown
 * outcome is looked up by reference before anything is repeated; a stop that came meanwhile cancels or blocks the label.
 */

import { sql } from 'kysely'
import { needsCustoms } from '#domain/customs/places.ts'
import { elementAt } from '#domain/objects.ts'
import { bookingStates } from '#domain/order/shipment-states.ts'
import { errorOf } from '#domain/thrown.ts'
import { stopOf, stopOfParcel } from '#features/orders/orders/holds.queries.ts'
import { drawCustomsPapers, goesWithParcel } from '#features/shipping/customs/customs-papers.server.ts'
import { openShop, shopAfterRefusal } from '#features/shipping/shop-replacement/open-shop.server.ts'
import type { Booking, BookingRequest, Courier, CourierDocument, LabelFormat, ServicePoint } from '#integrations/couriers/courier.ts'
import { CourierRefused, CourierUnavailable, OutcomeUnknown } from '#integrations/couriers/courier.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { recordedRequest } from '#integrations/couriers/request-parts.ts'
import { commitWithNextStatement } from '#platform/database/database.ts'
import { recordFiles } from '#platform/files/file-store.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { type ExchangeEntry, logExchange, plannedRequest, type ShipmentPlan, storeShipment } from './booking.commands.ts'
import { dequeueJob, leaseSeconds, parcelsOfBooking, queueBooking, requestOf, requestOfBooking, takeBooking } from './booking.queries.ts'
import { firstPause } from './courier-events.rules.ts'
import { printLabel, printPapers } from './print-label.commands.ts'

/** What the courier is given; the lease outlasts it. */
const courierTimeoutMs = 30_000

export type BookingOutcome = 'booked' | 'error' | 'unknown' | 'stopped' | 'elsewhere'

/** A shipment that this process alone may book until its lease ends. */
export interface LeasedShipment {
  id: number
  /** The shipments that the booking makes, in the order of the request's parcels: this one and those that go with it. */
  parcels: readonly number[]
  company_id: number
  order_id: number | null
  agent_code: string
  session_id: number | null
  operation_code: 'outbound' | 'return'
  request: BookingRequest
  adapter: Courier
}

/**
 * Books the shipment whose intent is committed. `fresh` says that the caller has just committed it and holds its lease;
 * otherwise the lease must have run out, and the courier is asked whether it knows the reference before it is booked again.
 */
export async function bookShipment(outside: ExternalContext, shipment_id: number, { fresh = false } = {}): Promise<BookingOutcome> {
  const held = await outside.transaction(context => leaseShipment(context, shipment_id, fresh))
  return held ? bookLeasedShipment(outside, held, { fresh }) : 'elsewhere'
}

/** The same where the caller has just taken the lease. */
export async function bookLeasedShipment(
  outside: ExternalContext,
  held: LeasedShipment,
  { fresh = true, replaced = false } = {},
): Promise<BookingOutcome> {
  try {
    // A closed parcel shop is found before the courier books; where a look-up may still find a booking, its shop is not touched.
    const open = fresh && !replaced ? withShop(held, await openShopOf(outside, held)) : held
    const booking = (fresh ? undefined : await findBooking(outside, held)) ?? (await requestBooking(outside, open))
    return await completeBooking(outside, open, booking)
  } catch (error) {
    if (error instanceof CourierRefused && error.field === 'service_point' && error.code !== 'parcel_shop_closed' && fresh && !replaced) {
      const other = await shopInstead(outside, held)
      if (other instanceof CourierRefused)
        return fail(outside, held, { kind: 'validation', error: other.message, field: other.field, code: other.code })
      if (other) return bookLeasedShipment(outside, other, { fresh, replaced: true })
    }
    if (error instanceof CourierRefused)
      return fail(outside, held, { kind: 'validation', error: error.message, field: error.field, code: error.code })
    if (error instanceof CourierUnavailable) return fail(outside, held, { kind: 'courier', error: error.message, field: null, code: null })
    if (error instanceof StillUnknown) return markUnknown(outside, held)
    throw error
  }
}

/** Keeps another parcel shop with the requests of the booking. */
const keepShop =
  ({ parcels }: LeasedShipment) =>
  async ({ db }: Context, shop: ServicePoint): Promise<void> => {
    await db
      .updateTable('shipments')
      .set({ request: sql`jsonb_set(request, '{service_point}', ${JSON.stringify(shop)}::jsonb)` })
      .where('id', '=', sql<number>`any(${parcels})`)
      .execute()
  }

const openShopOf = (outside: ExternalContext, held: LeasedShipment): Promise<ServicePoint | null> => {
  const { order_id, company_id, adapter, request } = held
  return order_id === null ? Promise.resolve(null) : openShop(outside, { order_id, company_id, adapter, request, keep: keepShop(held) })
}

const withShop = (held: LeasedShipment, shop: ServicePoint | null): LeasedShipment =>
  shop ? { ...held, request: { ...held.request, service_point: shop } } : held

/** After the courier refused the shop: the shipment with another, why a person has to choose, or null where it has none. */
async function shopInstead(outside: ExternalContext, held: LeasedShipment): Promise<LeasedShipment | CourierRefused | null> {
  const { order_id, company_id, adapter, request } = held
  if (order_id === null) return null
  try {
    const shop = await shopAfterRefusal(outside, { order_id, company_id, adapter, request, keep: keepShop(held) })
    return shop && withShop(held, shop)
  } catch (error) {
    if (error instanceof CourierRefused) return error
    throw error
  }
}

/** Takes the lease. Each taking counts the version on, so that the first comer is known: it alone may ask without looking up. */
export async function leaseShipment(
  { db, services, now }: Pick<Context, 'db' | 'services' | 'now'>,
  shipment_id: number,
  fresh: boolean,
): Promise<LeasedShipment | undefined> {
  const until = new Date(now().getTime() + leaseSeconds * 1_000).toISOString()
  let claim = db
    .updateTable('shipments')
    .set(eb => ({ leased_until: until, version: eb('version', '+', 1) }))
    .where('id', '=', shipment_id)
    .where('state', 'in', bookingStates)
  claim = fresh
    ? claim.where('version', '=', 1)
    : claim.where(eb => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', now().toISOString())]))
  // Parcels of one booking are leased by its first one.
  claim = claim.where(eb => eb.or([eb('consignment_id', 'is', null), eb('consignment_id', '=', eb.ref('id'))]))
  const row = await claim
    .returning(['id', 'company_id', 'order_id', 'agent_code', 'session_id', 'operation_code', 'consignment_id'])
    .executeTakeFirst()
  const adapter = row && courier(row.agent_code)
  if (!row || !adapter) return undefined
  const { consignment_id, ...shipment } = row
  const parcels = consignment_id === null ? [row.id] : (await parcelsOfBooking(db, row.id)).map(one => one.id)
  return { ...shipment, parcels, adapter, request: await requestOfBooking({ db, services }, parcels) }
}

/** Writes what was planned, with the lease of it; its request is the one that is written. */
export async function storeLeased(context: Context, plan: ShipmentPlan): Promise<LeasedShipment> {
  const stored = await storeShipment(context, plan, { leased: true })
  const { intent, company_id, agent_code, operation, adapter } = plan
  return {
    id: stored.shipment_id,
    parcels: [stored.shipment_id],
    ...{ company_id, agent_code, adapter, order_id: intent.of.order_id, session_id: intent.session_id, operation_code: operation },
    request: plannedRequest(context.services, plan, stored),
  }
}

/** Neither the answer nor the look-up said whether the courier has the parcel. */
class StillUnknown extends Error {
  override name = 'StillUnknown'
}

async function requestBooking(outside: ExternalContext, held: LeasedShipment): Promise<Answer> {
  const { recovery } = held.adapter.capabilities
  let inDoubt = false
  for (let attempt = 1; ; attempt++) {
    const began = Date.now()
    try {
      const booking = verifyBooking(held, await withTimeout(outside, courierTimeoutMs, signal => held.adapter.book(held.request, signal)))
      const entry = { action: 'book', outcome: 'ok', ...booking.exchange, took_ms: Date.now() - began } as const
      if (recovery !== 'none') return { ...booking, unlogged: entry }
      // Should this process die now, no one can ask this courier: what it answered is kept before anything else is done with it.
      await logAlone(outside, held, entry)
      return booking
    } catch (error) {
      const refused = error instanceof CourierRefused
      const unavailable = error instanceof CourierUnavailable
      await logAlone(outside, held, {
        action: 'book',
        outcome: refused ? 'refused' : unavailable ? 'unavailable' : 'unknown',
        request: recordedRequest(held.request),
        error: errorOf(error).message,
        took_ms: Date.now() - began,
      })
      // A no is said of this try alone: one before it may still arrive.
      if ((refused || unavailable) && !inDoubt) throw error
      // A time-out, a torn connection, an answer that makes no sense: the parcel may be booked.
      inDoubt = true
      const known = await findBooking(outside, held)
      if (known) return known
      // What is not there now may be there in a moment. Only under a key is it harmless to ask again at once; else the lease is
      // waited out, which is longer than any courier is late.
      if (recovery !== 'idempotency_key' || attempt >= 2 || refused || unavailable) throw new StillUnknown()
    }
  }
}

/** Kept, whatever comes next; the commit travels with the statement. */
const logAlone = (outside: ExternalContext, held: LeasedShipment, entry: ExchangeEntry): Promise<void> =>
  outside.transaction(context => {
    commitWithNextStatement(context.db)
    return logExchange(context, held, entry)
  })

/** Breaks off when the time is up, whether or not the adapter listens to its signal. */
function withTimeout<T>({ services }: ExternalContext, milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.any([AbortSignal.timeout(milliseconds), services.closing])
  return Promise.race([
    work(signal),
    new Promise<never>((_, failBooking) => {
      const late = () => failBooking(new OutcomeUnknown('The courier did not answer in time'))
      if (signal.aborted) late()
      else signal.addEventListener('abort', late, { once: true })
    }),
  ])
}

/** One parcel that the courier has booked. */
interface BookedParcel {
  shipment_id: number
  tracking_no: string
  barcode: string
  cage: string | null
  documents: CourierDocument[]
  qr_link?: string | null
}

/** One parcel that the courier refused while it booked others of the same request. */
interface RefusedParcel {
  shipment_id: number
  message: string
  field: string | null
}

/** What the courier made of a request. */
interface Answer {
  courier_no: string | null
  booked: BookedParcel[]
  refused: RefusedParcel[]
  exchange: Booking['exchange']
  /** The entry of the record that is still to be written. */
  unlogged?: ExchangeEntry
}

const fileLimit = 20_000_000
const isDocument = ({ kind, format, paper, bytes }: CourierDocument): boolean =>
  typeof kind === 'string' &&
  /^[a-z0-9_]{1,40}$/.test(kind) &&
  (format === 'pdf' || format === 'zpl') &&
  (paper === 'label' || paper === 'a4') &&
  bytes instanceof Uint8Array &&
  bytes.length > 0 &&
  bytes.length <= fileLimit &&
  (format === 'zpl' || Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-')

/** An answer without a number, without a label, for another parcel or of another number of parcels is none. Throws where all are refused. */
function verifyBooking(
  { request, parcels: ids }: LeasedShipment,
  { reference = request.reference, courier_no, parcels, exchange }: Booking,
): Answer {
  const wrong = new OutcomeUnknown('The courier’s answer makes no sense')
  if (reference !== request.reference || !Array.isArray(parcels) || parcels.length !== ids.length) throw wrong
  const answer: Answer = { courier_no: courier_no ?? null, booked: [], refused: [], exchange }
  for (const [i, parcel] of parcels.entries()) {
    const shipment_id = elementAt(ids, i)
    if (!parcel.ok) answer.refused.push({ shipment_id, message: parcel.message, field: parcel.field })
    else if (isSound(parcel)) answer.booked.push({ ...parcel, shipment_id })
    else throw wrong
  }
  const [refused] = answer.refused
  if (refused && answer.booked.length === 0) throw new CourierRefused(refused.message, refused.field)
  // One number on two parcels is the label of one of them.
  if (new Set(answer.booked.map(one => one.tracking_no)).size !== answer.booked.length) throw wrong
  return answer
}

const isSound = ({ tracking_no, barcode, documents }: Pick<BookedParcel, 'tracking_no' | 'barcode' | 'documents'>): boolean =>
  typeof tracking_no === 'string' &&
  /^[!-~][ -~]{0,63}$/.test(tracking_no) &&
  typeof barcode === 'string' &&
  barcode.length > 0 &&
  barcode.length <= 256 &&
  Array.isArray(documents) &&
  documents.every(isDocument) &&
  documents.some(({ kind, format }) => kind === 'label' && format === 'pdf')

/** An address that a customer may be sent to, else null: the label is there without it. */
const httpsLink = (link: string | null | undefined): string | null =>
  typeof link === 'string' && link.length <= 500 && URL.parse(link)?.protocol === 'https:' ? link : null

/** The booking under our reference, undefined when the courier says that it has none. Throws `StillUnknown` when it says nothing. */
async function findBooking(outside: ExternalContext, held: LeasedShipment): Promise<Answer | undefined> {
  if (held.adapter.capabilities.recovery === 'none') throw new StillUnknown()
  try {
    const booking = await withTimeout(outside, courierTimeoutMs / 2, signal => held.adapter.find(held.request, signal))
    const found = booking && verifyBooking(held, booking)
    await outside.transaction(context =>
      logExchange(context, held, { action: 'find', outcome: found ? 'found' : 'not_found', ...(found?.exchange ?? {}) }),
    )
    return found ?? undefined
  } catch (error) {
    await outside.transaction(context => logExchange(context, held, { action: 'find', outcome: 'unknown', error: errorOf(error).message }))
    throw new StillUnknown()
  }
}

/** The record gets the courier's answer with what was made of it, and by itself where nothing could be. */
async function completeBooking(outside: ExternalContext, held: LeasedShipment, booking: Answer): Promise<BookingOutcome> {
  try {
    return await storeBooking(outside, held, booking)
  } catch (error) {
    const { unlogged } = booking
    if (unlogged)
      await outside
        .transaction(context => logExchange(context, held, unlogged))
        .catch(failure => outside.services.log.error({ shipment: held.id, error: String(failure) }, 'a courier’s answer was not recorded'))
    throw error
  }
}

type StoredDocument = CourierDocument & { content: Awaited<ReturnType<ExternalContext['services']['files']['put']>> }

async function storeBooking(outside: ExternalContext, held: LeasedShipment, answer: Answer): Promise<BookingOutcome> {
  const { services, scope } = outside
  const parcels: { parcel: BookedParcel; documents: StoredDocument[]; printed: boolean }[] = []
  for (const parcel of answer.booked) {
    const { documents, printed } = await withPapers(outside, held, parcel)
    const stored = documents.map(async document => ({ ...document, content: await services.files.put(scope.operator_id, document.bytes) }))
    parcels.push({ parcel, printed, documents: await Promise.all(stored) })
  }
  const { stopped, left, doubled } = await outside.transaction(async context => {
    const { db } = context
    // Taken first, as everybody does who changes an order; what comes back needs no order that may go out.
    const [stop, crossed] = await Promise.all([
      held.order_id === null ? null : stopOfParcel(db, held.order_id),
      db
        .selectFrom('shipments')
        .select('id')
        .where('tracking_no', '=', sql<string>`any(${answer.booked.map(one => one.tracking_no)})`)
        .where('agent_code', '=', held.agent_code)
        .where('id', '!=', sql<number>`all(${held.parcels})`)
        .where('state', 'not in', ['cancelled', 'blocked'])
        .limit(1)
        .executeTakeFirst(),
      answer.unlogged && logExchange(context, held, answer.unlogged),
    ])
    // The courier answered with another parcel's label: ours may be booked, and this is not it.
    if (crossed) throw new StillUnknown()
    const outcomes: Record<'booked' | 'stopped' | 'elsewhere' | 'doubled', BookedParcel[]> = {
      booked: [],
      stopped: [],
      elsewhere: [],
      doubled: [],
    }
    for (const { parcel, documents, printed } of parcels) {
      const outcome = await storeParcel(context, held, parcel, {
        documents,
        printed,
        courier_no: answer.courier_no,
        stop: held.operation_code === 'outbound' ? (stop ?? null) : null,
      })
      outcomes[outcome].push(parcel)
    }
    for (const { shipment_id, message, field } of answer.refused)
      await markFailed(context, held, shipment_id, { kind: 'validation', error: message, field, code: null })
    const { booked, stopped, elsewhere, doubled } = outcomes
    if (booked.length > 0) await dequeueJob(context, `labels.book:${held.id}`)
    return { stopped, left: elsewhere.length + doubled.length === parcels.length, doubled }
  })
  for (const parcel of doubled) await cancelDuplicate(outside, held, parcel, answer.courier_no)
  for (const { shipment_id } of stopped) await voidLabel(outside, shipment_id)
  return left ? 'elsewhere' : stopped.length > 0 ? 'stopped' : 'booked'
}

/** The parcel with its label, unless somebody else has finished it. */
async function storeParcel(
  context: Context,
  held: LeasedShipment,
  parcel: BookedParcel,
  {
    documents,
    printed,
    courier_no,
    stop,
  }: { documents: StoredDocument[]; printed: boolean; courier_no: string | null; stop: Awaited<ReturnType<typeof stopOfParcel>> | null },
): Promise<'booked' | 'stopped' | 'elsewhere' | 'doubled'> {
  const { db, now, recordEvent, notify } = context
  const { shipment_id, tracking_no } = parcel
  const ids = await recordFiles(
    db,
    documents.map(({ kind, format, content }) => ({
      content,
      about: {
        media_type: `application/${format}`,
        name: `${kind === 'label' ? '' : `${kind}-`}${tracking_no}.${format}`,
        company_id: held.company_id,
        order_id: held.order_id,
      },
    })),
  )
  const files: Partial<Record<LabelFormat, number>> = {}
  const papers: { kind: string; format: 'pdf' | 'zpl'; paper: 'label' | 'a4'; file_id: number }[] = []
  for (const [i, file_id] of ids.entries()) {
    const { kind, format, paper } = elementAt(documents, i)
    if (kind === 'label') files[paper === 'a4' ? 'a4' : format] = file_id
    else papers.push({ kind, format, paper, file_id })
  }
  const shipment = await db
    .updateTable('shipments')
    .set(eb => ({
      state: 'booked',
      tracking_no,
      courier_no,
      barcode: parcel.barcode,
      cage: parcel.cage,
      qr_link: httpsLink(parcel.qr_link),
      label_pdf_file_id: files.pdf ?? null,
      label_a4_file_id: files.a4 ?? null,
      label_zpl_file_id: files.zpl ?? null,
      booked_at: now().toISOString(),
      leased_until: null,
      next_track_at: held.adapter.capabilities.tracking ? new Date(now().getTime() + firstPause).toISOString() : null,
      error: null,
      error_field: null,
      error_code: null,
      error_kind: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', shipment_id)
    .where('state', 'in', bookingStates)
    .returning([
      'id',
      'company_id',
      'order_id',
      'session_id',
      'parcel_no',
      'tracking_no',
      'operation_code',
      'label_pdf_file_id',
      'label_zpl_file_id',
      'label_printer_id',
      'a4_printer_id',
      'station',
    ])
    .executeTakeFirst()
  if (!shipment) return completedByOther(context, parcel)
  const about = { order_id: held.order_id, company_id: held.company_id, subject: 'shipment', subject_id: shipment_id } as const
  await Promise.all([
    papers.length > 0 &&
      db
        .insertInto('shipment_documents')
        .values(papers.map((paper, i) => ({ company_id: held.company_id, shipment_id, document_no: i + 1, ...paper })))
        .execute(),
    db
      .insertInto('shipment_events')
      .values({
        company_id: held.company_id,
        shipment_id,
        order_id: held.order_id,
        state: 'booked',
        source: held.agent_code,
        text: 'The label was made',
      })
      .execute(),
    recordEvent({
      kind: 'shipment.booked',
      ...about,
      data: { tracking_no, parcel_no: shipment.parcel_no, ...(stop && { stopped: true }) },
    }),
  ])
  notify('shipment', shipment_id, held.company_id)
  if (stop) {
    await recordEvent({ kind: 'label.stopped', ...about, data: { reason: stop.text, note: stop.note } })
    await context.enqueue('labels.void', { shipment_id }, { key: `labels.void:${shipment_id}`, run_at: new Date(now().getTime() + 30_000) })
    return 'stopped'
  }
  await printLabel(context, shipment)
  if (printed) await printPapers(context, shipment, papers)
  return 'booked'
}

/** With the customs papers that the courier leaves to the sender. */
async function withPapers(
  outside: ExternalContext,
  held: LeasedShipment,
  { shipment_id, documents, tracking_no }: BookedParcel,
): Promise<{ documents: CourierDocument[]; printed: boolean }> {
  const { sender, recipient } = held.request.parties
  if (!needsCustoms(sender, recipient) && !held.request.transit) return { documents, printed: false }
  const drawn = documents.map(one => one.kind)
  const { capabilities } = held.adapter
  const request = { ...held.request, parcels: [elementAt(held.request.parcels, held.parcels.indexOf(shipment_id))] }
  return outside.transaction(async ({ db, now }) => ({
    documents: [
      ...documents,
      ...(await drawCustomsPapers(db, shipment_id, { request, tracking_no, courier: capabilities.name, at: now(), drawn })),
    ],
    printed: await goesWithParcel(db, shipment_id),
  }))
}

/** Somebody else finished it meanwhile: with the very same booking, or with one that makes this one superfluous. */
async function completedByOther({ db }: Context, { shipment_id, tracking_no }: BookedParcel): Promise<'elsewhere' | 'doubled'> {
  const row = await db.selectFrom('shipments').select('tracking_no').where('id', '=', shipment_id).executeTakeFirst()
  return row?.tracking_no === tracking_no ? 'elsewhere' : 'doubled'
}

/** A second booking of one parcel is taken back at once; no one ever saw its label. */
async function cancelDuplicate(
  outside: ExternalContext,
  held: LeasedShipment,
  { shipment_id, tracking_no }: BookedParcel,
  courier_no: string | null,
): Promise<void> {
  let error: string | undefined
  const answers = await withTimeout(outside, courierTimeoutMs, signal =>
    held.adapter.cancel({ tracking_no, courier_no, settings: held.request.settings, request: held.request }, signal),
  ).catch((thrown: Error) => {
    error = thrown.message
    return null
  })
  await outside.transaction(async context => {
    await logExchange(context, held, {
      action: 'cancel',
      outcome: error ? 'unknown' : 'ok',
      request: { tracking_no },
      response: answers,
      ...(error && { error }),
    })
    await context.recordEvent({
      kind: 'label.doubled',
      order_id: held.order_id,
      company_id: held.company_id,
      subject: 'shipment',
      subject_id: shipment_id,
      data: { tracking_no, cancelled_at_carrier: answers?.cancelled_at_carrier ?? false },
    })
  })
}

type Failure = { kind: 'validation' | 'courier'; error: string; field: string | null; code: string | null }

async function fail(outside: ExternalContext, held: LeasedShipment, failure: Failure): Promise<BookingOutcome> {
  return outside.transaction(async context => {
    // In the order in which everybody takes them: the order first, its shipments second.
    if (held.order_id !== null) await stopOf(context.db, held.order_id)
    const failed: boolean[] = []
    for (const id of held.parcels) failed.push(await markFailed(context, held, id, failure))
    if (!failed.includes(true)) return 'elsewhere'
    await dequeueJob(context, `labels.book:${held.id}`)
    return 'error'
  })
}

async function markFailed(
  { db, recordEvent, notify }: Context,
  held: LeasedShipment,
  shipment_id: number,
  { kind, error, field, code }: Failure,
): Promise<boolean> {
  const failed = await db
    .updateTable('shipments')
    .set(eb => ({
      state: 'error',
      error,
      error_field: field,
      error_code: code,
      error_kind: kind,
      leased_until: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', shipment_id)
    .where('state', 'in', bookingStates)
    .returning('id')
    .executeTakeFirst()
  if (!failed) return false
  await recordEvent({
    kind: 'label.failed',
    order_id: held.order_id,
    company_id: held.company_id,
    subject: 'shipment',
    subject_id: shipment_id,
    data: { error, field, kind },
  })
  notify('shipment', shipment_id, held.company_id)
  return true
}

async function markUnknown(outside: ExternalContext, held: LeasedShipment): Promise<BookingOutcome> {
  await outside.transaction(async context => {
    const { db, recordEvent, notify, enqueue, now } = context
    const began = await db
      .updateTable('shipments')
      .set({ state: 'unknown', error: 'The courier has not said whether it has this parcel', error_kind: 'unknown' })
      .where('id', '=', sql<number>`any(${held.parcels})`)
      .where('state', '=', 'booking')
      .returning('id')
      .execute()
    // Asked again without an answer is no news.
    for (const { id } of began)
      await recordEvent({
        kind: 'label.unknown',
        order_id: held.order_id,
        company_id: held.company_id,
        subject: 'shipment',
        subject_id: id,
      })
    const key = `labels.book:${held.id}`
    if (held.adapter.capabilities.recovery === 'none') await dequeueJob(context, key)
    else await enqueue('labels.book', { shipment_id: held.id }, { key, run_at: new Date(now().getTime() + (leaseSeconds + 1) * 1_000) })
    for (const id of held.parcels) notify('shipment', id, held.company_id)
    if (held.order_id !== null) notify('packing', held.order_id, held.company_id)
  })
  return 'unknown'
}

interface VoidResult {
  cancelled: boolean
  cancelled_at_carrier: boolean
  refunded: boolean
}
const nothing: VoidResult = { cancelled: false, cancelled_at_carrier: false, refunded: false }

/**
 * Takes a label back: blocked at once, so that no one sends it, and cancelled where the courier allows it. A blocked one is kept
 * for the record, with an alarm when it is scanned. Only before hand-over. A courier that gives no answer is asked again by the
 * queue, until `last_try`.
 */
export async function voidLabel(
  outside: ExternalContext,
  shipment_id: number,
  { last_try = false } = {},
): Promise<VoidResult & { answered: boolean }> {
  const row = await outside.transaction(async context => {
    const { db, now, enqueue, notify } = context
    await takeBooking(db, shipment_id)
    const blocked = await db
      .updateTable('shipments')
      .set(eb => ({ state: 'blocked', cancelled_at: now().toISOString(), version: eb('version', '+', 1) }))
      .where('id', '=', shipment_id)
      .where('state', '=', 'booked')
      .returning('id')
      .executeTakeFirst()
    if (blocked)
      await enqueue(
        'labels.void',
        { shipment_id },
        { key: `labels.void:${shipment_id}`, run_at: new Date(now().getTime() + leaseSeconds * 1_000) },
      )
    const shipment = await db
      .selectFrom('shipments')
      .select(['id', 'company_id', 'order_id', 'agent_code', 'tracking_no', 'courier_no', 'consignment_id', 'state'])
      .where('id', '=', shipment_id)
      .where('state', '=', 'blocked')
      .where('cancel_answers', 'is', null)
      .executeTakeFirst()
    if (!shipment) return undefined
    notify('shipment', shipment_id, shipment.company_id)
    const request = await requestOf(context, shipment_id)
    const together = courier(shipment.agent_code)?.capabilities.cancels_together && shipment.consignment_id !== null
    const siblings = together ? await parcelsOfBooking(db, shipment.consignment_id ?? shipment.id) : []
    return {
      ...shipment,
      request,
      parcels: together ? siblings.filter(one => one.state === 'blocked').map(one => one.id) : [shipment_id],
      waits: siblings.some(one => !['blocked', 'cancelled', 'error', 'draft'].includes(one.state)),
    }
  })
  const adapter = row && courier(row.agent_code)
  if (!row?.tracking_no || !adapter) return { ...nothing, answered: true }
  // The courier takes back the whole booking or nothing of it: the last of its parcels asks for all.
  if (row.waits) {
    await outside.transaction(context => dequeueJob(context, `labels.void:${shipment_id}`))
    return { ...nothing, answered: true }
  }
  const { tracking_no, courier_no, request } = row
  let answers = nothing
  let error: string | undefined
  try {
    answers = await withTimeout(outside, courierTimeoutMs, signal =>
      adapter.cancel({ tracking_no, courier_no, settings: request.settings, request }, signal),
    )
  } catch (thrown) {
    error = errorOf(thrown).message
  }
  await outside.transaction(async context => {
    await logExchange(context, row, {
      action: 'cancel',
      outcome: error ? 'unknown' : 'ok',
      request: { tracking_no },
      response: answers,
      ...(error && { error }),
    })
    if (error && !last_try) return
    const settled = await context.db
      .updateTable('shipments')
      .set(eb => ({
        state: answers.cancelled_at_carrier ? 'cancelled' : 'blocked',
        cancel_answers: JSON.stringify(answers),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', sql<number>`any(${row.parcels})`)
      .where('state', '=', 'blocked')
      .where('cancel_answers', 'is', null)
      .returning(['id', 'tracking_no'])
      .execute()
    for (const one of settled) {
      await context.recordEvent({
        kind: answers.cancelled_at_carrier ? 'shipment.cancelled' : 'shipment.blocked',
        order_id: row.order_id,
        company_id: row.company_id,
        subject: 'shipment',
        subject_id: one.id,
        data: { ...answers, tracking_no: one.tracking_no ?? '' },
      })
      await dequeueJob(context, `labels.void:${one.id}`)
      context.notify('shipment', one.id, row.company_id)
    }
  })
  return { ...answers, answered: error === undefined }
}

/** The settings hold keys, and the link is the recipient's own: neither belongs in a log. */
export const bookingTasks = {
  'labels.book': async ({ shipment_id, first }, outside) => {
    if (first && (await bookShipment(outside, shipment_id, { fresh: true })) !== 'elsewhere') return
    // The holder of the lease may be dead: this job ends here, and the next one begins when the lease has run out.
    if ((await bookShipment(outside, shipment_id)) === 'elsewhere') await outside.transaction(context => queueBooking(context, shipment_id))
  },
  'labels.void': async ({ shipment_id }, outside) => {
    const { answered } = await voidLabel(outside, shipment_id, { last_try: outside.last_try })
    if (!answered && !outside.last_try) throw new Error('The courier did not say whether it cancelled the label')
  },
} satisfies Pick<Tasks, 'labels.book' | 'labels.void'>
