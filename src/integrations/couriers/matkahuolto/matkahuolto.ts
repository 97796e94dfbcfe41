/**
 * Matkahuolto: parcels inside Finland by its XML interface. Source: an open-source client of the shipment interface 2.24 and the
 * tracking interface 1.3, and modules for web shops that search its offices. A label comes once, with the booking.
 */
import type * as z from 'zod'
import { needsCustoms } from '#domain/customs/places.ts'
import { readDate } from '#domain/dates.ts'
import { phoneOf } from '#domain/order/address.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { errorFinding, refuseUnsupported } from '../capabilities.ts'
import {
  type Booking,
  type BookingDraft,
  type BookingRequest,
  type Capabilities,
  type Courier,
  CourierRefused,
  CourierUnavailable,
  type Finding,
  OutcomeUnknown,
  type TrackingEvent,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, type Purpose, wordsIn } from '../courier-http.ts'
import {
  contactName,
  cutAtWord,
  isPdf,
  kilograms,
  missingParts,
  partyName,
  postcodeFindings,
  recordedRequest,
  streetOf,
} from '../request-parts.ts'
import { allOf, childrenOf, readXml, wordsOf, writeXml, type XmlContent, type XmlNode } from '../xml.ts'
import { OfficesReply, ShipmentReply, TrackingReply } from './matkahuolto.schemas.ts'

const name = 'Matkahuolto'
const home = 'FI'

/** No source names a weight that Matkahuolto takes at most. */
const method = (code: string, title: string, service_point: 'none' | 'required') =>
  ({ code, name: title, service_point, max_weight_g: 100_000, countries: [home], services: [] }) as const

