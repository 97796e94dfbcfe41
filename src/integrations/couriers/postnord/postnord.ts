/**
 * PostNord in Denmark, Sweden, Norway and Finland. Source: its Booking APIs 3.5, Service Points 5.0 and Track Shipment 5. PostNord
 * documents no cancellation that works; letters, pallets, insurance, cash on delivery, CN22 and CN23 are off.
 */
import { createHash } from 'node:crypto'
import type * as z from 'zod'
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
  type OrderedPickup,
  OutcomeUnknown,
  type PickupRequest,
  type Service,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import {
  centimetres,
  cutAtWord,
  isPdf,
  lengthFindings,
  notToShop,
  partyName,
  postcodeFindings,
  recordedPickup,
  recordedRequest,
} from '../request-parts.ts'
import { customsFindings, customsInvoice, invoiceKind, kgm } from './customs.ts'
import { digitsOf, type Issuer, issuerOf, issuers, name, personOf, postcodeOf, type Settings, streetsOf } from './parties.ts'
import { pickupBody } from './pickup.ts'
import {
  BookingReply,
  HealthReply,
  PickupReply,
  type Printout,
  Printouts,
  Refusal,
  ServicePointsReply,
  TrackingReply,
  WrappedRefusal,
} from './postnord.schemas.ts'

const nordic = ['DK', 'SE', 'NO', 'FI']

const flex: Service = { code: 'A6', name: 'FlexDelivery', options: [] }
const identity: Service = { code: 'C4', name: 'ID check', options: [] }
const signature: Service = { code: 'D2', name: 'Signature', options: [] }
const beforeTwelve: Service = { code: 'D7', name: 'Before 12', options: [] }
const economy: Service = { code: '7', name: 'Economy to the Faroes and Greenland', options: [] }

const collect = '19'
const method = (code: string, title: string, services: readonly Service[] = []): Method => ({
  code,
  name: title,
  service_point: code === collect ? 'optional' : 'none',
  // PostNord documents no limit of its own and refuses what is too heavy.
  max_weight_g: 1_000_000,
  countries: 'all',
  services,
})

const methods: readonly Method[] = [
  method('17', 'MyPack Home', [flex, identity, signature, economy]),
  method('18', 'Parcel', [flex, identity, signature, beforeTwelve, economy]),
  method(collect, 'MyPack Collect'),
  method('30', 'MyPack Home Small'),
  method('32', 'MyPack Home, Norway'),
]
/** Every return is handed in at a parcel shop. */
const returnDropOff = '24'

/** Methods that not every company of the group has. */
const offeredBy: Readonly<Record<string, readonly Issuer[]>> = { '30': ['Z11', 'Z12', 'Z13'], '32': ['Z13'] }

const europe = 'AT AX BE BG CH CZ DE DK EE ES FR GB HR HU IE IT LI LT LU LV MC NL NO PL RO SE SI SK'.split(' ')
const further = ['GG', 'GR', 'IM', 'JE', 'PT']

/**
 * Where the recipient is informed by SMS (A3) and email (A4), by issuer and method, as PostNord's table of combinations listed them;
 * elsewhere it refuses both.
 */
const notices: Readonly<Record<string, { codes: readonly string[]; countries: 'all' | readonly string[] }>> = {
  'Z11-17': { codes: ['A3', 'A4'], countries: [...europe, ...further, 'FI'] },
  'Z11-18': { codes: ['A3', 'A4'], countries: [...europe, ...further] },
  'Z11-19': { codes: ['A3', 'A4'], countries: europe },
  'Z11-30': { codes: ['A3', 'A4'], countries: ['NO'] },
  'Z12-18': { codes: ['A3', 'A4'], countries: nordic },
  'Z12-19': { codes: ['A3', 'A4'], countries: 'all' },
  'Z13-18': { codes: ['A3', 'A4'], countries: ['NO'] },
  'Z13-19': { codes: ['A3', 'A4'], countries: 'all' },
  'Z13-30': { codes: ['A3'], countries: 'all' },
  'Z13-32': { codes: ['A3', 'A4'], countries: ['NO'] },
  'Z14-19': { codes: ['A3', 'A4'], countries: 'all' },
}

