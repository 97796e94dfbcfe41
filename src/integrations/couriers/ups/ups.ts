/**
 * UPS from European countries. Source: UPS's OpenAPI documents of Shipping v2409 and Tracking v1. UPS has no key for a repeated booking:
 * an unknown outcome is a person's to decide. Access Points and the economy services abroad are off.
 */

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
  type PickupRequest,
  type TrackingEvent,
} from '../courier.ts'
import { type CourierHost, readReply } from '../courier-http.ts'
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
  streetOf,
  toAddress,
  withStates,
} from '../request-parts.ts'
import { customsFindings, invoiceBody, mostProducts, senderNumbers } from './customs.ts'
import { labelPage } from './label-page.ts'
import { PickupCancelReply, PickupReply, ShipmentReply, TrackingReply, type UpsActivity, VoidReply } from './ups.schemas.ts'
import { name, saidIn, upsAccess } from './ups-login.ts'

/** Grams: the most that fits the field. What a service takes UPS says itself. */
const most = 999_900

/** Before noon is a service inside Germany. */
const beforeNoon = '74'
const methods: readonly Method[] = [
  toAddress('11', 'UPS Standard', most),
  toAddress('65', 'UPS Saver', most),
  toAddress('07', 'UPS Express', most),
  toAddress('54', 'UPS Express Plus', most),
  toAddress(beforeNoon, 'UPS Express 12:00', most, ['DE']),
  toAddress('08', 'UPS Expedited', most),
]

