/**
 * Hermes Germany: parcels to an address or a parcel shop by the HSI interface. Source: two independent open-source clients. No call takes
 * a parcel back, changes it, or gives its label again.
 */
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
  type Finding,
  OutcomeUnknown,
  type Service,
  type TrackingEvent,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import { keptTokens } from '../kept-tokens.ts'
import { contactName, isPdf, missingParts, partyName, postcodeFindings, recordedRequest } from '../request-parts.ts'
import { splitStreet } from '../split-street.ts'
import { OrderReply, Problem, TokenReply, TrackingReply } from './hermes_de.schemas.ts'

const name = 'Hermes'
const home = 'DE'

const classes = ['XS', 'S', 'M', 'L', 'XL'] as const
const services: readonly Service[] = [
  { code: 'parcelClass', name: 'Size class', options: [{ name: 'size', type: 'text', required: true, choices: classes }] },
  { code: 'nextDayService', name: 'Next day', options: [] },
  { code: 'signatureService', name: 'Signature', options: [] },
  { code: 'householdSignatureService', name: 'Signature of the household', options: [] },
]

/** No source names a weight that Hermes takes at most. */
const method = (code: string, title: string, service_point: 'none' | 'required', offered: readonly Service[]) =>
  ({ code, name: title, service_point, max_weight_g: 100_000, countries: [home], services: offered }) as const

