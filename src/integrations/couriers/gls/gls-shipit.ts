/**
 * ShipIT of GLS Group. Source: GLS ShipIT REST documentation 5.0.11 (createParcels, validateParcels, cancelParcelById, ParcelShop search,
 * fault samples). Its OpenAPI document spells `Zipcode` and `Email`; the documentation and all its samples have `ZIPCode` and `eMail`.
 */
import { elementAt } from '#domain/objects.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import {
  type Booking,
  type BookingRequest,
  type Courier,
  CourierRefused,
  type OrderedPickup,
  OutcomeUnknown,
  type Parties,
  type PickupRequest,
  type ServiceChoice,
} from '../courier.ts'
import { type CourierAnswer, readReply, wholeList, wordsIn } from '../courier-http.ts'
import { labelPages } from '../label-pages.ts'
import { contactName, cutAtWord, isPdf, partyName, recordedPickup, recordedRequest, streetOf } from '../request-parts.ts'
import { CancelReply, CollectionReply, CreatedReply, ParcelShopsReply, type ShipitShop, ValidationReply } from './gls.schemas.ts'
import { type AskGroup, name, type Settings } from './gls-group.ts'

const base = '/shipit-farm/v1/backend/rs'
const mediaType = 'application/glsVersion1+json'
const headers = { accept: mediaType, 'content-type': mediaType }

