/** The committed intent before a courier is asked, and the log of what was asked. */

import { sql } from 'kysely'
import { conflict, interpolate, unprocessable } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { StoredShop } from '#domain/order/stored-shop.ts'
import type { Party } from '#domain/party.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { printerById } from '#features/printing/printers/printers.queries.ts'
import { crateForLabel } from '#features/shipping/crate-choice/crate-use.queries.ts'
import { storeParcelCustoms } from '#features/shipping/customs/customs.commands.ts'
import { asStored, customsOfParcel, customsRefusal, isComplete } from '#features/shipping/customs/parcel-customs.queries.ts'
import { accountMethod } from '#features/shipping/parcel-shops/courier-methods.queries.ts'
import { courierSettings } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { chosenMethods } from '#features/shipping/shipping-methods/method-rules.queries.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { capabilityFindings } from '#integrations/couriers/capabilities.ts'
import type {
  BookingDraft,
  BookingRequest,
  Courier,
  CustomsData,
  Finding,
  ParcelLine,
  ParcelRequest,
  Parties,
  ServiceChoice,
  ServicePoint,
} from '#integrations/couriers/courier.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { ownNumber } from '#integrations/couriers/own/own.ts'
import type { Db } from '#platform/database/database.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import type { Context, Services } from '#platform/http/feature-module.ts'
import { leaseSeconds } from './booking.queries.ts'
import { lineAsStored, packedLines } from './shipment-contents.queries.ts'
import { readStoredRequest, StoredParty, type StoredRequest } from './stored-request.server.ts'

/**
 * The next parcel number of our own, taken with the transaction: a rolled-back one is given again. Companies that share a GS1
 * prefix share its series, so that no number is given twice.
 */
export async function nextParcelNumber(db: Db, company_id: number, gs1_prefix: string | null): Promise<string> {
  if (gs1_prefix !== null) {
    const { rows } = await sql<{ serial: number }>`select next_sscc_serial(${gs1_prefix}) serial`.execute(db)
    return ownNumber({ gs1_prefix, company_id, serial: elementAt(rows, 0).serial })
  }
  return ownNumber({ gs1_prefix, company_id, serial: await nextNumber(db, company_id, 'own') })
}

/** What a person may say in the form that makes a label; what is absent follows from the order and the company. */
export interface FormChoices {
  sender: Party | null
  recipient: Party | null
  return_to: Party | null
  importer: Party | null
  payer: Party | null
  services: ServiceChoice[]
  service_point: ServicePoint | null
  customs: CustomsData | null
  pickup: BookingRequest['pickup']
  ship_date: string | null
  locale: string | null
  reference: string | null
  qr?: boolean | undefined
}

export interface NewShipment {
  /** An order, or the company that sends a parcel without one. `series` takes the number of the consignment, once for all its parcels. */
  of: { order_id: number } | { order_id: null; company_id: number; series(): Promise<number> }
  session_id: number | null
  parcel_no: number
  /** Null while more parcels of the order may follow. */
  parcel_count: number | null
  /** Grams; undefined: products and packaging. */
  weight_g?: number | undefined
  size_mm?: ParcelRequest['size_mm']
  crate?: string | null
  /** Undefined: what was packed into this parcel of the order. */
  lines?: ParcelLine[]
  operation_code?: 'outbound' | 'return'
  station: string
  label_printer_id: number | null
  a4_printer_id: number | null
  /** Overrides what the order says. */
  agent_code?: string
  shipping_method?: string
  form?: FormChoices
  /** The queue books it at once, instead of the caller. */
  queued?: boolean
  /** The caller's id of its request: the same id makes the same shipments. */
  client_id?: string | undefined
}

export interface CreatedShipment {
  shipment_id: number
  state: 'booking' | 'error'
  /** Why it is not booked. */
  finding: Finding | undefined
}

/**
 * Commits, with the caller's transaction, that this parcel is to be booked: from here on it is booked once, whichever server dies.
 * What is wrong before the courier is asked becomes a shipment in state `error` with its field.
 */
