/**
 * Instabox: into a locker, or to the address of the recipient. Source: an open-source module of Magento.
 * We make the number of a parcel, so that its waybill says after an unknown outcome whether it was booked.
 */
import { fromMinor } from '#domain/money.ts'
import { phoneOf } from '#domain/order/address.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { refuseUnsupported } from '../capabilities.ts'
import {
  type Availability,
  type AvailabilitySearch,
  type Booking,
  type BookingDraft,
  type BookingRequest,
  type Capabilities,
  type Courier,
  CourierRefused,
  type DeliveryOption,
  type Finding,
  type Method,
  OutcomeUnknown,
} from '../courier.ts'
import { type CourierAnswer, readReply, wordsIn } from '../courier-http.ts'
import { centimetres, isPdf, missingParts, notToShop, partyName, postcodeFindings, recordedRequest, streetOf } from '../request-parts.ts'
import { AvailabilityReply, type OfferedDelivery, OrderReply } from './instabox.schemas.ts'
import { type InstaboxHosts, instaboxAccess, name, type Settings } from './instabox-login.ts'

/** Instabox's name of each method. */
const serviceTypes: Readonly<Record<string, string>> = { locker: 'EXPRESS', home: 'INSTAHOME' }

/** No document names a weight that Instabox takes at most. */
const method = (code: string, title: string, service_point: Method['service_point']): Method => ({
  code,
  name: title,
  service_point,
  max_weight_g: 100_000,
  countries: ['SE', 'DK', 'FI', 'NL', 'DE', 'BE'],
  services: [],
})