const capabilities: Capabilities = {
  agent_code: 'hermes_de',
  name,
  methods: [method('home', 'Home delivery', 'none', services), method('parcel_shop', 'Parcel shop', 'required', services.slice(0, 1))],
  operations: ['outbound'],
  sizes: { pdf: [105, 148] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'no',
  parcels_per_call: 1,
  needs: ['contact', 'weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'none',
  tracking: true,
  parcel_shops: false,
  settings: [
    { name: 'client_id', label: 'Client ID', required: true },
    { name: 'client_secret', label: 'Client secret', secret: true, required: true },
    {
      name: 'parcel_class',
      label: 'Size class of parcels',
      hint: 'Hermes charges by it. The service Size class names another for one parcel',
      required: true,
      choices: classes.map(value => ({ value, name: value })),
      refusal: 'Choose XS, S, M, L or XL',
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
interface HostPair {
  login: CourierHost
  service: CourierHost
}
export interface HermesHosts {
  live: HostPair
  test: HostPair
}

/** Milliseconds for the login that comes before a booking. */
const preparation = 8_000
const mostReference = 20
/** Both clients name this type; the label then stands in JSON. */
const labelType = 'application/shippinglabel-pdf+json'

const phoneNumber = ({ phone, country }: Party): string => phoneOf(phone, country) ?? (phone ?? '').replace(/[^+\d]/g, '')

/** A company has no first name. */
function nameOf(party: Party): { firstname: string; lastname: string } {
  const whole = partyName(party)
  const space = party.company?.trim() ? -1 : whole.lastIndexOf(' ')
  return { firstname: whole.slice(0, Math.max(0, space)).trim(), lastname: whole.slice(space + 1) }
}

function addressOf(party: Party): object {
  const { street, house_number, addition } = splitStreet(party.address1)
  const additions = [addition, party.address2?.trim(), contactName(party)].filter(Boolean)
  return {
    street,
    houseNumber: house_number,
    zipCode: plainPostcode(party.postcode, party.country).postcode,
    town: party.city.trim(),
    countryCode: party.country,
    ...(additions[0] && { addressAddition: additions[0] }),
    ...(additions[1] && { addressAddition2: additions[1] }),
    ...(additions[2] && { addressAddition3: additions[2] }),
  }
}

function alertOf({ email, ...party }: Party): object {
  const phone = phoneNumber({ email, ...party })
  const mail = email?.trim() ?? ''
  return {
    notificationType: [mail && 'EMAIL', phone && 'SMS'].filter(Boolean).join('_'),
    ...(mail && { notificationEmail: mail }),
    ...(phone && { notificationNumber: phone }),
  }
}

function orderBody(request: BookingRequest): object {
  const { parties, parcels, settings, service_point, order_no, reference, method: code, services: chosen } = request
  const { sender, recipient } = parties
  const size = chosen.find(one => one.code === 'parcelClass')?.options.size
  const receiver = nameOf(recipient)
  const phone = phoneNumber(recipient)
  const mail = recipient.email?.trim()
  return {
    clientReference: (order_no ?? reference).slice(0, mostReference),
    receiverName: receiver,
    receiverAddress: addressOf(recipient),
    receiverContact: { ...(phone && { phone, mobile: phone }), ...(mail && { mail }) },
    senderName: nameOf(sender),
    senderAddress: addressOf(sender),
    parcel: {
      parcelClass: size ?? settings.parcel_class,
      parcelWeight: parcels[0]?.weight_g ?? 0,
      productType: 'PARCEL',
      ...(parcels[0]?.size_mm && {
        parcelDepth: parcels[0].size_mm[0],
        parcelWidth: parcels[0].size_mm[1],
        parcelHeight: parcels[0].size_mm[2],
      }),
    },
    service: {
      customerAlertService: alertOf(recipient),
      ...(code === 'parcel_shop' &&
        service_point && {
          parcelShopDeliveryService: {
            psID: service_point.id,
            psSelectionRule: 'SELECT_BY_ID',
            psCustomerFirstName: receiver.firstname,
            psCustomerLastName: receiver.lastname,
          },
        }),
      ...Object.fromEntries(chosen.filter(one => one.code !== 'parcelClass').map(one => [one.code, true])),
    },
  }
}

function validate(request: BookingDraft): Finding[] {
  const { sender, recipient } = request.parties
  const findings = missingParts(request, ['recipient.name', 'recipient.city'])
  for (const [role, party] of [['recipient', recipient] as const, ['sender', sender] as const])
    if (splitStreet(party.address1).house_number === '')
      findings.push(errorFinding('house_number_missing', '{{courier}} needs a house number', `${role}.address1`, { courier: name }))
  if (sender.country !== home)
    findings.push(
      errorFinding('country_not_served', '{{method}} does not go to or from {{country}}', 'sender.country', {
        method: name,
        country: sender.country,
      }),
    )
  return [...findings, ...postcodeFindings(request)]
}

/** Codes that start with an e are errors; of what the others mean only information is known. */
function refusalIn(answer: CourierAnswer): CourierRefused | undefined {
  const codes = Problem.safeParse(answer.body).data?.listOfResultCodes ?? []
  const errors = codes.filter(one => one.code.startsWith('e'))
  if (errors.length > 0)
    return new CourierRefused(
      errors
        .map(({ code, message }) => (message?.trim() ? `${message.trim()} (${code})` : code))
        .join(' · ')
        .slice(0, 300),
    )
  return answer.ok ? undefined : new CourierRefused(wordsIn(answer))
}

export function hermesDeAt({ live, test }: HermesHosts): Courier {
  const tokens = keptTokens()
  const hostsOf = ({ mode }: Settings): HostPair => (mode === 'test' ? test : live)
  const credentials = (settings: Settings) => [hostsOf(settings).login.url, settings.client_id, settings.client_secret]

  async function newToken(settings: Settings, signal: AbortSignal): Promise<string> {
    const { login } = hostsOf(settings)
    const { client_id = '', client_secret = '' } = settings
    const question = { courier: name, purpose: 'read' } as const
    const answer = await askCourier({
      ...question,
      url: `${login.url}/authorization-facade/oauth2/access_token`,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })),
      signal: AbortSignal.any([signal, AbortSignal.timeout(preparation)]),
      fetch: login.fetch,
    })
    if (!answer.ok) throw new CourierRefused(`${name} refuses the login: ${wordsIn(answer)}`)
    const { access_token, expires_in } = readReply(TokenReply, answer, question)
    tokens.keep(credentials(settings), access_token, Math.max(0, expires_in - 60) * 1_000)
    return access_token
  }

  async function ask({
    path,
    settings,
    body,
    accept = 'application/json',
    ...question
  }: Pick<CourierQuestion, 'purpose' | 'signal'> & {
    path: string
    settings: Settings
    body?: object
    accept?: string
  }): Promise<CourierAnswer> {
    const { service } = hostsOf(settings)
    const send = (token: string, reads: (answer: CourierAnswer) => boolean) =>
      askCourier({
        courier: name,
        ...question,
        url: `${service.url}/services/hsi${path}`,
        method: body ? 'POST' : 'GET',
        headers: {
          accept,
          'accept-language': 'DE',
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        fetch: service.fetch,
        reads: answer => {
          if (answer.status === 401) tokens.forget(credentials(settings))
          return reads(answer)
        },
      })
    const kept = tokens.of(credentials(settings))
    // A token that ended is answered with 401, and nothing was booked with it.
    if (kept) {
      const answer = await send(kept, ({ status }) => status === 401 && question.purpose === 'read')
      if (answer.status !== 401) return answer
    }
    return send(await newToken(settings, question.signal), () => false)
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const { settings } = request
    const answer = await ask({
      purpose: 'book',
      path: '/shipmentorders/labels',
      settings,
      body: orderBody(request),
      accept: labelType,
      signal,
    })
    const refusal = refusalIn(answer)
    if (refusal) throw refusal
    const { shipmentID, shipmentOrderID, labelImage } = readReply(OrderReply, answer, { courier: name, purpose: 'book' })
    const bytes = Buffer.from(labelImage ?? '', 'base64')
    // No call gives the label again.
    if (!isPdf(bytes)) throw new OutcomeUnknown(`${name} has booked ${shipmentID}, but its label did not come`)
    return {
      parcels: [
        {
          ok: true,
          tracking_no: shipmentID,
          barcode: shipmentID,
          cage: null,
          documents: [{ kind: 'label', format: 'pdf', paper: 'label', bytes }],
        },
      ],
      exchange: { request: recordedRequest(request), response: { shipment_id: shipmentID, shipment_order_id: shipmentOrderID ?? null } },
    }
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,
    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),

    /** The codes of events are not published: their words are shown. */
    async track({ tracking_no, settings }, signal) {
      const path = `/shipmentinfo?${new URLSearchParams({ shipmentID: tracking_no })}`
      const answer = await ask({ purpose: 'read', path, settings, signal })
      if (answer.status === 404) return []
      const refusal = refusalIn(answer)
      if (refusal) throw refusal
      const { shipmentinfo } = readReply(TrackingReply, answer, { courier: name, purpose: 'read' })
      return shipmentinfo
        .filter(one => one.shipmentID === tracking_no)
        .flatMap(({ status }) => status ?? [])
        .flatMap(({ timestamp, code, description, scanningUnit }): TrackingEvent[] => {
          const at = readDate(timestamp, 'ymd', 'Europe/Berlin')
          const place = [scanningUnit?.name, scanningUnit?.city].filter(Boolean).join(', ')
          return at === null ? [] : [{ state: '', at, place: place || null, text: description?.trim() || (code ?? '') }]
        })
    },

    parcelShops: async () => [],

    async probe(settings, signal) {
      await newToken(settings, signal)
      return { ok: true, words: `${name} accepts the login` }
    },
  }
}

export const hermesDe = hermesDeAt({
  live: { login: { url: 'https://authme.myhermes.de' }, service: { url: 'https://de-api.hermesworld.com' } },
  test: { login: { url: 'https://authme-int.myhermes.de' }, service: { url: 'https://de-api-int.hermesworld.com' } },
})
