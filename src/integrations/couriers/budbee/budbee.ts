/**
 * Budbee: to the address of the recipient, or into a locker. Source: developer.budbee.com in its own client and in independent ones that agree.
 * Budbee tells where a parcel is by webhooks only, and knows neither a key for a repeated booking nor a look-up that says surely no.
 */
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
  type Method,
  OutcomeUnknown,
  type Service,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, fetchLinked, readReply, wordsIn } from '../courier-http.ts'
import { centimetres, contactName, isPdf, missingParts, notToShop, partyName, postcodeFindings, recordedRequest } from '../request-parts.ts'
import { type BookedParcel, Failure, LockersReply, type OpeningPeriods, OrderReply } from './budbee.schemas.ts'

const name = 'Budbee'

const service = (code: string, title: string, options: Service['options'] = []): Service => ({ code, name: title, options })
const signature = service('signature', 'Signature')
const unattended = service('unattended', 'Leave outside the door')
const inPerson = service('recipient_only', 'Only to the recipient in person')
const identity = service('id_check', 'ID check')
const age = service('age_check', 'Age check', [{ name: 'age', type: 'text', required: true, choices: ['16', '18', '20'] }])

/** No document names a weight that Budbee takes at most. */
const method = (code: string, title: string, service_point: Method['service_point'], services: readonly Service[]): Method => ({
  code,
  name: title,
  service_point,
  max_weight_g: 100_000,
  countries: ['SE', 'DK', 'FI', 'NL', 'DE', 'BE'],
  services,
})

const methods: readonly Method[] = [
  method('home', 'Home delivery', 'none', [signature, unattended, inPerson, identity, age]),
  method('locker', 'Parcel locker', 'required', [identity, age]),
]

const capabilities: Capabilities = {
  agent_code: 'budbee',
  name,
  methods,
  operations: ['outbound'],
  // A6. No document says the size of the PDF.
  sizes: { pdf: [105, 148] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'before_hand_over',
  parcels_per_call: 1,
  needs: ['phone', 'email'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'none',
  tracking: false,
  parcel_shops: true,
  settings: [
    { name: 'key', label: 'API key', required: true },
    { name: 'secret', label: 'API secret', secret: true, required: true },
    {
      name: 'collection_id',
      label: 'Collection point',
      hint: 'The number that Budbee gave the address from which you send',
      required: true,
      pattern: '[1-9]\\d{0,9}',
      refusal: 'A collection point has up to 10 digits',
    },
    {
      name: 'mode',
      label: 'Bookings',
      hint: 'The sandbox has a key and a secret of its own',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'sandbox', name: 'Sandbox' },
      ],
      refusal: 'Choose live or sandbox',
    },
  ],
}

type Settings = Record<string, string>

/** The versions of the calls, which Budbee reads in the media type. */
const resources = {
  postcodes: 'postalcodes-v2',
  lockers: 'boxes-v1',
  booking: 'multiple.orders-v2',
  cancellation: 'multiple.orders-v1',
} as const

const headersOf = ({ key = '', secret = '' }: Settings, resource: keyof typeof resources): Record<string, string> => {
  const mediaType = `application/vnd.budbee.${resources[resource]}+json`
  return {
    accept: mediaType,
    'content-type': mediaType,
    authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
  }
}

/** Budbee writes postcodes without spaces. */
const densePostcode = (postcode: string, country: string): string => plainPostcode(postcode, country).postcode.replaceAll(' ', '')

const phoneNumber = ({ phone, country }: Party): string => phoneOf(phone, country) ?? (phone ?? '').replace(/[^+\d]/g, '')

