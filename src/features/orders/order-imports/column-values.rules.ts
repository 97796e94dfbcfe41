/** Whether what stands in a column can be what its name says: a column `VAT` may hold percents or amounts, `Shipping` a method or a price. */
import { countryCode } from '#domain/country-names.ts'
import { readDate } from '#domain/dates.ts'
import { readNumber } from '#domain/decimals.ts'
import { isCurrency } from '#domain/money.ts'
import type { CsvField } from './columns.rules.ts'
import { isKind } from './line-kinds.rules.ts'

/** The value as a number by either decimal sign; null for text that is no number. */
export const numberIn = (text: string): number | null => {
  const read = readNumber(text, '.') ?? readNumber(text, ',')
  return read === null ? null : Number(read)
}
/** A quantity with its unit: `2 st`, `3 Stk.`. */
const counted = /^(\d[\d.,]{0,12})\s?(?:st|stk|stck|stück|pcs?|pieces?|items?|szt|ks|x)\.?$/i
export const withoutUnit = (text: string): string => counted.exec(text)?.[1] ?? text
const isNumber = (text: string): boolean => numberIn(text) !== null
const isWhole = (text: string): boolean => Number.isInteger(numberIn(text) ?? 0.5)
const isDate = (text: string): boolean => (['ymd', 'dmy', 'mdy'] as const).some(order => readDate(text, order, 'UTC') !== null)
/** Value-added taxes of Europe and their like; 0 is the rate of exports. */
const isRate = (text: string): boolean => {
  const read = numberIn(text)
  if (read === null || read < 0 || read > 30 || /\p{Sc}/u.test(text)) return false
  // `0.25` is how some programs write 25 %.
  const rate = read < 0.3 ? Math.round(read * 100_000) / 1_000 : read
  return Number.isInteger(rate * 10)
}

const withCity = /^((?:\p{Lu}{1,3}[- ])?\d{3,6}(?:-\d{2,4})?(?: (?:\d{2,3}|\p{Lu}{2})(?=[ ,]))?)[ ,]+(\p{L}.*)$/u