const capabilities: Capabilities = {
  agent_code: 'postnord',
  name,
  methods,
  operations: ['outbound', 'return'],
  sizes: { pdf: [105, 190], zpl: [105, 190] },
  numbers: 'theirs',
  recovery: 'lookup',
  cancel: 'no',
  parcels_per_call: 20,
  needs: ['contact', 'weight'],
  parties: ['return_to'],
  documents: ['label', 'invoice', 'proforma'],
  // The limit holds after equal lines are merged: `validate` counts them.
  customs: { numbers: ['vat', 'eori', 'ioss', 'voec'], max_lines: null },
  postal: ['FO', 'GL'],
  pickups: 'order',
  pickup_window: true,
  tracking: true,
  parcel_shops: true,
  settings: [
    { name: 'apikey', label: 'API key', hint: 'PostNord gives one for live bookings and another for tests', secret: true, required: true },
    {
      name: 'customer_no',
      label: 'Customer number',
      required: true,
      pattern: '[0-9A-Za-z]{1,17}',
      refusal: 'A customer number has up to 17 letters and digits',
    },
    {
      name: 'issuer',
      label: 'Country of the agreement',
      choices: [
        { value: 'Z11', name: 'PostNord Danmark' },
        { value: 'Z12', name: 'PostNord Sverige' },
        { value: 'Z13', name: 'PostNord Norge' },
        { value: 'Z14', name: 'PostNord Finland' },
      ],
      refusal: 'Choose the country of the agreement',
    },
    {
      name: 'application_id',
      label: 'Application number',
      hint: 'Fill this in only when PostNord has assigned one',
      pattern: '[0-9]{1,9}',
      refusal: 'An application number has up to 9 digits',
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
      name: 'vat_no',
      label: 'VAT number of the sender',
      hint: 'Needed for parcels that go through customs',
      pattern: '[A-Z]{2}[0-9A-Z]{2,16}',
      refusal: 'A VAT number begins with two letters, such as DK12345678',
    },
    {
      name: 'eori',
      label: 'EORI number of the sender',
      hint: 'Stands on customs invoices',
      pattern: '[A-Z]{2}[0-9A-Z]{1,15}',
      refusal: 'An EORI number begins with two letters, such as DK12345678',
    },
  ],
}

/** Fields of the form by fault codes and by parameters of the request that name exactly one. */
const fields: Readonly<Record<string, string>> = {
  'SACUS-BR-24062502': 'customs.numbers',
  basicServiceCode: 'shipping_method',
  additionalServiceCode: 'services',
  grossWeight: 'parcels.0.weight_g',
}

function refusalOf(said: Refusal | null | undefined, otherwise: string, { apikey = '' }: Settings): CourierRefused {
  const faults = said?.compositeFault?.faults ?? []
  const sentences = faults.map(({ explanationText, faultCode }) =>
    [explanationText.trim(), faultCode && `(${faultCode})`].filter(Boolean).join(' '),
  )
  const words = sentences.filter(Boolean).slice(0, 3).join('; ') || said?.message?.trim() || otherwise
  const named = faults.flatMap(({ faultCode, paramValues }) => [faultCode, ...(paramValues ?? []).map(one => one.param)])
  const field = named.map(one => fields[one ?? '']).find(Boolean) ?? null
  return new CourierRefused((apikey ? words.replaceAll(apikey, '…') : words).slice(0, 400), field)
}

/** Service points put their fault into an object of its own. */
function refusalIn(answer: CourierAnswer, settings: Settings): CourierRefused {
  const said = WrappedRefusal.safeParse(answer.body).data?.servicePointInformationResponse ?? Refusal.safeParse(answer.body).data
  return refusalOf(said, wordsIn(answer), settings)
}

