/**
 * Shipmondo: one account through which parcels go with many carriers, under its own agreement or Shipmondo's. Source: its OpenAPI
 * document, version 3. The methods are the products of the account.
 */
import type * as z from 'zod'
import { readDate } from '#domain/dates.ts'
import { elementAt, isOneOf } from '#domain/objects.ts'
import { phoneOf } from '#domain/order/address.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { refuseUnsupported } from '../capabilities.ts'
import {
  type Booking,
  type BookingDraft,
  type BookingRequest,
  type Capabilities,
  type Courier,
  type CourierDocument,
  CourierRefused,
  type Finding,
  OutcomeUnknown,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import { labelPages } from '../label-pages.ts'
import { claimsOf, jsonOf } from '../pushed-events.ts'
import { centimetres, contactName, isPdf, notToShop, partyName, postcodeFindings, recordedRequest } from '../request-parts.ts'
import { customsBody, customsFindings } from './customs.ts'
import { methodsOf } from './products.ts'
import {
  BalanceReply,
  CancelReply,
  LabelsReply,
  Problem,
  type Product,
  ProductsReply,
  PushedBody,
  PushedMonitor,
  ServicePointsReply,
  Shipment,
  ShipmentsReply,
} from './shipmondo.schemas.ts'

const name = 'Shipmondo'

/** Our states by those of its monitor on which open-source clients agree; others are shown as text only. */
const states: Readonly<Record<string, string>> = {
  EN_ROUTE: 'in_transit',
  AVAILABLE_FOR_DELIVERY: 'ready_for_pickup',
  DELIVERED: 'delivered',
}

const capabilities: Capabilities = {
  agent_code: 'shipmondo',
  name,
  methods: [],
  operations: ['outbound'],
  sizes: { pdf: [100, 190], zpl: [100, 190] },
  numbers: 'theirs',
  recovery: 'lookup',
  cancel: 'yes',
  cancels_together: true,
  parcels_per_call: 20,
  needs: ['weight'],
  parties: [],
  documents: ['label'],
  customs: { numbers: [], max_lines: null },
  pickups: 'none',
  tracking: false,
  parcel_shops: true,
  settings: [
    { name: 'user', label: 'API user', required: true },
    { name: 'key', label: 'API key', secret: true, required: true },
    {
      name: 'sender_country',
      label: 'Country from which you send',
      hint: 'Two letters, such as DK. Methods from this country are read.',
      required: true,
      pattern: '[A-Z]{2}',
      refusal: 'Write the country as two capital letters',
    },
    {
      name: 'agreement',
      label: 'Agreement',
      hint: 'Whose agreement with the couriers is used',
      choices: [
        { value: 'own', name: 'Own' },
        { value: 'shipmondo', name: 'Shipmondo' },
      ],
      refusal: 'Choose one of the agreements',
    },
    {
      name: 'mode',
      label: 'Bookings',
      hint: 'The sandbox has an account of its own',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'sandbox', name: 'Sandbox' },
      ],
      refusal: 'Choose live or sandbox',
    },
  ],
}

type Settings = Record<string, string>
const isOwn = ({ agreement }: Settings): boolean => agreement !== 'shipmondo'

/** Products a page, and pages that are read. */
const pageSize = 50
const mostPages = 40
/** Milliseconds: a booking that the list does not name after so long was not made. Before the intent no booking can have been made. */
const settlesAfter = 120_000
const clocksDiffer = 300_000
/** How far back a booking is looked for whose time is not known. */
const longestSearch = 2 * 86_400_000

const phoneNumber = ({ phone, country }: Party): string => phoneOf(phone, country) ?? (phone ?? '').replace(/[^+\d]/g, '')

const partyBody = (type: 'sender' | 'receiver', party: Party): object => {
  const attention = contactName(party)
  const second = party.address2?.trim()
  const email = party.email?.trim()
  const phone = phoneNumber(party)
  return {
    type,
    name: partyName(party),
    ...(attention !== null && { attention }),
    address1: party.address1.trim(),
    ...(second && { address2: second }),
    postal_code: plainPostcode(party.postcode, party.country).postcode,
    city: party.city.trim(),
    country_code: party.country,
    ...(email && { email }),
    ...(phone && { phone }),
  }
}

function shipmentBody(request: BookingRequest): object {
  const { parties, parcels, settings, service_point, services, order_no, reference, customs, account_method } = request
  const instruction = parties.recipient.instruction?.trim()
  const points = account_method?.service_point !== 'none'
  const goods = customsBody(request)
  return {
    own_agreement: isOwn(settings),
    label_format: '10x19_pdf',
    product_code: request.method,
    service_codes: [...new Set([...(account_method?.included ?? []), ...services.map(one => one.code)])].join(','),
    // The list of shipments is searched by it after an unknown outcome.
    reference,
    ...(order_no !== null && { additional_reference: order_no }),
    ...(points && (service_point ? { service_point_id: service_point.id } : { automatic_select_service_point: true })),
    ...(customs && customs.terms !== null && { term_of_trade: customs.terms }),
    parties: [partyBody('sender', parties.sender), partyBody('receiver', parties.recipient)],
    ...(instruction && { delivery_details: { instruction } }),
    parcels: parcels.map(({ weight_g, size_mm, lines }) => ({
      quantity: 1,
      weight: weight_g,
      ...(size_mm && { length: centimetres(size_mm[0]), width: centimetres(size_mm[1]), height: centimetres(size_mm[2]) }),
      ...(lines[0] && { description: lines[0].description.trim() }),
    })),
    ...(goods && { customs: goods }),
  }
}