export async function createShipment(context: Context, intent: NewShipment): Promise<CreatedShipment> {
  const plan = await planShipment(context, intent)
  const { shipment_id } = await storeShipment(context, plan)
  return { shipment_id, state: plan.finding ? 'error' : 'booking', finding: plan.finding }
}

export type ShipmentPlan = Awaited<ReturnType<typeof planShipment>>

/** What a parcel's booking will be, and what is wrong with it. */
export async function planShipment(context: Context, intent: NewShipment) {
  const { db, services, now } = context
  const { of, parcel_no, parcel_count, form } = intent
  const operation = intent.operation_code ?? 'outbound'
  const order = of.order_id === null ? await companyAlone(db, of.company_id) : await orderOf(db, of.order_id)
  const { company_id, settings } = order
  const { agent_code, shipping_method } = await methodOf(context, order, intent)
  const [attempt, packed, crate] = await Promise.all([
    of.order_id === null ? 1 : nextAttempt(db, of.order_id, parcel_no, operation),
    of.order_id === null || operation === 'return' ? [] : packedLines(db, of.order_id, parcel_no),
    of.order_id === null || operation === 'return' ? null : crateForLabel(db, of.order_id, parcel_no),
  ])
  const adapter = courier(agent_code)
  if (!adapter) throw unprocessable('courier_unknown', 'There is no courier {{agent_code}}', { agent_code })

  const held = intent.lines ?? packed
  const parties = partiesOf(operation, senderOf(settings, order.company_name), StoredParty.parse(order.ship_to ?? {}), form)
  const [format, kept, account_method] = await Promise.all([
    labelFormat(db, adapter, intent.label_printer_id),
    courierSettings(db, services.vault, company_id, agent_code),
    accountMethod(db, company_id, adapter, shipping_method),
  ])
  const parcel: StoredRequest['parcel'] = {
    parcel_no,
    parcel_count,
    weight_g: intent.weight_g ?? weightOf(held, crate ? { ...settings, packaging_weight_g: crate.tare_g } : settings),
    size_mm: intent.size_mm ?? crate?.outer_mm ?? null,
    crate: intent.crate ?? crate?.code ?? null,
  }
  const ship_date = form?.ship_date ?? localDay(now(), settings.time_zone)
  const border = await customsOfParcel(db, {
    ...{ company_id, operation, from: parties.sender, to: parties.recipient, lines: held },
    ...{
      weight_g: parcel.weight_g,
      on: ship_date,
      stored: form?.customs ? asStored(form.customs) : order.customs,
      capabilities: adapter.capabilities,
      method: shipping_method,
    },
    vat_no: settings.vat_no,
    ordered_on: order.ordered_at === null ? null : localDay(new Date(order.ordered_at), settings.time_zone),
  })
  const lines = border?.lines ?? held
  const transit = border?.decision.transit === true && adapter.capabilities.transit === true
  const request = {
    method: shipping_method,
    services: form?.services ?? [],
    order_no: order.order_no ?? form?.reference ?? null,
    ship_date,
    service_point: form?.service_point ?? StoredShop.parse(order.service_point),
    customs: form?.customs ?? border?.data ?? null,
    label: { format },
    locale: form?.locale ?? order.locale ?? settings.locale,
    pickup: form?.pickup ?? null,
    ...(border && transit && isComplete(border) && { transit }),
    ...(form?.qr && { qr: true }),
  }
  // Behind all that only reads: parcels of one series wait for each other from here on.
  const reserved_number = adapter.capabilities.numbers === 'ours' ? await nextParcelNumber(db, company_id, settings.gs1_prefix) : null
  const wrong = firstError(adapter, {
    ...request,
    operation,
    parties,
    parcels: [{ ...parcel, reserved_number, lines }],
    settings: kept,
    account_method,
  })
  // What a person wrote into the form stands; a courier without customs data is not asked for any.
  const asks = adapter.capabilities.customs !== null || transit
  const finding = wrong ?? (border && operation === 'outbound' && asks && !form?.customs ? customsRefusal(border) : undefined)
  const stored: StoredRequest = { version: 2, ...request, parcel }
  return {
    intent,
    ...{ company_id, company_code: order.company_code, agent_code, shipping_method, adapter, operation, attempt, reserved_number },
    ...{ stored, parties, lines, border, settings: kept, account_method, finding },
  }
}

