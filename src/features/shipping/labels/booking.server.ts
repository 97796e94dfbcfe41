/**
 * Booking: exactly once in effect. The intent is committed first; the courier is asked outside any transaction; an unknown
 * outcome is looked up by reference before anything is repeated; a stop that came meanwhile cancels or bars the label.
 */
import type { Booking, BookingRequest, Courier, Labels } from '#integrations/couriers/courier.ts'
import { CourierRefused, CourierUnavailable } from '#integrations/couriers/courier.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { noteFile } from '#server/files.ts'
import type { Context, OutsideContext } from '#server/serve.ts'
import { stopOf } from '../../orders/orders/stops.queries.ts'
import { parcelFailed, parcelLabelled, parcelStopped } from '../../packing/packing/closing.queries.ts'
import { leaseSeconds, logExchange, requestOf } from './booking.queries.ts'

/** What the courier is given; the lease outlasts it. */
const patienceMs = 30_000

export type BookingOutcome = 'booked' | 'error' | 'unknown' | 'stopped' | 'elsewhere'

interface Held {
  id: number
  company_id: number
  order_id: number
  agent_code: string
  request: BookingRequest
  adapter: Courier
}

/**
 * Books the shipment whose intent is committed. `fresh` says that the caller has just committed it and holds its lease;
 * otherwise the lease must have run out, and the courier is asked whether it knows the reference before it is booked again.
 */
export async function bookShipment(outside: OutsideContext, shipment_id: number, { fresh = false } = {}): Promise<BookingOutcome> {
  const held = await outside.work(context => hold(context, shipment_id, fresh))
  if (!held) return 'elsewhere'
  try {
    const booking = (fresh ? undefined : await lookUp(outside, held)) ?? (await ask(outside, held))
    return await complete(outside, held, booking)
  } catch (error) {
    if (error instanceof CourierRefused) return fail(outside, held, 'validation', error.message, error.field)
    if (error instanceof CourierUnavailable) return fail(outside, held, 'courier', error.message, null)
    if (error instanceof StillUnknown) return doubt(outside, held)
    throw error
  }
}

