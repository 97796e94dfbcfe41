/**
 * DPD, by the META API of the group, which contracts in many countries use. Source: its OpenAPI document 2.30.48; the login of clients.
 * The document knows no cancellation of a parcel or a pickup, no look-up and no tracking.
 */
import { needsCustoms } from '#domain/customs/places.ts'
import { elementAt } from '#domain/objects.ts'
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
  type Finding,
  type OrderedPickup,
  OutcomeUnknown,
  type PickupRequest,
} from '../courier.ts'
import { readReply } from '../courier-http.ts'
import { labelPages } from '../label-pages.ts'
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
  recordedPickup,
  recordedRequest,
  toAddress,
} from '../request-parts.ts'
import { PickupReply, ShipmentReply } from './dpd.schemas.ts'
import { type DpdHosts, dpdAccess, name, type Settings, saidIn } from './dpd-login.ts'

/** Grams. No document names a weight that DPD takes at most. */
const most = 100_000

/** Codes of business units by the country of the contract. */
const units: readonly (readonly [code: string, country: string])[] = [
  ['001', 'DE'],
  ['002', 'FR'],
  ['010', 'NL'],
  ['011', 'GB'],
  ['014', 'AT'],
  ['015', 'CZ'],
  ['016', 'SK'],
  ['017', 'HU'],
  ['018', 'BG'],
  ['020', 'ES'],
  ['021', 'PL'],
  ['023', 'IT'],
  ['026', 'SI'],
  ['028', 'HR'],
  ['030', 'PT'],
  ['031', 'EE'],
  ['032', 'LT'],
  ['033', 'LV'],
  ['034', 'BE'],
  ['036', 'CH'],
  ['041', 'RO'],
  ['046', 'IE'],
]

