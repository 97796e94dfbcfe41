/** The built-in courier: the shop's own van or counter. It calls no outside system, so the same request always gives the same booking. */

import { isSscc, sscc, ssccCapacity } from '#domain/gs1.ts'
import { elementAt, isKeyOf } from '#domain/objects.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { type Fact, type Label, layoutA4, layoutLabel } from '#integrations/labels/label-layout.ts'
import { labelPdf } from '#integrations/labels/label-pdf.ts'
import { unshowable } from '#integrations/labels/label-text.ts'
import { labelZpl } from '#integrations/labels/label-zpl.ts'
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
} from '../courier.ts'
import { type Captions, captions } from './captions.ts'
import { parseRoutes, type Route, routeFindings, routeFor } from './routes.ts'

const methods = [
  { code: 'van', name: 'Own delivery', service_point: 'none', max_weight_g: 100_000, countries: 'all', services: [] },
  { code: 'pickup', name: 'Collect in shop', service_point: 'none', max_weight_g: 100_000, countries: 'all', services: [] },
] as const satisfies readonly Method[]

const capabilities: Capabilities = {
  agent_code: 'own',
  name: 'Own delivery',
  methods,
  operations: ['outbound', 'return'],
  sizes: { pdf: [100, 150], a4: [210, 297], zpl: [100, 150] },
  numbers: 'ours',
  recovery: 'lookup',
  cancel: 'yes',
  parcels_per_call: 1,
  needs: [],
  parties: [],
  documents: ['label'],
  // The driver crosses no customs border; papers of another kind are the shop's own.
  customs: null,
  pickups: 'none',
  tracking: false,
  parcel_shops: false,
  settings: [
    {
      name: 'routes',
      label: 'Routes',
      hint: 'One route a line: name; postcodes; cage; cut-off. Example: Nørrebro; 2100-2200, 2400; B7; 15:30',
      multiline: true,
    },
    {
      name: 'label_language',
      label: 'Language of the label',
      choices: [
        { value: 'en', name: 'English' },
        { value: 'da', name: 'Dansk' },
        { value: 'de', name: 'Deutsch' },
        { value: 'no', name: 'Norsk' },
        { value: 'sv', name: 'Svenska' },
      ],
      refusal: 'The language is one of en, da, de, no and sv',
    },
  ],
}

export const own: Courier = {
  capabilities,

  validate,

  checkSettings: settings => routeFindings(parseRoutes(settings.routes ?? '').errors, 'error'),

  cages: settings => parseRoutes(settings.routes ?? '').routes.map(({ cage, cut_off }) => ({ name: cage, cut_off })),

  book: async request => booking(request),

  // The number is reserved before the first try, so a lookup makes the same label again.
  find: async request => booking(request),

  // Nothing was charged, so there is nothing to refund.
  cancel: async () => ({ cancelled: true, cancelled_at_carrier: true, refunded: true }),

  track: async () => [],

  parcelShops: async () => [],
}

/**
 * Makes a parcel number: an SSCC from the series of the GS1 prefix, or `OWN`, the company's id and ten digits of its own series, which
 * claims no prefix.
 * The extension digit increments when the serials below it are used up. Throws a RangeError when the series is used up or the prefix is invalid.
 */
export function ownNumber({ gs1_prefix, company_id, serial }: { gs1_prefix: string | null; company_id: number; serial: number }): string {
  if (!Number.isSafeInteger(serial) || serial < 0) throw new RangeError('A serial number is a whole number from 0')
  if (gs1_prefix === null) return `OWN${company_id}${String(serial).padStart(10, '0')}`
  const capacity = ssccCapacity(gs1_prefix)
  if (serial >= 10 * capacity) throw new RangeError(`The number series under the GS1 prefix ${gs1_prefix} is used up`)
  return sscc(gs1_prefix, Math.floor(serial / capacity), serial % capacity)
}

function validate(request: BookingDraft): Finding[] {
  const findings: Finding[] = []
  const warn = (field: string, text: string, values?: Finding['values']) =>
    findings.push({ code: null, field, severity: 'warning', text, ...(values && { values }) })
  const { settings } = request
  const { sender, recipient } = request.parties
  const method = methods.find(m => m.code === request.method)

  if (blank(recipient.name) && blank(recipient.company))
    findings.push(errorFinding('recipient_name_missing', 'The recipient has no name', 'recipient.name'))
  if (blank(sender.name) && blank(sender.company))
    findings.push(errorFinding('sender_name_missing', 'The sender has no name', 'sender.name'))
  if (blank(sender.address1)) findings.push(errorFinding('sender_address_missing', 'The sender has no address', 'sender.address1'))
  if (method?.code !== 'pickup') {
    if (blank(recipient.address1))
      findings.push(errorFinding('recipient_address_missing', 'The recipient has no address', 'recipient.address1'))
    if (blank(recipient.city)) findings.push(errorFinding('recipient_city_missing', 'The recipient has no city', 'recipient.city'))
  }

  if (method?.code === 'van') {
    const { postcode, fits } = plainPostcode(recipient.postcode, recipient.country)
    if (fits === false) {
      const text = postcode === '' ? 'The postcode is missing' : 'The postcode {{postcode}} does not look like one of {{country}}'
      warn('recipient.postcode', text, { postcode, country: recipient.country })
    }
    const { routes, errors } = parseRoutes(settings.routes ?? '')
    if (routes.length > 0 && !routeFor(postcode, routes)) {
      warn('recipient.postcode', 'No route covers the postcode {{postcode}}', { postcode })
    }
    findings.push(...routeFindings(errors, 'warning'))
  }
  for (const field of ['name', 'company', 'attention', 'address1', 'address2', 'city'] as const) {
    const letters = unshowable(recipient[field] ?? '')
    if (letters.length > 0)
      warn(`recipient.${field}`, 'The label cannot show these letters: {{letters}}', {
        letters: letters.slice(0, 20).join(' '),
      })
  }
  return findings
}

