/**
 * Bring and Posten in Norway, Sweden, Denmark and Finland. Source: developer.bring.com. Bring documents no cancellation, no look-up of
 * a booking and no names for its newer customs data but those of transit: those capabilities are off.
 */
import type * as z from 'zod'
import { readDate } from '#domain/dates.ts'
import { dayAt } from '#domain/local-time.ts'
import { elementAt } from '#domain/objects.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { refuseUnsupported } from '../capabilities.ts'
import {
  type Booking,
  type BookingDraft,
  type BookingRequest,
  type Capabilities,
  type Courier,
  CourierRefused,
  type Finding,
  type Method,
  OutcomeUnknown,
  type ParcelShop,
  type PickupRequest,
  type Service,
} from '../courier.ts'
import { askCourier, type CourierHost, type CourierQuestion, fetchLinked, readReply, wholeList, wordsIn } from '../courier-http.ts'
import { labelPages } from '../label-pages.ts'
import { isSameSecret, jsonOf } from '../pushed-events.ts'
import {
  centimetres,
  contactName,
  cutAtWord,
  isPdf,
  kilograms,
  lengthFindings,
  notToShop,
  partyName,
  postcodeFindings,
  recordedPickup,
  recordedRequest,
  streetOf,
} from '../request-parts.ts'
import {
  BookingReply,
  type BringError,
  CustomersReply,
  PickupPointsReply,
  PickupReply,
  PushedEvent,
  TrackingReply,
} from './bring.schemas.ts'
import { transitBody } from './transit.ts'

const name = 'Bring'
const nordic = ['NO', 'SE', 'DK', 'FI'] as const

const signature: Service = { code: '1280', name: 'Signature', options: [] }
const identity: Service = { code: '1133', name: 'ID check', options: [] }
const unattended: Service = { code: '0041', name: 'Unattended, with a photo', options: [] }

/** `18.12.2026` as YYYY-MM-DD. */
function dayOf(text: string | null | undefined): string | null {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text ?? '') ?? []
  const iso = `${year}-${month}-${day}`
  return Number.isNaN(Date.parse(iso)) ? null : iso
}

/** Bring takes a chosen pickup point with these; without one it takes the nearest. */
const toPoint = ['5800', 'PICKUP_PARCEL']
/** The product of a return by that of the way out. */
const returns: Readonly<Record<string, string>> = {
  '5800': '9300',
  '5600': '9300',
  '3584': '9650',
  '5000': '9350',
  PICKUP_PARCEL: 'PICKUP_PARCEL_RETURN',
  HOME_DELIVERY_PARCEL: 'PICKUP_PARCEL_RETURN',
  BUSINESS_PARCEL: 'BUSINESS_PARCEL_RETURN',
}

const method = (code: string, title: string, countries: Method['countries'], services: readonly Service[] = []): Method => ({
  code,
  name: title,
  service_point: toPoint.includes(code) ? 'optional' : 'none',
  max_weight_g: 35_000,
  countries,
  services,
})

const methods: readonly Method[] = [
  method('5800', 'Pickup parcel, Norway', ['NO'], [identity]),
  method('5600', 'Home delivery, Norway', ['NO'], [signature, identity, unattended]),
  method('3584', 'Mailbox parcel, Norway', ['NO']),
  method('5000', 'Business parcel, Norway', ['NO'], [signature]),
  method('PICKUP_PARCEL', 'Pickup parcel', 'all', [identity]),
  method('HOME_DELIVERY_PARCEL', 'Home delivery', nordic, [signature, unattended]),
  method('BUSINESS_PARCEL', 'Business parcel', 'all', [signature]),
]

