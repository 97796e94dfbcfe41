/**
 * The national interface of GLS Denmark. GLS publishes no document of it: fields, lengths and answers are those of open-source clients
 * that run against it (delivrio; modules of Danish web shops). None of them cancels, and none knows a test system.
 */
import { elementAt } from '#domain/objects.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { type Booking, type BookingRequest, CourierRefused, OutcomeUnknown } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, readReply, wordsIn } from '../courier-http.ts'
import { labelPages } from '../label-pages.ts'
import { contactName, cutAtWord, kilograms, partyName, recordedRequest, streetOf } from '../request-parts.ts'
import { DenmarkRefusal, DenmarkReply } from './gls.schemas.ts'
import { name } from './gls-group.ts'

/** ISO 3166-1 numeric of the countries in and around Europe. */
export const countryNumbers: Readonly<Record<string, string>> = {
  AD: '020',
  AL: '008',
  AT: '040',
  AX: '248',
  BA: '070',
  BE: '056',
  BG: '100',
  CH: '756',
  CY: '196',
  CZ: '203',
  DE: '276',
  DK: '208',
  EE: '233',
  ES: '724',
  FI: '246',
  FO: '234',
  FR: '250',
  GB: '826',
  GG: '831',
  GI: '292',
  GL: '304',
  GR: '300',
  HR: '191',
  HU: '348',
  IE: '372',
  IM: '833',
  IS: '352',
  IT: '380',
  JE: '832',
  LI: '438',
  LT: '440',
  LU: '442',
  LV: '428',
  MC: '492',
  MD: '498',
  ME: '499',
  MK: '807',
  MT: '470',
  NL: '528',
  NO: '578',
  PL: '616',
  PT: '620',
  RO: '642',
  RS: '688',
  SE: '752',
  SI: '705',
  SK: '703',
  SM: '674',
  TR: '792',
  UA: '804',
  VA: '336',
}

function address(party: Party): object {
  const street = streetOf(party)
  const fits = [...street].length <= 40
  return {
    Name1: cutAtWord(partyName(party), 40),
    Name2: cutAtWord(contactName(party) ?? '', 40),
    Name3: fits ? '' : cutAtWord(party.address2 ?? '', 40),
    Street1: fits ? street : cutAtWord(party.address1, 40),
    CountryNum: countryNumbers[party.country] ?? '',
    ZipCode: plainPostcode(party.postcode, party.country).postcode.slice(0, 10),
    City: cutAtWord(party.city, 40),
    Contact: cutAtWord(contactName(party) ?? partyName(party), 40),
    Email: party.email?.trim().slice(0, 100) ?? '',
    Phone: '',
    Mobile: party.phone?.replace(/[^+\d]/g, '').slice(0, 40) ?? '',
  }
}

/** A service is asked for by its key being there. Without any the parcel is a business parcel. */
function servicesOf({ operation, method, services, service_point, parties }: BookingRequest): Record<string, string> {
  if (operation === 'return') return { ShopReturn: 'Y' }
  const email = parties.recipient.email?.trim().slice(0, 100)
  const has = (code: string) => services.find(one => one.code === code)
  const place = has('deposit')?.options.place
  return {
    ...(method === 'parcel_shop' && { ShopDelivery: service_point?.id ?? '' }),
    ...(method === 'home' && { PrivateDelivery: 'Y' }),
    ...(method !== 'business' && email && { NotificationEmail: email }),
    ...(has('flex_delivery') && { FlexDelivery: 'Y' }),
    ...(place !== undefined && { Deposit: cutAtWord(String(place), 100) }),
    ...(has('express_10') && { Express10: 'Y' }),
    ...(has('express_12') && { Express12: 'Y' }),
  }
}

/** The body of a booking, which also holds the login. */
function shipmentBody(request: BookingRequest): object {
  const { parties, parcels, settings, operation, reference, order_no, ship_date } = request
  const outbound = operation === 'outbound'
  const { instruction } = parties.recipient
  return {
    UserName: settings.user ?? '',
    Password: settings.password ?? '',
    Customerid: settings.customer_id ?? '',
    Contactid: settings.contact_id ?? '',
    ShipmentDate: ship_date.replaceAll('-', ''),
    Reference: reference,
    Addresses: {
      Delivery: address(parties.recipient),
      ...(outbound ? { AlternativeShipper: address(parties.sender) } : { Pickup: address(parties.sender) }),
    },
    Parcels: parcels.map(({ weight_g }) => ({
      Weight: kilograms(weight_g),
      Reference: cutAtWord(order_no ?? reference, 50),
      ...(outbound && instruction?.trim() && { Comment: cutAtWord(instruction, 40) }),
    })),
    Services: servicesOf(request),
  }
}

/** Fields of the form by the keys of `ModelState`; `party` stands for the side that the key names. */
const fields: readonly (readonly [RegExp, string])[] = [
  [/ShopDelivery/i, 'service_point'],
  [/Services/i, 'services'],
  [/Weight/i, 'parcels.0.weight_g'],
  [/ZipCode/i, 'party.postcode'],
  [/City/i, 'party.city'],
  [/Street/i, 'party.address1'],
  [/Country/i, 'party.country'],
  [/Email/i, 'party.email'],
  [/Mobile|Phone/i, 'party.phone'],
  [/Name\d|Contact$/i, 'party.name'],
]

function refusalOf(answer: CourierAnswer, { settings }: BookingRequest): CourierRefused {
  const read = DenmarkRefusal.safeParse(answer.body)
  const states = Object.entries(read.data?.ModelState ?? {})
  const said = states.flatMap(([, texts]) => texts)
  const words = (said.length > 0 ? said.join(' ') : read.data?.Message) || wordsIn(answer)
  const [key = ''] = states.map(([one]) => one)
  const ours = /AlternativeShipper|Pickup/i.test(key) ? 'sender' : 'recipient'
  const field = fields.find(([pattern]) => pattern.test(key))?.[1].replace('party', ours) ?? null
  // What GLS does not like may be the password itself.
  return new CourierRefused((settings.password ? words.replaceAll(settings.password, '***') : words).slice(0, 500), field)
}

export async function bookByDenmark(host: CourierHost, request: BookingRequest, signal: AbortSignal): Promise<Booking> {
  const question = { courier: name, purpose: 'book' } as const
  const answer = await askCourier({
    ...question,
    url: `${host.url}/ws/DK/V1/CreateShipment`,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(shipmentBody(request)),
    signal,
    fetch: host.fetch,
  })
  if (!answer.ok) throw refusalOf(answer, request)
  const { ConsignmentId, PDF, Parcels } = readReply(DenmarkReply, answer, question)
  if (Parcels.length !== request.parcels.length) throw new OutcomeUnknown('The answer of GLS makes no sense')
  const numbers = Parcels.map(one => one.ParcelNumber).join(', ')
  // One page for each parcel: another page would be the label of another parcel.
  const labels = await labelPages(Buffer.from(PDF, 'base64'))
  if (labels.length !== Parcels.length) throw new OutcomeUnknown(`GLS has booked ${numbers}, but its label did not come`)
  return {
    parcels: Parcels.map(({ ParcelNumber }, i) => ({
      ok: true,
      tracking_no: ParcelNumber,
      barcode: ParcelNumber,
      cage: null,
      documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes: elementAt(labels, i) }],
    })),
    exchange: {
      request: recordedRequest(request),
      response: {
        consignment_id: ConsignmentId ?? null,
        parcel_no: numbers,
        unique_no: Parcels.map(one => one.UniqueNumber ?? '').join(', ') || null,
      },
    },
  }
}
