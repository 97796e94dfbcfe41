/** From an order as a shop wrote it to an order as it is stored: whole amounts, comparable text, badges, fingerprint and search words. */
import { type CountryCode, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import type { CanonicalOrder, LineType } from './canonical.contract.ts'
import { needsCustoms } from './countries.rules.ts'
import { toMinor, withoutVat, withVat } from './money.rules.ts'

export interface ImportedParty {
  name: string
  attention: string | null
  company: string | null
  address1: string
  address2: string | null
  /** Text, upper case, single spaces: a leading zero matters. */
  postcode: string
  city: string
  region: string | null
  /** ISO 3166-1 alpha-2, upper case; empty only in a billing address that names none. */
  country: string
  /** E.164, or null where the text is no phone number of its country. */
  phone: string | null
  phone_raw: string | null
  email: string | null
}

export interface ImportedLine {
  line_no: number
  external_id: string
  type: LineType
  sku: string | null
  /** The SKU in upper case: two spellings of one SKU are one product. */
  sku_key: string | null
  barcode: string | null
  name: string
  variant: string | null
  qty: number
  /** Minor units of the order's currency; null where the shop told no price. A discount is negative. */
  unit_price_excl_vat: number | null
  unit_price_incl_vat: number | null
  /** Of the whole line, positive. */
  discount_excl_vat: number
  /** Decimal text without trailing zeros. */
  vat_percent: string | null
  cost_price: number | null
  weight_g: number | null
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
  bin: string | null
  image_url: string | null
  /** Digits only. */
  hs_code: string | null
  origin: string | null
  customs_text: string | null
  bundle_of: string | null
  serial_required: boolean
  requires_shipping: boolean
  custom: Record<string, string | number | boolean | null>
}

export interface ImportedOrder {
  external_id: string
  order_no: string
  shop: string
  source: string
  /** Instants are ISO 8601 in UTC. */
  ordered_at: string | null
  paid_at: string | null
  status: CanonicalOrder['status']
  payment_status: CanonicalOrder['payment_status']
  currency: string
  /** As the specification writes it: `da_DK`. */
  locale: string | null
  customer: { external_id: string | null; name: string | null; email: string | null; phone: string | null; vat_no: string | null }
  ship_to: ImportedParty & { instruction: string | null; door_code: string | null }
  bill_to: (ImportedParty & { vat_no: string | null }) | null
  service_point: CanonicalOrder['service_point']
  shipping: { title: string | null; code: string | null; price_incl_vat: number | null; vat_percent: string | null } | null
  delivery: { not_before: string | null; wished_date: string | null; ship_by: string | null; partial_allowed: boolean }
  lines: ImportedLine[]
  /** Minor units; as the shop told them, else counted from the lines, else null. */
  totals: { excl_vat: number | null; vat: number | null; incl_vat: number | null }
  customs: CanonicalOrder['customs']
  notes: { type: string; text: string }[]
  tags: string[]
  attributes: Record<string, string | number | boolean | null>
  version: number | null
}

const oddSpace = /^\s|\s$|\s\s|[^\S ]/

/** One line of text: composed letters, single spaces, nothing around it. */
function tidy(text: string): string {
  const composed = text.normalize('NFC')
  return oddSpace.test(composed) ? composed.replace(/\s+/g, ' ').trim() : composed
}
const orNull = (text: string | null | undefined): string | null => (text ? tidy(text) || null : null)
/** Only one way of writing an instant has 24 characters and a Z: the one that comes out. */
const utc = (instant: string | null): string | null =>
  instant === null || (instant.length === 24 && instant.endsWith('Z')) ? instant : new Date(instant).toISOString()
const plainPercent = (percent: string | null): string | null => (percent === null ? null : String(Number(percent))) // At most seven digits: a float shows them exactly.
const sorted = <T>(record: Record<string, T>): Record<string, T> => {
  const keys = Object.keys(record)
  return keys.length < 2 ? record : Object.fromEntries(keys.sort().map(key => [key, record[key] as T]))
}

let lastPhone: { raw: string; country: string; e164: string | null } = { raw: '', country: '', e164: null }

/** The number in E.164, read as somebody in that country would dial it; null where it cannot be one. */
export function phoneOf(raw: string | null, country: string): string | null {
  if (!raw) return null
  const dense = raw.replace(/[\s().\-/]/g, '')
  // Parsing costs twenty times as much as everything else here: what is already E.164 is taken as it is.
  if (/^\+[1-9]\d{8,14}$/.test(dense)) return dense
  // Recipient and customer mostly have the same number.
  if (raw === lastPhone.raw && country === lastPhone.country) return lastPhone.e164
  const parsed = parsePhoneNumberFromString(
    raw,
    isSupportedCountry(country) ? { defaultCountry: country as CountryCode, extract: false } : { extract: false },
  )
  lastPhone = { raw, country, e164: parsed?.isPossible() ? parsed.number : null }
  return lastPhone.e164
}

/** Letters that people write before the code: the country's own, and the ones of car plates from before ISO 3166. */
const carPlates: Record<string, string> = {
  DE: 'D',
  SE: 'S',
  NO: 'N',
  AT: 'A',
  FR: 'F',
  BE: 'B',
  IT: 'I',
  FI: 'FIN',
  LU: 'L',
  ES: 'E',
  PT: 'P',
  HU: 'H',
}
/** Here the letters are part of the code. */
const prefixed: Record<string, RegExp> = { LV: /^\d{4}$/, LT: /^\d{5}$/ }

const postcodeFits = (postcode: string, country: string): boolean =>
  postcodeValidatorExistsForCountry(country) && postcodeValidator(postcode, country)

/** Upper case, single spaces, without `DK-`, `S-`, `D-` in front where the rest is a code of the country; with `LV-` and `LT-`, which belong to theirs. */
export function postcodeOf(written: string, country: string): string {
  const postcode = tidy(written).toUpperCase()
  if (prefixed[country])
    return prefixed[country].test(postcode) ? `${country}-${postcode}` : postcode.replace(/^(LV|LT) ?-? ?(?=\d)/, '$1-')
  const parts = /^([A-Z]{1,3}) ?[-–] ?(\d.*)$/.exec(postcode)
  if (parts && (parts[1] === country || parts[1] === carPlates[country]) && postcodeFits(parts[2]!, country)) return parts[2]!
  return postcode
}

type Written = Omit<NonNullable<CanonicalOrder['bill_to']>, 'vat_no'>

function partyOf(party: Written): ImportedParty {
  const country = party.country?.toUpperCase() ?? ''
  const phone_raw = orNull(party.phone)
  return {
    name: tidy(party.name),
    attention: orNull(party.attention),
    company: orNull(party.company),
    address1: tidy(party.address1),
    address2: orNull(party.address2),
    postcode: postcodeOf(party.postcode, country),
    city: tidy(party.city),
    region: orNull(party.region),
    country,
    phone: phoneOf(phone_raw, country),
    phone_raw,
    email: orNull(party.email),
  }
}

function lineOf(line: CanonicalOrder['lines'][number], index: number, external_id: string, currency: string): ImportedLine {
  const percent = plainPercent(line.vat_percent)
  const amount = (text: string | null) => (text === null ? null : toMinor(text, currency))
  let excl = amount(line.unit_price_excl_vat)
  let incl = amount(line.unit_price_incl_vat)
  if (excl === null && incl !== null && percent !== null) excl = withoutVat(incl, percent)
  if (incl === null && excl !== null && percent !== null) incl = withVat(excl, percent)
  if (line.type === 'discount') {
    if (excl !== null && excl > 0) excl = -excl
    if (incl !== null && incl > 0) incl = -incl
  }
  const sku = orNull(line.sku)
  return {
    line_no: index + 1,
    external_id,
    type: line.type,
    sku,
    sku_key: sku === null ? null : sku.toUpperCase(),
    barcode: orNull(line.barcode),
    name: tidy(line.name),
    variant: orNull(line.variant),
    qty: Number(line.qty),
    unit_price_excl_vat: excl,
    unit_price_incl_vat: incl,
    discount_excl_vat: Math.abs(amount(line.discount_excl_vat) ?? 0),
    vat_percent: percent,
    cost_price: amount(line.cost_price),
    weight_g: line.weight_g,
    length_mm: line.dim_mm?.[0] ?? null,
    width_mm: line.dim_mm?.[1] ?? null,
    height_mm: line.dim_mm?.[2] ?? null,
    bin: orNull(line.bin),
    image_url: line.image_url,
    hs_code: line.hs_code === null ? null : line.hs_code.replace(/\D/g, '') || null,
    origin: line.origin?.toUpperCase() ?? null,
    customs_text: orNull(line.customs_text),
    bundle_of: orNull(line.bundle_of),
    serial_required: line.serial_required,
    requires_shipping: line.requires_shipping,
    custom: sorted(line.custom),
  }
}

/** Lines without an id of the shop are named by their place, past any id that already looks like one. */
function idsOf(lines: CanonicalOrder['lines']): string[] {
  const taken = new Set(lines.map(line => orNull(line.external_id)))
  return lines.map((line, index) => {
    const given = orNull(line.external_id)
    if (given !== null) return given
    let id = String(index + 1)
    while (taken.has(id)) id = `_${id}`
    return id
  })
}

/** What the lines come to, or null where one of them has no price. */
function sum(lines: readonly ImportedLine[], price: 'unit_price_excl_vat' | 'unit_price_incl_vat'): number | null {
  let total = 0
  for (const line of lines) {
    const unit = line[price]
    if (unit === null) return null
    const discount =
      price === 'unit_price_excl_vat' || line.discount_excl_vat === 0 || line.vat_percent === null
        ? line.discount_excl_vat
        : withVat(line.discount_excl_vat, line.vat_percent)
    total += unit * line.qty - discount
  }
  return total
}

/** The order ready to be stored. The same content always gives the same object, key by key. */
export function toOrder(order: CanonicalOrder): ImportedOrder {
  const currency = order.currency.toUpperCase()
  const order_no = tidy(order.order_no)
  const amount = (text: string | null | undefined) => (text === null || text === undefined ? null : toMinor(text, currency))
  const ids = idsOf(order.lines)
  const lines = order.lines.map((line, index) => lineOf(line, index, ids[index]!, currency))
  const { instruction, door_code, ...ship } = order.ship_to
  const ship_to = { ...partyOf(ship), instruction: orNull(instruction), door_code: orNull(door_code) }
  const bill_to = order.bill_to && { ...partyOf(order.bill_to), vat_no: orNull(order.bill_to.vat_no) }
  const excl_vat = amount(order.totals?.excl_vat) ?? sum(lines, 'unit_price_excl_vat')
  const incl_vat = amount(order.totals?.incl_vat) ?? sum(lines, 'unit_price_incl_vat')
  const { service_point, shipping, delivery, customs } = order
  return {
    external_id: orNull(order.external_id) ?? order_no,
    order_no,
    shop: order.shop.toLowerCase(),
    source: order.source,
    ordered_at: utc(order.ordered_at),
    paid_at: utc(order.paid_at),
    status: order.status,
    payment_status: order.payment_status,
    currency,
    locale:
      order.locale?.replace(
        /^(\w+)[-_](\w+).*$/,
        (_, language: string, land: string) => `${language.toLowerCase()}_${land.toUpperCase()}`,
      ) ?? null,
    customer: {
      external_id: orNull(order.customer?.external_id),
      name: orNull(order.customer?.name),
      email: orNull(order.customer?.email),
      phone: phoneOf(orNull(order.customer?.phone), bill_to?.country || ship_to.country),
      vat_no: orNull(order.customer?.vat_no),
    },
    ship_to,
    bill_to,
    service_point: service_point && {
      carrier: orNull(service_point.carrier)?.toLowerCase() ?? null,
      id: tidy(service_point.id),
      name: orNull(service_point.name),
      address1: orNull(service_point.address1),
      postcode: orNull(service_point.postcode),
      city: orNull(service_point.city),
      country: service_point.country?.toUpperCase() ?? null,
    },
    shipping: shipping && {
      title: orNull(shipping.title),
      code: orNull(shipping.code),
      price_incl_vat: amount(shipping.price_incl_vat),
      vat_percent: plainPercent(shipping.vat_percent),
    },
    delivery: {
      not_before: delivery?.not_before ?? null,
      wished_date: delivery?.wished_date ?? null,
      ship_by: utc(delivery?.ship_by ?? null),
      partial_allowed: delivery?.partial_allowed ?? true,
    },
    lines,
    totals: { excl_vat, vat: amount(order.totals?.vat) ?? (excl_vat !== null && incl_vat !== null ? incl_vat - excl_vat : null), incl_vat },
    customs: customs && {
      reason: customs.reason,
      incoterm: customs.incoterm?.toUpperCase() ?? null,
      voec: orNull(customs.voec),
      ioss: orNull(customs.ioss),
      eori: orNull(customs.eori),
    },
    notes: order.notes.map(note => ({ type: note.type, text: note.text.normalize('NFC').trim() })),
    tags: [...new Set(order.tags.map(tidy))].sort(),
    attributes: sorted(order.attributes),
    version: order.version,
  }
}

/** The text whose hash tells whether an order that comes again says anything new. The shop's version counts as no content. */
export function fingerprint(order: ImportedOrder): string {
  const { version: _version, ...content } = order
  // Every key was written in one order by `toOrder`, so the plain JSON is canonical.
  return JSON.stringify(content)
}

export interface Badge {
  kind: 'address' | 'phone' | 'email' | 'postcode' | 'weight' | 'customs'
  severity: 'ok' | 'warning' | 'error'
  /** A sentence with places: the translation key. */
  text: string
  values: Record<string, string | number>
}

export const badgeSentences = {
  address: 'The address is complete',
  noName: 'The address has no name',
  noStreet: 'The address has no street',
  noCity: 'The address has no city',
  noHouse: 'The street has no house number',
  phone: 'The phone number can be dialled',
  noPhone: 'There is no phone number: the courier cannot announce the delivery',
  badPhone: '{{phone}} is not a phone number of {{country}}',
  email: 'The e-mail address is well formed',
  noEmail: 'There is no e-mail address: the recipient cannot be told about the parcel',
  badEmail: '{{email}} is not an e-mail address',
  postcode: 'The postcode looks right',
  noPostcode: 'The address has no postcode',
  badPostcode: '{{postcode}} does not look like a postcode of {{country}}',
  freePostcode: 'No postcode is needed in {{country}}',
  weight: 'The weight of every product is known',
  noWeight: 'The weight of {{count}} of {{total}} products is not known',
  nothing: 'There is nothing to ship',
  customs: 'The customs data are complete',
  inside: 'No customs papers are needed',
  noTariff: '{{count}} of {{total}} products have no tariff code of at least 6 digits',
  noOrigin: '{{count}} of {{total}} products have no country of origin',
  noValue: '{{count}} of {{total}} products have no value',
  noPhoneAbroad: 'Customs need a phone number or an e-mail address of the recipient',
} as const

/** Places where streets have numbers: a street without one is probably a mistake. */
const numbered = new Set('AT BE CH CZ DE DK EE ES FI FR HU IT LI LU NL NO PL PT SE SI SK'.split(' '))
/** Places without postcodes, or where few people know theirs. */
const unpostcoded = new Set(
  'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GH GM GQ GY HK IE JM KI KM KN KP LC ML MO MR MW NR NU PA QA RW SB SC SL SR ST SX SY TD TG TK TL TO TV TZ UG VU WS YE ZW'.split(
    ' ',
  ),
)
const emailShape = /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@.<>",;]{2,}$/

/** The lines that go into a parcel. */
export const shipped = (order: Pick<ImportedOrder, 'lines'>): ImportedLine[] =>
  order.lines.filter(line => line.type === 'item' && line.requires_shipping)

/**
 * What a packer would otherwise meet at the bench, told when the order comes in: one badge of each kind, the worst finding of it.
 * A postcode that does not fit its pattern is only a warning, because such lists age.
 * Patterns: postcode-validator; calling codes and lengths: libphonenumber.
 */
export function badges(
  order: ImportedOrder,
  { from = { country: 'DK' } }: { from?: { country: string; postcode?: string } } = {},
): Badge[] {
  const { ship_to } = order
  const { country } = ship_to
  const items = shipped(order)
  const total = items.length
  const badge = (kind: Badge['kind'], severity: Badge['severity'], text: string, values: Badge['values'] = {}): Badge => ({
    kind,
    severity,
    text,
    values,
  })
  const say = badgeSentences

  const address = (): Badge => {
    if (ship_to.name === '' && !ship_to.company) return badge('address', 'error', say.noName)
    if (ship_to.address1 === '') return badge('address', 'error', say.noStreet)
    if (ship_to.city === '') return badge('address', 'error', say.noCity)
    if (numbered.has(country) && !/\d/.test(ship_to.address1 + (ship_to.address2 ?? ''))) return badge('address', 'warning', say.noHouse)
    return badge('address', 'ok', say.address)
  }
  const phone = (): Badge => {
    if (ship_to.phone) return badge('phone', 'ok', say.phone)
    return ship_to.phone_raw
      ? badge('phone', 'warning', say.badPhone, { phone: ship_to.phone_raw, country })
      : badge('phone', 'warning', say.noPhone)
  }
  const email = (): Badge => {
    const written = ship_to.email ?? order.customer.email
    if (!written) return badge('email', 'warning', say.noEmail)
    return emailShape.test(written) ? badge('email', 'ok', say.email) : badge('email', 'warning', say.badEmail, { email: written })
  }
  const postcode = (): Badge => {
    if (ship_to.postcode === '') {
      return unpostcoded.has(country) ? badge('postcode', 'ok', say.freePostcode, { country }) : badge('postcode', 'error', say.noPostcode)
    }
    if (!postcodeValidatorExistsForCountry(country) || postcodeValidator(ship_to.postcode, country))
      return badge('postcode', 'ok', say.postcode)
    return badge('postcode', 'warning', say.badPostcode, { postcode: ship_to.postcode, country })
  }
  const weight = (): Badge => {
    if (total === 0) return badge('weight', 'warning', say.nothing)
    const count = items.filter(line => !line.weight_g).length
    return count === 0 ? badge('weight', 'ok', say.weight) : badge('weight', 'warning', say.noWeight, { count, total })
  }
  const customs = (): Badge => {
    if (!needsCustoms(from, ship_to)) return badge('customs', 'ok', say.inside)
    const without = (lacks: (line: ImportedLine) => boolean) => items.filter(lacks).length
    const noTariff = without(line => (line.hs_code?.length ?? 0) < 6)
    if (noTariff > 0) return badge('customs', 'error', say.noTariff, { count: noTariff, total })
    const noOrigin = without(line => !line.origin)
    if (noOrigin > 0) return badge('customs', 'error', say.noOrigin, { count: noOrigin, total })
    const noValue = without(line => !line.unit_price_excl_vat && !line.unit_price_incl_vat)
    if (noValue > 0) return badge('customs', 'error', say.noValue, { count: noValue, total })
    if (!ship_to.phone && !ship_to.email && !order.customer.email) return badge('customs', 'warning', say.noPhoneAbroad)
    return badge('customs', 'ok', say.customs)
  }
  return [address(), phone(), email(), postcode(), weight(), customs()]
}

const longForms: Record<string, string> = {
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ł: 'l',
}
const shortForms: Record<string, string> = { æ: 'ae', ø: 'o', ß: 'ss', œ: 'oe', þ: 'th', ð: 'd', ł: 'l', đ: 'd', ı: 'i' }

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ascii = /^[\u0000-\u007f]*$/

/**
 * The ways in which one word may be typed: `'Åse'` → `åse`, `aase`, `ase`. Lower case.
 * Stored words and searched words are both folded, so that either spelling finds the other.
 */
export function foldings(word: string): string[] {
  const lower = word.normalize('NFC').toLowerCase()
  if (ascii.test(lower)) return [lower]
  const long = lower.replace(/[æøåäöüßœþðł]/g, letter => longForms[letter]!)
  const strip = (text: string) =>
    text
      .replace(/[æøßœþðłđı]/g, letter => shortForms[letter]!)
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
  return [...new Set([lower, strip(long), strip(lower)])]
}

const callingCodes = new Map<string, string>()
function callingCode(country: string): string {
  let code = callingCodes.get(country)
  if (code === undefined) {
    code = isSupportedCountry(country) ? getCountryCallingCode(country) : ''
    callingCodes.set(country, code)
  }
  return code
}

const mostWords = 100
const longestWord = 100
/** Nobody types a part of one; five words that no other order shares would only burden the index. */
const machineMade = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Everything by which somebody looks for the order, as whole lower-case words; at most 100, the likeliest first. */
export function searchWords(order: ImportedOrder): string[] {
  const words = new Set<string>()
  const whole = (text: string | null) => {
    if (text) for (const word of foldings(text)) words.add(word.slice(0, longestWord))
  }
  const parts = (text: string | null) => {
    if (text) for (const part of text.split(/[^\p{L}\p{M}\p{N}]+/u)) if (part.length > 1) whole(part)
  }
  const numbers = (e164: string | null, raw: string | null, country: string) => {
    if (e164) {
      const digits = e164.slice(1)
      const code = callingCode(country)
      words.add(digits)
      if (code !== '' && digits.startsWith(code)) words.add(digits.slice(code.length))
      words.add(digits.slice(-8))
    }
    const written = raw?.replace(/\D/g, '') ?? ''
    if (written.length > 4) words.add(written)
  }

  const { ship_to, bill_to, customer } = order
  whole(order.order_no)
  whole(order.order_no.replace(/^#+/, ''))
  if (!machineMade.test(order.order_no)) parts(order.order_no)
  whole(order.external_id)
  for (const name of [ship_to.name, ship_to.company, ship_to.attention, customer.name, bill_to?.name ?? null, bill_to?.company ?? null])
    parts(name)
  numbers(ship_to.phone, ship_to.phone_raw, ship_to.country)
  numbers(customer.phone, null, bill_to?.country || ship_to.country)
  for (const email of new Set([ship_to.email, customer.email, bill_to?.email ?? null])) {
    whole(email)
    parts(email)
  }
  parts(ship_to.city)
  whole(customer.external_id)
  for (const tag of order.tags) {
    whole(tag)
    parts(tag)
  }
  for (const line of order.lines) {
    if (words.size >= mostWords) break
    whole(line.sku)
  }
  words.delete('')
  return [...words].slice(0, mostWords)
}