const capabilities: Capabilities = {
  agent_code: 'bring',
  name,
  methods,
  operations: ['outbound', 'return'],
  return_qr: true,
  sizes: { pdf: [105, 190] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'no',
  parcels_per_call: 50,
  needs: ['contact', 'weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  transit: true,
  pickups: 'order',
  tracking: true,
  parcel_shops: true,
  settings: [
    { name: 'uid', label: 'User in Mybring', hint: 'The e-mail address of a user who may book', required: true },
    { name: 'key', label: 'API key', secret: true, required: true },
    {
      name: 'customer_no',
      label: 'Customer number',
      required: true,
      pattern: '[0-9A-Za-z_-]{1,35}',
      refusal: 'A customer number has up to 35 letters and digits',
    },
    {
      name: 'client_url',
      label: 'Address of your shop',
      hint: 'Bring wants it with every call',
      required: true,
      pattern: 'https?://[^\\s]{3,200}',
      refusal: 'Write an address such as https://www.example.com',
    },
    {
      name: 'mode',
      label: 'Bookings',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'test', name: 'Test' },
      ],
      refusal: 'Choose live or test',
    },
    {
      name: 'booking_path',
      label: 'Path of the booking call',
      hint: 'Change it only when Bring says so',
      choices: [
        { value: '/booking/api/booking', name: '/booking/api/booking' },
        { value: '/booking/api/create', name: '/booking/api/create' },
        { value: '/booking-api/api/booking', name: '/booking-api/api/booking' },
      ],
      refusal: 'Choose one of the paths',
    },
  ],
}

type Settings = Record<string, string>

const headersOf = ({ uid = '', key = '', client_url = '' }: Settings): Record<string, string> => ({
  accept: 'application/json',
  'x-mybring-api-uid': uid,
  'x-mybring-api-key': key,
  'x-bring-client-url': client_url,
})

/** Fields of the form by the error codes that name one; codes end with the party where they are said of both. */
const fields: Readonly<Record<string, string>> = {
  'BOOK-INPUT-002': 'parcels.0.weight_g',
  'BOOK-INPUT-006': 'sender.name',
  'BOOK-INPUT-007': 'recipient.name',
  'BOOK-INPUT-015': 'recipient.address1',
  'BOOK-INPUT-020': 'shipping_method',
  'BOOK-INPUT-032': 'parcels',
  'BOOK-INPUT-024': 'recipient.postcode',
  'BOOK-INPUT-045': 'service_point',
  'BOOK-INPUT-057': 'recipient.postcode',
  'BOOK-INPUT-072': 'recipient.phone',
  'BOOK_VALIDATION-002': 'recipient.phone',
}

function refusalOf(errors: readonly BringError[], locale: string): CourierRefused {
  const [first] = errors
  const language = locale.slice(0, 2).toLowerCase()
  const said = first?.messages.find(one => one.lang === language) ?? first?.messages.find(one => one.lang === 'en') ?? first?.messages[0]
  const code = first?.code ?? ''
  const plain = code.replace(/-(SENDER|RECIPIENT)$/, '')
  const field = fields[plain]?.replace(/^recipient/, code.endsWith('-SENDER') ? 'sender' : 'recipient') ?? null
  return new CourierRefused([said?.message, code && `(${code})`].filter(Boolean).join(' ') || 'No reason was given', field)
}

const address = (party: Party, reference: string | null) => ({
  name: cutAtWord(partyName(party), 35),
  addressLine: cutAtWord(party.address1, 35),
  ...(party.address2?.trim() && { addressLine2: cutAtWord(party.address2, 35) }),
  postalCode: plainPostcode(party.postcode, party.country).postcode,
  city: party.city.trim(),
  countryCode: party.country.toLowerCase(),
  ...(reference !== null && { reference: reference.slice(0, 35) }),
  contact: {
    ...(contactName(party) !== null && { name: contactName(party) }),
    ...(party.email?.trim() && { email: party.email.trim() }),
    ...(party.phone?.trim() && { phoneNumber: party.phone.replace(/[^+\d]/g, '') }),
  },
})

