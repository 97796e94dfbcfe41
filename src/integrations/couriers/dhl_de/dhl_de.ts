/**
 * DHL Paket from Germany. Source: DHL's Parcel DE Shipping 2.1.13, Shipment Tracking Unified and Location Finder Unified, and Parcel DE
 * Pickup 3.0.0. DHL has no key for a repeated booking and no search by reference: an unknown outcome is a person's to decide.
 */
import { needsCustoms } from '#domain/customs/places.ts'
import { dayAt } from '#domain/local-time.ts'
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
  CourierUnavailable,
  type Finding,
  type Method,
  OutcomeUnknown,
  type Service,
  type TrackingEvent,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type Purpose, readReply, wordsIn } from '../courier-http.ts'
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
} from '../request-parts.ts'
import { threeLetters } from './country-codes.ts'
import { customsBody, customsFindings, mostItems } from './customs.ts'
import {
  type DhlEvent,
  type DhlLocation,
  LocationsReply,
  type OrderItem,
  OrdersReply,
  Problem,
  TrackingReply,
  type ValidationMessage,
} from './dhl_de.schemas.ts'
import { instantsOf } from './event-times.ts'
import { dhlPickup } from './pickup.ts'

const name = 'DHL'
const home = 'DE'
const abroad = [...threeLetters.keys()].filter(country => country !== home)

const service = (code: string, title: string, options: Service['options'] = []): Service => ({ code, name: title, options })
const insurance = service('additionalInsurance', 'Higher insurance, EUR', [{ name: 'amount', type: 'number', required: true }])
const green = service('goGreenPlus', 'GoGreen Plus')
const outlet = service('parcelOutletRouting', 'To a branch if undeliverable', [{ name: 'email', type: 'text' }])
const bulky = service('bulkyGoods', 'Bulky goods')
const returnLabel = service('dhlRetoure', 'Return label in the parcel')
const endorsement = service('endorsement', 'If undeliverable', [
  { name: 'action', type: 'text', required: true, choices: ['RETURN', 'ABANDON'] },
])
const premium = service('premium', 'Premium')
const shippingFee = service('postalCharges', 'Shipping fee for customs', [{ name: 'amount', type: 'number', required: true }])

const atHome = [
  service('namedPersonOnly', 'Named person only'),
  service('signedForByRecipient', 'Signature of the recipient'),
  service('noNeighbourDelivery', 'Not to neighbours'),
  service('visualCheckOfAge', 'Age check', [{ name: 'age', type: 'text', required: true, choices: ['A16', 'A18'] }]),
  service('identCheck', 'ID check', [
    { name: 'first_name', type: 'text', required: true },
    { name: 'last_name', type: 'text', required: true },
    { name: 'age', type: 'text', choices: ['A16', 'A18'] },
  ]),
  service('preferredNeighbour', 'Chosen neighbour', [{ name: 'neighbour', type: 'text', required: true }]),
  service('preferredLocation', 'Chosen place', [{ name: 'place', type: 'text', required: true }]),
  service('preferredDay', 'Chosen day', [{ name: 'day', type: 'text', required: true }]),
  outlet,
  insurance,
  bulky,
  green,
  returnLabel,
]

const method = (code: string, title: string, given: Partial<Method>): Method => ({
  code,
  name: title,
  service_point: 'none',
  max_weight_g: 31_500,
  countries: abroad,
  services: [],
  ...given,
})

const methods: readonly Method[] = [
  method('V01PAK', 'Paket', { countries: [home], services: atHome }),
  method('V01PAK_POINT', 'Paket to a Packstation or Postfiliale', {
    countries: [home],
    service_point: 'required',
    services: [insurance, bulky, green, returnLabel],
  }),
  method('V62KP', 'Kleinpaket', {
    countries: [home],
    max_weight_g: 1_000,
    services: [outlet, insurance, bulky, green, returnLabel],
  }),
  method('V53WPAK', 'Paket International', {
    services: [
      premium,
      service('closestDropPoint', 'Nearest parcel shop'),
      endorsement,
      service('postalDeliveryDutyPaid', 'Duties paid by the sender'),
      insurance,
      green,
      shippingFee,
    ],
  }),
  method('V54EPAK', 'Europaket', { services: [insurance, shippingFee] }),
  method('V66WPI', 'Warenpost International', { max_weight_g: 1_000, services: [premium, endorsement, shippingFee] }),
]