const capabilities: Capabilities = {
  agent_code: 'matkahuolto',
  name,
  methods: [
    method('80', 'Lähellä-paketti', 'required'),
    method('34', 'Kotijakelu', 'none'),
    method('30', 'Jakopaketti', 'none'),
    method('37', 'XXS-luukku', 'none'),
  ],
  operations: ['outbound'],
  sizes: { pdf: [100, 150] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'yes',
  parcels_per_call: 1,
  needs: ['phone', 'weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'none',
  tracking: true,
  parcel_shops: true,
  settings: [
    {
      name: 'user_id',
      label: 'User ID',
      hint: 'The account number that Matkahuolto gave for its interfaces, without zeros at its start',
      required: true,
      pattern: '[1-9]\\d{0,9}',
      refusal: 'A user ID has up to 10 digits and no zero at its start',
    },
    { name: 'password', label: 'Password', secret: true, required: true },
    {
      name: 'customer_no',
      label: 'Customer number',
      required: true,
      pattern: '\\d{1,10}',
      refusal: 'A customer number has up to 10 digits',
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

export interface MatkahuoltoHosts {
  live: CourierHost
  test: CourierHost
}

const phoneNumber = ({ phone, country }: Party): string => phoneOf(phone, country) ?? (phone ?? '').replace(/[^+\d]/g, '')

const personFields = (role: 'Sender' | 'Receiver', party: Party): [string, XmlContent][] => [
  [`${role}Name1`, cutAtWord(partyName(party), 60)],
  [`${role}Address`, streetOf(party)],
  [`${role}Postal`, plainPostcode(party.postcode, party.country).postcode],
  [`${role}City`, party.city.trim()],
  [`${role}Country`, party.country],
  [`${role}ContactName`, contactName(party) ?? partyName(party)],
  [`${role}ContactNumber`, phoneNumber(party)],
  [`${role}Email`, party.email?.trim()],
]

type Described = Pick<BookingRequest, 'method' | 'parties' | 'parcels' | 'settings' | 'ship_date' | 'service_point' | 'reference'>

/** A message about one parcel: N makes it, D deletes it and names it again with everything that is mandatory. */
function shipmentMessage(request: Described, kind: { type: 'N' } | { type: 'D'; number: string }): string {
  const { parties, parcels, settings, service_point, ship_date } = request
  const { recipient, sender } = parties
  const [year, month, day] = ship_date.split('-')
  const content = parcels[0]?.lines.map(line => line.description.trim()).filter(Boolean) ?? []
  const shipment: [string, XmlContent][] = [
    ['ShipmentType', 'N'],
    ['MessageType', kind.type],
    ['ShipmentNumber', kind.type === 'D' ? kind.number : ''],
    ['ShipmentDate', `${day}.${month}.${year}`],
    ['Weight', String(kilograms(parcels.reduce((sum, one) => sum + one.weight_g, 0)))],
    ['Packages', parcels.length],
    ['SenderId', settings.customer_no],
    ...personFields('Sender', sender),
    ['SenderReference', request.reference],
    ...personFields('Receiver', recipient),
    ['ProductCode', request.method],
    ['DestinationPlaceCode', service_point?.id],
    ['DestinationPlaceName', service_point?.name.trim()],
    ['PayerCode', 'S'],
    ['PayerId', settings.customer_no],
    ['Goods', cutAtWord(content.join(', '), 70)],
    ['DocumentType', '10X15'],
  ]
  return document('MHShipmentRequest', [
    ['UserId', settings.user_id],
    ['Password', settings.password],
    ['Version', '2.0'],
    ['Shipment', shipment],
  ])
}

const document = (root: string, content: XmlContent): string => `<?xml version="1.0" encoding="UTF-8"?>${writeXml(root, content)}`

/** Numbers of errors, and the field of the form that each is about. */
const fields: Readonly<Record<string, string>> = { '1006': 'parcels.0.weight_g', '1012': 'shipping_method', '1013': 'service_point' }

function refusalOf({ number, words }: { number: string; words: string }): CourierRefused {
  return new CourierRefused(`${words.replace(/\s+/g, ' ').trim().slice(0, 250) || name} (${number})`, fields[number] ?? null)
}

const errorIn = (node: XmlNode): { number: string; words: string } | null => {
  const number = wordsOf(node, 'ErrorNbr')
  return number === '' ? null : { number, words: wordsOf(node, 'ErrorMsg') }
}

function shipmentReplyOf(root: XmlNode): z.input<typeof ShipmentReply> {
  const [shipment] = childrenOf(root, 'Shipment')
  return {
    error: errorIn(root) ?? (shipment ? errorIn(shipment) : null),
    shipment:
      shipment && wordsOf(shipment, 'ShipmentNumber') !== ''
        ? { number: wordsOf(shipment, 'ShipmentNumber'), reference: wordsOf(shipment, 'SenderReference') }
        : null,
    pdf: wordsOf(root, 'ShipmentPdf'),
  }
}

function trackingReplyOf(root: XmlNode): z.input<typeof TrackingReply> {
  return {
    events: allOf(root, 'Event').map(event => ({
      shipment: wordsOf(event, 'ShipmentNumber'),
      parcel: wordsOf(event, 'ParcelNumber'),
      code: wordsOf(event, 'EventCode'),
      time: wordsOf(event, 'EventTime'),
      place: wordsOf(event, 'EventPlace'),
      remarks: wordsOf(event, 'Remarks'),
    })),
    errors: allOf(root, 'Error').map(error => ({ code: wordsOf(error, 'ErrorCode'), words: wordsOf(error, 'ErrorText') })),
  }
}

function officesReplyOf(root: XmlNode): z.input<typeof OfficesReply> {
  return {
    error: errorIn(root),
    offices: allOf(root, 'Office').map(office => ({
      id: wordsOf(office, 'Id'),
      name: wordsOf(office, 'Name'),
      street: wordsOf(office, 'StreetAddress'),
      postcode: wordsOf(office, 'PostalCode'),
      city: wordsOf(office, 'City'),
      country: wordsOf(office, 'Country') || home,
    })),
  }
}

/** The answer as XML by its schema. A booking whose answer makes no sense may have been made. */
function readReply<T>(schema: z.ZodType<T>, answer: CourierAnswer, root: string, read: (node: XmlNode) => unknown, purpose: Purpose): T {
  const node = readXml(answer.text)
  const parsed = node?.name === root ? schema.safeParse(read(node)) : undefined
  if (parsed?.success) return parsed.data
  const sentence = `The answer of ${name} makes no sense`
  throw purpose === 'book' ? new OutcomeUnknown(sentence) : new CourierUnavailable(sentence)
}

/** Our states and English words by Matkahuolto's event codes. */
const events: Readonly<Record<string, readonly [state: string, words: string]>> = {
  '02': ['booked', 'Advance notice received'],
  '08': ['handed_over', 'Picked up from the sender'],
  '10': ['handed_over', 'Received at the departure point'],
  '12': ['in_transit', 'Consolidated'],
  '15': ['in_transit', 'Received for carriage'],
  '25': ['in_transit', 'Loaded for main transport'],
  '35': ['in_transit', 'Received at the destination terminal'],
  '40': ['in_transit', 'Waiting to be loaded for delivery'],
  '41': ['in_transit', 'Waiting to be loaded for the parcel point'],
  '45': ['out_for_delivery', 'Loaded for delivery'],
  '46': ['in_transit', 'Loaded for delivery to the parcel point'],
  '47': ['in_transit', 'Delivered to the parcel point'],
  '48': ['in_transit', 'Received at the parcel point'],
  '50': ['ready_for_pickup', 'Ready to be collected'],
  '55': ['', 'First arrival notice sent'],
  '56': ['', 'Second arrival notice sent'],
  '57': ['', 'Arrival notice sent by hand'],
  '60': ['delivered', 'Handed over to the recipient'],
  '61': ['delivered', 'Handed over to a proxy'],
  '62': ['', 'Hand-over cancelled'],
  '70': ['returning', 'Returned uncollected'],
  '97': ['delivery_failed', 'Delivery attempt failed'],
  '104': ['needs_attention', 'Deviation'],
}

function validate(request: BookingDraft): Finding[] {
  const { sender, recipient } = request.parties
  const findings = missingParts(request, ['recipient.name', 'recipient.city'])
  if (needsCustoms(sender, recipient))
    findings.push(errorFinding('customs_not_offered', '{{courier}} takes no customs data', 'recipient.country', { courier: name }))
  return [...findings, ...postcodeFindings(request)]
}

const notFound = ['1003', '1004']

export function matkahuoltoAt({ live, test }: MatkahuoltoHosts): Courier {
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'test' ? test : live)

  function ask({
    path,
    settings,
    body,
    ...question
  }: Pick<CourierQuestion, 'purpose' | 'signal'> & { path: string; settings: Settings; body?: string }): Promise<CourierAnswer> {
    const { url, fetch } = hostOf(settings)
    const login = Buffer.from(`${settings.user_id}:${settings.password}`).toString('base64')
    return askCourier({
      courier: name,
      ...question,
      url: url + path,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'text/xml',
        authorization: `Basic ${login}`,
        ...(body !== undefined && { 'content-type': 'text/xml; charset=utf-8' }),
      },
      ...(body !== undefined && { body }),
      fetch,
    })
  }

  async function send(message: string, settings: Settings, purpose: Purpose, signal: AbortSignal): Promise<ShipmentReply> {
    const answer = await ask({ purpose, path: '/mpaketti/mhshipmentxml', settings, body: message, signal })
    if (!answer.ok) throw new CourierRefused(wordsIn(answer))
    return readReply(ShipmentReply, answer, 'MHShipmentReply', shipmentReplyOf, purpose)
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const { error, shipment, pdf } = await send(shipmentMessage(request, { type: 'N' }), request.settings, 'book', signal)
    if (error && error.number !== '0') throw refusalOf(error)
    if (!shipment) throw new OutcomeUnknown(`The answer of ${name} makes no sense`)
    const { number, reference } = shipment
    const bytes = Buffer.from(pdf, 'base64')
    // No call gives the label again.
    if (!isPdf(bytes)) throw new OutcomeUnknown(`${name} has booked ${number}, but its label did not come`)
    return {
      ...(reference && { reference }),
      parcels: [
        {
          ok: true,
          tracking_no: number,
          barcode: number,
          cage: null,
          documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes }],
        },
      ],
      exchange: { request: recordedRequest(request), response: { shipment_no: number, sender_reference: reference } },
    }
  }

  const search = async (settings: Settings, place: [string, XmlContent][], signal: AbortSignal) => {
    const body = document('MHSearchOfficesRequest', [
      ['Login', settings.customer_no],
      ...place,
      ['Country', home],
      ['ResponseType', 'XML'],
      ['MaxResults', 20],
      ['Coordinates', 'N'],
    ])
    const answer = await ask({ purpose: 'read', path: '/noutopistehaku/public/v2/searchoffices', settings, body, signal })
    if (!answer.ok) throw new CourierRefused(wordsIn(answer))
    const { error, offices } = readReply(OfficesReply, answer, 'MHSearchOfficesReply', officesReplyOf, 'read')
    if (error && !notFound.includes(error.number)) throw refusalOf(error)
    return offices
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,

    async cancel({ tracking_no, settings, request }, signal) {
      const no = { cancelled: false, cancelled_at_carrier: false, refunded: false }
      // A deletion names the recipient, who may have been erased since.
      if (!request || partyName(request.parties.recipient) === '') return no
      const { error } = await send(
        shipmentMessage({ ...request, settings }, { type: 'D', number: tracking_no }),
        settings,
        'cancel',
        signal,
      )
      return error?.number === '0' ? { cancelled: true, cancelled_at_carrier: true, refunded: false } : no
    },

    async track({ tracking_no, settings }, signal) {
      const path = `/mpaketti/public/tracking?${new URLSearchParams({ ids: tracking_no })}`
      const answer = await ask({ purpose: 'read', path, settings, signal })
      if (!answer.ok) throw new CourierRefused(wordsIn(answer))
      const { events: reported, errors } = readReply(TrackingReply, answer, 'MHTrackingEvents', trackingReplyOf, 'read')
      const [error] = errors
      if (error) throw refusalOf({ number: error.code, words: error.words })
      return reported
        .filter(one => one.shipment === tracking_no || one.parcel === tracking_no)
        .flatMap(({ code, time, place, remarks }): TrackingEvent[] => {
          const at = readDate(time.replace(/\.\d+/, ''), 'ymd', 'Europe/Helsinki')
          const [state, words] = events[code] ?? ['', code]
          return at === null ? [] : [{ state, at, place: place || null, text: remarks ? `${words}: ${remarks}` : words }]
        })
    },

    async parcelShops({ country, postcode, settings }, signal) {
      if (country.toUpperCase() !== home) return []
      const offices = await search(settings, [['PostalCode', plainPostcode(postcode, home).postcode]], signal)
      return offices.map(({ id, name: title, street, postcode: code, city, country: land }) => ({
        id,
        name: title,
        address1: street,
        postcode: code,
        city,
        country: land,
        distance_m: null,
        opening_hours: [],
      }))
    },

    /** The search knows the customer number only; the user and its password are checked by the tracking of a number that no parcel has. */
    async probe(settings, signal) {
      const [office] = await search(settings, [['PostalCode', '00100']], signal)
      const answer = await ask({ purpose: 'read', path: '/mpaketti/public/tracking?ids=0', settings, signal })
      if (!answer.ok) throw new CourierRefused(wordsIn(answer))
      return { ok: true, words: office ? `${office.name}, ${office.postcode} ${office.city}` : name }
    },
  }
}

export const matkahuolto = matkahuoltoAt({
  live: { url: 'https://extservices.matkahuolto.fi' },
  test: { url: 'https://extservicestest.matkahuolto.fi' },
})