function partyOf(party: Party): object {
  const { name: person, company, email, country } = party
  const phone = digitsOf(party.phone)
  return {
    nameIdentification: {
      name: cutAtWord(person.trim() || partyName(party), 60),
      ...(company?.trim() && { companyName: cutAtWord(company, 60) }),
    },
    address: {
      streets: streetsOf(party),
      postalCode: postcodeOf(party.postcode, country),
      city: cutAtWord(party.city, 35),
      countryCode: country,
    },
    contact: {
      contactName: cutAtWord(personOf(party), 50),
      ...(email?.trim() && { emailAddress: email.trim() }),
      ...(phone && { phoneNo: phone, smsNo: phone }),
    },
  }
}

/** Our reference as PostNord keeps it: 35 letters. A longer one ends in its hash, so that two stay two. */
function sentReference(reference: string): string {
  if (reference.length <= 35) return reference
  return `${reference.slice(0, 22)}-${createHash('sha256').update(reference).digest('hex').slice(0, 12)}`
}

/** The additional services: notices to the recipient, the chosen parcel shop and what a person selected. */
function servicesOf({ parties: { recipient }, method: code, operation, service_point, services, settings }: BookingDraft): string[] {
  if (operation === 'return') return []
  const notice = notices[`${issuerOf(settings)}-${code}`]
  const there = notice && (notice.countries === 'all' || notice.countries.includes(recipient.country))
  const possible = { A3: Boolean(digitsOf(recipient.phone)), A4: Boolean(recipient.email?.trim()) }
  return [
    ...(there ? notice.codes.filter(one => Reflect.get(possible, one)) : []),
    ...(service_point && code === collect ? ['A7'] : []),
    ...services.map(one => one.code),
  ]
}

/** The body of a booking: one shipment, to whose parcels PostNord gives their numbers. */
function bookingBody(request: BookingRequest, now: Date): object {
  const { parties, parcels, settings, operation, service_point, reference, customs } = request
  const outbound = operation === 'outbound'
  const { instruction } = parties.recipient
  const additionalServiceCode = servicesOf(request)
  const weight_g = parcels.reduce((sum, parcel) => sum + parcel.weight_g, 0)
  return {
    messageDate: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    messageFunction: 'Instruction',
    messageId: `PK${createHash('sha256').update(request.idempotency_key).digest('hex').slice(0, 12)}`,
    language: 'EN',
    application: { ...(settings.application_id && { applicationId: Number(settings.application_id) }), name: 'Pakhus', version: '1.0' },
    updateIndicator: 'Original',
    testIndicator: settings.mode === 'test',
    shipment: [
      {
        shipmentIdentification: { shipmentId: '0' },
        // Late on the local day in all four countries.
        dateAndTimes: { loadingDate: `${request.ship_date}T20:00:00Z` },
        service: {
          basicServiceCode: outbound ? request.method : returnDropOff,
          ...(additionalServiceCode.length > 0 && { additionalServiceCode }),
        },
        ...(outbound && instruction?.trim() && { freeText: [{ usageCode: 'DEL', text: cutAtWord(instruction, 1_000) }] }),
        numberOfPackages: { value: parcels.length },
        totalGrossWeight: kgm(weight_g),
        references: [{ referenceNo: sentReference(reference), referenceType: 'CU' }],
        parties: {
          consignor: {
            issuerCode: issuerOf(settings),
            partyIdentification: { partyId: settings.customer_no ?? '', partyIdType: '160' },
            party: partyOf(parties.sender),
          },
          consignee: { party: partyOf(parties.recipient) },
          ...(outbound &&
            service_point &&
            request.method === collect && {
              deliveryParty: {
                partyIdentification: { partyId: service_point.id, partyIdType: '156' },
                party: {
                  nameIdentification: { name: cutAtWord(service_point.name, 60) },
                  address: {
                    ...(service_point.address1.trim() && { streets: [cutAtWord(service_point.address1, 50)] }),
                    postalCode: postcodeOf(service_point.postcode, service_point.country || parties.recipient.country),
                    city: cutAtWord(service_point.city, 35),
                    countryCode: service_point.country || parties.recipient.country,
                  },
                },
              },
            }),
          ...(parties.return_to && { returnParty: { party: partyOf(parties.return_to) } }),
        },
        goodsItem: parcels.map(parcel => ({
          packageTypeCode: 'PC',
          ...(parcel.lines[0] && { goodsDescription: cutAtWord(parcel.lines[0].description, 35) }),
          items: [
            {
              itemIdentification: { itemId: '0', itemIdType: 'SSCC' },
              grossWeight: kgm(parcel.weight_g),
              ...(parcel.size_mm && {
                dimensions: {
                  length: { value: centimetres(parcel.size_mm[0]), unit: 'CMT' },
                  width: { value: centimetres(parcel.size_mm[1]), unit: 'CMT' },
                  height: { value: centimetres(parcel.size_mm[2]), unit: 'CMT' },
                },
              }),
            },
          ],
        })),
        ...(customs && { customsInvoice: customsInvoice(request, customs) }),
      },
    ],
  }
}