/** The body of a booking; Bring takes one consignment a call. */
function bookingBody(request: BookingRequest): object {
  const { parties, parcels, settings, operation, service_point, order_no, reference } = request
  const outbound = operation === 'outbound'
  const { email, phone, instruction } = parties.recipient
  const notice = outbound && (email?.trim() || phone?.trim())
  return {
    schemaVersion: 1,
    ...(settings.mode === 'test' && { testIndicator: true }),
    consignments: [
      {
        // The local day counts; an hour that has passed would be refused.
        shippingDateTime: `${request.ship_date}T23:00:00`,
        correlationId: reference,
        ...(order_no !== null && { purchaseOrder: cutAtWord(order_no, 35) }),
        ...(request.qr && { generateQrCodes: true }),
        parties: {
          sender: address(parties.sender, reference),
          recipient: address(parties.recipient, order_no),
          ...(outbound &&
            service_point && { pickupPoint: { id: service_point.id, countryCode: service_point.country || parties.recipient.country } }),
        },
        product: {
          id: outbound ? request.method : (returns[request.method] ?? request.method),
          customerNumber: settings.customer_no ?? '',
          ...(instruction?.trim() && { messageForRecipient: cutAtWord(instruction, 400) }),
          additionalServices: [
            ...(notice
              ? [
                  {
                    id: 'EVARSLING',
                    ...(email?.trim() && { email: email.trim() }),
                    ...(phone?.trim() && { mobile: phone.replace(/[^+\d]/g, '') }),
                  },
                ]
              : []),
            ...request.services.map(({ code }) => ({ id: code })),
          ],
        },
        ...(request.transit && { customsInformation: transitBody(request) }),
        packages: parcels.map(({ weight_g, size_mm, parcel_no, lines }) => ({
          weightInKg: kilograms(weight_g),
          ...(lines[0] && { goodsDescription: cutAtWord(lines[0].description, 35) }),
          ...(size_mm && {
            dimensions: {
              lengthInCm: centimetres(size_mm[0]),
              widthInCm: centimetres(size_mm[1]),
              heightInCm: centimetres(size_mm[2]),
            },
          }),
          correlationId: `${reference}-${parcel_no}`,
        })),
      },
    ],
  }
}

const zones: Readonly<Record<string, string>> = { DK: 'Europe/Copenhagen', SE: 'Europe/Stockholm', FI: 'Europe/Helsinki' }

/** Bring takes the time from which the parcels are ready; it names no time until which it comes. */
function pickupBody({ settings, sender, date, from, parcels, note }: PickupRequest): object {
  return {
    ...(settings.mode === 'test' && { testIndicator: true }),
    customerInformation: { customerNumber: settings.customer_no ?? '', companyName: cutAtWord(partyName(sender), 35) },
    pickupAddress: {
      street: cutAtWord(streetOf(sender), 35),
      postalCode: plainPostcode(sender.postcode, sender.country).postcode,
      city: sender.city.trim(),
      ...(sender.email?.trim() && { email: sender.email.trim() }),
      ...(sender.phone?.trim() && { phoneNumber: sender.phone.replace(/[^+\d]/g, '') }),
      ...(note !== null && { message: note }),
    },
    pickupDate: date,
    pickupIsReadyAtTime: `${from}:00`,
    countryCode: sender.country,
    service: 'PARCEL',
    pickupDetails: { numberOfPackages: parcels, numberOfPostContainers: 0, numberOfPallets: 0 },
  }
}

function validate(request: BookingDraft): Finding[] {
  const { parties, method: code, service_point, parcels } = request
  const findings = postcodeFindings(request)
  // A locker and a shop in Denmark take 20 kg.
  const heavy = parcels.findIndex(one => one.weight_g > 20_000)
  if (code === 'PICKUP_PARCEL' && parties.recipient.country === 'DK' && heavy >= 0)
    findings.push({
      code: 'parcel_too_heavy',
      field: `parcels.${heavy}.weight_g`,
      severity: 'error',
      text: 'The parcel weighs {{weight}} kg; {{method}} takes {{limit}} kg at most',
      values: { weight: kilograms(parcels[heavy]?.weight_g ?? 0), method: 'Pickup parcel', limit: 20 },
    })
  if (service_point && !toPoint.includes(code)) findings.push(notToShop(methods.find(one => one.code === code)?.name ?? code))
  return [...findings, ...lengthFindings(name, request, { name: 35, company: 35, address1: 35, address2: 35, instruction: 400 })]
}

/** Our states by Bring's; what is not listed is shown as text only. */
const states: Readonly<Record<string, string>> = {
  PRE_NOTIFIED: 'booked',
  HANDED_IN: 'handed_over',
  COLLECTED: 'handed_over',
  IN_TRANSIT: 'in_transit',
  TERMINAL: 'in_transit',
  INTERNATIONAL: 'in_transit',
  CUSTOMS: 'in_transit',
  TRANSPORT_TO_RECIPIENT: 'out_for_delivery',
  READY_FOR_PICKUP: 'ready_for_pickup',
  DELIVERED: 'delivered',
  ATTEMPTED_DELIVERY: 'delivery_failed',
  DEVIATION: 'needs_attention',
  DELIVERY_CANCELLED: 'needs_attention',
  RETURN: 'returning',
  DELIVERED_SENDER: 'returned_to_sender',
}