/** The body of a booking. The sender is the address of the collection point. */
function orderBody(request: BookingRequest): object {
  const { parties, parcels, settings, service_point, services, order_no, reference } = request
  const { recipient } = parties
  const contact = contactName(recipient)
  const second = recipient.address2?.trim()
  const instruction = recipient.instruction?.trim()
  const chosen = (code: string) => services.find(one => one.code === code)
  const minimumAge = chosen(age.code)?.options.age
  const additional = {
    ...((chosen(identity.code) || minimumAge) && { identificationCheckRequired: true }),
    ...(minimumAge && { recipientMinimumAge: Number(minimumAge) }),
    ...(chosen(inPerson.code) && { recipientMustMatchEndCustomer: true }),
  }
  return {
    collectionId: Number(settings.collection_id),
    cart: { cartId: order_no ?? reference },
    delivery: {
      name: partyName(recipient),
      ...(contact !== null && { referencePerson: contact }),
      telephoneNumber: phoneNumber(recipient),
      email: recipient.email?.trim() ?? '',
      outsideDoor: Boolean(chosen(unattended.code)),
      ...(instruction && { additionalInfo: instruction }),
      address: {
        street: recipient.address1.trim(),
        ...(second && { street2: second }),
        postalCode: densePostcode(recipient.postcode, recipient.country),
        city: recipient.city.trim(),
        country: recipient.country,
      },
    },
    ...(request.method === 'locker' && { productCodes: ['DLVBOX'], boxDelivery: { selectedBox: service_point?.id ?? '' } }),
    parcels: parcels.map(({ weight_g, size_mm }) => ({
      shipmentId: reference,
      // Budbee gives the number.
      packageId: '',
      ...((weight_g > 0 || size_mm) && {
        dimensions: {
          ...(weight_g > 0 && { weight: weight_g }),
          ...(size_mm && { length: centimetres(size_mm[0]), width: centimetres(size_mm[1]), height: centimetres(size_mm[2]) }),
        },
      }),
    })),
    ...(Object.keys(additional).length > 0 && { additionalServices: additional }),
    requireSignature: Boolean(chosen(signature.code)),
  }
}

function validate(request: BookingDraft): Finding[] {
  const { method: code, service_point } = request
  const findings = missingParts(request, ['recipient.name', 'recipient.address1', 'recipient.city'])
  findings.push(...postcodeFindings(request, ['recipient']))
  if (service_point && code === 'home') findings.push(notToShop(methods.find(one => one.code === code)?.name ?? code))
  return findings
}

/** Budbee's own words; it has no codes. */
const refusalOf = (answer: CourierAnswer): CourierRefused =>
  new CourierRefused((Failure.safeParse(answer.body).data?.message ?? wordsIn(answer)).slice(0, 300))

/** Milliseconds for the question that comes before a booking. */
const coveragePatience = 4_000

export interface BudbeeHosts {
  live: CourierHost
  sandbox: CourierHost
}