const capabilities: Capabilities = {
  agent_code: 'dpd',
  name,
  methods: [toAddress('classic', 'DPD Classic', most), toAddress('E18', 'DPD 18:00', most), toAddress('E12', 'DPD 12:00', most)],
  operations: ['outbound'],
  // A6.
  sizes: { pdf: [105, 148] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'no',
  parcels_per_call: 20,
  needs: ['contact', 'weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'order',
  tracking: false,
  parcel_shops: false,
  settings: [
    {
      name: 'unit',
      label: 'Country of the contract',
      hint: 'The business unit with which you have the contract',
      required: true,
      choices: units.map(([value, country]) => ({ value, name: `${country} (${value})` })),
      refusal: 'Choose one of the countries',
    },
    { name: 'login', label: 'Login', hint: 'For the META API', required: true },
    { name: 'password', label: 'Password', secret: true, required: true },
    {
      name: 'customer_id',
      label: 'Customer ID',
      required: true,
      pattern: '[0-9A-Za-z]{1,17}',
      refusal: 'A customer ID has up to 17 letters and digits',
    },
    {
      name: 'account',
      label: 'Account number',
      required: true,
      pattern: '[0-9A-Za-z]{1,20}',
      refusal: 'An account number has up to 20 letters and digits',
    },
    {
      name: 'classic_code',
      label: 'Code of DPD Classic',
      hint: 'As your business unit names it',
      choices: [
        { value: '101', name: '101' },
        { value: 'CL', name: 'CL' },
      ],
      refusal: 'Choose one of the codes',
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

const phoneNumber = ({ phone, country }: Party): string => phoneOf(phone, country) ?? (phone ?? '').replace(/[^+\d]/g, '')

function partyBody(party: Party): { address: object; contact: object } {
  const company = party.company?.trim()
  const contact = contactName(party)
  const second = party.address2?.trim()
  const phone = phoneNumber(party)
  const email = party.email?.trim() ?? ''
  return {
    address: {
      name1: cutAtWord(partyName(party), 35),
      ...(company && { companyName: cutAtWord(company, 35) }),
      street: cutAtWord(party.address1, 35),
      ...(second && { addressLine2: cutAtWord(second, 35) }),
      zipCode: plainPostcode(party.postcode, party.country).postcode.slice(0, 9),
      city: cutAtWord(party.city, 35),
      country: party.country,
    },
    contact: {
      ...(contact !== null && { contactPerson: cutAtWord(contact, 35) }),
      ...(phone && { phone1: phone.slice(0, 30) }),
      ...(email && email.length <= 100 && { email }),
    },
  }
}

const productOf = (code: string, { classic_code }: Settings): string => (code === 'classic' ? classic_code || '101' : code)

/** The body of a booking: a list of one shipment. */
function shipmentBody(request: BookingRequest): object[] {
  const { parties, parcels, settings, order_no, reference, locale } = request
  const { recipient } = parties
  const email = recipient.email?.trim() ?? ''
  const grams = (weight_g: number): string => String(Math.max(1, Math.round(weight_g)))
  return [
    {
      numberOfParcels: String(parcels.length),
      ...(order_no !== null && { customerReferenceNumbers: [order_no.slice(0, 35)] }),
      shipmentInfos: {
        productCode: productOf(request.method, settings),
        weight: grams(parcels.reduce((sum, one) => sum + one.weight_g, 0)),
      },
      sender: {
        customerInfos: { customerID: settings.customer_id, customerAccountNumber: settings.account },
        ...partyBody(parties.sender),
      },
      receiver: { ...partyBody(recipient), legalEntity: { businessType: recipient.company?.trim() ? 'B' : 'P' } },
      parcel: parcels.map(({ weight_g, size_mm, lines }) => ({
        parcelInfos: {
          weight: grams(weight_g),
          ...(size_mm && {
            dimensions: { length: centimetres(size_mm[0]), width: centimetres(size_mm[1]), height: centimetres(size_mm[2]) },
          }),
        },
        ...(lines[0] && { parcelContent: cutAtWord(lines[0].description, 35) }),
        senderParcelRefs: [reference.slice(0, 35)],
        ...(email && {
          messages: [{ messageType: 'EMAIL', messageDestination: email, messageLanguage: locale.slice(0, 2).toUpperCase() }],
        }),
      })),
    },
  ]
}

/** DPD does not document how it writes hours: they stand in the comment. */
function pickupBody({ settings, sender, date, from, to, parcels, weight_g, note, reference }: PickupRequest): object {
  const { address, contact } = partyBody(sender)
  return {
    customerInfos: { customerID: settings.customer_id, customerAccountNumber: settings.account },
    pickup: { date },
    numberOfParcels: parcels,
    pickupAddress: address,
    pickupContact: contact,
    ...(weight_g > 0 && { pickupWeight: String(weight_g) }),
    comment: cutAtWord([`${from}-${to}`, note ?? ''].filter(Boolean).join(' '), 100),
    references: [reference],
  }
}

function validate(request: BookingDraft): Finding[] {
  const { parties, service_point, method: code } = request
  const { sender, recipient } = parties
  const findings = missingParts(request, ['recipient.name', 'recipient.address1', 'recipient.city'])
  if (needsCustoms(sender, recipient))
    findings.push(errorFinding('customs_not_offered', '{{courier}} takes no customs data', 'recipient.country', { courier: name }))
  if (service_point) findings.push(notToShop(capabilities.methods.find(one => one.code === code)?.name ?? code))
  return [
    ...findings,
    ...postcodeFindings(request),
    ...lengthFindings(name, request, { name: 35, company: 35, address1: 35, address2: 35, city: 35 }),
  ]
}

export function dpdAt(hosts: DpdHosts): Courier {
  const access = dpdAccess(hosts)

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const answer = await access.ask({
      purpose: 'book',
      path: '/shipping/v1/shipment?LabelPrintFormat=PDF&LabelPaperFormat=A6',
      settings: request.settings,
      body: shipmentBody(request),
      signal,
    })
    if (!answer.ok) throw new CourierRefused(saidIn(answer))
    const { shipmentId, parcelIds, parcelBarcodes, label } = readReply(ShipmentReply, answer, { courier: name, purpose: 'book' })
    const wanted = request.parcels.length
    const bytes = Buffer.from(label?.base64Data ?? '', 'base64')
    const labels = wanted === 1 && isPdf(bytes) ? [bytes] : await labelPages(bytes)
    // One page for each parcel: another number of pages would be labels of other parcels.
    if (parcelIds.length !== wanted || labels.length !== wanted)
      throw new OutcomeUnknown(`DPD has booked ${parcelIds.join(', ')}, but its label did not come`)
    const barcodeOf = (number: string, i: number) =>
      parcelBarcodes?.find(one => one.parcel === number)?.barcode?.trim() || parcelBarcodes?.[i]?.barcode?.trim() || number
    return {
      parcels: parcelIds.map((number, i) => ({
        ok: true,
        tracking_no: number,
        barcode: barcodeOf(number, i),
        cage: null,
        documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes: elementAt(labels, i) }],
      })),
      exchange: { request: recordedRequest(request), response: { shipment_id: shipmentId ?? null, parcel_no: parcelIds.join(', ') } },
    }
  }

  async function order(request: PickupRequest, signal: AbortSignal): Promise<OrderedPickup> {
    const answer = await access.ask({
      purpose: 'book',
      path: '/shipping/v1/pickupscheduling',
      settings: request.settings,
      body: pickupBody(request),
      signal,
    })
    if (!answer.ok) throw new CourierRefused(saidIn(answer))
    const scheduled = readReply(PickupReply, answer, { courier: name, purpose: 'book' })
    const taken = scheduled.find(one => one.pickupreference)
    // An entry without a number says why nothing comes.
    if (!taken) throw new CourierRefused(scheduled[0]?.statusDescription ?? scheduled[0]?.statusCode ?? 'No reason was given')
    return {
      courier_no: taken.pickupreference ?? null,
      comes_on: request.date,
      exchange: { request: recordedPickup(request), response: scheduled },
    }
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,
    pickup: { order },
    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),
    track: async () => [],
    parcelShops: async () => [],

    async probe(settings, signal) {
      await access.login(settings, signal)
      return { ok: true, words: name }
    },
  }
}

export const dpd = dpdAt({ live: { url: 'https://api.dpdgroup.com' }, test: { url: 'https://api-preprod.dpsin.dpdgroup.com:8443' } })