function validate(request: BookingDraft): Finding[] {
  const { method: code, operation, settings } = request
  const findings = postcodeFindings(request)
  const offered = offeredBy[code]
  if (operation === 'outbound' && offered && !offered.includes(issuerOf(settings)))
    findings.push(
      errorFinding('shipping_method_not_offered', '{{courier}} has no shipping method {{shipping_method}}', 'shipping_method', {
        courier: `PostNord ${issuers[issuerOf(settings)]}`,
        shipping_method: methods.find(one => one.code === code)?.name ?? code,
      }),
    )
  return [
    ...findings,
    ...(operation === 'outbound' ? pointFindings(request) : []),
    ...customsFindings(request),
    ...lengthFindings(name, request, { name: 60, company: 60, address1: 50, address2: 50, city: 35 }),
  ]
}

/** MyPack Collect goes only to a chosen parcel shop with a Finnish agreement, and with a Danish one outside Denmark and Sweden. */
function pointFindings({ parties: { recipient }, method: code, service_point, settings }: BookingDraft): Finding[] {
  const title = methods.find(one => one.code === code)?.name ?? code
  if (code !== collect) return service_point ? [notToShop(title)] : []
  const issuer = issuerOf(settings)
  const needed = issuer === 'Z14' || (issuer === 'Z11' && recipient.country !== 'DK' && recipient.country !== 'SE')
  const whole = service_point?.id.trim() && service_point.name.trim() && service_point.postcode.trim() && service_point.city.trim()
  return (service_point ? whole : !needed)
    ? []
    : [errorFinding('service_point_missing', '{{method}} needs a parcel shop. Select one.', 'service_point', { method: title })]
}

/** Our states by PostNord's; what is not listed is shown as text only. */
const states: Readonly<Record<string, string>> = {
  CREATED: 'booked',
  INFORMED: 'booked',
  EN_ROUTE: 'in_transit',
  EXPECTED_DELAY: 'in_transit',
  DELAYED: 'in_transit',
  AVAILABLE_FOR_DELIVERY: 'ready_for_pickup',
  AVAILABLE_FOR_DELIVERY_PAR_LOC: 'ready_for_pickup',
  DELIVERED: 'delivered',
  DELIVERY_IMPOSSIBLE: 'delivery_failed',
  DELIVERY_REFUSED: 'delivery_failed',
  STOPPED: 'needs_attention',
  RETURNED: 'returning',
}

const eastern = ['FI', 'AX', 'EE', 'LV', 'LT']

/** A time without an offset is that of the clock at the place of the event. */
function instantOf(written: string, country: string): number {
  if (/(Z|[+-]\d{2}:?\d{2})$/.test(written)) return Date.parse(written)
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(written)
  const [, day = '', clock = ''] = parts ?? []
  return parts ? instantAt(day, clock, eastern.includes(country) ? 'Europe/Helsinki' : 'Europe/Copenhagen') : Number.NaN
}

