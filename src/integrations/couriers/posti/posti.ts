/**
 * Posti: parcels to a pickup point in Finland, by the Shipping API v2 of OmaPosti Pro. Source: a client that was run against the demo
 * environment; the pickup points from Posti's API gateway. Its tracking has no documented states, and no call takes a booking back.
 */
import { needsCustoms } from '#domain/customs/places.ts'
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
  type CourierDocument,
  CourierRefused,
  CourierUnavailable,
  type Finding,
  OutcomeUnknown,
  type ParcelShop,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, fetchLinked, readReply, wordsIn } from '../courier-http.ts'
import { keptTokens } from '../kept-tokens.ts'
import { cutAtWord, isPdf, kilograms, missingParts, partyName, postcodeFindings, recordedRequest, streetOf } from '../request-parts.ts'
import { OrderReply, PickupPointsReply, type PostiPoint, Problem, TokenReply } from './posti.schemas.ts'

const name = 'Posti'

const capabilities: Capabilities = {
  agent_code: 'posti',
  name,
  // Other services have other numbers, which no source confirms; none names a weight that Posti takes at most.
  methods: [{ code: 'PO2103', name: 'Postal parcel', service_point: 'optional', max_weight_g: 100_000, countries: ['FI'], services: [] }],
  operations: ['outbound'],
  sizes: { pdf: [105, 225] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'no',
  parcels_per_call: 1,
  needs: ['phone', 'email', 'weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'none',
  tracking: false,
  parcel_shops: true,
  settings: [
    { name: 'client_id', label: 'Client ID', required: true },
    { name: 'client_secret', label: 'Client secret', secret: true, required: true },
    { name: 'gateway_secret', label: 'Gateway secret', hint: 'Posti gives it for the Shipping API', secret: true, required: true },
    {
      name: 'customer_no',
      label: 'Contract number',
      hint: 'The demo environment has one of its own',
      required: true,
      pattern: '[0-9A-Za-z]{1,20}',
      refusal: 'A contract number has up to 20 letters and digits',
    },
    {
      name: 'mode',
      label: 'Bookings',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'test', name: 'Demo' },
      ],
      refusal: 'Choose live or demo',
    },
  ],
}

type Settings = Record<string, string>

export interface PostiHosts {
  live: { login: CourierHost; gateway: CourierHost }
  test: { login: CourierHost; gateway: CourierHost }
}

/** Milliseconds for the login that comes before a booking. */
const preparation = 8_000
/** Metres, and points of one answer. */
const searchRadius = 20_000
const mostPoints = 20
/** Finland has about 14. */
const mostPages = 60

const phoneNumber = ({ phone, country }: Party): string => phoneOf(phone, country) ?? (phone ?? '').replace(/[^+\d]/g, '')

/** Only fields that are known to Posti: it refuses all others. */
function partyBody(party: Party): object {
  const phone = phoneNumber(party)
  const email = party.email?.trim()
  return {
    name: partyName(party),
    address1: streetOf(party),
    zipcode: plainPostcode(party.postcode, party.country).postcode,
    city: party.city.trim(),
    country: party.country,
    ...(phone && { phone }),
    ...(email && { email }),
  }
}

function orderBody({ parties, parcels, settings, method, service_point, order_no, reference }: BookingRequest): object {
  return {
    printConfig: { target1Media: 'thermo-225' },
    shipment: {
      senderPartners: [{ id: 'POSTI', custNo: settings.customer_no }],
      sender: partyBody(parties.sender),
      receiver: partyBody(parties.recipient),
      ...(service_point && { agent: { quickId: service_point.id } }),
      service: { id: method },
      parcels: parcels.map(({ weight_g, lines }) => ({
        copies: 1,
        weight: kilograms(weight_g),
        packageCode: 'PKT',
        contents: cutAtWord(lines.map(line => line.description.trim()).join(', ') || (order_no ?? reference), 50),
        valuePerParcel: true,
      })),
    },
  }
}