/** The method to a point is the same product as the one to the address. */
const productOf = (code: string): string => code.split('_')[0] ?? code
/** The digits of a product in its billing numbers, which are also the name of its setting. */
const digitsOf = (code: string): string => productOf(code).slice(1, 3)
/** DHL takes a Packstation or a Postfiliale as the address with these. */
const toPoint = ['V01PAK', 'V01PAK_POINT', 'V62KP']

const billingNumber = (digits: string, label: string) => ({
  name: `billing_${digits}`,
  label,
  pattern: `\\w{10}${digits}\\w{2}`,
  refusal: 'A billing number has 14 characters; the 11th and 12th name the product',
})

const capabilities: Capabilities = {
  agent_code: 'dhl_de',
  name,
  methods,
  operations: ['outbound'],
  sizes: { pdf: [103, 150], a4: [210, 297], zpl: [103, 150] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'before_hand_over',
  parcels_per_call: 30,
  needs: ['weight'],
  parties: [],
  documents: ['label', 'return_label', 'cn23'],
  customs: { numbers: ['eori'], max_lines: mostItems },
  pickups: 'order',
  pickup_window: true,
  tracking: true,
  parcel_shops: true,
  settings: [
    {
      name: 'key',
      label: 'App key',
      hint: 'Of your app at developer.dhl.com, with shipping, tracking and the location finder',
      secret: true,
      required: true,
    },
    { name: 'user', label: 'User', hint: 'A system user of the business customer portal', required: true },
    { name: 'password', label: 'Password', secret: true, required: true },
    { name: 'profile', label: 'User group in the portal', hint: 'Empty: STANDARD_GRUPPENPROFIL', pattern: '.{1,35}' },
    billingNumber('01', 'Billing number, Paket'),
    billingNumber('62', 'Billing number, Kleinpaket'),
    billingNumber('53', 'Billing number, abroad'),
    billingNumber('54', 'Billing number, Europaket'),
    billingNumber('66', 'Billing number, Warenpost'),
    billingNumber('07', 'Billing number, returns'),
    billingNumber('08', 'Billing number, pickups'),
    { name: 'app_secret', label: 'App secret', hint: 'Of the same app. Only pickups need it', secret: true },
    {
      name: 'shipping_fee',
      label: 'Shipping fee for customs',
      hint: 'What recipients abroad pay for the shipping, by currency: 14.49 EUR, 159 NOK',
      pattern: '\\d{1,5}(\\.\\d{1,2})? [A-Z]{3}(, ?\\d{1,5}(\\.\\d{1,2})? [A-Z]{3}){0,19}',
      refusal: 'Write amounts with their currency, such as 14.49 EUR, 159 NOK',
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
  ],
}

type Settings = Record<string, string>

const profileOf = ({ profile }: Settings): string => profile?.trim() || 'STANDARD_GRUPPENPROFIL'
const billingOf = (settings: Settings, digits: string): string => settings[`billing_${digits}`]?.trim() ?? ''

const headersOf = ({ key = '', user = '', password = '' }: Settings, locale: string): Record<string, string> => ({
  accept: 'application/json',
  'accept-language': locale.slice(0, 2).toLowerCase() === 'de' ? 'de-DE' : 'en-US',
  'dhl-api-key': key,
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

/** A Packstation or a Postfiliale of Germany, by its number in its postcode. */
interface Point {
  kind: 'locker' | 'branch'
  number: number
  postcode: string
  city: string
}
const written = /^(?:DHL )?(Packstation|Postfiliale|Filiale|Paketshop) ?(\d{3})$/i

/** The chosen point, or the one that the recipient wrote as the address. Undefined: to the address; null: the point cannot be used. */
function pointOf({ method: code, parties: { recipient }, service_point }: BookingDraft): Point | null | undefined {
  if (!toPoint.includes(code)) return undefined
  const place = service_point ?? { ...recipient, id: recipient.address1 }
  const [, kind = '', digits = ''] = written.exec(place.id.trim()) ?? []
  if (kind === '') return service_point ? null : undefined
  const locker = kind.toLowerCase() === 'packstation'
  const number = Number(digits)
  if (number < (locker ? 100 : 401) || place.postcode.trim() === '' || place.city.trim() === '') return null
  return { kind: locker ? 'locker' : 'branch', number, postcode: plainPostcode(place.postcode, home).postcode, city: place.city.trim() }
}

/** The number of the recipient's account at DHL, where people write it: in a line of its own. */
function postNumberOf({ address2, company, attention }: Party): string | null {
  for (const line of [address2, company, attention]) {
    const [, number] = /^(?:(?:DHL )?Post(?:nummer|nr\.?|-Nr\.?):? ?)?(\d{6,10})$/i.exec(line?.trim() ?? '') ?? []
    if (number !== undefined) return number
  }
  return null
}

const countryOf = ({ country }: Party): string => threeLetters.get(country) ?? country

function addressOf(party: Party): object {
  const { postcode } = plainPostcode(party.postcode, party.country)
  const second = party.address2?.trim()
  const contact = contactName(party)
  return {
    name1: cutAtWord(partyName(party), 50),
    ...(contact !== null && { name2: cutAtWord(contact, 50) }),
    // German labels print a third line of the name and no second line of the street.
    ...(second && party.country === home && { name3: cutAtWord(second, 50) }),
    addressStreet: cutAtWord(party.address1, 50),
    ...(postcode !== '' && { postalCode: postcode }),
    city: cutAtWord(party.city, 40),
    country: countryOf(party),
    ...(party.email?.trim() && { email: party.email.trim() }),
  }
}

function consignee(request: BookingDraft): object {
  const { recipient } = request.parties
  const point = pointOf(request)
  if (!point) {
    const phone = recipient.phone?.replace(/[^+\d]/g, '')
    const second = recipient.address2?.trim()
    const out = recipient.country !== home
    return {
      ...addressOf(recipient),
      ...(out && second && { additionalAddressInformation1: cutAtWord(second, 60) }),
      // Inside Germany DHL takes no phone number.
      ...(out && phone && { phone: phone.slice(0, 20) }),
    }
  }
  const postNumber = postNumberOf(recipient)
  const common = {
    name: cutAtWord(recipient.name.trim() || partyName(recipient), 50),
    ...(postNumber !== null && { postNumber }),
    city: cutAtWord(point.city, 40),
    postalCode: point.postcode,
    country: 'DEU',
  }
  if (point.kind === 'locker') return { ...common, lockerID: point.number }
  return { ...common, retailID: point.number, ...(postNumber === null && { email: recipient.email?.trim() ?? '' }) }
}

type Options = BookingDraft['services'][number]['options']

/** Values of services that are more than a yes, by their code. */
const values: Readonly<Record<string, (options: Options, request: BookingRequest) => unknown>> = {
  visualCheckOfAge: ({ age }) => age,
  identCheck: ({ first_name, last_name, age }) => ({
    firstName: cutAtWord(String(first_name), 35),
    lastName: cutAtWord(String(last_name), 35),
    ...(age && { minimumAge: age }),
  }),
  preferredNeighbour: ({ neighbour }) => cutAtWord(String(neighbour), 100),
  preferredLocation: ({ place }) => cutAtWord(String(place), 100),
  preferredDay: ({ day }) => day,
  parcelOutletRouting: ({ email }, { parties }) => email || parties.recipient.email?.trim(),
  endorsement: ({ action }) => action,
  additionalInsurance: ({ amount }) => ({ currency: 'EUR', value: amount }),
  dhlRetoure: (_, { settings, reference, parties }) => ({
    billingNumber: billingOf(settings, '07'),
    refNo: referenceOf(reference),
    returnAddress: addressOf(parties.sender),
  }),
}

function servicesOf(request: BookingRequest): Record<string, unknown> {
  const chosen = request.services
    // A part of the customs data.
    .filter(({ code }) => code !== 'postalCharges')
    .map(({ code, options }): [string, unknown] => [code, values[code]?.(options, request) ?? true])
  const paid = request.method === 'V53WPAK' && request.customs?.terms === 'DDP'
  return { ...Object.fromEntries(chosen), ...(paid && { postalDeliveryDutyPaid: true }) }
}

/** At least eight characters, or DHL does not track by it. */
const referenceOf = (reference: string): string => reference.slice(0, 35).padStart(8, '0')

/** The body of a booking: DHL takes each parcel as a shipment of its own. */
function ordersBody(request: BookingRequest): object {
  const { parties, parcels, settings, order_no, reference, ship_date } = request
  const services = servicesOf(request)
  const customs = customsBody(request)
  const today = dayAt(Date.now(), 'Europe/Berlin')
  return {
    profile: profileOf(settings),
    shipments: parcels.map(({ weight_g, size_mm, parcel_no }) => {
      const [length, width, height] = size_mm ?? []
      return {
        product: productOf(request.method),
        billingNumber: billingOf(settings, digitsOf(request.method)),
        refNo: referenceOf(parcels.length > 1 ? `${reference.slice(0, 31)}-${parcel_no}` : reference),
        ...(order_no !== null && { costCenter: cutAtWord(order_no, 50) }),
        // A booking that waited over midnight would be refused.
        shipDate: ship_date.localeCompare(today) < 0 ? today : ship_date,
        shipper: addressOf(parties.sender),
        consignee: consignee(request),
        details: {
          weight: { uom: 'g', value: weight_g },
          ...(length &&
            width &&
            height && {
              dim: { uom: 'cm', length: centimetres(length), width: centimetres(width), height: centimetres(height) },
            }),
        },
        ...(Object.keys(services).length > 0 && { services }),
        ...(customs && { customs }),
      }
    }),
  }
}

function validate(request: BookingDraft): Finding[] {
  const { parties, method: code, settings, services, customs, service_point } = request
  const { sender, recipient } = parties
  const title = methods.find(one => one.code === code)?.name ?? code
  const chosen = (service_code: string) => services.some(one => one.code === service_code)
  const point = pointOf(request)
  const findings: Finding[] = []
  for (const [needed, digits, wanted] of [
    [true, digitsOf(code), title],
    [chosen('dhlRetoure'), '07', returnLabel.name],
  ] as const)
    if (needed && billingOf(settings, digits) === '')
      findings.push(
        errorFinding(
          'billing_number_missing',
          'Enter the billing number of {{product}} in the settings of the courier',
          digits === '07' ? 'services' : 'shipping_method',
          { product: wanted },
        ),
      )
  findings.push(...missingParts(request, ['recipient.name', 'sender.name', 'sender.address1']))
  if (point === undefined) {
    findings.push(...missingParts(request, ['recipient.address1', 'recipient.city']))
  } else findings.push(...pointFindings(point, request))
  if (chosen('closestDropPoint') && !recipient.phone?.trim() && !recipient.email?.trim())
    findings.push(
      errorFinding('contact_missing', '{{courier}} needs a phone number or an email address of the recipient', 'recipient.phone', {
        courier: name,
      }),
    )
  const unasked = services.some(one => one.code === 'parcelOutletRouting' && !one.options.email)
  if (unasked && !recipient.email?.trim())
    findings.push(
      errorFinding('email_missing', '{{courier}} needs an email address of the recipient', 'recipient.email', { courier: name }),
    )
  if (!customs && needsCustoms(sender, recipient))
    findings.push(
      errorFinding('customs_data_missing', 'A parcel to {{country}} needs customs data', 'customs', { country: recipient.country }),
    )
  findings.push(...postcodeFindings(request, point ? ['sender'] : ['sender', 'recipient']))
  if (service_point && !toPoint.includes(code)) findings.push(notToShop(title))
  const limits = { name: 50, company: 50, address1: 50, address2: recipient.country === home ? 50 : 60, city: 40 }
  return [...findings, ...customsFindings(request), ...(point ? [] : lengthFindings(name, request, limits))]
}

function pointFindings(point: Point | null, { parties: { recipient }, service_point }: BookingDraft): Finding[] {
  if (point === null)
    return [
      errorFinding(
        'service_point_incomplete',
        'DHL needs a point such as “Packstation 145”, with its postcode and city. Select it again.',
        service_point ? 'service_point' : 'recipient.address1',
      ),
    ]
  if (postNumberOf(recipient) !== null) return []
  if (point.kind === 'locker')
    return [
      errorFinding(
        'post_number_missing',
        'A Packstation needs the DHL customer number of the recipient: 6 to 10 digits in the second line of the address',
        'recipient.address2',
      ),
    ]
  return recipient.email?.trim()
    ? []
    : [errorFinding('email_missing', '{{courier}} needs an email address of the recipient', 'recipient.email', { courier: name })]
}

/** Fields of the form by the last part of a property; those of an address follow the party before them. */
const fields: Readonly<Record<string, string>> = {
  name: 'name',
  name1: 'name',
  name2: 'name',
  name3: 'address2',
  addressstreet: 'address1',
  addresshouse: 'address1',
  additionaladdressinformation1: 'address2',
  postalcode: 'postcode',
  city: 'city',
  country: 'country',
  phone: 'phone',
  email: 'email',
}
const otherFields: readonly (readonly [RegExp, string])[] = [
  [/lockerid|retailid/, 'service_point'],
  [/postnumber/, 'recipient.address2'],
  [/customs/, 'customs'],
  [/weight/, 'parcels.0.weight_g'],
  [/\bdim(ensions?)?\b|length|width|height/, 'parcels.0.size_mm'],
  [/shipdate/, 'ship_date'],
  [/product/, 'shipping_method'],
  [/services/, 'services'],
]

function fieldOf(property: string): string | null {
  const parts = property
    .toLowerCase()
    .split(/[.[\]]+/)
    .filter(Boolean)
  const party = parts.includes('shipper') ? 'sender' : parts.includes('consignee') ? 'recipient' : null
  const field = fields[parts.at(-1) ?? '']
  if (party !== null && field !== undefined) return `${party}.${field}`
  return otherFields.find(([pattern]) => pattern.test(parts.join(' ')))?.[1] ?? null
}

const isWarning = ({ validationState }: ValidationMessage): boolean => validationState?.toLowerCase() === 'warning'
const wordsOf = ({ property, validationMessage }: ValidationMessage): string =>
  [property && `${property}:`, validationMessage].filter(Boolean).join(' ')

/** DHL's own words, of the item before those of the request. */
function refusalOf(answer: CourierAnswer, reply: OrdersReply | undefined): CourierRefused {
  const item = reply?.items?.[0]
  const errors = (item?.validationMessages ?? []).filter(one => !isWarning(one) && one.validationMessage)
  const said = [...new Set(errors.map(wordsOf))].join(' · ')
  const status = item?.sstatus ?? reply?.status
  const words = said || status?.detail || reply?.detail || status?.title || reply?.title || wordsIn(answer)
  const field = errors.map(one => fieldOf(one.property ?? '')).find(one => one !== null) ?? null
  return new CourierRefused(words.slice(0, 300), field)
}

type OrderDocument = OrderItem['label']

function pdfOf(document: OrderDocument): Uint8Array | null {
  const bytes = Buffer.from(document?.b64 ?? '', 'base64')
  return isPdf(bytes) ? bytes : null
}
const zplOf = (document: OrderDocument): Uint8Array | null => (document?.zpl2?.includes('^XA') ? Buffer.from(document.zpl2, 'utf8') : null)

/** Thermal, 103 × 150 mm. */
const labelPaper = '910-300-400'
const documentQuery = (docFormat: 'PDF' | 'ZPL2', printFormat: string): Record<string, string> => ({
  docFormat,
  printFormat,
  retourePrintFormat: printFormat,
  includeDocs: 'include',
  combine: 'false',
})

/** Our states by DHL's; what is not listed is shown as text only. */
const states: Readonly<Record<string, string>> = {
  'pre-transit': 'booked',
  transit: 'in_transit',
  delivered: 'delivered',
  failure: 'delivery_failed',
}

/** DHL lists the newest event first; times without a zone are read in the order of what happened. */
function eventsOf(listed: readonly DhlEvent[]): TrackingEvent[] {
  const newestFirst = (listed[0]?.timestamp ?? '') >= (listed.at(-1)?.timestamp ?? '')
  const events = newestFirst ? listed.toReversed() : listed
  const instants = instantsOf(events.map(one => one.timestamp ?? ''))
  return events.flatMap(({ statusCode, status, description, location }, i): TrackingEvent[] => {
    const at = instants[i] ?? null
    if (at === null) return []
    const text = description?.trim() || status?.trim() || statusCode || ''
    const place = location?.address?.addressLocality?.trim() || null
    return [{ state: states[statusCode?.toLowerCase() ?? ''] ?? '', at: new Date(at).toISOString(), place, text }]
  })
}

/** As people address it: the number alone means another place at a Packstation and at a Postfiliale. */
function shopOf({ name: title, location: { keywordId, type }, place: { address }, distance, openingHours }: DhlLocation) {
  const kind = type === 'locker' ? 'Packstation' : ['servicepoint', 'postoffice', 'postbank'].includes(type) ? 'Postfiliale' : null
  if (kind === null || !/^\d{3}$/.test(keywordId ?? '')) return []
  return [
    {
      id: `${kind} ${keywordId}`,
      name: title,
      address1: address.streetAddress,
      postcode: address.postalCode,
      city: address.addressLocality,
      country: address.countryCode || home,
      distance_m: typeof distance === 'number' ? Math.round(distance) : null,
      opening_hours: hoursOf(openingHours ?? []),
    },
  ]
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const dayOf = (link: string): string => link.split('/').at(-1) ?? ''

function hoursOf(hours: readonly { opens: string; closes: string; dayOfWeek: string }[]): string[] {
  return hours
    .filter(one => days.includes(dayOf(one.dayOfWeek)))
    .toSorted((a, b) => days.indexOf(dayOf(a.dayOfWeek)) - days.indexOf(dayOf(b.dayOfWeek)) || a.opens.localeCompare(b.opens))
    .map(({ dayOfWeek, opens, closes }) => `${dayOf(dayOfWeek).slice(0, 3)} ${opens.slice(0, 5)}–${closes.slice(0, 5)}`)
}

/** DHL's own sample addresses, for a dry run. */
const bonn = { postalCode: '53113', city: 'Bonn', country: 'DEU' }
const sampleSender = { name1: 'My Online Shop GmbH', addressStreet: 'Sträßchensweg 10', ...bonn }
const sampleAtHome = { name1: 'Maria Musterfrau', addressStreet: 'Kurt-Schumacher-Str. 20', ...bonn }
const sampleAbroad = { name1: 'Jan Vermeer', addressStreet: 'Museumstraat 1', postalCode: '1071 AA', city: 'Amsterdam', country: 'NLD' }

export interface DhlHosts {
  live: CourierHost
  test: CourierHost
  locations: CourierHost
}

export function dhlAt(hosts: DhlHosts): Courier {
  interface Ask {
    purpose: Purpose
    settings: Settings
    query: Record<string, string>
    signal: AbortSignal
    method?: 'GET' | 'POST' | 'DELETE'
    body?: object
    locale?: string
  }
  const orders = ({ purpose, settings, query, signal, method: verb = 'GET', body, locale = 'en' }: Ask): Promise<CourierAnswer> => {
    const host = settings.mode === 'test' ? hosts.test : hosts.live
    return askCourier({
      courier: name,
      purpose,
      url: `${host.url}/parcel/de/shipping/v2/orders?${new URLSearchParams(query)}`,
      method: verb,
      headers: { ...headersOf(settings, locale), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal,
      fetch: host.fetch,
    })
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const { settings, locale } = request
    const answer = await orders({
      purpose: 'book',
      method: 'POST',
      settings,
      locale,
      query: { ...documentQuery('PDF', labelPaper), mustEncode: 'true' },
      body: ordersBody(request),
      signal,
    })
    const reply = OrdersReply.safeParse(answer.body).data
    const items = reply?.items ?? []
    const statusOf = (item: OrderItem): number => item.sstatus?.code ?? answer.status
    const isRefused = (item: OrderItem): boolean => statusOf(item) >= 400 && statusOf(item) < 500
    if (!answer.ok || (items.length > 0 && items.every(isRefused))) throw refusalOf(answer, reply)
    const senseless = () => new OutcomeUnknown('The answer of DHL makes no sense')
    if (items.length !== request.parcels.length) throw senseless()
    const parcels: Booking['parcels'] = []
    for (const item of items) {
      // One parcel of several may be refused: the others are booked.
      if (isRefused(item)) {
        const { message, field } = refusalOf(answer, { status: null, items: [item] })
        parcels.push({ ok: false, message, field })
        continue
      }
      const { shipmentNo } = item
      if (!shipmentNo || statusOf(item) >= 300) throw senseless()
      const documents = await documentsOf(item, shipmentNo, request, signal)
      parcels.push({ ok: true, tracking_no: shipmentNo, barcode: shipmentNo, cage: null, documents })
    }
    const shipments = items.map(({ shipmentNo, routingCode, returnShipmentNo, validationMessages }) => ({
      shipment_no: shipmentNo ?? null,
      routing_code: routingCode ?? null,
      return_shipment_no: returnShipmentNo ?? null,
      warnings: (validationMessages ?? []).map(wordsOf).slice(0, 20),
    }))
    return {
      parcels,
      exchange: { request: recordedRequest(request), response: shipments.length === 1 ? shipments[0] : shipments },
    }
  }

  /** The parcel is booked whether or not its label comes: without it no one may book again. */
  async function documentsOf(
    item: OrderItem,
    shipmentNo: string,
    request: BookingRequest,
    signal: AbortSignal,
  ): Promise<CourierDocument[]> {
    const again = (docFormat: 'PDF' | 'ZPL2', paper: string) => labelAgain(shipmentNo, documentQuery(docFormat, paper), request, signal)
    const label = pdfOf(item.label) ?? pdfOf(await again('PDF', labelPaper))
    if (!label) throw new OutcomeUnknown(`DHL has booked ${shipmentNo}, but its label did not come`)
    const documents: CourierDocument[] = [{ kind: 'label', format: 'pdf', paper: 'label', bytes: label }]
    const zpl = request.label.format === 'zpl' && zplOf(await again('ZPL2', labelPaper))
    if (zpl) documents.push({ kind: 'label', format: 'zpl', paper: 'label', bytes: zpl })
    const a4 = request.label.format === 'a4' && pdfOf(await again('PDF', 'A4'))
    if (a4) documents.push({ kind: 'label', format: 'pdf', paper: 'a4', bytes: a4 })
    const returned = pdfOf(item.returnLabel)
    if (returned) documents.push({ kind: 'return_label', format: 'pdf', paper: 'label', bytes: returned })
    const declaration = pdfOf(item.customsDoc)
    if (declaration) documents.push({ kind: 'cn23', format: 'pdf', paper: 'a4', bytes: declaration })
    return documents
  }

  /** The label in another form, as long as the day is not closed. A booking is not lost for want of it. */
  async function labelAgain(
    shipment: string,
    query: Record<string, string>,
    { settings }: BookingRequest,
    signal: AbortSignal,
  ): Promise<OrderDocument> {
    try {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(4_000)])
      const answer = await orders({ purpose: 'read', settings, query: { shipment, ...query }, signal: soon })
      return OrdersReply.safeParse(answer.body).data?.items?.[0]?.label
    } catch {
      return null
    }
  }

  const unified = async (host: CourierHost, path: string, { key = '' }: Settings, signal: AbortSignal): Promise<CourierAnswer> =>
    askCourier({
      courier: name,
      purpose: 'read',
      url: host.url + path,
      headers: { accept: 'application/json', 'dhl-api-key': key },
      signal,
      fetch: host.fetch,
    })

  function mustBeOk(answer: CourierAnswer): void {
    const { title, detail } = Problem.safeParse(answer.body).data ?? {}
    if (!answer.ok) throw new CourierRefused((detail || title || wordsIn(answer)).slice(0, 300))
  }

  const read = { courier: name, purpose: 'read' } as const

  return {
    capabilities,
    validate,

    checkSettings: settings =>
      methods.some(one => billingOf(settings, digitsOf(one.code)) !== '')
        ? []
        : [{ code: null, field: 'billing_01', severity: 'error', text: 'Enter the billing number of one product at least' }],

    book,
    find: async () => null,
    pickup: dhlPickup(settings => (settings.mode === 'test' ? hosts.test : hosts.live)),

    async cancel({ tracking_no, settings }, signal) {
      const answer = await orders({
        purpose: 'cancel',
        method: 'DELETE',
        settings,
        query: { profile: profileOf(settings), shipment: tracking_no },
        signal,
      })
      const item = OrdersReply.safeParse(answer.body).data?.items?.[0]
      const status = answer.ok ? item?.sstatus?.code : answer.status
      if (typeof status !== 'number') throw new CourierUnavailable('The answer of DHL makes no sense')
      // DHL bills what was closed at the end of a day or carried, so a parcel deleted before costs nothing.
      const done = status >= 200 && status < 300
      return { cancelled: done, cancelled_at_carrier: done, refunded: done }
    },

    async track({ tracking_no, settings }, signal) {
      const query = new URLSearchParams({ trackingNumber: tracking_no, language: 'en' })
      const answer = await unified(hosts.live, `/track/shipments?${query}`, settings, signal)
      if (answer.status === 404) return []
      mustBeOk(answer)
      const { shipments } = readReply(TrackingReply, answer, read)
      const shipment = shipments.length === 1 ? shipments[0] : shipments.find(one => one.id === tracking_no)
      const events = shipment?.events ?? []
      return eventsOf(events.length > 0 || !shipment?.status ? events : [shipment.status])
    },

    async parcelShops({ country, postcode, address: street, settings }, signal) {
      // Abroad DHL takes the nearest point itself, and none can be chosen.
      if (country.toUpperCase() !== home) return []
      const near = async (serviceType: string) => {
        const query = new URLSearchParams({
          countryCode: home,
          postalCode: plainPostcode(postcode, home).postcode,
          ...(street?.trim() && { streetAddress: street.trim().slice(0, 100) }),
          providerType: 'parcel',
          serviceType,
          limit: '15',
        })
        const answer = await unified(hosts.locations, `/location-finder/v1/find-by-address?${query}`, settings, signal)
        mustBeOk(answer)
        return readReply(LocationsReply, answer, read).locations.flatMap(shopOf)
      }
      // Several services in one question would mean places that offer all of them.
      const found = await Promise.all([near('parcel:pick-up'), near('parcel:pick-up-registered')])
      const shops = new Map(found.flat().map(shop => [`${shop.postcode} ${shop.id}`, shop]))
      return [...shops.values()].toSorted((a, b) => (a.distance_m ?? Number.MAX_VALUE) - (b.distance_m ?? Number.MAX_VALUE))
    },

    /** A dry run of one parcel with each billing number: DHL checks and stores nothing. */
    async probe(settings, signal) {
      const products = [...new Set(methods.map(one => productOf(one.code)))].filter(one => billingOf(settings, digitsOf(one)) !== '')
      if (products.length === 0) return { ok: false, words: 'Enter the billing number of one product at least' }
      const shipments = products.map(product => ({
        product,
        billingNumber: billingOf(settings, digitsOf(product)),
        refNo: 'Connection test',
        shipper: sampleSender,
        consignee: product === 'V01PAK' || product === 'V62KP' ? sampleAtHome : sampleAbroad,
        details: { weight: { uom: 'g', value: 500 } },
      }))
      const body = { profile: profileOf(settings), shipments }
      const answer = await orders({ purpose: 'read', method: 'POST', settings, query: { validate: 'true' }, body, signal })
      const reply = OrdersReply.safeParse(answer.body).data
      const items = reply?.items ?? []
      if (items.length !== products.length) return { ok: false, words: refusalOf(answer, reply).message }
      const said = items.map(({ sstatus, validationMessages }, i) => {
        const words = (validationMessages ?? []).filter(one => !isWarning(one)).map(wordsOf)
        return `${products[i]}: ${words[0] ?? (sstatus?.detail || sstatus?.title || '')}`
      })
      const ok = answer.ok && items.every(({ sstatus }) => (sstatus?.code ?? answer.status) < 300)
      return { ok, words: said.join(' · ').slice(0, 300) }
    },
  }
}

export const dhlDe = dhlAt({
  live: { url: 'https://api-eu.dhl.com' },
  test: { url: 'https://api-sandbox.dhl.com' },
  locations: { url: 'https://api.dhl.com' },
})