export function postnordAt(hosts: { live: CourierHost; test: CourierHost }): Courier {
  const hostOf = ({ mode }: Settings) => (mode === 'test' ? hosts.test : hosts.live)

  function question(
    purpose: 'book' | 'read',
    path: string,
    query: Record<string, string>,
    settings: Settings,
    signal: AbortSignal,
    body?: object,
  ): CourierQuestion {
    const host = hostOf(settings)
    return {
      courier: name,
      purpose,
      url: `${host.url}${path}?${new URLSearchParams({ apikey: settings.apikey ?? '', ...query })}`,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST' as const, body: JSON.stringify(body) }),
      signal,
      fetch: host.fetch,
    }
  }

  async function read<T>(schema: z.ZodType<T>, settings: Settings, asked: CourierQuestion): Promise<T> {
    const answer = await askCourier(asked)
    if (answer.ok) return readReply(schema, answer, asked)
    throw refusalIn(answer, settings)
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const { settings } = request
    const [path, query] =
      request.operation === 'return'
        ? ['/rest/shipment/v3/returns/edi/labels/pdf', { addQRCODE: 'false' }]
        : ['/rest/shipment/v3/edi/labels/pdf', onlyLabels(request)]
    const asked = question('book', path, { paperSize: 'LABEL', ...query }, settings, signal, bookingBody(request, new Date()))
    const answer = await askCourier(asked)
    if (!answer.ok) throw refusalIn(answer, settings)
    const { bookingResponse, labelPrintout } = readReply(BookingReply, answer, asked)
    const [shipment, ...others] = bookingResponse.idInformation
    const numbers = (shipment?.ids ?? []).filter(one => one.idType === 'itemId')
    // A shipment can fail inside an answer of status 200. One that has a number all the same may be booked.
    if (shipment?.status === 'FAIL' && others.length === 0 && numbers.length === 0)
      throw refusalOf(shipment.errorResponse, 'No reason was given', settings)
    if (shipment?.status !== 'OK' || others.length > 0 || numbers.length !== request.parcels.length)
      throw new OutcomeUnknown('The answer of PostNord makes no sense')
    const said = shipment.references?.shipment?.map(one => one.referenceNo) ?? []
    const foreign = said.includes(sentReference(request.reference)) ? undefined : said[0]
    return bookingOf(
      request,
      {
        items: numbers.map(one => ({ number: one.value, print_id: one.printId ?? one.value })),
        printouts: labelPrintout ?? [],
        reference: foreign,
      },
      { booking_id: bookingResponse.bookingId, item_id: numbers.map(one => one.value).join(', ') },
      signal,
    )
  }

  async function bookingOf(
    request: BookingRequest,
    booked: { items: readonly Item[]; printouts: readonly Printout[]; reference?: string | undefined },
    response: object,
    signal: AbortSignal,
  ): Promise<Booking> {
    const { items, reference = request.reference } = booked
    // Printed with the booking the labels of several parcels are pages of one file: each is fetched by the number of its parcel.
    const printouts = items.length === 1 ? booked.printouts : []
    const numbers = items.map(one => one.number).join(', ')
    const parcels: Booking['parcels'] = []
    for (const item of items) {
      const documents = await documentsOf(request, { ...item, numbers, printouts }, signal)
      parcels.push({ ok: true, tracking_no: item.number, barcode: item.number, cage: null, documents })
    }
    return {
      reference,
      parcels,
      exchange: { request: recordedRequest(request), response },
    }
  }

  /** The parcel is booked whether or not its papers come: without them it must not be booked again. */
  async function documentsOf(
    request: BookingRequest,
    { print_id, numbers, printouts }: Item & { numbers: string; printouts: readonly Printout[] },
    signal: AbortSignal,
  ): Promise<CourierDocument[]> {
    const { settings } = request
    const ids = [{ id: print_id, labelType: 'standard' }]
    const print = (format: 'pdf' | 'zpl', query: Record<string, string>, until = signal) =>
      read(Printouts, settings, question('read', `/rest/shipment/v3/labels/ids/${format}`, query, settings, until, ids)).catch(
        (): Printout[] => [],
      )
    const missing = (paper: string) => new OutcomeUnknown(`PostNord has booked ${numbers}, but its ${paper} did not come`)
    const label = pdfIn(printouts) ?? pdfIn(await print('pdf', { paperSize: 'LABEL', ...onlyLabels(request) }))
    if (!label) throw missing('label')
    const documents: CourierDocument[] = [{ kind: 'label', format: 'pdf', paper: 'label', bytes: label }]
    if (request.label.format === 'zpl') {
      // Without it the PDF is printed, so it is waited for only a moment.
      const soon = AbortSignal.any([signal, AbortSignal.timeout(5_000)])
      const zpl = zplIn(await print('zpl', { dpmm: '8dpmm', ...onlyLabels(request) }, soon))
      if (zpl) documents.push({ kind: 'label', format: 'zpl', paper: 'label', bytes: zpl })
    }
    if (request.customs) {
      const paper = pdfIn(await print('pdf', { paperSize: 'A4', definePrintout: 'onlyCustomsDeclarations' }))
      if (!paper) throw missing('customs invoice')
      documents.push({ kind: invoiceKind(request.customs), format: 'pdf', paper: 'a4', bytes: paper })
    }
    return documents
  }

  /** PostNord answers for each parcel whether it comes. */
  async function order(request: PickupRequest, signal: AbortSignal): Promise<OrderedPickup> {
    const { settings } = request
    const asked = question('book', '/rest/shipment/v3/pickups/ids', {}, settings, signal, pickupBody(request))
    const answer = await askCourier(asked)
    if (!answer.ok) throw refusalIn(answer, settings)
    const { bookingId, idInformation } = readReply(PickupReply, answer, asked)
    const failed = idInformation.filter(one => one.status === 'FAIL')
    const refusals = failed.map(one => refusalOf(one.errorResponse, 'No reason was given', settings))
    if (refusals[0] && failed.length === idInformation.length) throw refusals[0]
    const pickupIds = idInformation.flatMap(one => one.ids ?? []).filter(one => /pickup/i.test(one.idType))
    return {
      courier_no: pickupIds[0]?.value ?? bookingId ?? null,
      comes_on: request.date,
      ...(refusals[0] && { words: `${failed.length} of ${idInformation.length} parcels are not collected: ${refusals[0].message}` }),
      exchange: { request: recordedPickup(request), response: { bookingId, idInformation } },
    }
  }

  return {
    capabilities,
    validate,
    book,
    pickup: { order },

    /** PostNord does not say how long a booking takes until tracking knows its reference: a no is never certain. */
    async find(request, signal) {
      const { settings } = request
      const query = { customerNumber: settings.customer_no ?? '', referenceValue: sentReference(request.reference), locale: 'en' }
      const asked = question('read', '/rest/shipment/v5/trackandtrace/findByReference.json', query, settings, signal)
      const { shipments } = (await read(TrackingReply, settings, asked)).TrackingInformationResponse
      const [number, ...others] = new Set(shipments.flatMap(one => one.items ?? []).map(one => one.itemId))
      if (number === undefined) throw new OutcomeUnknown('PostNord does not know this reference yet')
      if (others.length > 0)
        throw new OutcomeUnknown(`PostNord knows several parcels with this reference: ${[number, ...others].join(', ')}`)
      if (request.parcels.length > 1)
        throw new OutcomeUnknown(`PostNord knows one of ${request.parcels.length} parcels with this reference: ${number}`)
      return bookingOf(request, { items: [{ number, print_id: number }], printouts: [] }, { item_id: number }, signal)
    },

    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),

    async track({ tracking_no, settings }, signal) {
      const query = { id: tracking_no, locale: 'en' }
      const asked = question('read', '/rest/shipment/v5/trackandtrace/findByIdentifier.json', query, settings, signal)
      const { shipments } = (await read(TrackingReply, settings, asked)).TrackingInformationResponse
      const items = shipments.flatMap(one => one.items ?? [])
      return items
        .filter(one => items.length === 1 || one.itemId === tracking_no)
        .flatMap(({ events }) => events)
        .flatMap(({ eventTime, status, eventDescription, location }) => {
          const at = instantOf(eventTime, location?.countryCode ?? '')
          if (Number.isNaN(at)) return []
          return [
            {
              state: states[status ?? ''] ?? '',
              at: new Date(at).toISOString(),
              place: location?.city?.trim() || location?.name?.trim() || null,
              text: eventDescription?.trim() || status || '',
            },
          ]
        })
    },

    async parcelShops({ country, postcode, address, settings }, signal) {
      const points = async (path: string, query: Record<string, string>) => {
        const asked = question('read', `/rest/businesslocation/v5/servicepoints/${path}`, query, settings, signal)
        return (await read(ServicePointsReply, settings, asked)).servicePointInformationResponse.servicePoints ?? []
      }
      const place = {
        returnType: 'json',
        countryCode: country,
        postalCode: plainPostcode(postcode, country).postcode.replaceAll(' ', ''),
        context: 'optionalservicepoint',
      }
      const near = await points('nearest/byaddress', {
        ...place,
        ...streetParts(address ?? ''),
        ...(!nordic.includes(country) && { agreementCountry: issuers[issuerOf(settings)] }),
        numberOfServicePoints: '10',
        srId: 'EPSG:4326',
      })
      // An address that is not found still has a postcode; a Danish one belongs to several points.
      const found = near.length > 0 || !['SE', 'NO', 'FI'].includes(country) ? near : await points('bypostalcode', place)
      return found.map(point => {
        const there = point.visitingAddress ?? point.deliveryAddress
        return {
          id: point.servicePointId,
          name: point.name,
          address1: [there?.streetName, there?.streetNumber].filter(Boolean).join(' '),
          postcode: there?.postalCode ?? '',
          city: there?.city ?? '',
          country: there?.countryCode ?? country,
          distance_m: point.routeDistance ?? null,
          opening_hours: hoursOf(point.openingHours?.postalServices ?? []),
        }
      })
    },

    async probe(settings, signal) {
      const { status } = await read(
        HealthReply,
        settings,
        question('read', '/rest/shipment/v3/edi/labels/manage/health', {}, settings, signal),
      )
      return { ok: status === 'UP', words: `PostNord: ${status}`.slice(0, 300) }
    },
  }
}