const capabilities: Capabilities = {
  agent_code: 'ups',
  name,
  methods,
  operations: ['outbound', 'return'],
  sizes: { pdf: [102, 152] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'before_hand_over',
  cancels_together: true,
  parcels_per_call: 20,
  needs: ['phone', 'weight'],
  parties: [],
  documents: ['label', 'invoice'],
  customs: { numbers: ['vat', 'eori'], max_lines: mostProducts },
  pickups: 'order',
  pickup_window: true,
  tracking: true,
  parcel_shops: false,
  settings: [
    { name: 'client_id', label: 'Client ID', hint: 'Of your app at developer.ups.com, with shipping and tracking', required: true },
    { name: 'client_secret', label: 'Client secret', secret: true, required: true },
    {
      name: 'account',
      label: 'Shipper number',
      hint: 'The account that pays, which must belong to the app',
      required: true,
      pattern: '[0-9A-Za-z]{6}',
      refusal: 'A shipper number has 6 letters and digits',
    },
    {
      name: 'mode',
      label: 'Bookings',
      hint: 'In tests UPS may give all parcels one number',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'test', name: 'Test' },
      ],
      refusal: 'Choose live or test',
    },
    {
      name: 'vat_no',
      label: 'VAT number of the sender',
      hint: 'Stands on customs invoices',
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

/** With these letters UPS draws the label; without one, in English. */
const characterSets: Readonly<Record<string, string>> = {
  DK: 'dan',
  FO: 'dan',
  GL: 'dan',
  NO: 'nor',
  SE: 'swe',
  FI: 'fin',
  AX: 'swe',
  DE: 'deu',
  AT: 'deu',
  NL: 'nld',
  FR: 'fra',
  IT: 'itl',
  ES: 'spa',
  PT: 'por',
  PL: 'pol',
  CZ: 'ces',
  SK: 'slk',
  HU: 'hun',
  RO: 'ron',
  BG: 'bul',
  EE: 'est',
  LV: 'lav',
  LT: 'lit',
  GR: 'ell',
  CY: 'ell',
  TR: 'tur',
}

const digitsOf = (phone: string | null): string => phone?.replace(/\D/g, '').slice(0, 15) ?? ''

function addressOf(party: Party): object {
  const postcode = plainPostcode(party.postcode, party.country).postcode.slice(0, 9)
  return {
    AddressLine: [party.address1, party.address2 ?? ''].filter(line => line.trim()).map(line => cutAtWord(line, 35)),
    City: cutAtWord(party.city, 30),
    ...(postcode !== '' && { PostalCode: postcode }),
    CountryCode: party.country,
  }
}

function partyOf(party: Party): { Name: string; AttentionName: string; Address: object } {
  const phone = digitsOf(party.phone)
  return {
    Name: cutAtWord(partyName(party), 35),
    AttentionName: cutAtWord(contactName(party) ?? partyName(party), 35),
    ...(phone !== '' && { Phone: { Number: phone } }),
    Address: addressOf(party),
  }
}

/** UPS sends its notices to it, and takes 50 characters. */
const emailOf = ({ email }: Party): { EMailAddress?: string } => {
  const written = email?.trim() ?? ''
  return written !== '' && written.length <= 50 ? { EMailAddress: written } : {}
}

/** As UPS's own examples have it. */
const weightOf = (weight_g: number): string => String(hundredGrams(weight_g))

/** The goods in words, or the order where they are unknown. */
function goodsOf({ parcels, order_no, reference }: BookingRequest, limit: number): string {
  const goods = parcels.flatMap(parcel => parcel.lines.map(line => line.description.trim())).filter(Boolean)
  return cutAtWord(goods.length > 0 ? [...new Set(goods)].join(', ') : `Goods of order ${order_no ?? reference}`, limit)
}

/** The body of a booking. The shipper is who has the account: of a return, its recipient. */
function shipmentBody(request: BookingRequest): object {
  const { parties, parcels, settings, operation, order_no, reference, customs } = request
  const { sender, recipient } = parties
  const outbound = operation === 'outbound'
  const account = settings.account?.trim().toUpperCase() ?? ''
  const shipTo = { ...partyOf(recipient), ...emailOf(recipient) }
  const invoice = invoiceBody(request, shipTo)
  const numbers = senderNumbers(request)
  const characterSet = characterSets[recipient.country]
  const payer = { BillShipper: { AccountNumber: account } }
  const references = [...new Set([reference, order_no?.trim() || reference])]
  return {
    ShipmentRequest: {
      Request: { RequestOption: 'nonvalidate', TransactionReference: { CustomerContext: reference } },
      Shipment: {
        Description: goodsOf(request, 50),
        ...(!outbound && { ReturnService: { Code: '9' } }),
        Shipper: { ...partyOf(outbound ? sender : recipient), ShipperNumber: account },
        ShipTo: {
          ...shipTo,
          // The tag alone says yes.
          ...(outbound && !recipient.company?.trim() && { Address: { ...addressOf(recipient), ResidentialAddressIndicator: '' } }),
        },
        ShipFrom: partyOf(sender),
        PaymentInformation: {
          ShipmentCharge: [{ Type: '01', ...payer }, ...(customs?.terms === 'DDP' ? [{ Type: '02', ...payer }] : [])],
        },
        Service: { Code: request.method },
        ReferenceNumber: references.map(one => ({ Value: one.slice(0, 35) })),
        ...(numbers && { GlobalTaxInformation: numbers }),
        ...(invoice && { ShipmentServiceOptions: { InternationalForms: invoice } }),
        Package: parcels.map(({ weight_g, size_mm }) => {
          // The longest side is the length.
          const [length = 0, width = 0, height = 0] = size_mm?.toSorted((a, b) => b - a).map(centimetres) ?? []
          return {
            ...(!outbound && { Description: goodsOf(request, 35) }),
            Packaging: { Code: '02' },
            ...(size_mm && {
              Dimensions: { UnitOfMeasurement: { Code: 'CM' }, Length: String(length), Width: String(width), Height: String(height) },
            }),
            PackageWeight: { UnitOfMeasurement: { Code: 'KGS' }, Weight: weightOf(weight_g) },
          }
        }),
      },
      LabelSpecification: {
        LabelImageFormat: { Code: 'GIF' },
        HTTPUserAgent: 'Mozilla/4.5',
        LabelStockSize: { Height: '6', Width: '4' },
        ...(characterSet && { CharacterSet: characterSet }),
      },
    },
  }
}

/** UPS Standard, in packages, paid by the account. Over 32 kg a package is heavy. */
function pickupBody({ settings, sender, date, from, to, parcels, weight_g, note, reference }: PickupRequest): object {
  const postcode = plainPostcode(sender.postcode, sender.country).postcode.slice(0, 9)
  return {
    PickupCreationRequest: {
      Request: { SubVersion: '2409', TransactionReference: { CustomerContext: reference } },
      RatePickupIndicator: 'N',
      Shipper: { Account: { AccountNumber: settings.account?.trim().toUpperCase() ?? '', AccountCountryCode: sender.country } },
      PickupDateInfo: {
        CloseTime: to.replace(':', ''),
        ReadyTime: from.replace(':', ''),
        PickupDate: date.replaceAll('-', ''),
      },
      PickupAddress: {
        CompanyName: cutAtWord(partyName(sender), 27),
        ContactName: cutAtWord(contactName(sender) ?? partyName(sender), 22),
        AddressLine: cutAtWord(streetOf(sender), 73),
        City: cutAtWord(sender.city, 50),
        ...(postcode !== '' && { PostalCode: postcode }),
        CountryCode: sender.country,
        ResidentialIndicator: 'N',
        Phone: { Number: digitsOf(sender.phone) },
      },
      AlternateAddressIndicator: 'Y',
      PickupPiece: [{ ServiceCode: '011', Quantity: String(parcels), DestinationCountryCode: sender.country, ContainerCode: '01' }],
      TotalWeight: { Weight: weightOf(Math.max(100, weight_g)), UnitOfMeasurement: 'KGS' },
      OverweightIndicator: weight_g / parcels > 32_000 ? 'Y' : 'N',
      PaymentMethod: '01',
      ...(note !== null && { SpecialInstruction: cutAtWord(note, 57) }),
      ReferenceNumber: reference.slice(0, 35),
    },
  }
}

function validate(request: BookingDraft): Finding[] {
  const { parties, method: code, service_point } = request
  const { sender, recipient } = parties
  const title = methods.find(one => one.code === code)?.name ?? code
  const findings = missingParts(request, ['recipient.name', 'recipient.address1', 'recipient.city', 'sender.name', 'sender.address1'])
  for (const role of ['sender', 'recipient'] as const) {
    const { country } = parties[role]
    if (withStates.includes(country) || (code === beforeNoon && country !== 'DE'))
      findings.push(
        errorFinding('country_not_served', '{{method}} does not go to or from {{country}}', `${role}.country`, { method: title, country }),
      )
    findings.push(...postcodeFindings(request, [role]))
  }
  if (sender.country !== recipient.country && digitsOf(sender.phone) === '')
    findings.push(
      errorFinding('field_invalid', '{{courier}} needs a phone number of the sender for parcels abroad', 'sender.phone', { courier: name }),
    )
  if (service_point) findings.push(notToShop(title))
  return [
    ...findings,
    ...customsFindings(request),
    ...lengthFindings(name, request, { name: 35, company: 35, address1: 35, address2: 35, city: 30 }),
  ]
}

/** UPS's codes name no field; its sentences name the party and what of it is wrong. */
const parties: readonly (readonly [RegExp, string])[] = [
  [/ship ?to|consignee|receiver/i, 'recipient'],
  [/ship ?from/i, 'sender'],
]
const partyFields: readonly (readonly [RegExp, string])[] = [
  [/postal ?code/i, 'postcode'],
  [/city/i, 'city'],
  [/address ?line/i, 'address1'],
  [/phone/i, 'phone'],
  [/country/i, 'country'],
  [/name/i, 'name'],
]

function fieldOf(words: string): string | null {
  if (/package ?weight/i.test(words)) return 'parcels.0.weight_g'
  const party = parties.find(([pattern]) => pattern.test(words))?.[1]
  const field = partyFields.find(([pattern]) => pattern.test(words))?.[1]
  return party && field ? `${party}.${field}` : null
}

/** Our states by UPS's status codes; what is not listed is shown as text only. */
const states: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    booked: [3],
    handed_over: [38, 167, 168, 169],
    in_transit: [5, 10, 12, 14, 25, 39, 47, 57, 87, 92, 158, 159, 164, 165],
    out_for_delivery: [6, 21, 37, 89, 91, 146, 162],
    ready_for_pickup: [17, 40],
    delivered: [11, 26],
    delivery_failed: [22, 23, 24, 64],
    needs_attention: [13, 59, 68, 69],
    returning: [35, 36],
    returned_to_sender: [34],
    cancelled: [7],
  }).flatMap(([state, codes]) => codes.map(code => [String(code), state])),
)

