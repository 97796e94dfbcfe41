/** The built-in courier: the shop's own van or counter. It calls no outside system, so the same request always gives the same booking. */

import { interpolate } from '#contract/errors.ts'
import { isSscc, sscc, ssccCapacity } from '#domain/gs1.ts'
import type { Party } from '#domain/party.ts'
import { type Fact, type Label, layoutA4, layoutLabel } from '#integrations/labels/label-layout.ts'
import { labelPdf } from '#integrations/labels/label-pdf.ts'
import { unshowable } from '#integrations/labels/label-text.ts'
import { labelZpl } from '#integrations/labels/label-zpl.ts'
import { type Booking, type BookingRequest, type Courier, CourierRefused, type Finding, type Method } from '../courier.ts'
import { plainPostcode } from '../postcodes.ts'
import { type Captions, captions } from './captions.ts'
import { parseRoutes, type Route, routeFindings, routeFor } from './routes.ts'

type Parcel = Parameters<Courier['validate']>[0]

const methods = [
  { code: 'van', name: 'Own van', service_point: 'none', max_weight_g: 100_000, countries: 'all' },
  { code: 'pickup', name: 'Collect in shop', service_point: 'none', max_weight_g: 100_000, countries: 'all' },
] as const satisfies readonly Method[]

export const own: Courier = {
  capabilities: {
    agent_code: 'own',
    name: 'Own delivery',
    methods,
    sizes: { pdf: [100, 150], a4: [210, 297], zpl: [100, 150] },
    numbers: 'ours',
    recovery: 'lookup',
    cancel: 'yes',
    required: [],
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
  },

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

function validate(parcel: Parcel): Finding[] {
  const findings: Finding[] = []
  const find = (severity: Finding['severity'], field: string, text: string, values?: Finding['values']) =>
    findings.push({ field, severity, text, ...(values && { values }) })
  const { sender, receiver, weight_g, settings } = parcel
  const method = methods.find(m => m.code === parcel.shipping_method)
  if (!method)
    find('error', 'shipping_method', 'Own delivery has no shipping method {{shipping_method}}', { shipping_method: parcel.shipping_method })

  if (blank(receiver.name) && blank(receiver.company)) find('error', 'receiver.name', 'The receiver has no name')
  if (blank(sender.name) && blank(sender.company)) find('error', 'sender.name', 'The sender has no name')
  if (blank(sender.address1)) find('error', 'sender.address1', 'The sender has no address')
  if (method?.code !== 'pickup') {
    if (blank(receiver.address1)) find('error', 'receiver.address1', 'The receiver has no address')
    if (blank(receiver.city)) find('error', 'receiver.city', 'The receiver has no city')
  }
  if (!/^[A-Z]{2}$/.test(receiver.country)) {
    find('error', 'receiver.country', 'The country {{country}} is not a code of two letters', { country: receiver.country })
  }

  if (!Number.isSafeInteger(weight_g) || weight_g < 0) find('error', 'weight_g', 'The weight must be a whole number of grams')
  else if (method && weight_g > method.max_weight_g) {
    find('error', 'weight_g', 'The parcel weighs {{weight}} kg; {{method}} takes {{limit}} kg at most', {
      weight: weight_g / 1000,
      method: method.name,
      limit: method.max_weight_g / 1000,
    })
  }
  const { parcel_no, parcel_count } = parcel
  if (!Number.isSafeInteger(parcel_no) || !Number.isSafeInteger(parcel_count) || parcel_no < 1 || parcel_no > parcel_count) {
    find('error', 'parcel_no', 'There is no parcel {{parcel_no}} of {{parcel_count}}', { parcel_no, parcel_count })
  }

  if (method?.code === 'van') {
    const { postcode, fits } = plainPostcode(receiver.postcode, receiver.country)
    if (fits === false) {
      const text = postcode === '' ? 'The postcode is missing' : 'The postcode {{postcode}} does not look like one of {{country}}'
      find('warning', 'receiver.postcode', text, { postcode, country: receiver.country })
    }
    const { routes, errors } = parseRoutes(settings.routes ?? '')
    if (routes.length > 0 && !routeFor(postcode, routes)) {
      find('warning', 'receiver.postcode', 'No route covers the postcode {{postcode}}', { postcode })
    }
    findings.push(...routeFindings(errors, 'warning'))
  }
  for (const field of ['name', 'company', 'attention', 'address1', 'address2', 'city'] as const) {
    const letters = unshowable(receiver[field] ?? '')
    if (letters.length > 0)
      find('warning', `receiver.${field}`, 'The label cannot show these letters: {{letters}}', { letters: letters.slice(0, 20).join(' ') })
  }
  return findings
}

function booking(request: BookingRequest): Booking {
  const wrong = validate(request).find(finding => finding.severity === 'error')
  if (wrong) throw new CourierRefused(spoken(wrong), wrong.field)
  const number = request.reserved_number
  if (number === null) throw new CourierRefused('No parcel number was reserved')
  const gs1 = isSscc(number)
  if (!gs1 && !/^OWN\d{1,20}$/.test(number)) throw new CourierRefused(`${number} is not a parcel number of ours`)

  const method = methods.find(m => m.code === request.shipping_method)!
  const { postcode } = plainPostcode(request.receiver.postcode, request.receiver.country)
  const route = method.code === 'van' ? routeFor(postcode, parseRoutes(request.settings.routes ?? '').routes) : undefined
  const barcode = gs1 ? `00${number}` : number
  const label = labelOf(request, { number, barcode, gs1, route, postcode })
  const layout = layoutLabel(label)
  // The tracking link gives access to the recipient's page and must not be logged.
  const { settings: _settings, tracking_url: _link, ...asked } = request
  return {
    tracking_no: number,
    barcode,
    cage: route?.cage ?? null,
    labels: { pdf: labelPdf(layout), a4: labelPdf(layoutA4(label, layout)), zpl: labelZpl(layout) },
    exchange: { request: asked, response: { tracking_no: number, barcode, route: route?.name ?? null, cage: route?.cage ?? null } },
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
  const language = Object.hasOwn(captions, request.settings.label_language ?? '') ? request.settings.label_language! : 'en'
  const words = captions[language]!
  const service = words[request.shipping_method as 'van' | 'pickup']
  const receiver: Party = { ...request.receiver, postcode }
  return {
    title: `${words.label} ${number}`,
    from: words.from,
    sender: request.sender,
    to: words.to,
    receiver,
    country: receiver.country === request.sender.country ? null : countryName(receiver.country, language),
    headline: route ? { caption: words.route, text: route.name } : { caption: words.service, text: service },
    mark: route ? { caption: words.cage, text: route.cage } : null,
    order: { caption: words.order, text: request.order_no },
    reference: { caption: words.reference, text: request.reference },
    facts: factsOf(request, words, language, route, service),
    tracking_url: request.tracking_url,
    barcode: { data: barcode, gs1, text: gs1 ? `(00) ${number.replace(/\d{3}(?=\d)/g, '$& ')}` : number },
  }
}

function factsOf(request: BookingRequest, words: Captions, language: string, route: Route | undefined, service: string): Fact[] {
  const facts: Fact[] = [{ caption: words.parcel, text: `${request.parcel_no} / ${request.parcel_count}` }]
  if (request.weight_g > 0) facts.push({ caption: words.weight, text: `${kilograms(language).format(request.weight_g / 1000)} kg` })
  if (route) facts.push({ caption: words.service, text: service })
  if (request.service_point_id) facts.push({ caption: words.service_point, text: request.service_point_id })
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

function spoken({ text, values = {} }: Finding): string {
  return interpolate(text, values)
}

function blank(text: string | null): boolean {
  return text === null || text.trim() === ''
}
