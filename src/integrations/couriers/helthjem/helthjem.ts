/**
 * Helthjem in Norway: to the door, or to a shop of its own or of a partner. Source: Helthjem's API reference and guides
 * (developer.helthjem.no). It has no key for a repeated booking and no search by reference: an unknown outcome is a person's to decide.
 */
import { needsCustoms } from '#domain/customs/places.ts'
import { instantAt } from '#domain/local-time.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { errorFinding, refuseUnsupported } from '../capabilities.ts'
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
  type ServicePoint,
  type TrackingEvent,
} from '../courier.ts'
import { type CourierAnswer, readReply } from '../courier-http.ts'
import {
  centimetres,
  contactName,
  cutAtWord,
  isPdf,
  lengthFindings,
  missingParts,
  notToShop,
  partyName,
  postcodeFindings,
  recordedRequest,
  streetOf,
} from '../request-parts.ts'
import { BookingReply, type HelthjemEvent, ServicePointsReply, TrackingReply } from './helthjem.schemas.ts'
import { askHelthjemAt, type HelthjemHosts, name, preparation, type Settings, wordsOf } from './helthjem-login.ts'

const home = 'NO'

const method = (code: string, title: string, given: Partial<Method> = {}): Method => ({
  code,
  name: title,
  service_point: 'none',
  max_weight_g: 20_000,
  countries: [home],
  services: [],
  ...given,
})

const methods: readonly Method[] = [
  method('home', 'Home delivery', { max_weight_g: 5_000 }),
  method('home_or_shop', 'Home delivery, otherwise parcel shop'),
  method('parcel_shop', 'Parcel shop', { service_point: 'optional' }),
]

/** Helthjem's transport solutions by our methods: what is booked where the settings name no other. */
const solutions: Readonly<Record<string, number>> = { home: 2, home_or_shop: 1, parcel_shop: 86 }

const solutionSetting = (code: string, label: string, hint: string) => ({
  name: `solution_${code}`,
  label,
  hint,
  pattern: '[1-9]\\d{0,5}',
  refusal: 'A transport solution is a number of up to 6 digits',
})