export function bringAt(host: CourierHost): Courier {
  const read = async <T>(
    schema: z.ZodType<T>,
    path: string,
    settings: Settings,
    signal: AbortSignal,
    more: Pick<CourierQuestion, 'patience' | 'largest'> = {},
  ): Promise<T> => {
    const question = {
      courier: name,
      purpose: 'read',
      url: host.url + path,
      headers: headersOf(settings),
      signal,
      fetch: host.fetch,
      ...more,
    } as const
    const answer = await askCourier(question)
    if (!answer.ok) throw new CourierRefused(wordsIn(answer))
    return readReply(schema, answer, question)
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request)
    const { settings } = request
    const question = { courier: name, purpose: 'book' } as const
    const answer = await askCourier({
      ...question,
      url: host.url + (settings.booking_path || '/booking/api/booking'),
      method: 'POST',
      headers: { ...headersOf(settings), 'content-type': 'application/json' },
      body: JSON.stringify(bookingBody(request)),
      signal,
      fetch: host.fetch,
    })
    const reply = BookingReply.safeParse(answer.body)
    const [consignment] = reply.data?.consignments ?? []
    if (consignment?.errors?.length && !consignment.confirmation) throw refusalOf(consignment.errors, request.locale)
    if (!answer.ok) throw new CourierRefused(wordsIn(answer))
    const confirmation = consignment?.confirmation
    if (!confirmation || confirmation.packages.length !== request.parcels.length)
      throw new OutcomeUnknown('The answer of Bring makes no sense')
    const numbers = confirmation.packages.map(one => one.packageNumber)
    const labels = await labelsOf(confirmation.links.labels, numbers, settings, signal)
    return {
      ...(consignment.correlationId && { reference: consignment.correlationId }),
      parcels: numbers.map((number, i) => ({
        ok: true,
        tracking_no: number,
        barcode: number,
        cage: null,
        documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes: elementAt(labels, i) }],
        qr_link: confirmation.packages[i]?.qrCodeLink ?? null,
      })),
      exchange: {
        request: recordedRequest(request),
        response: { consignment_no: confirmation.consignmentNumber, packages: numbers },
      },
    }
  }

  /** The parcels are booked whether or not their labels come, a page each: without them no one may book again. */
  async function labelsOf(link: string, numbers: readonly string[], settings: Settings, signal: AbortSignal): Promise<Uint8Array[]> {
    const missing = () => new OutcomeUnknown(`Bring has booked ${numbers.join(', ')}, but its label did not come`)
    const answer = await fetchLinked(link, { host, courier: name, headers: headersOf(settings), signal }).catch(() => {
      throw missing()
    })
    if (!answer.ok || !isPdf(answer.bytes)) throw missing()
    if (numbers.length === 1) return [answer.bytes]
    const pages = await labelPages(answer.bytes)
    if (pages.length !== numbers.length) throw missing()
    return pages
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,
    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),

    async track({ tracking_no, settings }, signal) {
      const path = `/tracking/api/v2/tracking.json?${new URLSearchParams({ q: tracking_no, lang: 'en' })}`
      const { consignmentSet } = await read(TrackingReply, path, settings, signal)
      const packages = consignmentSet.flatMap(one => one.packageSet ?? [])
      return packages
        .filter(one => packages.length === 1 || one.packageNumber === tracking_no)
        .flatMap(({ eventSet, dateOfReturn }) => eventSet.map(event => ({ ...event, collect_by: dayOf(dateOfReturn) })))
        .flatMap(({ status, description, city, dateIso, collect_by }) => {
          const at = new Date(dateIso)
          if (Number.isNaN(at.getTime())) return []
          return [
            {
              state: states[status] ?? '',
              at: at.toISOString(),
              place: city?.trim() || null,
              text: description.trim() || status,
              code: status,
              ...(collect_by && states[status] === 'ready_for_pickup' && { collect_by }),
            },
          ]
        })
    },

    webhook: {
      secret_header: 'x-pakhus-secret',
      read(raw, headers, secret) {
        if (!isSameSecret(headers['x-pakhus-secret'], secret)) return null
        const read = PushedEvent.safeParse(jsonOf(raw))
        if (!read.success) return []
        const { status, package: number, created } = read.data
        const at = readDate(created, 'ymd', 'UTC')
        return at === null ? [] : [{ tracking_no: number, state: states[status] ?? '', at, place: null, text: status, code: status }]
      },
    },

    async parcelShops({ country, postcode, address: street, settings }, signal) {
      const query = new URLSearchParams({ ...(street && { street: street.slice(0, 100) }) })
      const path = `/pickuppoint/api/pickuppoint/${encodeURIComponent(country.toLowerCase())}/postalCode/${encodeURIComponent(postcode)}.json?${query}`
      const { pickupPoint } = await read(PickupPointsReply, path, settings, signal)
      return pickupPoint.map(shopOf)
    },

    allShops: {
      countries: ['NO', 'SE', 'DK', 'FI'],
      async read({ country, settings }, signal) {
        const path = `/pickuppoint/api/pickuppoint/${encodeURIComponent(country.toLowerCase())}/all.json`
        const { pickupPoint } = await read(PickupPointsReply, path, settings, signal, wholeList)
        return pickupPoint.map(shopOf)
      },
    },

    pickup: {
      async order(request, signal) {
        const { settings, sender, date } = request
        const question = { courier: name, purpose: 'book' } as const
        const answer = await askCourier({
          ...question,
          url: `${host.url}/booking/api/pickupOrder`,
          method: 'POST',
          headers: { ...headersOf(settings), 'content-type': 'application/json' },
          body: JSON.stringify(pickupBody(request)),
          signal,
          fetch: host.fetch,
        })
        if (!answer.ok) throw new CourierRefused(wordsIn(answer))
        const { pickupConfirmation } = readReply(PickupReply, answer, question)
        if (pickupConfirmation.status !== 'OK') throw new CourierRefused(pickupConfirmation.status || 'No reason was given')
        const earliest = pickupConfirmation.earliestPickupDate
        return {
          courier_no: pickupConfirmation.packageNumber ?? null,
          comes_on: typeof earliest === 'number' ? dayAt(earliest, zones[sender.country] ?? 'Europe/Oslo') : date,
          exchange: { request: recordedPickup(request), response: pickupConfirmation },
        }
      },
    },

    async customerNumbers(settings, signal) {
      const { customers } = await read(CustomersReply, '/booking/api/customers.json', settings, signal)
      return customers.map(({ name: title, customerNumber, countryCode, products }) => ({
        customer_no: customerNumber,
        name: title,
        country: countryCode ?? null,
        services: products ?? [],
      }))
    },

    async probe(settings, signal) {
      const { customers } = await read(CustomersReply, '/booking/api/customers.json', settings, signal)
      const mine = customers.find(one => one.customerNumber === settings.customer_no)
      return mine
        ? { ok: true, words: `${mine.name} ${mine.customerNumber}` }
        : { ok: false, words: `The customer number is none of: ${customers.map(one => one.customerNumber).join(', ')}`.slice(0, 300) }
    },
  }
}