async function hold({ db, house, now, ...context }: Context, shipment_id: number, fresh: boolean): Promise<Held | undefined> {
  const until = new Date(now().getTime() + leaseSeconds * 1_000).toISOString()
  let claim = db
    .updateTable('shipments')
    .set({ leased_until: until })
    .where('id', '=', shipment_id)
    .where('state', 'in', ['booking', 'unknown'])
  if (!fresh) claim = claim.where(eb => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', now().toISOString())]))
  const row = await claim.returning(['id', 'company_id', 'order_id', 'agent_code', 'request']).executeTakeFirst()
  const adapter = row && courier(row.agent_code)
  if (!row || !adapter) return undefined
  return { ...row, adapter, request: await requestOf({ db, house, now, ...context }, row) }
}

/** Neither the answer nor the look-up said whether the courier has the parcel. */
class StillUnknown extends Error {
  override name = 'StillUnknown'
}

async function ask(outside: OutsideContext, held: Held): Promise<Booking> {
  for (let attempt = 1; ; attempt++) {
    const began = Date.now()
    try {
      const booking = await held.adapter.book(held.request, AbortSignal.any([AbortSignal.timeout(patienceMs), outside.house.closing]))
      await outside.work(context =>
        logExchange(context, held, { action: 'book', outcome: 'ok', ...booking.exchange, took_ms: Date.now() - began }),
      )
      return booking
    } catch (error) {
      const refused = error instanceof CourierRefused
      const unavailable = error instanceof CourierUnavailable
      await outside.work(context =>
        logExchange(context, held, {
          action: 'book',
          outcome: refused ? 'refused' : unavailable ? 'unavailable' : 'unknown',
          request: withoutSettings(held.request),
          error: (error as Error).message,
          took_ms: Date.now() - began,
        }),
      )
      if (refused || unavailable) throw error
      // A time-out, a torn connection, an answer that makes no sense: the parcel may be booked.
      const found = await lookUp(outside, held)
      if (found) return found
      if (held.adapter.capabilities.recovery === 'none' || attempt >= 2) throw new StillUnknown()
    }
  }
}

/** The booking under our reference, undefined when the courier says that it has none. Throws `StillUnknown` when it says nothing. */
async function lookUp(outside: OutsideContext, held: Held): Promise<Booking | undefined> {
  if (held.adapter.capabilities.recovery === 'none') throw new StillUnknown()
  try {
    const found = await held.adapter.find(held.request, AbortSignal.any([AbortSignal.timeout(patienceMs / 2), outside.house.closing]))
    await outside.work(context =>
      logExchange(context, held, { action: 'find', outcome: found ? 'found' : 'not_found', ...(found?.exchange ?? {}) }),
    )
    return found ?? undefined
  } catch (error) {
    await outside.work(context => logExchange(context, held, { action: 'find', outcome: 'unknown', error: (error as Error).message }))
    throw new StillUnknown()
  }
}

async function complete(outside: OutsideContext, held: Held, booking: Booking): Promise<BookingOutcome> {
  const { house, scope } = outside
  const stored = await Promise.all(
    Object.entries(booking.labels).map(async ([format, bytes]) => ({
      format: format as keyof Labels,
      bytes,
      sha256: await house.files.put(scope.operator_id, bytes),
    })),
  )
  const outcome = await outside.work(async context => {
    const { db, now, record, tell } = context
    const stop = await stopOf(db, held.order_id)
    const files: Partial<Record<keyof Labels, number>> = {}
    for (const { format, bytes, sha256 } of stored)
      files[format] = await noteFile(db, sha256, bytes, {
        ...kinds[format],
        name: `${booking.tracking_no}.${format === 'zpl' ? 'zpl' : 'pdf'}`,
        company_id: held.company_id,
      })
    const shipment = await db
      .updateTable('shipments')
      .set(eb => ({
        state: 'booked',
        tracking_no: booking.tracking_no,
        barcode: booking.barcode,
        label_pdf_file_id: files.pdf ?? null,
        label_a4_file_id: files.a4 ?? null,
        label_zpl_file_id: files.zpl ?? null,
        booked_at: now().toISOString(),
        leased_until: null,
        error: null,
        error_field: null,
        error_kind: null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', held.id)
      .where('state', 'in', ['booking', 'unknown'])
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
    // Somebody else finished it with the very same booking.
    if (!shipment) return 'elsewhere' as const
    await db
      .insertInto('shipment_events')
      .values({
        company_id: held.company_id,
        shipment_id: held.id,
        order_id: held.order_id,
        state: 'booked',
        source: held.agent_code,
        text: 'The label was made',
      })
      .execute()
    await record({
      kind: 'shipment.booked',
      order_id: held.order_id,
      company_id: held.company_id,
      subject: 'shipment',
      subject_id: held.id,
      data: { tracking_no: booking.tracking_no, parcel_no: shipment.parcel_no },
    })
    tell('shipment', held.id, held.company_id)
    if (stop) {
      await parcelStopped(context, shipment, stop)
      await context.enqueue(
        'labels.withdraw',
        { shipment_id: held.id },
        { key: `labels.withdraw:${held.id}`, run_at: new Date(now().getTime() + 30_000) },
      )
      return 'stopped' as const
    }
    await parcelLabelled(context, shipment)
    return 'booked' as const
  })
  if (outcome === 'stopped') await withdrawShipment(outside, held.id)
  return outcome
}
const kinds = {
  pdf: { media_type: 'application/pdf' },
  a4: { media_type: 'application/pdf' },
  zpl: { media_type: 'application/zpl' },
} as const

async function fail(outside: OutsideContext, held: Held, kind: string, error: string, error_field: string | null): Promise<BookingOutcome> {
  await outside.work(async context => {
    await context.db
      .updateTable('shipments')
      .set(eb => ({ state: 'error', error, error_field, error_kind: kind, leased_until: null, version: eb('version', '+', 1) }))
      .where('id', '=', held.id)
      .where('state', 'in', ['booking', 'unknown'])
      .execute()
    await context.record({
      kind: 'label.failed',
      order_id: held.order_id,
      company_id: held.company_id,
      subject: 'shipment',
      subject_id: held.id,
      data: { error, field: error_field, kind },
    })
    await parcelFailed(context, held, error)
  })
  return 'error'
}

async function doubt(outside: OutsideContext, held: Held): Promise<BookingOutcome> {
  await outside.work(async ({ db, record, tell, enqueue, now }) => {
    await db
      .updateTable('shipments')
      .set({ state: 'unknown', error: 'The courier has not said whether it has this parcel', error_kind: 'unknown' })
      .where('id', '=', held.id)
      .where('state', '=', 'booking')
      .execute()
    await record({ kind: 'label.unknown', order_id: held.order_id, company_id: held.company_id, subject: 'shipment', subject_id: held.id })
    if (held.adapter.capabilities.recovery !== 'none')
      await enqueue(
        'labels.book',
        { shipment_id: held.id },
        { key: `labels.book:${held.id}`, run_at: new Date(now().getTime() + (leaseSeconds + 1) * 1_000) },
      )
    tell('shipment', held.id, held.company_id)
    tell('packing', held.order_id, held.company_id)
  })
  return 'unknown'
}

/**
 * Takes a label back: cancelled where the courier allows it, else barred – kept for the record, with an alarm when it is
 * scanned. Only before hand-over.
 */
export async function withdrawShipment(
  outside: OutsideContext,
  shipment_id: number,
): Promise<{ cancelled: boolean; cancelled_at_carrier: boolean; refunded: boolean }> {
  const row = await outside.work(async context => {
    const shipment = await context.db
      .selectFrom('shipments')
      .select(['id', 'company_id', 'order_id', 'agent_code', 'tracking_no', 'request', 'state'])
      .where('id', '=', shipment_id)
      .where('state', '=', 'booked')
      .executeTakeFirst()
    return shipment && { ...shipment, request: await requestOf(context, shipment) }
  })
  if (!row?.tracking_no) return { cancelled: false, cancelled_at_carrier: false, refunded: false }
  let answers = { cancelled: false, cancelled_at_carrier: false, refunded: false }
  let error: string | undefined
  try {
    answers =
      (await courier(row.agent_code)?.cancel(
        { tracking_no: row.tracking_no, settings: row.request.settings },
        AbortSignal.timeout(patienceMs),
      )) ?? answers
  } catch (thrown) {
    error = (thrown as Error).message
  }
  await outside.work(async context => {
    await context.db
      .updateTable('shipments')
      .set(eb => ({
        state: answers.cancelled_at_carrier ? 'cancelled' : 'barred',
        cancelled_at: context.now().toISOString(),
        cancel_answers: JSON.stringify(answers),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', shipment_id)
      .where('state', '=', 'booked')
      .execute()
    await logExchange(context, row, { action: 'cancel', outcome: error ? 'unknown' : 'ok', response: answers, ...(error && { error }) })
    await context.record({
      kind: answers.cancelled_at_carrier ? 'shipment.cancelled' : 'shipment.barred',
      order_id: row.order_id,
      company_id: row.company_id,
      subject: 'shipment',
      subject_id: shipment_id,
      data: { ...answers, tracking_no: row.tracking_no },
    })
    context.tell('shipment', shipment_id, row.company_id)
  })
  return answers
}

const withoutSettings = ({ settings: _, ...request }: BookingRequest): object => request

export const bookingTasks = {
  'labels.book': async ({ shipment_id }: { shipment_id: number }, outside: OutsideContext) => {
    await bookShipment(outside, shipment_id)
  },
  'labels.withdraw': async ({ shipment_id }: { shipment_id: number }, outside: OutsideContext) => {
    await withdrawShipment(outside, shipment_id)
  },
}
