/**
 * DAO in Denmark: to the recipient's address, to a parcel shop, and back from one. DAO publishes no specification; source: open-source
 * clients that agree. The names of a sender without a profile, the states of events and returns without a label are not certain: those are off.
 */
import type * as z from 'zod'
import { readDate } from '#domain/dates.ts'
import { addDays } from '#domain/local-time.ts'
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
  type Finding,
  type Method,
  OutcomeUnknown,
  type Service,
} from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type Purpose, readReply, wordsIn } from '../courier-http.ts'
import { centimetres, contactName, isPdf, partyName, recordedRequest, streetOf } from '../request-parts.ts'
import { Failure, OrderReply, ShopsReply, SuccessReply, TrackingReply } from './dao.schemas.ts'

const name = 'DAO'

const sameDay: Service = { code: 'sameday', name: 'Same day', options: [] }

const method = (
  code: string,
  title: string,
  service_point: Method['service_point'],
  max_weight_g: number,
  services: Method['services'] = [],
): Method => ({ code, name: title, service_point, max_weight_g, countries: ['DK'], services })

/** The weights are those that Shipmondo documents for its shops. */
const methods: readonly Method[] = [
  method('home', 'daoHOME, home delivery', 'none', 5_000, [sameDay]),
  method('shop', 'daoSHOP, chosen parcel shop', 'required', 15_000),
  method('nearest_shop', 'daoSHOP, nearest parcel shop', 'optional', 15_000),
]

const capabilities: Capabilities = {
  agent_code: 'dao',
  name,
  methods,
  operations: ['outbound', 'return'],
  sizes: { pdf: [100, 150] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'before_hand_over',
  parcels_per_call: 1,
  needs: ['weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'none',
  tracking: true,
  parcel_shops: true,
  settings: [
    {
      name: 'customer_no',
      label: 'Customer number',
      required: true,
      pattern: '[0-9A-Za-z_-]{1,35}',
      refusal: 'A customer number has up to 35 letters and digits',
    },
    { name: 'key', label: 'API key', secret: true, required: true },
    {
      name: 'sender_id',
      label: 'Sender profile',
      hint: 'The number of a sender that DAO has stored. If empty, DAO prints your usual sender.',
      pattern: '[0-9A-Za-z_-]{1,35}',
      refusal: 'A sender profile has up to 35 letters and digits',
    },
    {
      name: 'mode',
      label: 'Bookings',
      hint: 'In a test, DAO checks each parcel but orders nothing and makes no label',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'test', name: 'Test' },
      ],
      refusal: 'Choose live or test',
    },
  ],
}

type Settings = Record<string, string>
type Query = Record<string, string>

/** DAO takes Danish numbers only, as their eight digits. */
const danishNumber = ({ phone }: Party): string | null => /^\+45(\d{8})$/.exec(phoneOf(phone, 'DK') ?? '')?.[1] ?? null

/** A parameter without a value is left out. */
const given = (values: Record<string, string | number | null | undefined>): Query =>
  Object.fromEntries(
    Object.entries(values)
      .map(([key, value]) => [key, String(value ?? '').trim()])
      .filter(([, value]) => value !== ''),
  )

/** DAO has one name for a company and its person. */
const fullName = (party: Party): string => [partyName(party), contactName(party)].filter(Boolean).join(', ')

/** The script and the parameters of an order, without those of the account. The recipient has the plain names. */
function orderOf(request: BookingRequest): { path: string; query: Query } {
  const { parties, parcels, settings, operation, service_point, services, reference } = request
  const { recipient, sender } = parties
  const common = given({
    postnr: plainPostcode(recipient.postcode, 'DK').postcode,
    adresse: streetOf(recipient),
    navn: fullName(recipient),
    mobil: danishNumber(recipient),
    email: recipient.email,
    faktura: reference,
    test: settings.mode === 'test' ? 1 : null,
  })
  if (operation === 'return')
    return {
      path: '/DAOPakkeshop/returordre.php',
      query: {
        ...common,
        ...given({ type: 'withlabel', afsender: fullName(sender), afs_mobil: danishNumber(sender), afs_email: sender.email }),
      },
    }
  const [parcel] = parcels
  const [length, width, height] = parcel?.size_mm ?? []
  const today = services.some(one => one.code === sameDay.code)
  const home = request.method === 'home'
  return {
    path: home ? '/DAODirekte/leveringsordre.php' : '/DAOPakkeshop/leveringsordre.php',
    query: {
      ...common,
      ...given({
        vaegt: parcel?.weight_g,
        l: length && centimetres(length),
        b: width && centimetres(width),
        h: height && centimetres(height),
        afsenderid: settings.sender_id,
        // The day of delivery. No client sends the day of dispatch itself: that is what `sameday` is for.
        ...(today ? { sameday: 1 } : { dato: addDays(request.ship_date, 1) }),
        // Shop 0 is the nearest.
        ...(!home && { shopid: service_point?.id || '0' }),
      }),
    },
  }
}