/** Lockers of Norway, Sweden, Denmark and Finland. */
const lockers = ['37', '39', '43', 'LOCKER']

function shopOf(point: z.infer<typeof PickupPointsReply>['pickupPoint'][number]): ParcelShop {
  return {
    id: point.id,
    name: point.name,
    address1: point.address,
    postcode: point.postalCode,
    city: point.city,
    country: point.countryCode,
    distance_m: typeof point.distanceInKm === 'number' ? Math.round(point.distanceInKm * 1_000) : null,
    opening_hours: hoursOf(point.openingHours ?? [], point.openingHoursEnglish ?? null),
    lat: point.latitude ?? null,
    lng: point.longitude ?? null,
    locker: lockers.includes((point.type ?? '').toUpperCase()),
  }
}

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
const clock = (written: string) => (/^\d{4}$/.test(written) ? `${written.slice(0, 2)}:${written.slice(2)}` : written)

function hoursOf(
  hours: readonly { day: string; opening?: string | null | undefined; closing?: string | null | undefined }[],
  words: string | null,
): string[] {
  const lines = hours
    .toSorted((a, b) => days.indexOf(a.day) - days.indexOf(b.day))
    .flatMap(({ day, opening, closing }) =>
      opening && closing ? [`${day.slice(0, 1)}${day.slice(1, 3).toLowerCase()} ${clock(opening)}–${clock(closing)}`] : [],
    )
  return lines.length > 0 ? lines : words ? [words] : []
}

export const bring = bringAt({ url: 'https://api.bring.com' })