/** Codes come with and without leading zeros. */
const stateOf = ({ status }: UpsActivity): string => states[(status.statusCode ?? '').trim().replace(/^0+(?=\d)/, '')] ?? ''

/** `20261118` and `130500` in UTC; the hour may lack its zero. */
function instantOf({ gmtDate, gmtTime }: UpsActivity): string | null {
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(gmtDate?.replace(/\D/g, '') ?? '')
  const clock = /^(\d{2})(\d{2})(\d{2})$/.exec((gmtTime?.replace(/\D/g, '') ?? '').padStart(6, '0'))
  if (!day || !clock || !gmtTime) return null
  const at = new Date(`${day.slice(1).join('-')}T${clock.slice(1).join(':')}Z`)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** `20261201` is a day; UPS documents no form of it, and another one is left out. */
function dayOf(written: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(written.trim()) ?? []
  const iso = `${year}-${month}-${day}`
  return Number.isNaN(Date.parse(iso)) ? null : iso
}

/** The data of a parcel that was carried all the same are not taken back. */
function eventsOf(activities: readonly UpsActivity[], collect_by: string | null): TrackingEvent[] {
  const scanned = activities.some(one => stateOf(one) !== 'cancelled' && !/^M/i.test(one.status.type ?? ''))
  return activities.flatMap((activity): TrackingEvent[] => {
    const at = instantOf(activity)
    if (at === null) return []
    const { description, simplifiedTextDescription, statusCode } = activity.status
    const state = stateOf(activity)
    return [
      {
        state: state === 'cancelled' && scanned ? '' : state,
        at,
        place: activity.location?.address?.city?.trim() || null,
        text: description?.trim() || simplifiedTextDescription?.trim() || statusCode || '',
        ...(state === 'ready_for_pickup' && collect_by !== null && { collect_by }),
      },
    ]
  })
}

export function upsAt(hosts: { live: CourierHost; test: CourierHost }): Courier {
  const { ask, login } = upsAccess(hosts)

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const question = { courier: name, purpose: 'book' } as const
    const answer = await ask({
      purpose: question.purpose,
      path: '/api/shipments/v2409/ship',
      method: 'POST',
      body: shipmentBody(request),
      settings: request.settings,
      signal,
    })
    if (!answer.ok) {
      const words = saidIn(answer)
      throw new CourierRefused(words, fieldOf(words))
    }
    const { Response, ShipmentResults } = readReply(ShipmentReply, answer, question).ShipmentResponse
    const { ShipmentIdentificationNumber, PackageResults, ShipmentCharges, Form } = ShipmentResults
    if (PackageResults.length !== request.parcels.length || Response.ResponseStatus.Code !== '1')
      throw new OutcomeUnknown('The answer of UPS makes no sense')
    const numbers = PackageResults.map(one => one.TrackingNumber).join(', ')
    const missing = (paper: string) => new OutcomeUnknown(`UPS has booked ${numbers}, but its ${paper} did not come`)
    const papers: CourierDocument[] = []
    if (request.customs) {
      const bytes = Buffer.from(Form?.Image?.GraphicImage ?? '', 'base64')
      if (!isPdf(bytes)) throw missing('customs invoice')
      papers.push({ kind: 'invoice', format: 'pdf', paper: 'a4', bytes })
    }
    const parcels = await Promise.all(
      PackageResults.map(async ({ TrackingNumber, ShippingLabel }) => {
        const bytes = await labelPage(Buffer.from(ShippingLabel?.GraphicImage ?? '', 'base64'))
        if (!bytes) throw missing('label')
        const label: CourierDocument = { kind: 'label', format: 'pdf', paper: 'label', bytes }
        return { ok: true as const, tracking_no: TrackingNumber, barcode: TrackingNumber, cage: null, documents: [label, ...papers] }
      }),
    )
    const reference = Response.TransactionReference?.CustomerContext
    const charge = ShipmentCharges?.TotalCharges
    return {
      ...(reference && { reference }),
      courier_no: ShipmentIdentificationNumber,
      parcels,
      exchange: {
        request: recordedRequest(request),
        response: {
          shipment_no: ShipmentIdentificationNumber,
          tracking_no: numbers,
          charge: charge ? `${charge.MonetaryValue} ${charge.CurrencyCode}` : null,
          alerts: (Response.Alert ?? []).map(({ Code, Description }) => `${Description} (${Code})`).slice(0, 20),
        },
      },
    }
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,

    /** A shipment has the number of its first parcel. UPS does not say whether its charge is returned. */
    async cancel({ tracking_no, courier_no, settings }, signal) {
      const question = { courier: name, purpose: 'cancel' } as const
      const answer = await ask({
        purpose: question.purpose,
        path: `/api/shipments/v2409/void/cancel/${encodeURIComponent(courier_no ?? tracking_no)}`,
        method: 'DELETE',
        settings,
        signal,
      })
      const done = answer.ok && readReply(VoidReply, answer, question).VoidShipmentResponse.SummaryResult.Status.Code === '1'
      return { cancelled: done, cancelled_at_carrier: done, refunded: false }
    },

    pickup: {
      async order(request, signal) {
        const question = { courier: name, purpose: 'book' } as const
        const answer = await ask({
          purpose: question.purpose,
          path: '/api/pickupcreation/v2409/pickup',
          method: 'POST',
          body: pickupBody(request),
          settings: request.settings,
          signal,
        })
        if (!answer.ok) throw new CourierRefused(saidIn(answer))
        const { PRN } = readReply(PickupReply, answer, question).PickupCreationResponse
        return { courier_no: PRN, comes_on: request.date, exchange: { request: recordedPickup(request), response: { PRN } } }
      },

      async cancel({ courier_no, settings }, signal) {
        const question = { courier: name, purpose: 'cancel' } as const
        const answer = await ask({
          purpose: question.purpose,
          // By the number of the pickup.
          path: '/api/shipments/v2409/pickup/02',
          method: 'DELETE',
          headers: { prn: courier_no },
          settings,
          signal,
        })
        return answer.ok && readReply(PickupCancelReply, answer, question).PickupCancelResponse.Response.ResponseStatus.Code === '1'
      },
    },

    async track({ tracking_no, settings }, signal) {
      const question = { courier: name, purpose: 'read' } as const
      const query = new URLSearchParams({ locale: 'en_US', returnSignature: 'false', returnMilestones: 'false', returnPOD: 'false' })
      const path = `/api/track/v1/details/${encodeURIComponent(tracking_no)}?${query}`
      const answer = await ask({ purpose: question.purpose, path, settings, signal })
      if (answer.status === 404) return []
      if (!answer.ok) throw new CourierRefused(saidIn(answer))
      // A number that UPS does not know yet has warnings in place of parcels.
      const packages = readReply(TrackingReply, answer, question).trackResponse.shipment.flatMap(one => one.package ?? [])
      return packages
        .filter(one => packages.length === 1 || one.trackingNumber === tracking_no)
        .flatMap(({ activity, accessPointInformation }) => eventsOf(activity ?? [], dayOf(accessPointInformation?.pickupByDate ?? '')))
    },

    parcelShops: async () => [],

    async probe(settings, signal) {
      await login(settings, signal)
      return { ok: true, words: 'UPS accepts the client ID and the client secret' }
    },
  }
}

export const ups = upsAt({ live: { url: 'https://onlinetools.ups.com' }, test: { url: 'https://wwwcie.ups.com' } })