function booking(request: BookingRequest): Booking {
  refuseUnsupported(capabilities, request, validate)
  const number = elementAt(request.parcels, 0).reserved_number
  if (number === null) throw new CourierRefused('No parcel number was reserved')
  const gs1 = isSscc(number)
  if (!gs1 && !/^OWN\d{1,20}$/.test(number)) throw new CourierRefused(`${number} is not a parcel number of ours`)

  const byVan = request.method === 'van'
  const { recipient } = request.parties
  const { postcode } = plainPostcode(recipient.postcode, recipient.country)
  const route = byVan ? routeFor(postcode, parseRoutes(request.settings.routes ?? '').routes) : undefined
  const barcode = gs1 ? `00${number}` : number
  const label = labelOf(request, { number, barcode, gs1, route, postcode })
  const layout = layoutLabel(label)
  const cage = route?.cage ?? null
  // The tracking link gives access to the recipient's page and must not be logged.
  const { settings: _settings, tracking_url: _link, ...asked } = request
  const documents: CourierDocument[] = [
    { kind: 'label', format: 'pdf', paper: 'label', bytes: labelPdf(layout) },
    { kind: 'label', format: 'pdf', paper: 'a4', bytes: labelPdf(layoutA4(label, layout)) },
    { kind: 'label', format: 'zpl', paper: 'label', bytes: labelZpl(layout) },
  ]
  return {
    parcels: [{ ok: true, tracking_no: number, barcode, cage, documents }],
    exchange: { request: asked, response: { tracking_no: number, barcode, route: route?.name ?? null, cage } },
  }
}

interface Numbered {
  number: string
  barcode: string
  gs1: boolean
  route: Route | undefined
  postcode: string
}

function labelOf(request: BookingRequest, { number, barcode, gs1, route, postcode }: Numbered): Label {
  const asked = request.settings.label_language ?? ''
  const language = isKeyOf(captions, asked) ? asked : 'en'
  const words = captions[language]
  const service = request.method === 'van' ? words.van : words.pickup
  const { sender } = request.parties
  const receiver: Party = { ...request.parties.recipient, postcode }
  return {
    title: `${words.label} ${number}`,
    from: words.from,
    sender,
    to: words.to,
    receiver,
    country: receiver.country === sender.country ? null : countryName(receiver.country, language),
    headline: route ? { caption: words.route, text: route.name } : { caption: words.service, text: service },
    mark: route ? { caption: words.cage, text: route.cage } : null,
    order: request.order_no === null ? null : { caption: words.order, text: request.order_no },
    reference: { caption: words.reference, text: request.reference },
    facts: factsOf(request, words, language, route, service),
    tracking_url: request.tracking_url,
    barcode: { data: barcode, gs1, text: gs1 ? `(00) ${number.replace(/\d{3}(?=\d)/g, '$& ')}` : number },
  }
}

function factsOf(request: BookingRequest, words: Captions, language: string, route: Route | undefined, service: string): Fact[] {
  const { parcel_no, parcel_count, weight_g } = elementAt(request.parcels, 0)
  const facts: Fact[] = [{ caption: words.parcel, text: parcel_count === null ? String(parcel_no) : `${parcel_no} / ${parcel_count}` }]
  if (weight_g > 0) facts.push({ caption: words.weight, text: `${kilograms(language).format(weight_g / 1000)} kg` })
  if (route) facts.push({ caption: words.service, text: service })
  if (request.service_point) facts.push({ caption: words.service_point, text: request.service_point.id })
  else if (route?.cut_off) facts.push({ caption: words.cut_off, text: route.cut_off })
  return facts
}

/** Cached by language: both are slow to construct. */
const names = new Map<string, Intl.DisplayNames>()
const numbers = new Map<string, Intl.NumberFormat>()

function countryName(country: string, language: string): string {
  const known = names.get(language) ?? new Intl.DisplayNames(language, { type: 'region' })
  names.set(language, known)
  return known.of(country) ?? country
}

function kilograms(language: string): Intl.NumberFormat {
  const known = numbers.get(language) ?? new Intl.NumberFormat(language, { maximumFractionDigits: 3 })
  numbers.set(language, known)
  return known
}

function blank(text: string | null): boolean {
  return text === null || text.trim() === ''
}
