/** FedEx. Source: its documents of Ship v1 and Track v1; names of services from clients that agree. */
import type * as z from 'zod'
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
  type Finding,
  type Method,
  OutcomeUnknown,
  type PickupRequest,
  type TrackingEvent,
} from '../courier.ts'
import { readReply } from '../courier-http.ts'
import {
  centimetres,
  contactName,
  cutAtWord,
  hundredGrams,
  isPdf,
  lengthFindings,
  missingParts,
  notToShop,
  partyName,
  postcodeFindings,
  recordedPickup,
  recordedRequest,
  toAddress,
  withStates,
} from '../request-parts.ts'
import { clearanceBody, customsFindings } from './customs.ts'
import { CancelReply, PickupReply, type ScanEvent, ShipmentReply, TrackingReply } from './fedex.schemas.ts'
import { type FedexHosts, fedexAccess, name, saidIn } from './fedex-login.ts'

/** Grams. What a service takes FedEx says itself. */
const most = 999_900
const methods: readonly Method[] = [
  toAddress('FEDEX_INTERNATIONAL_PRIORITY', 'FedEx International Priority', most),
  toAddress('FEDEX_INTERNATIONAL_PRIORITY_EXPRESS', 'FedEx International Priority Express', most),
  toAddress('INTERNATIONAL_ECONOMY', 'FedEx International Economy', most),
  toAddress('FEDEX_INTERNATIONAL_CONNECT_PLUS', 'FedEx International Connect Plus', most),
  toAddress('FEDEX_REGIONAL_ECONOMY', 'FedEx Regional Economy', most),
]

const capabilities: Capabilities = {
  agent_code: 'fedex',
  name,
  methods,
  operations: ['outbound'],
  sizes: { pdf: [102, 152] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'before_hand_over',
  cancels_together: true,
  parcels_per_call: 20,
  needs: ['phone', 'weight'],
  parties: [],
  documents: ['label'],
  customs: { numbers: [], max_lines: null },
  pickups: 'order',
  pickup_window: true,
  tracking: true,
  parcel_shops: false,
  settings: [
    { name: 'ship_id', label: 'API key for shipping', hint: 'Of your project at developer.fedex.com with the Ship API', required: true },
    { name: 'ship_secret', label: 'Secret key for shipping', secret: true, required: true },
    { name: 'track_id', label: 'API key for tracking', hint: 'Of your project with the Track API, where it is another one' },
    { name: 'track_secret', label: 'Secret key for tracking', secret: true },
    {
      name: 'account',
      label: 'Account number',
      hint: 'The account that pays',
      required: true,
      pattern: '\\d{6,12}',
      refusal: 'An account number has 6 to 12 digits',
    },
    {
      name: 'pickup',
      label: 'Collection',
      choices: [
        { value: 'USE_SCHEDULED_PICKUP', name: 'Scheduled' },
        { value: 'DROPOFF_AT_FEDEX_LOCATION', name: 'Drop-off' },
        { value: 'CONTACT_FEDEX_TO_SCHEDULE', name: 'On call' },
      ],
      refusal: 'Choose one of the ways',
    },
    {
      name: 'mode',
      label: 'Bookings',
      hint: 'The sandbox answers with made-up numbers',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'sandbox', name: 'Sandbox' },
      ],
      refusal: 'Choose live or sandbox',
    },
  ],
}

const digitsOf = (phone: string | null): string => phone?.replace(/\D/g, '') ?? ''

function partyBody(party: Party): { contact: object; address: object } {
  const company = party.company?.trim()
  const postcode = plainPostcode(party.postcode, party.country).postcode.slice(0, 10)
  return {
    contact: {
      personName: cutAtWord(contactName(party) ?? partyName(party), 35),
      ...(company && { companyName: cutAtWord(company, 35) }),
      phoneNumber: digitsOf(party.phone),
    },
    address: {
      streetLines: [party.address1, party.address2 ?? ''].filter(line => line.trim()).map(line => cutAtWord(line, 35)),
      city: cutAtWord(party.city, 35),
      ...(postcode !== '' && { postalCode: postcode }),
      countryCode: party.country,
      ...(!company && { residential: true }),
    },
  }
}

function shipmentBody(request: BookingRequest): object {
  const { parties, parcels, settings, reference, ship_date } = request
  const account = { accountNumber: { value: settings.account ?? '' } }
  const clearance = clearanceBody(request)
  return {
    labelResponseOptions: 'LABEL',
    ...account,
    requestedShipment: {
      shipDatestamp: ship_date,
      pickupType: settings.pickup || 'USE_SCHEDULED_PICKUP',
      serviceType: request.method,
      packagingType: 'YOUR_PACKAGING',
      shipper: partyBody(parties.sender),
      recipients: [partyBody(parties.recipient)],
      shippingChargesPayment: { paymentType: 'SENDER', payor: { responsibleParty: account } },
      labelSpecification: { imageType: 'PDF', labelStockType: 'PAPER_4X6', labelFormatType: 'COMMON2D' },
      ...(clearance && { customsClearanceDetail: clearance }),
      requestedPackageLineItems: parcels.map(({ weight_g, size_mm }, i) => ({
        sequenceNumber: String(i + 1),
        weight: { units: 'KG', value: hundredGrams(weight_g) },
        ...(size_mm && {
          dimensions: { length: centimetres(size_mm[0]), width: centimetres(size_mm[1]), height: centimetres(size_mm[2]), units: 'CM' },
        }),
        customerReferences: [{ customerReferenceType: 'CUSTOMER_REFERENCE', value: reference.slice(0, 40) }],
      })),
    },
  }
}