function validate(request: BookingDraft): Finding[] {
  const findings = [...postcodeFindings(request), ...customsFindings(request)]
  if (request.service_point && request.account_method?.service_point === 'none') findings.push(notToShop(request.account_method.name))
  return findings
}

const refusalOf = (answer: CourierAnswer): CourierRefused =>
  new CourierRefused((Problem.safeParse(answer.body).data?.error ?? wordsIn(answer)).slice(0, 300))

/** The carrier's numbers of the parcels of a shipment, in its order. */
const parcelNumbers = ({ pkg_no, parcels }: Shipment): string[] =>
  parcels.length > 1 ? parcels.map(one => one.pkg_no ?? '') : [parcels[0]?.pkg_no || pkg_no || '']

export interface ShipmondoHosts {
  live: CourierHost
  sandbox: CourierHost
}

export function shipmondoAt({ live, sandbox }: ShipmondoHosts): Courier {
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'sandbox' ? sandbox : live)

  interface Ask extends Pick<CourierQuestion, 'purpose' | 'method' | 'signal'> {
    path: string
    settings: Settings
    body?: object
  }
  const ask = ({ path, settings, body, ...question }: Ask): Promise<CourierAnswer> => {
    const { user = '', key = '' } = settings
    return askCourier({
      courier: name,
      ...question,
      url: `${hostOf(settings).url}/api/public/v3${path}`,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      fetch: hostOf(settings).fetch,
    })
  }

  const read = async <T>(schema: z.ZodType<T>, path: string, settings: Settings, signal: AbortSignal): Promise<T> => {
    const answer = await ask({ purpose: 'read', path, settings, signal })
    if (!answer.ok) throw refusalOf(answer)
    return readReply(schema, answer, { courier: name, purpose: 'read' })
  }

  /** Every row of a paged list; null where it has more pages than are read. */
  async function readAll<T>(
    schema: z.ZodType<T[]>,
    path: string,
    given: Record<string, string>,
    settings: Settings,
    signal: AbortSignal,
  ): Promise<T[] | null> {
    const rows: T[] = []
    for (let page = 1; page <= mostPages; page++) {
      const query = new URLSearchParams({ ...given, per_page: String(pageSize), page: String(page) })
      const some = await read(schema, `${path}?${query}`, settings, signal)
      rows.push(...some)
      if (some.length < pageSize) return rows
    }
    return null
  }

  async function labelsOf(id: number, format: 'pdf' | 'zpl', settings: Settings, signal: AbortSignal): Promise<CourierDocument[]> {
    const labels = await read(LabelsReply, `/shipments/${id}/labels?label_format=10x19_${format}`, settings, signal)
    return documentsIn(labels)
  }

  /** The parcel is booked whether or not its label comes: without it no one may book again. */
  async function bookingOf(request: BookingRequest, shipment: Shipment, signal: AbortSignal): Promise<Booking> {
    const { settings, label } = request
    const numbers = parcelNumbers(shipment)
    const wanted = request.parcels.length
    const missing = () => new OutcomeUnknown(`Shipmondo has booked ${numbers.join(', ') || shipment.id}, but its label did not come`)
    if (numbers.includes('') || numbers.length !== wanted) throw missing()
    const sent = documentsIn(shipment.labels ?? []).filter(one => one.format === 'pdf')
    const pdf =
      sent.length > 0
        ? sent
        : await labelsOf(shipment.id, 'pdf', settings, signal).catch(() => {
            throw missing()
          })
    const labels = await perParcel(
      pdf.filter(one => one.format === 'pdf'),
      wanted,
    )
    if (!labels) throw missing()
    // Without it the PDF is printed.
    const raw = label.format === 'zpl' ? await labelsOf(shipment.id, 'zpl', settings, signal).catch(() => []) : []
    const zpl = raw.length === wanted ? raw : []
    return {
      ...(shipment.reference && { reference: shipment.reference }),
      courier_no: String(shipment.id),
      parcels: numbers.map((number, i) => ({
        ok: true,
        tracking_no: number,
        barcode: number,
        cage: null,
        documents: [elementAt(labels, i), ...zpl.slice(i, i + 1)],
      })),
      exchange: { request: recordedRequest(request), response: { shipment_id: shipment.id, package_no: numbers.join(', ') } },
    }
  }

  return {
    capabilities,
    validate,

    async book(request, signal) {
      refuseUnsupported(capabilities, request, validate)
      const { settings } = request
      const answer = await ask({ purpose: 'book', method: 'POST', path: '/shipments', settings, body: shipmentBody(request), signal })
      if (!answer.ok) throw refusalOf(answer)
      return bookingOf(request, readReply(Shipment, answer, { courier: name, purpose: 'book' }), signal)
    },

    async find(request, signal) {
      const { settings, reference, parties, asked_at } = request
      const asked = asked_at === undefined ? Date.now() : Date.parse(asked_at)
      const since = asked_at === undefined ? asked - longestSearch : asked - clocksDiffer
      const query = { created_at_min: new Date(since).toISOString(), receiver_country: parties.recipient.country }
      const shipments = await readAll(ShipmentsReply, '/shipments', query, settings, signal)
      const mine = shipments?.find(one => one.reference === reference)
      if (mine) return bookingOf(request, mine, signal)
      if (!shipments || Date.now() - asked < settlesAfter) throw new OutcomeUnknown(`Shipmondo does not know ${reference} yet`)
      return null
    },

    async cancel({ tracking_no, courier_no, settings }, signal) {
      const query = new URLSearchParams({ package_number: tracking_no })
      const found = courier_no ? [] : await read(ShipmentsReply, `/shipments?${query}`, settings, signal)
      const mine = found.filter(one => one.pkg_no === tracking_no || parcelNumbers(one).includes(tracking_no))
      const [id, ...others] = courier_no ? [courier_no] : mine.map(one => String(one.id))
      if (id === undefined || others.length > 0) return { cancelled: false, cancelled_at_carrier: false, refunded: false }
      const answer = await ask({ purpose: 'cancel', method: 'PUT', path: `/shipments/${encodeURIComponent(id)}/cancel`, settings, signal })
      if (!answer.ok) return { cancelled: false, cancelled_at_carrier: false, refunded: false }
      const { cancelled, cancelled_at_carrier, refunded } = readReply(CancelReply, answer, { courier: name, purpose: 'cancel' })
      return { cancelled, cancelled_at_carrier, refunded }
    },

    track: async () => [],

    webhook: {
      secret_header: null,
      read(raw, _headers, secret) {
        const body = PushedBody.safeParse(jsonOf(raw))
        const claims = body.success ? claimsOf(body.data.data, secret) : undefined
        if (claims === undefined) return null
        const read = PushedMonitor.safeParse(claims)
        if (!read.success) return []
        const {
          carrier_track_id: tracking_no,
          current_status: status,
          current_status_text,
          current_status_registered_at,
          city,
        } = read.data.data
        const at = readDate(current_status_registered_at, 'ymd', 'UTC')
        const text = current_status_text?.trim() || status
        return at === null ? [] : [{ tracking_no, state: states[status.toUpperCase()] ?? '', at, place: city?.trim() || null, text }]
      },
    },

    async parcelShops({ country, postcode, address, method, settings }, signal) {
      if (!method) throw new CourierRefused('Shipmondo needs the shipping method to find its parcel shops')
      const query = new URLSearchParams({
        product_code: method,
        country_code: country,
        zipcode: plainPostcode(postcode, country).postcode,
        quantity: '20',
        ...(address && { address }),
      })
      const points = await read(ServicePointsReply, `/service_point/service_points?${query}`, settings, signal)
      return points.map(point => ({
        id: point.id,
        name: point.name,
        address1: point.address ?? '',
        postcode: point.zipcode ?? '',
        city: point.city ?? '',
        country: point.country ?? country,
        distance_m: point.distance ?? null,
        opening_hours: point.opening_hours ?? [],
      }))
    },

    async accountMethods(settings, signal) {
      const query = { sender_country_code: settings.sender_country ?? '' }
      const products: Product[] | null = await readAll(ProductsReply, '/products', query, settings, signal)
      if (!products) throw new CourierRefused(`The account has more than ${mostPages * pageSize} products`)
      return methodsOf(products, { own: isOwn(settings) })
    },

    async probe(settings, signal) {
      const { amount, currency_code } = await read(BalanceReply, '/account/balance', settings, signal)
      return { ok: true, words: `${name}, ${amount} ${currency_code}` }
    },
  }
}

/** A label for each parcel: a file each, or one file with a page each. */
async function perParcel(labels: readonly CourierDocument[], wanted: number): Promise<CourierDocument[] | null> {
  if (labels.length === wanted) return [...labels]
  const pages = (await Promise.all(labels.map(one => labelPages(one.bytes)))).flat()
  return pages.length === wanted ? pages.map(bytes => ({ kind: 'label', format: 'pdf', paper: 'label', bytes })) : null
}

const formats = ['pdf', 'zpl'] as const

/** The labels that can be printed. */
function documentsIn(labels: readonly { base64: string; file_format: string }[]): CourierDocument[] {
  return labels.flatMap(({ base64, file_format }): CourierDocument[] => {
    const bytes = Buffer.from(base64, 'base64')
    if (!isOneOf(formats, file_format) || bytes.length === 0 || (file_format === 'pdf' && !isPdf(bytes))) return []
    return [{ kind: 'label', format: file_format, paper: 'label', bytes }]
  })
}

export const shipmondo = shipmondoAt({ live: { url: 'https://app.shipmondo.com' }, sandbox: { url: 'https://sandbox.shipmondo.com' } })