/**
 * Writes what was planned. `leased`: the caller books it as soon as its transaction has committed, and no one else may until the
 * lease runs out.
 */
export async function storeShipment(context: Context, plan: ShipmentPlan, { leased = false } = {}): Promise<StoredShipmentIntent> {
  const { db, now, principal, enqueue } = context
  const { intent, company_id, operation, reserved_number, stored, parties, lines, border, finding } = plan
  const { of, parcel_no } = intent
  const key = `${company_id}-${of.order_id ?? `f${await of.series()}`}-${operation}-${parcel_no}-${plan.attempt}`
  const { id: shipment_id, created_at } = await db
    .insertInto('shipments')
    .values({
      company_id,
      order_id: of.order_id,
      kind: operation === 'return' ? 'return' : of.order_id === null ? 'free' : 'order',
      client_id: intent.client_id ?? null,
      session_id: intent.session_id,
      parcel_no,
      attempt: plan.attempt,
      agent_code: plan.agent_code,
      shipping_method: plan.shipping_method,
      operation_code: operation,
      state: finding ? 'error' : 'booking',
      idempotency_key: key,
      reference: key,
      reserved_number,
      request: JSON.stringify(stored),
      leased_until: new Date(now().getTime() + leaseSeconds * 1_000).toISOString(),
      // The second version is the one of the first lease.
      ...(leased && { version: 2 }),
      station: intent.station || null,
      label_printer_id: intent.label_printer_id,
      a4_printer_id: intent.a4_printer_id,
      weight_g: stored.parcel.weight_g,
      created_by: principal.id || null,
      ...(finding && {
        error: interpolate(finding.text, finding.values ?? {}),
        error_field: finding.field,
        error_code: finding.code,
        error_kind: 'validation',
      }),
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  await Promise.all([
    storeContents(db, { company_id, shipment_id, parties, lines }),
    border && (border.decision.regime !== 'none' || border.decision.transit) && isComplete(border)
      ? storeParcelCustoms(db, { company_id, shipment_id }, border)
      : undefined,
    // Should this server die now, another takes the booking up when the lease has run out.
    finding
      ? undefined
      : enqueue(
          'labels.book',
          { shipment_id, ...(intent.queued && { first: true }) },
          { key: `labels.book:${shipment_id}`, run_at: new Date(now().getTime() + (intent.queued ? 0 : (leaseSeconds + 1) * 1_000)) },
        ),
  ])
  return { shipment_id, key, created_at }
}

interface StoredShipmentIntent {
  shipment_id: number
  key: string
  created_at: string
}

const inJson = (value: object): unknown => JSON.parse(JSON.stringify(value))

/** The request of a booking as it would be read again: it is made of what has just been stored. */
export function plannedRequest(
  services: Services,
  { intent, company_id, company_code, operation, reserved_number, stored, parties, lines, settings, account_method }: ShipmentPlan,
  { shipment_id, key, created_at }: StoredShipmentIntent,
): BookingRequest {
  const request = readStoredRequest(
    { request: inJson(stored), idempotency_key: key, reference: key, reserved_number, operation_code: operation, created_day: '' },
    Object.entries(parties).flatMap(([role, party]) => (party === null ? [] : [{ role, party: inJson(party) }])),
    lines.map(lineAsStored),
  )
  return {
    ...request,
    tracking_url: trackingUrl(services, { id: company_id, code: company_code }, { order_id: intent.of.order_id, shipment_id }),
    settings,
    account_method,
    asked_at: new Date(created_at).toISOString(),
  }
}

interface Basis {
  company_id: number
  settings: CompanySettings
  company_code: string
  company_name: string
  order_no: string | null
  ship_to: unknown
  service_point: unknown
  customs: unknown
  ordered_at: string | null
  agent_code: string | null
  shipping_method: string | null
  locale: string | null
}

async function orderOf(db: Db, order_id: number): Promise<Basis> {
  const row = await db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select(['o.company_id', 'o.order_no', 'o.ship_to', 'o.service_point', 'o.agent_code', 'o.shipping_method', 'o.locale'])
    .select(['o.customs', 'o.ordered_at', 'c.code as company_code', 'c.name as company_name', 'c.settings'])
    .where('o.id', '=', order_id)
    .executeTakeFirstOrThrow()
  return { ...row, settings: CompanySettings.parse(row.settings) }
}

async function companyAlone(db: Db, company_id: number): Promise<Basis> {
  const { code, name, settings } = await companyById(db, company_id)
  const nothing = {
    order_no: null,
    ship_to: null,
    service_point: null,
    customs: null,
    ordered_at: null,
    agent_code: null,
    shipping_method: null,
    locale: null,
  }
  return { company_id, settings, company_code: code, company_name: name, ...nothing }
}

/** Products, box and filler. */
function weightOf(lines: readonly ParcelLine[], settings: { packaging_weight_g: number; default_weight_g: number }): number {
  return lines.reduce(
    (sum, line) => sum + (line.gross_weight_g ?? line.net_weight_g ?? settings.default_weight_g * line.quantity),
    settings.packaging_weight_g,
  )
}

/** The number of the try. @throws {AppError} 409 while the parcel has a label or one on its way */
async function nextAttempt(db: Db, order_id: number, parcel_no: number, operation_code: 'outbound' | 'return'): Promise<number> {
  const earlier = await db
    .selectFrom('shipments')
    .select(['id', 'state', 'attempt'])
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('operation_code', '=', operation_code)
    .orderBy('attempt', 'desc')
    .execute()
  if (earlier.some(one => !['cancelled', 'blocked', 'draft', 'error'].includes(one.state)))
    throw conflict('parcel_has_label', 'Parcel {{parcel}} of this order has a label already', { parcel: parcel_no })
  return (earlier[0]?.attempt ?? 0) + 1
}

/** The first problem that keeps the parcel from being booked: of the courier's capabilities, else of its adapter. */
function firstError(adapter: Courier, draft: BookingDraft): Finding | undefined {
  return [...capabilityFindings(adapter.capabilities, draft), ...adapter.validate(draft)].find(finding => finding.severity === 'error')
}

export async function senderOfCompany(db: Db, company_id: number): Promise<Party> {
  const { name, settings } = await companyById(db, company_id)
  return senderOf(settings, name)
}

function senderOf({ sender }: CompanySettings, company_name: string): Party {
  return {
    name: sender.name || company_name,
    company: null,
    attention: null,
    address1: sender.address1,
    address2: sender.address2 || null,
    postcode: sender.postcode,
    city: sender.city,
    country: sender.country,
    phone: sender.phone || null,
    email: sender.email || null,
    instruction: null,
  }
}

/** What comes back goes from the customer to the company. A form may name everybody. */
function partiesOf(operation: 'outbound' | 'return', company: Party, customer: Party, form: FormChoices | undefined): Parties {
  const back = operation === 'return'
  return {
    sender: form?.sender ?? (back ? customer : company),
    recipient: form?.recipient ?? (back ? company : customer),
    return_to: form?.return_to ?? null,
    importer: form?.importer ?? null,
    payer: form?.payer ?? null,
  }
}

/** Raw ZPL where printer and courier both take it, else a PDF. */
async function labelFormat(db: Db, { capabilities }: Courier, printer_id: number | null): Promise<'pdf' | 'zpl'> {
  if (printer_id === null || !capabilities.sizes.zpl) return 'pdf'
  return (await printerById(db, printer_id))?.raw ? 'zpl' : 'pdf'
}

/** Who takes part and what the parcel holds, in one statement. */
export async function storeContents(
  db: Db,
  { company_id, shipment_id, parties, lines }: { company_id: number; shipment_id: number; parties: Parties; lines: readonly ParcelLine[] },
): Promise<void> {
  const rows = lines.map(({ value, transit_value, ...line }, i) => ({
    line_no: i + 1,
    ...line,
    value: value?.amount ?? null,
    currency: value?.currency ?? null,
    transit_value: transit_value?.amount ?? null,
  }))
  const known = Object.entries(parties).filter(([, party]) => party !== null)
  await sql`
    with parties as (
      insert into shipment_parties (company_id, shipment_id, role, party)
      select ${company_id}::bigint, ${shipment_id}::bigint, role, party
      from unnest(${known.map(([role]) => role)}::text[], ${known.map(([, party]) => JSON.stringify(party))}::jsonb[]) as p(role, party))
    insert into shipment_lines (company_id, shipment_id, line_no, order_line_id, sku, description, quantity, hs_code, origin, value, currency, net_weight_g,
      gross_weight_g, manufacturer_no, gtin, transit_value)
    select ${company_id}::bigint, ${shipment_id}::bigint, l.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(
      line_no integer, order_line_id bigint, sku text, description text, quantity integer, hs_code text, origin text, value bigint,
      currency text, net_weight_g bigint, gross_weight_g bigint, manufacturer_no text, gtin text,
      transit_value bigint)`.execute(db)
}

/** The order's method, else the one that the rules choose now. */
async function methodOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  order: { company_id: number; agent_code: string | null; shipping_method: string | null },
  intent: NewShipment,
): Promise<{ agent_code: string; shipping_method: string }> {
  const agent_code = intent.agent_code ?? order.agent_code
  const shipping_method = intent.shipping_method ?? order.shipping_method
  if (agent_code && shipping_method) return { agent_code, shipping_method }
  const [chosen] = intent.of.order_id === null ? [] : await chosenMethods(db, [intent.of.order_id], now())
  if (chosen?.method) return chosen.method
  const active = await db
    .selectFrom('shipping_methods')
    .select('agent_code')
    .where('company_id', '=', order.company_id)
    .where('active', '=', true)
    .limit(1)
    .execute()
  if (active.length === 0) return { agent_code: 'own', shipping_method: 'van' }
  throw unprocessable(
    'shipping_method_missing',
    'This order has no shipping method. Select one.',
    {},
    { fields: { shipping_method: 'Select a shipping method' } },
  )
}

/** One exchange with a courier, as the record keeps it. */
export interface ExchangeEntry {
  action: string
  outcome: 'ok' | 'refused' | 'unavailable' | 'unknown' | 'found' | 'not_found'
  request?: unknown
  response?: unknown
  error?: string
  took_ms?: number
}

export async function logExchange(
  context: Context,
  shipment: { id: number; company_id: number; order_id: number | null; agent_code: string },
  entry: ExchangeEntry,
): Promise<void> {
  await context.db
    .with('entry', db =>
      db
        .insertInto('label_log')
        .values({
          company_id: shipment.company_id,
          shipment_id: shipment.id,
          order_id: shipment.order_id,
          agent_code: shipment.agent_code,
          action: entry.action,
          outcome: entry.outcome,
          took_ms: entry.took_ms ?? null,
          user_id: context.principal.id || null,
        })
        .returning(['id', 'created_at']),
    )
    .insertInto('label_log_personal')
    .columns(['company_id', 'label_log_id', 'at', 'order_id', 'request', 'response', 'error'])
    .expression(db =>
      db
        .selectFrom('entry')
        .select([
          sql<number>`${shipment.company_id}::bigint`.as('company_id'),
          'id',
          'created_at',
          sql<number | null>`${shipment.order_id}::bigint`.as('order_id'),
          sql`${entry.request === undefined ? null : JSON.stringify(entry.request)}::jsonb`.as('request'),
          sql`${entry.response === undefined ? null : JSON.stringify(entry.response)}::jsonb`.as('response'),
          sql<string | null>`${entry.error ?? null}::text`.as('error'),
        ]),
    )
    .execute()
}