function validate(request: BookingDraft): Finding[] {
  const { parties, operation, method: code, service_point } = request
  const { recipient } = parties
  const outbound = operation === 'outbound'
  const far = outbound ? 'recipient' : 'sender'
  const title = methods.find(one => one.code === code)?.name ?? code
  const findings: Finding[] = []
  const warn = (field: string, text: string, values: Finding['values'] = { courier: name }) =>
    findings.push({ code: null, field, severity: 'warning', text, values })

  // A postcode of four digits would be read as a Danish one.
  if (!outbound && recipient.country !== 'DK')
    findings.push(
      errorFinding('country_not_served', '{{method}} does not go to or from {{country}}', 'recipient.country', {
        method: title,
        country: recipient.country,
      }),
    )
  const { postcode, fits } = plainPostcode(recipient.postcode, 'DK')
  if (fits === false)
    warn(
      'recipient.postcode',
      postcode === '' ? 'The postcode is missing' : 'The postcode {{postcode}} does not look like one of {{country}}',
      { postcode, country: 'DK' },
    )
  if (parties[far].phone?.trim() && danishNumber(parties[far]) === null)
    warn(`${far}.phone`, '{{courier}} takes only Danish phone numbers and is not given this one')
  if (outbound && danishNumber(recipient) === null && !recipient.email?.trim())
    warn('recipient.phone', 'Without a Danish phone number or an email address {{courier}} cannot notify the recipient')
  if (outbound && recipient.instruction?.trim()) warn('recipient.instruction', '{{courier}} takes no note to the driver')
  if (outbound && service_point && code === 'home')
    warn('service_point', '{{method}} brings the parcel to the address, not to the parcel shop', { method: title })
  return findings
}

/** What DAO says against a request, in its own words; null where it says nothing against it. */
function refusalIn(answer: CourierAnswer): CourierRefused | null {
  const { data } = Failure.safeParse(answer.body)
  if (data)
    return new CourierRefused(
      [data.fejltekst?.trim(), data.fejlkode && `(${data.fejlkode})`].filter(Boolean).join(' ') || 'No reason was given',
    )
  return answer.ok ? null : new CourierRefused(wordsIn(answer))
}

const weekdays = [
  ['man', 'Mon'],
  ['tir', 'Tue'],
  ['ons', 'Wed'],
  ['tor', 'Thu'],
  ['fre', 'Fri'],
  ['lor', 'Sat'],
  ['son', 'Sun'],
] as const