/** `Boston, MA 02108`: the town first, with or without a state. */
const cityFirst = /^(\p{L}[\p{L} .'’-]{0,60}), ?(?:(\p{Lu}{2,3}) )?(\d{3,6}(?:-\d{4})?)$/u

/** `York YO1 7PR`: the postcodes of the United Kingdom stand behind the town. */
const british = /^(?:(\p{L}[\p{L} .'’-]{0,60}?),? )?([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/u

/** `5000 Odense C` or `Odense C, 5000` in one cell; null where it holds one of the two alone. */
export function postcodeAndCity(text: string): { postcode: string; city: string; region: string } | null {
  const [, postcode, city] = withCity.exec(text.trim()) ?? []
  if (postcode && city) return { postcode, city: city.trim(), region: '' }
  const [, town, region = '', code] = cityFirst.exec(text.trim()) ?? []
  if (town && code) return { postcode: code, city: town.trim(), region }
  const [, place, outward] = british.exec(text.trim()) ?? []
  return place && outward ? { postcode: outward, city: place.trim(), region: '' } : null
}

export interface WholeAddress {
  /** The first part where it holds no number and the second does; empty where the address begins with the street. */
  name: string
  address1: string
  address2: string
  postcode: string
  city: string
  country: string
}

/** `Prøvevej 5, 5000 Odense C, Danmark`: a whole address in one cell, with or without the name; null where it is a street alone. */
export function wholeAddress(text: string): WholeAddress | null {
  if (text.length > 500) return null
  const parts = text
    .split(/[,;\r\n]/)
    .map(part => part.trim())
    .filter(part => part !== '')
  const last = parts.at(-1) ?? ''
  const country = parts.length > 2 && countryCode(last) !== null ? last : ''
  const inland = country ? parts.slice(0, -1) : parts
  // `York` and `YO1 7PR` on lines of their own.
  const apart = inland.length > 2 && british.exec(inland.at(-1) ?? '')?.[1] === undefined && british.test(inland.at(-1) ?? '')
  const rest = apart ? [...inland.slice(0, -2), inland.slice(-2).join(' ')] : inland
  const place = postcodeAndCity(rest.at(-1) ?? '')
  if (!place || rest.length < 2 || rest.length > 5) return null
  const [first = '', second = ''] = rest
  const name = rest.length > 2 && !/\d/.test(first) && /\d/.test(second) ? first : ''
  const [address1 = '', ...more] = rest.slice(name ? 1 : 0, -1)
  return { name, address1, address2: more.join(', '), ...place, country }
}

/** `Shipping extra` may be the rest of an address or a charge. */
const isAmount = (value: string): boolean => /\p{Sc}|[.,]\d{2}$/u.test(value) && isNumber(value)

const isOrderState = (value: string): boolean =>
  /_|^(?:new|open|pending|paid|unpaid|processing|in progress|completed?|done|shipped|dispatched|delivered|cancel+ed|refunded|on[ -]hold|closed)$/i.test(
    value,
  )

const isFormOfAddress = (value: string): boolean =>
  /^(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|hr|fru|frk|m|mme|mlle|sig|sr|sra|dhr|mevr)\.?$/i.test(value)

/** What the values have to be, and which share of them at least. */
const demands: Partial<Record<CsvField, [fits: (value: string) => boolean, share: number]>> = {
  ordered_at: [isDate, 0.8],
  paid_at: [isDate, 0.8],
  ship_by: [isDate, 0.8],
  currency: [value => isCurrency(value.toUpperCase()), 0.9],
  ship_country: [value => countryCode(value) !== null, 0.5],
  bill_country: [value => countryCode(value) !== null, 0.5],
  origin: [value => countryCode(value) !== null, 0.5],
  ship_email: [value => value.includes('@'), 0.5],
  ship_phone: [value => value.replace(/\D/g, '').length >= 5, 0.5],
  ship_postcode: [value => (/\d/.test(value) && value.length <= 12) || postcodeAndCity(value) !== null, 0.5],
  bill_postcode: [value => (/\d/.test(value) && value.length <= 12) || postcodeAndCity(value) !== null, 0.5],
  ship_address2: [value => !isAmount(value), 0.5],
  bill_address2: [value => !isAmount(value), 0.5],
  ship_street_number: [value => /\d/.test(value) && value.length <= 12, 0.5],
  bill_street_number: [value => /\d/.test(value) && value.length <= 12, 0.5],
  ship_first_name: [value => /\p{L}/u.test(value), 0.5],
  ship_last_name: [value => /\p{L}/u.test(value), 0.5],
  ship_name: [value => /\p{L}/u.test(value), 0.5],
  ship_city: [value => /\p{L}/u.test(value), 0.5],
  bill_name: [value => /\p{L}/u.test(value), 0.5],
  bill_city: [value => /\p{L}/u.test(value), 0.5],
  // `to_be_prepared` and `paid` are states of the order, which other systems name like states of a country.
  ship_region: [value => /\p{L}/u.test(value) && !isOrderState(value), 0.5],
  items: [value => /\p{L}/u.test(value), 0.5],
  name: [value => /\p{L}/u.test(value) && !isFormOfAddress(value), 0.5],
  shipping_title: [value => /\p{L}{2}/u.test(value) && !isNumber(value) && !isFormOfAddress(value), 0.5],
  // A long number that a spreadsheet wrote as 5,94E+12 is the same for many orders.
  external_id: [value => !/^\d[.,]?\d*E\+\d+$/i.test(value), 1],
  service_point_id: [value => /\w/.test(value) && value.length <= 60, 0.8],
  barcode: [value => /^\d{8,14}$|^\d[.,]?\d*E\+\d+$/i.test(value), 0.5],
  qty: [value => isWhole(withoutUnit(value)) && Math.abs(numberIn(withoutUnit(value)) ?? 0) < 1_000_000, 0.6],
  order_no: [value => !/^(?:true|false|yes|no|ja|nej|nein|nei)$/i.test(value) && value.length <= 100, 0.9],
  unit_price_incl_vat: [isNumber, 0.6],
  unit_price_excl_vat: [isNumber, 0.6],
  line_total_incl_vat: [isNumber, 0.6],
  line_total_excl_vat: [isNumber, 0.6],
  discount_excl_vat: [isNumber, 0.6],
  vat_percent: [isRate, 0.95],
  weight_g: [isNumber, 0.6],
  weight_kg: [isNumber, 0.6],
  line_type: [isKind, 1],
  hs_code: [value => /^[\d .]{4,14}$/.test(value), 0.8],
  sku: [value => value.length <= 64, 0.9],
  image_url: [value => /^https?:/i.test(value), 0.5],
}

/** Whether these values of a column, none of them empty, can be values of the field. A column without values may be anything. */
export function valuesFit(field: CsvField, values: readonly string[]): boolean {
  const demand = demands[field]
  if (!demand || values.length === 0) return true
  const [fits, share] = demand
  return values.filter(fits).length >= values.length * share
}

/** Fields that a column is never taken for against its values: its name means something else in other files. */
export const strictFields: ReadonlySet<CsvField> = new Set<CsvField>([
  'currency',
  'ship_country',
  'bill_country',
  'ship_street_number',
  'bill_street_number',
  'vat_percent',
  'line_type',
  'shipping_title',
  'service_point_id',
  'external_id',
  'ship_region',
  'origin',
  'name',
])

/** `0189f3ac41d77e0b9a1c55d2e8f06b11`: what a database calls a row, and no person does. */
export const isIdentity = (value: string): boolean => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value) && /[a-f]/i.test(value)

/** What shops number their orders by: digits, mostly with a few letters and signs around them, or a word of capitals. */
export const looksLikeOrderNo = (values: readonly string[]): boolean =>
  values.length > 0 && values.every(value => value.length <= 30 && /^[#\p{L}\d._/-]*\d[\p{L}\d._/-]*$/u.test(value))

/** A number of a product as warehouses write it: one word with a digit or a dash in it. */
export const looksLikeCode = (value: string): boolean => /^[\p{L}\d][\p{L}\d._/-]{1,63}$/u.test(value) && /\d/.test(value)