function validate(request: BookingDraft): Finding[] {
  const { sender, recipient } = request.parties
  const findings = missingParts(request, ['recipient.name', 'recipient.address1', 'recipient.city'])
  if (needsCustoms(sender, recipient))
    findings.push(errorFinding('customs_not_offered', '{{courier}} takes no customs data', 'recipient.country', { courier: name }))
  return [...findings, ...postcodeFindings(request)]
}

function refusalOf(answer: CourierAnswer): CourierRefused {
  const { errorCode, errorMessage, message } = Problem.safeParse(answer.body).data ?? {}
  const words = [message || errorMessage, errorCode && `(${errorCode})`].filter(Boolean).join(' ')
  return new CourierRefused((words || wordsIn(answer)).slice(0, 300))
}

/** Posti's gateway itself did not take the token. */
const isTurnedAway = ({ status, body }: CourierAnswer): boolean =>
  status === 401 && ['EXPIRED', 'INVALID_TOKEN', 'UNAUTHORIZED'].includes(Problem.safeParse(body).data?.errorCode ?? '')

const pointOf = ({ pupCode, publicName, location, parcelLocker, distanceInMeters }: PostiPoint, country: string): ParcelShop => ({
  id: pupCode,
  name: publicName ?? pupCode,
  address1: location?.street ?? '',
  postcode: location?.postcode ?? '',
  city: location?.city ?? location?.municipality ?? '',
  country: location?.country ?? country,
  distance_m: distanceInMeters ?? null,
  opening_hours: [],
  ...(typeof parcelLocker === 'boolean' && { locker: parcelLocker }),
})