export function budbeeAt({ live, sandbox }: BudbeeHosts): Courier {
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'sandbox' ? sandbox : live)

  interface Ask extends Pick<CourierQuestion, 'purpose' | 'method' | 'signal'> {
    resource: keyof typeof resources
    path: string
    settings: Settings
    body?: object
  }
  const ask = ({ resource, path, settings, body, ...question }: Ask): Promise<CourierAnswer> =>
    askCourier({
      courier: name,
      ...question,
      url: hostOf(settings).url + path,
      headers: headersOf(settings, resource),
      ...(body && { body: JSON.stringify(body) }),
      fetch: hostOf(settings).fetch,
      // A field with a value that is not allowed: only 401 is about the key.
      reads: ({ status }) => status === 403,
    })

  const coverage = (country: string, postcode: string, settings: Settings, signal: AbortSignal): Promise<CourierAnswer> =>
    ask({ purpose: 'read', resource: 'postcodes', path: `/postalcodes/validate/${pathOf(country, postcode)}`, settings, signal })

  /** Budbee wants the postcode checked before a home delivery is ordered. */
  async function mustBeCovered({ parties: { recipient }, settings }: BookingRequest, signal: AbortSignal): Promise<void> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(coveragePatience)])
    const answer = await coverage(recipient.country, recipient.postcode, settings, soon)
    if (answer.status === 404) throw new CourierRefused('Budbee does not deliver to this postcode', 'recipient.postcode')
    if (!answer.ok) throw refusalOf(answer)
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const { settings } = request
    if (request.method === 'home') await mustBeCovered(request, signal)
    const answer = await ask({
      purpose: 'book',
      method: 'POST',
      resource: 'booking',
      path: '/multiple/orders',
      settings,
      body: orderBody(request),
      signal,
    })
    if (!answer.ok) throw refusalOf(answer)
    const order = readReply(OrderReply, answer, { courier: name, purpose: 'book' })
    const [parcel, ...others] = order.parcels
    if (!parcel || others.length > 0) throw new OutcomeUnknown(`Budbee has booked ${order.id}, but its parcels make no sense`)
    const documents = await labelOf(parcel, order.id, settings, signal)
    return {
      ...(parcel.shipmentId && { reference: parcel.shipmentId }),
      // Budbee cancels by the number of the order; the label bears that of the parcel.
      parcels: [{ ok: true, tracking_no: order.id, barcode: parcel.packageId, cage: null, documents }],
      // The link of the label opens without a key, so it is not recorded.
      exchange: { request: recordedRequest(request), response: { order_id: order.id, package_id: parcel.packageId } },
    }
  }

  /** The parcel is booked whether or not its label comes: without it no one may book again. The link is signed and needs no key. */
  async function labelOf(
    { label, labelUrl }: BookedParcel,
    order: string,
    settings: Settings,
    signal: AbortSignal,
  ): Promise<CourierDocument[]> {
    const missing = () => new OutcomeUnknown(`Budbee has booked ${order}, but its label did not come`)
    const link = label || labelUrl
    if (!link) throw missing()
    const answer = await fetchLinked(link, { host: hostOf(settings), courier: name, headers: {}, signal }).catch(() => {
      throw missing()
    })
    if (!answer.ok || !isPdf(answer.bytes)) throw missing()
    return [{ kind: 'label', format: 'pdf', paper: 'label', bytes: answer.bytes }]
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,

    async cancel({ tracking_no, settings }, signal) {
      const { ok } = await ask({
        purpose: 'cancel',
        method: 'DELETE',
        resource: 'cancellation',
        path: `/multiple/orders/${encodeURIComponent(tracking_no)}`,
        settings,
        signal,
      })
      // Where an answer was lost, Budbee may know the order no more: the label then stays blocked.
      return { cancelled: ok, cancelled_at_carrier: ok, refunded: false }
    },

    track: async () => [],

    async parcelShops({ country, postcode, settings }, signal) {
      const path = `/boxes/postalcodes/validate/${pathOf(country, postcode)}`
      const answer = await ask({ purpose: 'read', resource: 'lockers', path, settings, signal })
      if (answer.status === 404) return []
      if (!answer.ok) throw refusalOf(answer)
      const { lockers } = readReply(LockersReply, answer, { courier: name, purpose: 'read' })
      // The best comes first. Budbee does not say in what it counts distances.
      return lockers.map(({ id, name: title, address, openingHours }) => ({
        id,
        name: title,
        address1: address.street,
        postcode: address.postalCode,
        city: address.city,
        country: address.country,
        distance_m: null,
        opening_hours: hoursOf(openingHours?.periods ?? []),
      }))
    },

    /** A postcode that Budbee does not know is an answer too. */
    async probe(settings, signal) {
      const answer = await coverage('SE', '11453', settings, signal)
      return answer.ok || answer.status === 404 ? { ok: true, words: name } : { ok: false, words: refusalOf(answer).message }
    },
  }
}

const pathOf = (country: string, postcode: string): string => {
  const upper = country.toUpperCase()
  return `${encodeURIComponent(upper)}/${encodeURIComponent(densePostcode(postcode, upper))}`
}

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

/** Without an end a locker is open around the clock. */
function hoursOf(periods: OpeningPeriods): string[] {
  return periods
    .filter(({ open }) => days.includes(open.day))
    .toSorted((a, b) => days.indexOf(a.open.day) - days.indexOf(b.open.day) || a.open.time.localeCompare(b.open.time))
    .map(({ open, close }) => `${open.day.slice(0, 1)}${open.day.slice(1, 3).toLowerCase()} ${open.time}–${close?.time ?? '24:00'}`)
}

export const budbee = budbeeAt({ live: { url: 'https://api.budbee.com' }, sandbox: { url: 'https://api.staging.budbee.com' } })