/** FedEx Express, on call. */
function pickupBody({ settings, sender, date, from, to, parcels, weight_g, note }: PickupRequest): object {
  const { contact, address } = partyBody(sender)
  const account = { value: settings.account ?? '' }
  return {
    associatedAccountNumber: account,
    originDetail: {
      pickupAddressType: 'OTHER',
      pickupLocation: { contact, address, accountNumber: account },
      readyDateTimestamp: `${date}T${from}:00Z`,
      customerCloseTime: `${to}:00`,
    },
    packageCount: parcels,
    totalWeight: { units: 'KG', value: hundredGrams(Math.max(100, weight_g)) },
    carrierCode: 'FDXE',
    pickupType: 'ON_CALL',
    ...(note !== null && { remarks: cutAtWord(note, 60) }),
  }
}

function validate(request: BookingDraft): Finding[] {
  const { parties, service_point, method: code } = request
  const title = methods.find(one => one.code === code)?.name ?? code
  const findings = missingParts(request, ['recipient.name', 'recipient.address1', 'recipient.city', 'sender.address1'])
  for (const role of ['sender', 'recipient'] as const) {
    const { country, phone } = parties[role]
    if (withStates.includes(country))
      findings.push(
        errorFinding('country_not_served', '{{method}} does not go to or from {{country}}', `${role}.country`, { method: title, country }),
      )
    if ((phone?.trim() || role === 'sender') && !/^\d{10,15}$/.test(digitsOf(phone)))
      findings.push(
        errorFinding('field_invalid', '{{courier}} needs a phone number of 10 to 15 digits', `${role}.phone`, { courier: name }),
      )
  }
  if (service_point) findings.push(notToShop(title))
  return [
    ...findings,
    ...postcodeFindings(request),
    ...customsFindings(request),
    ...lengthFindings(name, request, { name: 35, company: 35, address1: 35, address2: 35, city: 35 }),
  ]
}

/** Our states by FedEx's codes of scans; what is not listed is shown as text only. */
const states: Readonly<Record<string, string>> = {
  OC: 'booked',
  PU: 'handed_over',
  OF: 'handed_over',
  AR: 'in_transit',
  DP: 'in_transit',
  IT: 'in_transit',
  CD: 'in_transit',
  DY: 'in_transit',
  DD: 'in_transit',
  OD: 'out_for_delivery',
  AD: 'out_for_delivery',
  HL: 'ready_for_pickup',
  HP: 'ready_for_pickup',
  DL: 'delivered',
  DE: 'delivery_failed',
  SE: 'needs_attention',
  RS: 'returning',
  CA: 'cancelled',
}

/** The data of a parcel that was carried all the same are not taken back. */
function eventsOf(scans: readonly ScanEvent[]): TrackingEvent[] {
  const carried = scans.some(one => !['OC', 'CA', ''].includes(one.eventType ?? ''))
  return scans.flatMap(({ date, eventType, eventDescription, scanLocation }): TrackingEvent[] => {
    const at = new Date(date ?? '')
    if (Number.isNaN(at.getTime())) return []
    const state = states[eventType ?? ''] ?? ''
    return [
      {
        state: state === 'cancelled' && carried ? '' : state,
        at: at.toISOString(),
        place: scanLocation?.city || null,
        text: eventDescription || eventType || '',
      },
    ]
  })
}

const newest = (events: readonly TrackingEvent[]): string =>
  events
    .map(one => one.at)
    .toSorted()
    .at(-1) ?? ''

type Piece = z.infer<typeof ShipmentReply>['output']['transactionShipments'][number]['pieceResponses'][number]

/** In the order of the request, where FedEx says which is which. */
const inSequence = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.every(one => typeof one.packageSequenceNumber === 'number')
    ? pieces.toSorted((a, b) => (a.packageSequenceNumber ?? 0) - (b.packageSequenceNumber ?? 0))
    : pieces

