/** Booking in the database: the committed intent before a courier is asked, and what came of it. */

import { sql } from 'kysely'
import * as z from 'zod'
import { conflict, unprocessable } from '#contract/errors.ts'
import type { Party } from '#domain/party.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { courierSettings } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { BookingRequest, Finding } from '#integrations/couriers/courier.ts'
import { courier, couriers } from '#integrations/couriers/couriers.ts'
import { ownNumber } from '#integrations/couriers/own/own.ts'
import type { Db } from '#platform/database/database.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import type { Context } from '#platform/http/feature-module.ts'

/** Longer than the courier is given to answer, so that two never book one parcel at once. */
export const leaseSeconds = 60

/** A booking without an outcome for so long no longer keeps people from deciding what becomes of its order. */
const stuckMinutes = 5
const stuckBefore = (now: Date) => new Date(now.getTime() - stuckMinutes * 60_000).toISOString()

const isOpen = (state: string) => state === 'booking' || state === 'unknown'

/** Whether the queue can bring this booking on: a courier that cannot be asked afterwards leaves an unknown outcome to a person. */
function canBeRetried({ state, agent_code }: { state: string; agent_code: string }): boolean {
  const recovery = courier(agent_code)?.capabilities.recovery
  return recovery !== undefined && isOpen(state) && (state === 'booking' || recovery !== 'none')
}

/** Whether a person may say what came of this booking. */
export function canSettle(shipment: { state: string; agent_code: string; created_at: string }, now: Date): boolean {
  if (!isOpen(shipment.state)) return false
  if (Date.parse(shipment.created_at) < Date.parse(stuckBefore(now))) return true
  return shipment.state === 'unknown' && courier(shipment.agent_code)?.capabilities.recovery === 'none'
}