const capabilities: Capabilities = {
  agent_code: 'helthjem',
  name,
  methods,
  operations: ['outbound'],
  sizes: { pdf: [102, 192] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'no',
  parcels_per_call: 1,
  needs: ['phone', 'email', 'weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'none',
  tracking: true,
  parcel_shops: true,
  settings: [
    {
      name: 'client_id',
      label: 'Client ID',
      hint: 'From the integration team of Helthjem. Test and live have different ones',
      required: true,
    },
    { name: 'client_secret', label: 'Client secret', secret: true, required: true },
    {
      name: 'shop_id',
      label: 'Shop ID',
      required: true,
      pattern: '[1-9]\\d{0,8}',
      refusal: 'A shop ID has up to 9 digits',
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
    solutionSetting('home', 'Transport solution for home delivery', 'Empty: 2. Change it only if your agreement names another'),
    solutionSetting(
      'home_or_shop',
      'Transport solution for home delivery, otherwise parcel shop',
      'Empty: 1. Your agreement may name another, such as 114',
    ),
    solutionSetting('parcel_shop', 'Transport solution for parcel shops', 'Empty: 86. Change it only if your agreement names another'),
  ],
}

/** Which shop sends, and how. */
const senderOf = (settings: Settings, code: string): object => ({
  shopId: Number(settings.shop_id),
  transportSolutionId: Number(settings[`solution_${code}`] || solutions[code]),
})

const limits = { name: 105, street: 105, city: 35, careOf: 255, reference: 50, instruction: 350 }

/** Only a name for the letter box stands apart from the street. */
const careOf = /^c\/o:? */i

function addressOf(party: Party): { address: string; zipCode: string; postalName: string; countryCode: string } {
  const apart = careOf.test(party.address2?.trim() ?? '')
  return {
    address: cutAtWord(streetOf(apart ? { ...party, address2: null } : party), limits.street),
    zipCode: plainPostcode(party.postcode, party.country).postcode,
    postalName: cutAtWord(party.city, limits.city),
    countryCode: party.country,
  }
}

function partyOf(type: 'consignee' | 'consignor', party: Party, reference: string): object {
  const second = party.address2?.trim() ?? ''
  return {
    type,
    name: cutAtWord(partyName(party), limits.name),
    ...addressOf(party),
    ...(careOf.test(second) && { coaddress: cutAtWord(second.replace(careOf, ''), limits.careOf) }),
    phone1: party.phone?.replace(/[^+\d]/g, '') ?? '',
    email: party.email?.trim() ?? '',
    reference: cutAtWord(reference, limits.reference),
    contact: cutAtWord(contactName(party) ?? '', 35),
  }
}

const pointOf = ({ id, name: title, address1, postcode, city, country }: ServicePoint): object => ({
  type: 'servicePoint',
  id,
  countryCode: country || home,
  ...(title.trim() && { name: cutAtWord(title, limits.name) }),
  ...(address1.trim() && { address: cutAtWord(address1, limits.street) }),
  ...(postcode.trim() && { zipCode: plainPostcode(postcode, home).postcode }),
  ...(city.trim() && { postalName: cutAtWord(city, limits.city) }),
})

/** The body of a booking. Helthjem numbers the shipment itself. */
function bookingBody({ parties, parcels, settings, method: code, service_point, order_no, reference }: BookingRequest): object {
  const { sender, recipient } = parties
  const { instruction } = recipient
  return {
    ...senderOf(settings, code),
    shipmentId: null,
    ...(instruction?.trim() && { messageToCarrier: cutAtWord(instruction, limits.instruction) }),
    parties: [
      partyOf('consignee', recipient, order_no ?? reference),
      partyOf('consignor', sender, reference),
      ...(code === 'parcel_shop' && service_point ? [pointOf(service_point)] : []),
    ],
    items: parcels.map(({ weight_g, size_mm, lines }, i) => ({
      itemNumber: i + 1,
      trackingReference: '',
      weight: weight_g,
      ...(size_mm && { length: centimetres(size_mm[0]), width: centimetres(size_mm[1]), height: centimetres(size_mm[2]) }),
      ...(lines[0] && { contents: cutAtWord(lines[0].description, 35) }),
    })),
  }
}

/** What a key means, and the field of the form that it is about. */
const errors: Readonly<Record<string, { words: string; field: string | null }>> = {
  'no.carrier.support': {
    words: 'Helthjem does not deliver to this address with this shipping method',
    field: 'recipient.address1',
  },
  'no.access.shop.id': { words: 'The login may not book for the shop ID in the settings of Helthjem', field: null },
}

function refusalOf(answer: CourierAnswer): CourierRefused {
  const { words, key } = wordsOf(answer)
  if (key === null) return new CourierRefused(words)
  const { words: known = '', field = null } = errors[key] ?? {}
  const said = words || known
  return new CourierRefused(said ? `${said} (${key})` : key, field)
}

function validate(request: BookingDraft): Finding[] {
  const { parties, method: code, service_point } = request
  const { sender, recipient } = parties
  const findings = missingParts(request, ['recipient.name', 'recipient.address1', 'recipient.city', 'sender.name', 'sender.address1'])
  if (needsCustoms(sender, recipient))
    findings.push(errorFinding('customs_not_offered', '{{courier}} takes no customs data', 'sender.country', { courier: name }))
  findings.push(...postcodeFindings(request))
  if (service_point && code !== 'parcel_shop') findings.push(notToShop(methods.find(one => one.code === code)?.name ?? code))
  const { name: letters, street, city, instruction } = limits
  // The second line follows the first after a comma, unless it stands apart.
  const rest = careOf.test(recipient.address2?.trim() ?? '')
    ? limits.careOf
    : Math.max(0, street - [...recipient.address1.trim()].length - 2)
  const taken = { name: letters, company: letters, address1: street, address2: rest, city, instruction }
  return [...findings, ...lengthFindings(name, request, taken)]
}

/** Our states by Helthjem's keys of events; what is not listed is shown as text only. */
const states: Readonly<Record<string, string>> = {
  '001': 'booked',
  '060': 'out_for_delivery',
  '061': 'out_for_delivery',
  '073': 'ready_for_pickup',
  '076': 'ready_for_pickup',
  '077': 'ready_for_pickup',
  '013': 'delivered',
  '015': 'delivered',
  '057': 'delivered',
  '068': 'delivery_failed',
  '069': 'delivery_failed',
  '028': 'returning',
  '029': 'returning',
  '030': 'returning',
  '031': 'returning',
  '032': 'returning',
  '033': 'returning',
  '034': 'returning',
  '035': 'returning',
}

/** Null where no time can be read. */
function instantOf({ eventTimeUtc, eventTime }: HelthjemEvent): string | null {
  const utc = Date.parse(eventTimeUtc ?? '')
  if (!Number.isNaN(utc)) return new Date(utc).toISOString()
  const [, day = '', clock = '', seconds = '0'] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}))?/.exec(eventTime ?? '') ?? []
  if (Number.isNaN(Date.parse(`${day}T${clock}Z`))) return null
  return new Date(instantAt(day, clock, 'Europe/Oslo') + Number(seconds) * 1_000).toISOString()
}