const capabilities: Capabilities = {
  agent_code: 'instabox',
  name,
  methods: [method('locker', 'Parcel locker', 'optional'), method('home', 'Home delivery', 'none')],
  operations: ['outbound'],
  // A6. No document says the size of the PDF.
  sizes: { pdf: [105, 148] },
  numbers: 'ours',
  recovery: 'lookup',
  cancel: 'no',
  parcels_per_call: 1,
  needs: ['phone', 'weight', 'size'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'none',
  tracking: false,
  parcel_shops: false,
  settings: [
    { name: 'client_id', label: 'Client ID', required: true },
    { name: 'client_secret', label: 'Client secret', secret: true, required: true },
    {
      name: 'customer_no',
      label: 'Customer number',
      hint: 'Each tracking number begins with it',
      required: true,
      pattern: '[0-9A-Za-z]{1,20}',
      refusal: 'A customer number has up to 20 letters and digits',
    },
  ],
}

/** Milliseconds for what comes before a booking. */
const preparation = 6_000
/** Milliseconds after which an order that has no waybill was not made. */
const settlesAfter = 120_000

const currencies: Readonly<Record<string, string>> = { SE: 'SEK', DK: 'DKK' }
const currencyOf = (country: string): string => currencies[country] ?? 'EUR'

const phoneNumber = ({ phone, country }: Pick<Party, 'phone' | 'country'>): string =>
  phoneOf(phone, country) ?? (phone ?? '').replace(/[^+\d]/g, '')

/** The customer number and ten digits: those of our own number that are given once, without its check digit. */
function parcelId({ settings, parcels, reference }: BookingRequest): string {
  const number = parcels[0]?.reserved_number ?? ''
  const digits = /^\d{18}$/.test(number) ? number.slice(0, -1) : number.replace(/\D/g, '')
  if (digits.length < 10) throw new CourierRefused(`No number is reserved for the parcel ${reference}`)
  return `${settings.customer_no}${digits.slice(-10)}`
}

/** The value of the goods, where all of them have one in the same currency. */
function goodsValue({ parcels, parties }: BookingDraft): { amount: number; currency: string } {
  const values = (parcels[0]?.lines ?? []).flatMap(line => line.value ?? [])
  const [first] = values
  if (!first || values.some(one => one.currency !== first.currency)) return { amount: 0, currency: currencyOf(parties.recipient.country) }
  return { amount: values.reduce((sum, one) => sum + one.amount, 0), currency: first.currency }
}

const searchOf = (request: BookingRequest): AvailabilitySearch => {
  const { recipient } = request.parties
  const [parcel] = request.parcels
  return {
    recipient: {
      street: streetOf(recipient),
      postcode: recipient.postcode,
      city: recipient.city,
      country: recipient.country,
      email: recipient.email ?? '',
      phone: recipient.phone ?? '',
    },
    parcel: { weight_g: parcel?.weight_g ?? 0, size_mm: parcel?.size_mm ?? null },
    value: goodsValue(request),
    methods: [request.method],
    settings: request.settings,
  }
}

function availabilityBody({ recipient, parcel: { weight_g, size_mm }, value, methods }: AvailabilitySearch): object {
  const [depth = 0, width = 0, height = 0] = (size_mm ?? []).map(centimetres)
  const { amount, currency } = value ?? { amount: 0, currency: currencyOf(recipient.country) }
  return {
    recipient: {
      email: recipient.email.trim(),
      mobile_phone_number: phoneNumber(recipient),
      street: recipient.street.trim(),
      zip: plainPostcode(recipient.postcode, recipient.country).postcode,
      city: recipient.city.trim(),
      country_code: recipient.country,
    },
    services: methods.flatMap(code => {
      const service_type = serviceTypes[code]
      return service_type
        ? [{ service_type, options: { num_delivery_options: 25, num_dispatch_options: 1, response_fields: ['OPENHOURS', 'DISTANCE'] } }]
        : []
    }),
    details: {
      total_value: Number(fromMinor(amount, currency)),
      total_weight: weight_g,
      package: { width, height, depth, weight: weight_g, type: 'BOX' },
      products: [],
    },
    options: { units: { dimensions: 'cm', weight: 'g', currency } },
  }
}

const instant = (text: string | null | undefined): string | null => {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

function optionOf(code: string, { sort_code, description, address, coordinates, ...offered }: OfferedDelivery): DeliveryOption {
  return {
    method: code,
    sort_code,
    name: description ?? '',
    address1: address?.street ?? '',
    postcode: address?.zip ?? '',
    city: address?.city ?? '',
    country: (address?.country ?? '').toUpperCase().slice(0, 2),
    lat: coordinates?.lat ?? null,
    lng: coordinates?.long ?? null,
    hours: (offered.openhours ?? []).flatMap(({ open_utc, close_utc }) => {
      const from = instant(open_utc)
      const to = instant(close_utc)
      return from && to ? [{ from, to }] : []
    }),
    cutoff_at: instant(offered.cutoff_datetime_utc),
    eta: instant(offered.eta?.datetime_utc),
  }
}

function orderBody(request: BookingRequest, token: string, sort_code: string): object {
  const { parties, parcels, order_no, reference } = request
  const { sender, recipient } = parties
  const { amount, currency } = goodsValue(request)
  const second = sender.address2?.trim()
  return {
    options: { units: { weight: 'g', currency } },
    order: {
      availability_token: token,
      parcel_id: parcelId(request),
      order_number: order_no ?? reference,
      recipient: {
        name: partyName(recipient),
        street: streetOf(recipient),
        zip: plainPostcode(recipient.postcode, recipient.country).postcode,
        city: recipient.city.trim(),
        country_code: recipient.country,
        mobile_phone_number: phoneNumber(recipient),
        ...(recipient.email?.trim() && { email_address: recipient.email.trim() }),
      },
      sender: {
        name: partyName(sender),
        street: sender.address1.trim(),
        ...(second && { street2: second }),
        zip: plainPostcode(sender.postcode, sender.country).postcode,
        city: sender.city.trim(),
        country_code: sender.country,
      },
      service_type: serviceTypes[request.method],
      delivery_option: { sort_code },
      details: { total_weight: parcels[0]?.weight_g ?? 0, total_value: Number(fromMinor(amount, currency)) },
      identification_options: { type: 'ANY_PERSON' },
    },
  }
}

function validate(request: BookingDraft): Finding[] {
  const findings = missingParts(request, ['recipient.name', 'recipient.address1', 'recipient.city'])
  findings.push(...postcodeFindings(request))
  if (request.service_point && request.method === 'home') findings.push(notToShop('Home delivery'))
  return findings
}

const refusalOf = (answer: CourierAnswer): CourierRefused => new CourierRefused(wordsIn(answer))

export function instaboxAt(hosts: InstaboxHosts): Courier {
  const access = instaboxAccess(hosts)

  async function availability(search: AvailabilitySearch, signal: AbortSignal): Promise<Availability> {
    const answer = await access.ask({
      purpose: 'read',
      host: hosts.availability,
      path: '/v3/availability',
      settings: search.settings,
      body: availabilityBody(search),
      signal,
    })
    if (!answer.ok) throw refusalOf(answer)
    const reply = readReply(AvailabilityReply, answer, { courier: name, purpose: 'read' })
    return {
      token: reply.availability_token,
      options: search.methods.flatMap(code => {
        const service = reply.availability[serviceTypes[code] ?? '']
        if (!service?.show_as_option) return []
        return (service.dispatch_options[0]?.delivery_options ?? []).map(option => optionOf(code, option))
      }),
    }
  }

  /** The locker that was chosen, or the first that Instabox names; it is reserved for a while. */
  async function reserve(request: BookingRequest, signal: AbortSignal): Promise<{ token: string; sort_code: string }> {
    const { settings, service_point } = request
    const { token, options } = await availability(searchOf(request), signal)
    const wanted = request.method === 'locker' ? service_point?.id : undefined
    const option = options.find(one => wanted === undefined || one.sort_code === wanted)
    if (!option)
      throw wanted === undefined || options.length === 0
        ? new CourierRefused('Instabox does not deliver to this postcode today', 'recipient.postcode')
        : new CourierRefused('This locker takes no parcels at the moment. Select another one.', 'service_point')
    const delivery_option = { sort_code: option.sort_code }
    const answer = await access.ask({
      purpose: 'read',
      host: hosts.orders,
      path: '/v2/prebookings',
      settings,
      body: { prebooking: { availability_token: token, service_type: serviceTypes[request.method], delivery_option } },
      signal,
    })
    if (!answer.ok) throw refusalOf(answer)
    return { token, sort_code: option.sort_code }
  }

  /** The waybill as PDF; null where Instabox has no parcel of this number. */
  async function waybill(parcel_id: string, settings: Settings, signal: AbortSignal): Promise<Uint8Array | null> {
    const path = `/v1/waybills?${new URLSearchParams({ parcel_id })}`
    const answer = await access.ask({ purpose: 'read', host: hosts.labels, path, settings, signal })
    if (answer.status === 404) return null
    if (!answer.ok || !isPdf(answer.bytes)) throw new OutcomeUnknown(`The waybill of ${parcel_id} did not come`)
    return answer.bytes
  }

  function bookingOf(request: BookingRequest, parcel_id: string, bytes: Uint8Array): Booking {
    return {
      parcels: [
        {
          ok: true,
          tracking_no: parcel_id,
          barcode: parcel_id,
          cage: null,
          documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes }],
        },
      ],
      exchange: { request: recordedRequest(request), response: { parcel_id } },
    }
  }

  return {
    capabilities,
    validate,
    availability,

    async book(request, signal) {
      refuseUnsupported(capabilities, request, validate)
      const { settings } = request
      const parcel_id = parcelId(request)
      const { token, sort_code } = await reserve(request, AbortSignal.any([signal, AbortSignal.timeout(preparation)]))
      const answer = await access.ask({
        purpose: 'book',
        host: hosts.orders,
        path: '/v2/orders',
        settings,
        body: orderBody(request, token, sort_code),
        signal,
      })
      const missing = () => new OutcomeUnknown(`Instabox was sent ${parcel_id}, but its waybill did not come`)
      if (answer.ok) readReply(OrderReply, answer, { courier: name, purpose: 'book' })
      const bytes = await waybill(parcel_id, settings, signal).catch(() => {
        throw missing()
      })
      if (bytes) return bookingOf(request, parcel_id, bytes)
      // An order of a number that was taken by an earlier try has its waybill; one without was not made.
      if (!answer.ok) throw refusalOf(answer)
      throw missing()
    },

    async find(request, signal) {
      const parcel_id = parcelId(request)
      const bytes = await waybill(parcel_id, request.settings, signal)
      if (bytes) return bookingOf(request, parcel_id, bytes)
      const age = Date.now() - Date.parse(request.asked_at ?? new Date().toISOString())
      if (age < settlesAfter) throw new OutcomeUnknown(`Instabox does not know ${parcel_id} yet`)
      return null
    },

    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),
    track: async () => [],
    parcelShops: async () => [],

    async probe(settings, signal) {
      await access.login(settings, signal)
      return { ok: true, words: name }
    },
  }
}

export const instabox = instaboxAt({
  login: { url: 'https://oauth.instabox.se' },
  availability: { url: 'https://availability.instabox.se' },
  orders: { url: 'https://webshopintegrations.instabox.se' },
  labels: { url: 'https://waybill-generator-api.instabox.se' },
})