interface Item {
  number: string
  print_id: string
}

/** Papers for customs are fetched by themselves: printed with the label they would be pages of one file. */
const onlyLabels = ({ customs }: BookingRequest): Record<string, string> => (customs ? { definePrintout: 'onlyLabels' } : {})

function filesIn(printouts: readonly Printout[], format: 'PDF' | 'ZPL'): Buffer[] {
  return printouts.flatMap(({ itemIds, printout }) => {
    if (!printout?.data || itemIds?.some(one => one.status === 'FAIL') || printout.type === 'QRCODE') return []
    if (printout.labelFormat && printout.labelFormat.toUpperCase() !== format) return []
    // ZPL comes as it is.
    const plain = format === 'ZPL' && printout.encoding?.toLowerCase() !== 'base64'
    return [Buffer.from(printout.data, plain ? 'utf8' : 'base64')]
  })
}

const pdfIn = (printouts: readonly Printout[]): Buffer | undefined => filesIn(printouts, 'PDF').find(isPdf)
const zplIn = (printouts: readonly Printout[]): Buffer | undefined => filesIn(printouts, 'ZPL').find(bytes => bytes.includes('^XA'))

/** PostNord takes street and number apart. */
function streetParts(address: string): { streetName?: string; streetNumber?: string } {
  const written = address.trim().slice(0, 100)
  const [, streetName, streetNumber] = /^(\D{1,60}) (\d{1,5} ?[A-Za-z]?)(?=$|[ ,])/.exec(written) ?? []
  if (streetName && streetNumber) return { streetName: streetName.trim(), streetNumber }
  return written ? { streetName: written } : {}
}

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

function hoursOf(hours: readonly { openDay: string; openTime: string; closeTime: string }[]): string[] {
  const dayOf = (written: string) => days.indexOf(written.toUpperCase())
  return hours
    .toSorted((a, b) => dayOf(a.openDay) - dayOf(b.openDay))
    .map(one => `${one.openDay.slice(0, 1).toUpperCase()}${one.openDay.slice(1, 3).toLowerCase()} ${one.openTime}–${one.closeTime}`)
}

export const postnord = postnordAt({ live: { url: 'https://api2.postnord.com' }, test: { url: 'https://atapi2.postnord.com' } })