export function fedexAt(hosts: FedexHosts): Courier {
  const { ask, login } = fedexAccess(hosts)

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const { settings, reference } = request
    const answer = await ask({
      project: 'ship',
      purpose: 'book',
      method: 'POST',
      path: '/ship/v1/shipments',
      settings,
      body: shipmentBody(request),
      transaction: reference,
      signal,
    })
    if (!answer.ok) throw new CourierRefused(saidIn(answer))
    const { customerTransactionId, output } = readReply(ShipmentReply, answer, { courier: name, purpose: 'book' })
    const [shipment] = output.transactionShipments
    const pieces = shipment?.pieceResponses ?? []
    const numbers = pieces.map(one => one.trackingNumber)
    if (pieces.length !== request.parcels.length) throw new OutcomeUnknown('The answer of FedEx makes no sense')
    const labels = inSequence(pieces).map(({ trackingNumber, packageDocuments }) => {
      const label = packageDocuments?.find(one => one.contentType === 'LABEL') ?? packageDocuments?.[0]
      const bytes = Buffer.from(label?.encodedLabel ?? '', 'base64')
      if (!isPdf(bytes)) throw new OutcomeUnknown(`FedEx has booked ${numbers.join(', ')}, but its label did not come`)
      return { trackingNumber, bytes }
    })
    return {
      ...(customerTransactionId && { reference: customerTransactionId }),
      courier_no: shipment?.masterTrackingNumber || labels[0]?.trackingNumber || '',
      parcels: labels.map(({ trackingNumber, bytes }) => ({
        ok: true,
        tracking_no: trackingNumber,
        barcode: trackingNumber,
        cage: null,
        documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes }],
      })),
      exchange: {
        request: recordedRequest(request),
        response: {
          tracking_no: numbers.join(', '),
          alerts: (shipment?.alerts ?? []).map(({ code, message }) => `${message ?? ''} (${code ?? ''})`).slice(0, 20),
        },
      },
    }
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,

    /** FedEx does not say whether its charge is returned. */
    async cancel({ tracking_no, courier_no, settings }, signal) {
      const answer = await ask({
        project: 'ship',
        purpose: 'cancel',
        method: 'PUT',
        path: '/ship/v1/shipments/cancel',
        settings,
        body: {
          accountNumber: { value: settings.account ?? '' },
          trackingNumber: courier_no ?? tracking_no,
          deletionControl: 'DELETE_ALL_PACKAGES',
        },
        signal,
      })
      const done = answer.ok && readReply(CancelReply, answer, { courier: name, purpose: 'cancel' }).output?.cancelledShipment !== false
      return { cancelled: done, cancelled_at_carrier: done, refunded: false }
    },

    pickup: {
      async order(request, signal) {
        const answer = await ask({
          project: 'ship',
          purpose: 'book',
          method: 'POST',
          path: '/pickup/v1/pickups',
          settings: request.settings,
          body: pickupBody(request),
          transaction: request.reference,
          signal,
        })
        if (!answer.ok) throw new CourierRefused(saidIn(answer))
        const { pickupConfirmationCode, location } = readReply(PickupReply, answer, { courier: name, purpose: 'book' }).output
        return {
          // A pickup is cancelled by its code and the place that answered.
          courier_no: [pickupConfirmationCode, location].filter(Boolean).join(' '),
          comes_on: request.date,
          exchange: { request: recordedPickup(request), response: { pickupConfirmationCode, location: location ?? null } },
        }
      },

      async cancel({ courier_no, date, settings }, signal) {
        const [pickupConfirmationCode = '', location] = courier_no.split(' ')
        const answer = await ask({
          project: 'ship',
          purpose: 'cancel',
          method: 'PUT',
          path: '/pickup/v1/pickups/cancel',
          settings,
          body: {
            associatedAccountNumber: { value: settings.account ?? '' },
            pickupConfirmationCode,
            carrierCode: 'FDXE',
            scheduledDate: date,
            ...(location && { location }),
          },
          signal,
        })
        return answer.ok
      },
    },

    async track({ tracking_no, settings }, signal) {
      const answer = await ask({
        project: 'track',
        purpose: 'read',
        method: 'POST',
        path: '/track/v1/trackingnumbers',
        settings,
        body: { includeDetailedScans: true, trackingInfo: [{ trackingNumberInfo: { trackingNumber: tracking_no } }] },
        signal,
      })
      if (answer.status === 404) return []
      if (!answer.ok) throw new CourierRefused(saidIn(answer))
      const { completeTrackResults } = readReply(TrackingReply, answer, { courier: name, purpose: 'read' }).output
      // Numbers are given again after some time: the newest parcel is ours. One that FedEx does not know yet has an error in place of scans.
      const parcels = completeTrackResults
        .filter(one => completeTrackResults.length === 1 || one.trackingNumber === tracking_no)
        .flatMap(one => one.trackResults)
        .map(({ scanEvents }) => eventsOf(scanEvents ?? []))
      return parcels.toSorted((a, b) => newest(b).localeCompare(newest(a)))[0] ?? []
    },

    parcelShops: async () => [],

    async probe(settings, signal) {
      await login('ship', settings, signal)
      await login('track', settings, signal)
      return { ok: true, words: name }
    },
  }
}

export const fedex = fedexAt({ live: { url: 'https://apis.fedex.com' }, sandbox: { url: 'https://apis-sandbox.fedex.com' } })