export function postiAt({ live, test }: PostiHosts): Courier {
  const tokens = keptTokens()
  const hostsOf = ({ mode }: Settings) => (mode === 'test' ? test : live)
  const credentials = (settings: Settings) => [hostsOf(settings).login.url, settings.client_id, settings.client_secret]

  async function newToken(settings: Settings, signal: AbortSignal): Promise<string> {
    const { login } = hostsOf(settings)
    const { client_id = '', client_secret = '' } = settings
    const question = { courier: name, purpose: 'read' } as const
    const answer = await askCourier({
      ...question,
      url: `${login.url}/api/v1/token`,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })),
      signal: AbortSignal.any([signal, AbortSignal.timeout(preparation)]),
      fetch: login.fetch,
    })
    if (!answer.ok) throw refusalOf(answer)
    const { access_token, expires_in } = readReply(TokenReply, answer, question)
    tokens.keep(credentials(settings), access_token, (expires_in - 60) * 1_000)
    return access_token
  }

  const headersOf = (token: string, { gateway_secret = '' }: Settings): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    'x-gateway-secret': gateway_secret,
  })

  interface Ask extends Pick<CourierQuestion, 'purpose' | 'signal'> {
    path: string
    settings: Settings
    /** Without it the call only reads. */
    body?: object
  }
  async function ask({ path, settings, body, ...question }: Ask): Promise<CourierAnswer> {
    const { gateway } = hostsOf(settings)
    const send = (token: string, reads: (answer: CourierAnswer) => boolean) =>
      askCourier({
        courier: name,
        ...question,
        url: gateway.url + path,
        ...(body && { method: 'POST' as const, body: JSON.stringify(body) }),
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headersOf(token, settings) },
        fetch: gateway.fetch,
        reads: answer => {
          if (answer.status === 401) tokens.forget(credentials(settings))
          return reads(answer)
        },
      })
    const kept = tokens.of(credentials(settings))
    if (kept) {
      const answer = await send(kept, isTurnedAway)
      if (!isTurnedAway(answer)) return answer
    }
    return send(await newToken(settings, question.signal), () => false)
  }

  /** The parcel is booked whether or not its label comes: without it no one may book again. */
  async function labelOf(link: string | undefined, number: string, settings: Settings, signal: AbortSignal): Promise<CourierDocument[]> {
    const missing = () => new OutcomeUnknown(`Posti has booked ${number}, but its label did not come`)
    if (!link) throw missing()
    const { gateway } = hostsOf(settings)
    try {
      const token = tokens.of(credentials(settings)) ?? (await newToken(settings, signal))
      const answer = await fetchLinked(link, { host: gateway, courier: name, headers: headersOf(token, settings), signal })
      if (!answer.ok || !isPdf(answer.bytes)) throw missing()
      return [{ kind: 'label', format: 'pdf', paper: 'label', bytes: answer.bytes }]
    } catch {
      throw missing()
    }
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request, validate)
    const { settings } = request
    const answer = await ask({ purpose: 'book', path: '/shippingapi/api/v2/shipping/order', settings, body: orderBody(request), signal })
    if (!answer.ok) throw refusalOf(answer)
    const [{ id, shipmentNo, parcels, prints }] = readReply(OrderReply, answer, { courier: name, purpose: 'book' })
    const [parcel, ...others] = parcels
    if (!parcel || others.length > 0) throw new OutcomeUnknown('The answer of Posti makes no sense')
    const number = parcel.parcelNo
    const print = prints?.find(one => one.pdf_type === 'ADDRESSLABEL') ?? prints?.[0]
    const documents = await labelOf(print?.href, number, settings, signal)
    return {
      parcels: [{ ok: true, tracking_no: number, barcode: number, cage: null, documents }],
      exchange: { request: recordedRequest(request), response: { id, shipment_no: shipmentNo ?? null, parcel_no: number } },
    }
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,
    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),
    track: async () => [],

    async parcelShops({ country, postcode, address: street, settings }, signal) {
      const location = {
        ...(street && { street: street.slice(0, 100) }),
        postcode: plainPostcode(postcode, country).postcode,
        countryCode: country,
        radius: { unit: 'm', value: searchRadius },
      }
      const answer = await ask({
        purpose: 'read',
        path: '/2026-04/pickuppoints',
        settings,
        body: { searchCriteria: { location, serviceFilters: { product: { code: '2103' } } }, limit: mostPoints },
        signal,
      })
      if (!answer.ok) throw refusalOf(answer)
      const { pickupPoints } = readReply(PickupPointsReply, answer, { courier: name, purpose: 'read' })
      return pickupPoints.map(one => pointOf(one, country))
    },

    allShops: {
      countries: ['FI'],
      /** Page by page, in the order of postcodes: a token that comes again would never end. */
      async read({ country, settings }, signal) {
        const points = new Map<string, ParcelShop>()
        const asked = new Set<string>()
        let token = ''
        do {
          if (asked.has(token) || asked.size >= mostPages) throw new CourierUnavailable('The answer of Posti makes no sense')
          asked.add(token)
          const query = token === '' ? '' : `?${new URLSearchParams({ pagingContinuationToken: token })}`
          const path = `/2026-04/pickuppoints/${encodeURIComponent(country)}${query}`
          const answer = await ask({ purpose: 'read', path, settings, signal })
          if (!answer.ok) throw refusalOf(answer)
          const reply = readReply(PickupPointsReply, answer, { courier: name, purpose: 'read' })
          for (const one of reply.pickupPoints) points.set(one.pupCode, pointOf(one, country))
          token = reply.pagingContinuationToken ?? ''
        } while (token !== '')
        return [...points.values()]
      },
    },

    async probe(settings, signal) {
      await newToken(settings, signal)
      return { ok: true, words: name }
    },
  }
}

export const posti = postiAt({
  live: { login: { url: 'https://gateway-auth.posti.fi' }, gateway: { url: 'https://gateway.posti.fi' } },
  test: { login: { url: 'https://gateway-auth.demo.posti.fi' }, gateway: { url: 'https://gateway.demo.posti.fi' } },
})