export function daoAt(host: CourierHost): Courier {
  const ask = (purpose: Purpose, path: string, query: Query, settings: Settings, signal: AbortSignal): Promise<CourierAnswer> => {
    const account = { kundeid: settings.customer_no ?? '', kode: settings.key ?? '', format: 'json' }
    const url = `${host.url}${path}?${new URLSearchParams({ ...query, ...account })}`
    return askCourier({ courier: name, purpose, url, signal, fetch: host.fetch })
  }
  const read = async <T>(schema: z.ZodType<T>, path: string, query: Query, settings: Settings, signal: AbortSignal): Promise<T> => {
    const answer = await ask('read', path, query, settings, signal)
    const refusal = refusalIn(answer)
    if (refusal) throw refusal
    return readReply(schema, answer, { courier: name, purpose: 'read' })
  }
  const shops = async (query: Query, settings: Settings, signal: AbortSignal) => {
    const { resultat } = await read(ShopsReply, '/DAOPakkeshop/FindPakkeshop.php', query, settings, signal)
    return resultat.pakkeshops ?? []
  }

  async function book(request: BookingRequest, signal: AbortSignal): Promise<Booking> {
    refuseUnsupported(capabilities, request)
    const { settings } = request
    const { path, query } = orderOf(request)
    if (settings.mode === 'test') {
      await read(SuccessReply, path, query, settings, signal)
      throw new CourierRefused('DAO would take this parcel. Bookings are set to test, so there is no label.')
    }
    const answer = await ask('book', path, query, settings, signal)
    const refusal = refusalIn(answer)
    if (refusal) throw refusal
    const { stregkode, udsortering, ETA } = readReply(OrderReply, answer, { courier: name, purpose: 'book' }).resultat
    const documents = await labelOf(stregkode, settings, signal)
    return {
      parcels: [{ ok: true, tracking_no: stregkode, barcode: stregkode, cage: null, documents }],
      exchange: { request: recordedRequest(request), response: { stregkode, udsortering, ETA } },
    }
  }

  /** The parcel is booked whether or not its label comes: without it no one may book again. */
  async function labelOf(stregkode: string, settings: Settings, signal: AbortSignal): Promise<CourierDocument[]> {
    const missing = () => new OutcomeUnknown(`DAO has booked ${stregkode}, but its label did not come`)
    const { bytes } = await ask('read', '/HentLabel.php', { stregkode, papir: '100x150' }, settings, signal).catch(() => {
      throw missing()
    })
    // A failure is JSON of status 200.
    if (!isPdf(bytes)) throw missing()
    return [{ kind: 'label', format: 'pdf', paper: 'label', bytes }]
  }

  return {
    capabilities,
    validate,
    book,
    find: async () => null,

    async cancel({ tracking_no, settings }, signal) {
      const answer = await ask('cancel', '/AnnullerePakke.php', { stregkode: tracking_no }, settings, signal)
      // After the first scan at a terminal DAO refuses, and again where an answer was lost: the label then stays blocked.
      if (refusalIn(answer)) return { cancelled: false, cancelled_at_carrier: false, refunded: false }
      readReply(SuccessReply, answer, { courier: name, purpose: 'cancel' })
      return { cancelled: true, cancelled_at_carrier: true, refunded: false }
    },

    async track({ tracking_no, settings }, signal) {
      const { resultat } = await read(TrackingReply, '/TrackNTrace_v2.php', { stregkode: tracking_no, sprog: 'EN' }, settings, signal)
      return resultat.haendelser.flatMap(({ tidspunkt, haendelse, beskrivelse, sted }) => {
        const at = readDate(tidspunkt, 'ymd', 'Europe/Copenhagen') ?? readDate(tidspunkt, 'dmy', 'Europe/Copenhagen')
        return at === null ? [] : [{ state: '', at, place: sted?.trim() || null, text: beskrivelse.trim() || haendelse }]
      })
    },

    async parcelShops({ country, postcode, address, settings }, signal) {
      if (country.toUpperCase() !== 'DK') return []
      const query = given({ postnr: plainPostcode(postcode, 'DK').postcode, adresse: address?.slice(0, 100), antal: 10 })
      const found = await shops(query, settings, signal)
      return found.map(({ shopId, navn, adresse, postnr, bynavn, afstand, aabningstider }) => ({
        id: shopId,
        name: navn,
        address1: adresse,
        postcode: postnr,
        city: bynavn,
        country: 'DK',
        // Kilometres: in a published answer, start and shop lie 2.4 km apart and the distance is 2.652.
        distance_m: typeof afstand === 'number' ? Math.round(afstand * 1_000) : null,
        opening_hours: weekdays.flatMap(([day, title]) => {
          const hours = aabningstider?.[day]?.trim()
          return hours ? [`${title} ${hours.replace(/\s*-\s*/, '–')}`] : []
        }),
      }))
    },

    async probe(settings, signal) {
      const [shop] = await shops({ postnr: '2100', antal: '1' }, settings, signal)
      return { ok: true, words: shop ? `${shop.navn}, ${shop.postnr} ${shop.bynavn}` : name }
    },
  }
}

export const dao = daoAt({ url: 'https://api.dao.as' })