/** Whether a label of this order has been on its way for so short a time that its outcome has to be waited for. */
export async function isBooking(db: Db, order_id: number, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('shipments')
    .select('id')
    .where('order_id', '=', order_id)
    .where('state', 'in', ['booking', 'unknown'])
    .where('created_at', '>=', stuckBefore(now))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Queues a booking that is still open for the end of its lease. */
export async function queueBooking({ db, enqueue, now }: Context, shipment_id: number): Promise<void> {
  const row = await db
    .selectFrom('shipments')
    .select(['state', 'agent_code', 'leased_until'])
    .where('id', '=', shipment_id)
    .executeTakeFirst()
  if (!row || !canBeRetried(row)) return
  const free = Math.max(now().getTime(), row.leased_until === null ? 0 : Date.parse(row.leased_until))
  await enqueue('labels.book', { shipment_id }, { key: `labels.book:${shipment_id}`, run_at: new Date(free + 1_000) })
}

/** Open bookings of all operators whose lease has run out and which no job would take up. Only the system role sees this. */
export async function bookingsWithoutJob(
  db: Db,
  now: Date,
): Promise<{ id: number; operator_id: number; company_id: number; companies: number[] }[]> {
  const askable = (state: string) => [...couriers.keys()].filter(agent_code => canBeRetried({ state, agent_code }))
  const { rows } = await sql<{ id: number; operator_id: number; company_id: number; companies: number[] }>`
    select s.id, s.operator_id, s.company_id, array(select c.id from companies c where c.operator_id = s.operator_id) companies
    from shipments s
    where (s.state = 'booking' and s.agent_code = any (${askable('booking')}) or s.state = 'unknown' and s.agent_code = any (${askable('unknown')}))
      and coalesce(s.leased_until, s.created_at) < ${now.toISOString()}
      and not has_live_job('labels.book:' || s.id)
    order by s.id limit 500`.execute(db)
  return rows
}

/** What of the request is kept: everything but the settings, which may hold secrets. */
type StoredRequest = Omit<BookingRequest, 'settings'>

const text = z.string().nullable().catch(null)
export const StoredParty = z.object({
  name: z.string().catch(''),
  company: text,
  attention: text,
  address1: z.string().catch(''),
  address2: text,
  postcode: z.string().catch(''),
  city: z.string().catch(''),
  country: z.string().catch(''),
  phone: text,
  email: text,
  instruction: text,
})

/**
 * The next parcel number of our own, taken with the transaction: a rolled-back one is given again. Companies that share a GS1
 * prefix share its series, so that no number is in the house twice.
 */
export async function nextParcelNumber(db: Db, company_id: number, gs1_prefix: string | null): Promise<string> {
  if (gs1_prefix !== null) {
    const { rows } = await sql<{ serial: number }>`select next_sscc_serial(${gs1_prefix}) serial`.execute(db)
    return ownNumber({ gs1_prefix, company_id, serial: rows[0]!.serial })
  }
  return ownNumber({ gs1_prefix, company_id, serial: await nextNumber(db, company_id, 'own') })
}

export interface NewShipment {
  order_id: number
  session_id: number | null
  parcel_no: number
  parcel_count: number
  /** Grams; undefined: products and packaging. */
  weight_g?: number | undefined
  operation_code?: 'outbound' | 'return'
  station: string
  label_printer_id: number | null
  a4_printer_id: number | null
  /** Overrides what the order says. */
  agent_code?: string
  shipping_method?: string
}

/**
 * Commits, with the caller's transaction, that this parcel is to be booked: from here on it is booked once, whoever dies.
 * What is wrong before anybody is asked becomes a shipment in state `error` with its field. Answers the shipment's id.
 */
export async function createShipment(context: Context, intent: NewShipment): Promise<{ shipment_id: number; state: 'booking' | 'error' }> {
  const { db, services, now, principal, enqueue } = context
  const order = await db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select([
      'o.id',
      'o.company_id',
      'o.order_no',
      'o.ship_to',
      'o.service_point',
      'o.agent_code',
      'o.shipping_method',
      'o.locale',
      'c.code',
      'c.name as company_name',
    ])
    .where('o.id', '=', intent.order_id)
    .executeTakeFirstOrThrow()
  const { agent_code, shipping_method } = await methodOf(db, order, intent)
  const settings = await companySettings(db, order.company_id)
  const operation_code = intent.operation_code ?? 'outbound'
  const earlier = await db
    .selectFrom('shipments')
    .select(['id', 'state', 'attempt'])
    .where('order_id', '=', order.id)
    .where('parcel_no', '=', intent.parcel_no)
    .where('operation_code', '=', operation_code)
    .orderBy('attempt', 'desc')
    .execute()
  if (earlier.some(one => !['cancelled', 'blocked', 'draft', 'error'].includes(one.state)))
    throw conflict('parcel_has_label', 'Parcel {{parcel}} of this order has a label already', { parcel: intent.parcel_no })
  const attempt = (earlier[0]?.attempt ?? 0) + 1
  const adapter = courier(agent_code)
  if (!adapter) throw unprocessable('courier_unknown', 'There is no courier {{agent_code}}', { agent_code })

  const weight_g = intent.weight_g ?? (await parcelWeight(db, order.id, intent.parcel_no, settings))
  const sender: Party = {
    name: settings.sender.name || order.company_name,
    company: null,
    attention: null,
    address1: settings.sender.address1,
    address2: settings.sender.address2 || null,
    postcode: settings.sender.postcode,
    city: settings.sender.city,
    country: settings.sender.country,
    phone: settings.sender.phone || null,
    email: settings.sender.email || null,
    instruction: null,
  }
  const receiver: Party = StoredParty.parse(order.ship_to)
  const reserved_number = adapter.capabilities.numbers === 'ours' ? await nextParcelNumber(db, order.company_id, settings.gs1_prefix) : null
  const key = `${order.company_id}-${order.id}-${operation_code}-${intent.parcel_no}-${attempt}`
  const request: StoredRequest = {
    idempotency_key: key,
    reference: key,
    reserved_number,
    order_no: order.order_no,
    shipping_method,
    sender: operation_code === 'return' ? receiver : sender,
    receiver: operation_code === 'return' ? sender : receiver,
    service_point_id: z.object({ id: z.string() }).nullable().catch(null).parse(order.service_point)?.id ?? null,
    weight_g,
    parcel_no: intent.parcel_no,
    parcel_count: intent.parcel_count,
    tracking_url: trackingUrl(services, { id: order.company_id, code: order.code }, order.id),
  }
  const wrong = adapter
    .validate({ ...request, settings: await courierSettings(db, services.vault, order.company_id, agent_code) })
    .find((finding: Finding) => finding.severity === 'error')
  const { id: shipment_id } = await db
    .insertInto('shipments')
    .values({
      company_id: order.company_id,
      order_id: order.id,
      session_id: intent.session_id,
      parcel_no: intent.parcel_no,
      attempt,
      agent_code,
      shipping_method,
      operation_code,
      state: wrong ? 'error' : 'booking',
      idempotency_key: key,
      reference: key,
      reserved_number,
      request: JSON.stringify(request),
      leased_until: new Date(now().getTime() + leaseSeconds * 1_000).toISOString(),
      station: intent.station || null,
      label_printer_id: intent.label_printer_id,
      a4_printer_id: intent.a4_printer_id,
      weight_g,
      created_by: principal.id || null,
      ...(wrong && {
        error: wrong.text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(wrong.values?.[name] ?? '')),
        error_field: wrong.field,
        error_kind: 'validation',
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Should this server die now, another takes the booking up when the lease has run out.
  if (!wrong)
    await enqueue(
      'labels.book',
      { shipment_id },
      { key: `labels.book:${shipment_id}`, run_at: new Date(now().getTime() + (leaseSeconds + 1) * 1_000) },
    )
  return { shipment_id, state: wrong ? 'error' : 'booking' }
}

/** The order's method, else the only one that the company offers. */
async function methodOf(
  db: Db,
  order: { company_id: number; agent_code: string | null; shipping_method: string | null },
  intent: NewShipment,
): Promise<{ agent_code: string; shipping_method: string }> {
  const agent_code = intent.agent_code ?? order.agent_code
  const shipping_method = intent.shipping_method ?? order.shipping_method
  if (agent_code && shipping_method) return { agent_code, shipping_method }
  const active = await db
    .selectFrom('shipping_methods')
    .select(['agent_code', 'shipping_method', 'shop_codes'])
    .where('company_id', '=', order.company_id)
    .where('active', '=', true)
    .execute()
  if (active.length === 1) return active[0] as { agent_code: string; shipping_method: string }
  if (active.length === 0) return { agent_code: 'own', shipping_method: 'van' }
  const rest = active.find(one => one.shop_codes.includes('*'))
  if (rest) return rest
  throw unprocessable(
    'shipping_method_missing',
    'This order has no shipping method. Choose one.',
    {},
    { fields: { shipping_method: 'Choose a shipping method' } },
  )
}

/** Products in this parcel, and box and filler. */
export async function parcelWeight(
  db: Db,
  order_id: number,
  parcel_no: number,
  settings: { packaging_weight_g: number; default_weight_g: number },
): Promise<number> {
  const rows = await db
    .selectFrom('parcel_lines as b')
    .innerJoin('order_lines as l', 'l.id', 'b.order_line_id')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['b.qty', 'l.weight_g', 'p.weight_g as product_weight_g'])
    .where('b.order_id', '=', order_id)
    .where('b.parcel_no', '=', parcel_no)
    .execute()
  return (
    settings.packaging_weight_g +
    rows.reduce((sum, row) => sum + row.qty * (row.weight_g ?? row.product_weight_g ?? settings.default_weight_g), 0)
  )
}

/** The intent as the adapter is asked, with the company's settings of the courier. */
export async function requestOf(
  context: Context,
  shipment: { company_id: number; agent_code: string; request: unknown },
): Promise<BookingRequest> {
  const settings = await courierSettings(context.db, context.services.vault, shipment.company_id, shipment.agent_code)
  return { ...(shipment.request as StoredRequest), settings }
}

/** What was queued under this name, for the case that nobody finished it, is not needed any more. */
export const dequeueJob = ({ db }: Context, key: string) => db.executeQuery(sql`select dequeue(${key})`.compile(db))

export async function logExchange(
  context: Context,
  shipment: { id: number; company_id: number; order_id: number; agent_code: string },
  entry: {
    action: string
    outcome: 'ok' | 'refused' | 'unavailable' | 'unknown' | 'found' | 'not_found'
    request?: unknown
    response?: unknown
    error?: string
    took_ms?: number
  },
): Promise<void> {
  await context.db
    .insertInto('label_log')
    .values({
      company_id: shipment.company_id,
      shipment_id: shipment.id,
      order_id: shipment.order_id,
      agent_code: shipment.agent_code,
      action: entry.action,
      outcome: entry.outcome,
      request: entry.request === undefined ? null : JSON.stringify(entry.request),
      response: entry.response === undefined ? null : JSON.stringify(entry.response),
      error: entry.error ?? null,
      took_ms: entry.took_ms ?? null,
      user_id: context.principal.id || null,
    })
    .execute()
}