function eventOf(event: HelthjemEvent): TrackingEvent[] {
  const at = instantOf(event)
  if (at === null) return []
  const { eventType, message, locationContext } = event
  const said = [...new Set([eventType.description?.trim(), message?.trim()].filter(Boolean))].join(': ')
  return [{ state: states[eventType.apiKey] ?? '', at, place: locationContext?.trim() || null, text: said || eventType.apiKey }]
}

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

function hoursOf(hours: readonly { day: string; from1?: string | null | undefined; to1?: string | null | undefined }[]): string[] {
  return hours
    .toSorted((a, b) => days.indexOf(a.day) - days.indexOf(b.day))
    .flatMap(({ day, from1, to1 }) => (from1 && to1 ? [`${day.slice(0, 1)}${day.slice(1, 3).toLowerCase()} ${from1}–${to1}`] : []))
}

/** A part of a path: the parentheses of a shipment's number too. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29')

/** An address of Helthjem's own guide, for a question that books nothing. */
const sampleAddress = { address: 'Kongsberggata 18 H0201', zipCode: '0468', postalName: 'Oslo', countryCode: home }

export function helthjemAt(hosts: HelthjemHosts): Courier {
  const ask = askHelthjemAt(hosts)

  const covers = (settings: Settings, code: string, place: object, signal: AbortSignal): Promise<CourierAnswer> =>
    ask({ purpose: 'read', path: '/parcels/v1/addresses/find/single', settings, body: { ...senderOf(settings, code), ...place }, signal })

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request)
    const { settings, parties, parcels, method: code } = request
    const question = { courier: name, purpose: 'book' } as const
    if (code !== 'parcel_shop') {
      const { recipient } = parties
      const place = {
        customerName: cutAtWord(partyName(recipient), limits.name),
        ...addressOf(recipient),
        weight: parcels[0]?.weight_g ?? 0,
      }
      const covered = await covers(settings, code, place, AbortSignal.any([signal, AbortSignal.timeout(preparation)]))
      if (!covered.ok) throw refusalOf(covered)
    }
    const answer = await ask({ purpose: 'book', path: '/parcels/v1/bookings', settings, body: bookingBody(request), signal })
    if (!answer.ok) throw refusalOf(answer)
    const { shipmentId, orderId, freightProductId, items, parties: registered } = readReply(BookingReply, answer, question)
    if (items && items.length !== parcels.length) throw new OutcomeUnknown('The answer of Helthjem makes no sense')
    const number = shipmentId.replace(/^\(\d+\)/, '')
    const barcode = items?.[0]?.trackingReference?.replace(/[()]/g, '').trim()
    const reference = registered?.find(one => one.type === 'consignor')?.reference
    const documents = await labelOf(shipmentId, number, settings, signal)
    return {
      ...(reference && { reference }),
      parcels: [{ ok: true, tracking_no: number, barcode: barcode || number, cage: null, documents }],
      exchange: {
        request: recordedRequest(request),
        response: {
          shipment_id: shipmentId,
          order_id: orderId ?? null,
          freight_product_id: freightProductId ?? null,
          tracking_reference: barcode ?? null,
          service_point_id: registered?.find(one => one.type === 'servicePoint')?.id ?? null,
        },
      },
    }
  }

  /** The parcel is booked whether or not its label comes: without it no one may book again. */
  async function labelOf(shipmentId: string, number: string, settings: Settings, signal: AbortSignal): Promise<CourierDocument[]> {
    const missing = () => new OutcomeUnknown(`Helthjem has booked ${number}, but its label did not come`)
    const path = `/parcels/v1/labels/${encoded(shipmentId)}/unified-large`
    const answer = await ask({ purpose: 'read', path, settings, accept: 'application/pdf', signal }).catch(() => {
      throw missing()
    })
    if (!answer.ok || !isPdf(answer.bytes)) throw missing()
    return [{ kind: 'label', format: 'pdf', paper: 'label', bytes: answer.bytes }]
  }

  const read = { courier: name, purpose: 'read' } as const

  return {
    capabilities,
    validate,
    book,
    find: async () => null,
    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),

    async track({ tracking_no, settings }, signal) {
      const path = `/parcels/v1/tracking/fetch/${encoded(tracking_no)}/EN/false`
      const answer = await ask({ purpose: 'read', path, settings, signal })
      if (answer.status === 404) return []
      if (!answer.ok) throw refusalOf(answer)
      const shipments = readReply(TrackingReply, answer, read)
      return shipments
        .filter(one => shipments.length === 1 || one.shipmentNumber === tracking_no)
        .flatMap(({ items }) => items.flatMap(({ events }) => (events ?? []).flatMap(eventOf)))
    },

    async parcelShops({ country, postcode, address: street, settings }, signal) {
      if (country.toUpperCase() !== home) return []
      const answer = await ask({
        purpose: 'read',
        path: '/parcels/v1/service-points/nearby',
        settings,
        body: {
          ...senderOf(settings, 'parcel_shop'),
          ...(street?.trim() && { streetAddress: cutAtWord(street, limits.street) }),
          zipCode: plainPostcode(postcode, home).postcode,
          countryCode: home,
        },
        signal,
      })
      if (!answer.ok) throw refusalOf(answer)
      const { freightProducts } = readReply(ServicePointsReply, answer, read)
      const points = new Map(freightProducts.flatMap(one => one.servicePoints).map(point => [point.servicePointExternalId, point]))
      return [...points.values()].map(({ servicePointExternalId, servicePointName, visitingAddress, openingHours }) => ({
        id: servicePointExternalId,
        name: servicePointName,
        address1: [visitingAddress.streetName, visitingAddress.streetNumber].filter(Boolean).join(' '),
        postcode: visitingAddress.postalCode,
        city: visitingAddress.postalName,
        country: visitingAddress.countryCode || home,
        distance_m: null,
        opening_hours: hoursOf(openingHours ?? []),
      }))
    },

    /** Asks whether Helthjem delivers to an address: also a no tells that login, shop and transport solution are known. */
    async probe(settings, signal) {
      const answer = await covers(settings, 'home', { ...sampleAddress, weight: 500 }, signal)
      return answer.ok || wordsOf(answer).key === 'no.carrier.support'
        ? { ok: true, words: 'Helthjem accepts the login and the shop ID' }
        : { ok: false, words: refusalOf(answer).message }
    },
  }
}

export const helthjem = helthjemAt({ live: { url: 'https://api.helthjem.no' }, test: { url: 'https://api.pre.helthjem.no' } })