/** Letters that ShipIT takes in no text are spaces. */
const plain = (text: string, limit: number): string => cutAtWord(text.replace(/[\\"{},;()|\s\p{Cc}]+/gu, ' '), limit)

/** GLS takes more than 100 g, with two decimals. */
const shipitKilograms = (weight_g: number): number => Math.max(0.11, Math.ceil(weight_g / 10) / 100)

/** Only the fields that hold something. */
const filled = (fields: object): object => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

function address(party: Party): object {
  const street = plain(streetOf(party), 1_000)
  const fits = [...street].length <= 40
  const phone = party.phone?.replace(/[^+\d]/g, '') ?? ''
  return {
    Name1: plain(partyName(party), 40),
    ...filled({ Name2: plain(contactName(party) ?? '', 40), Name3: fits ? '' : plain(party.address2 ?? '', 40) }),
    CountryCode: party.country,
    ZIPCode: plainPostcode(party.postcode, party.country).postcode,
    City: plain(party.city, 40),
    Street: fits ? street : plain(party.address1, 40),
    ...filled({ eMail: party.email?.trim() ?? '', MobilePhoneNumber: phone.length > 3 ? phone : '' }),
  }
}

/** GLS's names of the services that need nothing but their name. */
const serviceNames: Readonly<Record<string, string>> = {
  flex_delivery: 'service_flexdelivery',
  signature: 'service_signature',
  addressee_only: 'service_addresseeonly',
  express_10: 'service_1000',
  express_12: 'service_1200',
}

const serviceOf = ({ code, options }: ServiceChoice): object =>
  code === 'deposit'
    ? { Deposit: { ServiceName: 'service_deposit', PlaceOfDeposit: plain(String(options.place ?? ''), 60) } }
    : { Service: { ServiceName: serviceNames[code] ?? code } }

/** The body of a booking. A return is handed in by the consignee of GLS, who is our sender. */
function shipmentBody({ parties, parcels, settings, operation, reference, ...request }: BookingRequest): object {
  const outbound = operation === 'outbound'
  const services = request.services.map(serviceOf)
  if (!outbound) services.push({ ShopReturn: { ServiceName: 'service_shopreturn', NumberOfLabels: 1 } })
  else if (request.method === 'parcel_shop')
    services.push({ ShopDelivery: { ServiceName: 'service_shopdelivery', ParcelShopID: request.service_point?.id ?? '' } })
  const { instruction } = parties.recipient
  return {
    Shipment: {
      ShipmentReference: [reference],
      ShippingDate: request.ship_date,
      Middleware: 'Pakhus',
      Product: request.services.some(({ code }) => code.startsWith('express_')) ? 'EXPRESS' : 'PARCEL',
      Consignee: {
        ...(outbound && { Category: request.method === 'business' ? 'BUSINESS' : 'PRIVATE' }),
        Address: address(outbound ? parties.recipient : parties.sender),
      },
      Shipper: {
        ContactID: settings.contact_id ?? '',
        AlternativeShipperAddress: address(outbound ? parties.sender : parties.recipient),
      },
      ShipmentUnit: parcels.map(({ weight_g }) => ({
        ...(request.order_no !== null && { ShipmentUnitReference: [plain(request.order_no, 40)] }),
        Weight: shipitKilograms(weight_g),
        ...filled({ Note1: outbound ? plain(instruction ?? '', 50) : '' }),
      })),
      ...(services.length > 0 && { Service: services }),
    },
    PrintingOptions: { ReturnLabels: { TemplateSet: 'NONE', LabelFormat: 'PDF' } },
  }
}

/** Fields of the form by what GLS names; `party` stands for the side that it means. */
const fields: readonly (readonly [RegExp, string])[] = [
  [/consignee\.shopDelivery/i, 'party.phone'],
  [/ParcelShopID/i, 'service_point'],
  [/zip/i, 'party.postcode'],
  [/city/i, 'party.city'],
  [/street/i, 'party.address1'],
  [/\.name\d/i, 'party.name'],
  [/e-?mail/i, 'party.email'],
  [/mobile|phone/i, 'party.phone'],
  [/country/i, 'party.country'],
  [/weight/i, 'parcels.0.weight_g'],
  [/\.ServiceName|^article/i, 'services'],
]

function fieldOf(message: string, { operation, service_point }: BookingRequest): string | null {
  const named = /(?:field|parameter) (\S{1,200})/.exec(message)?.[1] ?? message.slice(0, 200)
  const ours: keyof Pick<Parties, 'sender' | 'recipient'> = /shipper/i.test(named) === (operation === 'outbound') ? 'sender' : 'recipient'
  if (/^routing/i.test(named)) return service_point ? 'service_point' : `${ours}.postcode`
  return fields.find(([pattern]) => pattern.test(named))?.[1].replace('party', ours) ?? null
}

/** ShipIT says in headers what is wrong, and answers without a body. */
function wordsOf(answer: CourierAnswer): { message: string; code: string | null } {
  const message = answer.headers.get('message')?.trim().slice(0, 500)
  return { message: message || wordsIn(answer), code: answer.headers.get('error')?.trim().slice(0, 100) || null }
}

function refusalOf(answer: CourierAnswer, request?: BookingRequest): CourierRefused {
  const { message, code } = wordsOf(answer)
  return new CourierRefused(code ? `${message} (${code})` : message, request ? fieldOf(message, request) : null)
}

export async function bookByShipit(ask: AskGroup, request: BookingRequest, signal: AbortSignal): Promise<Booking> {
  const question = { courier: name, purpose: 'book' } as const
  const answer = await ask({
    purpose: question.purpose,
    path: `${base}/shipments`,
    method: 'POST',
    headers,
    body: JSON.stringify(shipmentBody(request)),
    settings: request.settings,
    signal,
  })
  if (!answer.ok) throw refusalOf(answer, request)
  const { ShipmentReference, ParcelData, PrintData } = readReply(CreatedReply, answer, question).CreatedShipment
  const wanted = request.parcels.length
  if (ParcelData.length !== wanted) throw new OutcomeUnknown('The answer of GLS makes no sense')
  const numbers = ParcelData.map(one => one.TrackID).join(', ')
  const files = PrintData.filter(one => (one.LabelFormat ?? 'PDF') === 'PDF').flatMap(({ Data }) =>
    Data.map(data => Buffer.from(data, 'base64')).filter(isPdf),
  )
  // A file for each parcel, or one file with a page for each.
  const labels = files.length === wanted ? files : (await Promise.all(files.map(labelPages))).flat()
  if (labels.length !== wanted) throw new OutcomeUnknown(`GLS has booked ${numbers}, but its label did not come`)
  const barcodeOf = ({ TrackID, ParcelNumber, Barcodes }: (typeof ParcelData)[number]): string =>
    (Barcodes?.Primary1DPrint === false ? null : Barcodes?.Primary1D) || ParcelNumber || TrackID
  const references = ShipmentReference ?? []
  const reference = references.includes(request.reference) ? request.reference : references[0]
  return {
    ...(reference !== undefined && { reference }),
    parcels: ParcelData.map((parcel, i) => ({
      ok: true,
      tracking_no: parcel.TrackID,
      barcode: barcodeOf(parcel),
      cage: null,
      documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes: elementAt(labels, i) }],
    })),
    exchange: {
      request: recordedRequest(request),
      response: { track_id: numbers, parcel_no: ParcelData.map(one => one.ParcelNumber ?? '').join(', ') || null },
    },
  }
}

/** GLS cancels a parcel that no one has scanned; it may only promise to, and then a scan still raises the alarm here. */
export async function cancelByShipit(
  ask: AskGroup,
  tracking_no: string,
  settings: Settings,
  signal: AbortSignal,
): ReturnType<Courier['cancel']> {
  const question = { courier: name, purpose: 'cancel' } as const
  const answer = await ask({
    purpose: question.purpose,
    path: `${base}/shipments/cancel/${encodeURIComponent(tracking_no)}`,
    method: 'POST',
    headers,
    settings,
    signal,
  })
  const result = answer.ok ? readReply(CancelReply, answer, question) : null
  const done = result === 'CANCELLED'
  return { cancelled: done || result === 'CANCELLATION_PENDING', cancelled_at_carrier: done, refunded: false }
}

/** A sporadic collection. GLS answers the day on which it comes and no number; it takes no hours, and cancels at its depot alone. */
export async function orderByShipit(ask: AskGroup, request: PickupRequest, signal: AbortSignal): Promise<OrderedPickup> {
  const { settings, date, from, to, parcels, weight_g, note } = request
  const question = { courier: name, purpose: 'book' } as const
  const answer = await ask({
    purpose: question.purpose,
    path: `${base}/sporadiccollection`,
    method: 'POST',
    headers,
    body: JSON.stringify({
      ContactID: settings.contact_id ?? '',
      PreferredPickUpDate: date,
      NumberOfParcels: parcels,
      Product: 'PARCEL',
      ...(weight_g > 0 && { ExpectedTotalWeight: shipitKilograms(weight_g) }),
      AdditionalInformation: plain([`${from}-${to}`, note ?? ''].filter(Boolean).join(' '), 300),
    }),
    settings,
    signal,
  })
  if (!answer.ok) throw refusalOf(answer)
  const { EstimatedPickUpDate } = readReply(CollectionReply, answer, question)
  return {
    courier_no: null,
    comes_on: EstimatedPickUpDate,
    exchange: { request: recordedPickup(request), response: { EstimatedPickUpDate } },
  }
}

export async function shopsByShipit(
  ask: AskGroup,
  { country, postcode, address: street, settings }: Parameters<Courier['parcelShops']>[0],
  signal: AbortSignal,
): ReturnType<Courier['parcelShops']> {
  const plainStreet = plain(street ?? '', 40)
  const answer = await ask({
    purpose: 'read',
    path: `${base}/parcelshop/address`,
    method: 'POST',
    headers,
    body: JSON.stringify({
      ...(plainStreet.length > 3 && { Street: plainStreet }),
      CountryCode: country,
      ZIPCode: plainPostcode(postcode, country).postcode,
      MaxNumberOfShops: '25',
    }),
    settings,
    signal,
  })
  if (!answer.ok) throw refusalOf(answer)
  return shopsIn(answer)
}

/** All parcel shops of a country. */
export async function countryByShipit(
  ask: AskGroup,
  { country, settings }: { country: string; settings: Settings },
  signal: AbortSignal,
): ReturnType<Courier['parcelShops']> {
  const answer = await ask({
    purpose: 'read',
    path: `${base}/parcelshop/country/${encodeURIComponent(country)}`,
    method: 'GET',
    headers: { accept: mediaType },
    settings,
    signal,
    ...wholeList,
  })
  if (!answer.ok) throw refusalOf(answer)
  return shopsIn(answer)
}

function shopsIn(answer: CourierAnswer): Awaited<ReturnType<Courier['parcelShops']>> {
  const { ParcelShop } = readReply(ParcelShopsReply, answer, { courier: name, purpose: 'read' })
  return (ParcelShop ?? []).map(({ ParcelShopID, Address, WorkingDay, AirlineDistance }) => ({
    id: ParcelShopID,
    name: Address.Name1,
    address1: [Address.Street, Address.StreetNumber].filter(Boolean).join(' '),
    postcode: Address.ZIPCode ?? Address.Zipcode ?? '',
    city: Address.City,
    country: Address.CountryCode,
    distance_m: typeof AirlineDistance === 'number' ? Math.round(AirlineDistance * 1_000) : null,
    opening_hours: (WorkingDay ?? []).flatMap(hoursOf),
  }))
}

function hoursOf({ DayOfWeek, OpeningHours, Breaks }: NonNullable<ShipitShop['WorkingDay']>[number]): string[] {
  const pauses = Breaks?.OpeningHours ?? []
  const spans = (OpeningHours?.OpeningHours ?? []).flatMap(({ From, To }) => {
    const pause = pauses.find(one => one.From > From && one.To > one.From && one.To < To)
    return pause ? [clocks(From, pause.From), clocks(pause.To, To)] : [clocks(From, To)]
  })
  return spans.length > 0 ? [`${DayOfWeek.slice(0, 1)}${DayOfWeek.slice(1, 3).toLowerCase()} ${spans.join(', ')}`] : []
}

const clocks = (from: number, to: number): string => `${clock(from)}–${clock(to)}`
/** 28,800,000 ms are nine o'clock: the documentation adds an hour. */
const clock = (milliseconds: number): string => {
  const minutes = Math.round(milliseconds / 60_000) + 60
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Has ShipIT check an invented shipment, which books nothing. */
export async function probeShipit(ask: AskGroup, settings: Settings, signal: AbortSignal): Promise<{ ok: boolean; words: string }> {
  const question = { courier: name, purpose: 'read' } as const
  const answer = await ask({
    purpose: question.purpose,
    path: `${base}/shipments/validate`,
    method: 'POST',
    headers,
    body: JSON.stringify({
      Shipment: {
        Middleware: 'Pakhus',
        Product: 'PARCEL',
        Consignee: { Address: { Name1: 'Test', CountryCode: 'DK', ZIPCode: '2100', City: 'København Ø', Street: 'Østerbrogade 1' } },
        Shipper: { ContactID: settings.contact_id ?? '' },
        ShipmentUnit: [{ Weight: 1 }],
      },
    }),
    settings,
    signal,
  })
  if (!answer.ok) return { ok: false, words: wordsOf(answer).message }
  const { success, issues } = readReply(ValidationReply, answer, question)
  if (success) return { ok: true, words: 'GLS accepts the login and the contact ID' }
  const said = issues.map(({ Rule, Location, Parameters }) => [Rule, Location, ...(Parameters ?? [])].filter(Boolean).join(' '))
  return { ok: false, words: said.join('; ').slice(0, 300) || 'GLS accepts no parcel of this contact ID' }
}
