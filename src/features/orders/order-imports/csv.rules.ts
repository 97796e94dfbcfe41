/** Order files as tables: what their text, dates and numbers look like, which column is which field, and how rows become an order or a reason why not. */
import { TZDate } from '@date-fns/tz'
import * as z from 'zod'
import { fill } from '#contract/errors.ts'
import { type CanonicalOrder, LineType, type Problem, readCanonical, type WrittenOrder } from './canonical.contract.ts'
import { inventAddress, inventProduct } from './companion.rules.ts'
import { countryCode } from './countries.rules.ts'

/** Bytes. */
export const largestCsv = 52_428_800
export const mostRows = 100_000
/** So many rows are enough to tell how a file is written: fewer may all be of one day, which does not tell day and month apart. */
export const sampleRows = 20_000

export const Encoding = z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])
export type Encoding = z.infer<typeof Encoding>
export const Separator = z.enum([';', ',', '\t', '|'])
export type Separator = z.infer<typeof Separator>

/** One row of the file. `row` counts as a spreadsheet does: the header is row 1. */
export interface Row {
  row: number
  cells: string[]
}

// ——— The text

/**
 * How the bytes spell text, from the beginning of a file (a cut character at its end is no fault).
 * A byte order mark decides; without one, many zero bytes mean UTF-16, valid UTF-8 is taken as such, and the rest is Windows-1252.
 */
export function detectText(bytes: Uint8Array): Encoding {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const looked = Math.min(bytes.length, 4_096) & ~1
  let even = 0
  let odd = 0
  for (let at = 0; at < looked; at += 2) {
    if (bytes[at] === 0) even++
    if (bytes[at + 1] === 0) odd++
  }
  if (looked > 0 && odd > looked / 5 && even < odd / 4) return 'utf-16le'
  if (looked > 0 && even > looked / 5 && odd < even / 4) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** The separator that cuts the first lines into the same number of cells, and into the most. Quoted cells are looked past. */
export function detectSeparator(text: string): Separator {
  const counts = new Map<Separator, number[]>(Separator.options.map(separator => [separator, [0]]))
  let quoted = false
  let lines = 0
  for (const character of text.slice(0, 100_000)) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n') {
      if (++lines === 50) break
      for (const count of counts.values()) count.push(0)
    } else {
      const count = counts.get(character as Separator)
      if (count) count[count.length - 1]!++
    }
  }
  let best: Separator = ','
  let most = 0
  for (const [separator, count] of counts) {
    const [header = 0, ...others] = count
    const same = others.filter(cells => cells === header).length + 1
    const score = header === 0 ? 0 : same * 1_000 + header
    if (score > most) {
      most = score
      best = separator
    }
  }
  return best
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are taken out
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/gu
const unusual = /[^\t\n\r -~\u0080-\ud7ff\ue000-\uffff]/

/** A cell as text: trimmed, without characters that cannot be stored, without the apostrophe that our own files put before a formula. */
export function cellText(cell: string): string {
  let text = cell.trim()
  // Nearly every cell passes the plain pattern, which is three times as fast.
  if (unusual.test(text)) text = text.replace(unstorable, '')
  if (text.charCodeAt(0) === 39 && /^'[=+\-@\t\r＝＋－＠]/.test(text)) text = text.slice(1)
  return text
}

/** The header's names, each different: an empty one becomes `Column 3`, a second `Name` becomes `Name (2)`. */
export function headersOf(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  return cells.map((cell, index) => {
    const name = cellText(cell.replace(/^\ufeff/, '')).slice(0, 200) || `Column ${index + 1}`
    let free = name
    for (let more = 2; taken.has(free); more++) free = `${name} (${more})`
    taken.add(free)
    return free
  })
}

// ——— Dates and numbers

/** In which order a date names year, month and day; dots, dashes, slashes and blanks between them are all the same. `iso` may carry an offset. */
export const DateOrder = z.enum(['iso', 'ymd', 'dmy', 'mdy'])
export type DateOrder = z.infer<typeof DateOrder>

interface WallTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const numericDate =
  /^(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})\.?(?:[T, ]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?)?$/i
const denseDate = /^(\d{4})(\d{2})(\d{2})$/
const offsetDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysIn = (year: number, month: number): number =>
  month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0) ? 29 : (monthLengths[month - 1] ?? 0)

function wallTime(text: string, order: DateOrder): WallTime | null {
  const parts = numericDate.exec(text) ?? denseDate.exec(text)
  if (!parts) return null
  const [, a = '', b = '', c = '', hours = '0', minutes = '0', seconds = '0', half] = parts
  const yearFirst = order === 'iso' || order === 'ymd'
  const yearText = yearFirst ? a : c
  if (yearFirst ? a.length !== 4 || c.length > 2 : a.length > 2 || (c.length !== 4 && c.length !== 2)) return null
  const year = Number(yearText) + (yearText.length === 2 ? 2000 : 0)
  const month = Number(order === 'mdy' ? a : b)
  const day = Number(yearFirst ? c : order === 'mdy' ? b : a)
  let hour = Number(hours)
  if (half) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0)
  }
  const minute = Number(minutes)
  const second = Number(seconds)
  if (
    year < 1970 ||
    year > 2200 ||
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > daysIn(year, month) ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  )
    return null
  return { year, month, day, hour, minute, second }
}

/** `'12-01-2010 08:26'`, mdy, Europe/London → the instant in UTC, or null where the text is no such date. An hour that summer time skips is the one after it. */
export function readDate(text: string, order: DateOrder, timeZone: string): string | null {
  if (text.length > 60) return null
  if (offsetDate.test(text)) {
    const instant = Date.parse(text)
    return Number.isNaN(instant) ? null : new Date(instant).toISOString()
  }
  const wall = wallTime(text, order)
  if (!wall) return null
  const { year, month, day, hour, minute, second } = wall
  if (timeZone === 'UTC') return new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString()
  return new Date(new TZDate(year, month - 1, day, hour, minute, second, timeZone).getTime()).toISOString()
}

export interface DateFinding {
  order: DateOrder
  /** Every order of year, month and day that all values fit; empty where the column holds no dates. */
  fits: DateOrder[]
  /** The values alone do not tell: somebody has to look. */
  doubtful: boolean
  /** Not even how close together the dates lie tells. */
  tied: boolean
}

/**
 * How a column writes its dates. Where all values can be read day first and month first, the reading whose dates lie closer together is chosen –
 * orders of one file come from a few days or weeks, and a wrong reading scatters them over months – and it is called doubtful. A tie is read day first.
 */
export function detectDates(values: readonly string[]): DateFinding {
  const dates = values.map(cellText).filter(value => value !== '')
  if (dates.length > 0 && dates.every(date => offsetDate.test(date))) return { order: 'iso', fits: ['iso'], doubtful: false, tied: false }
  const spans = new Map<DateOrder, number>()
  for (const order of ['ymd', 'dmy', 'mdy'] as const) {
    let earliest = Number.POSITIVE_INFINITY
    let latest = Number.NEGATIVE_INFINITY
    const fits = dates.every(date => {
      const wall = wallTime(date, order)
      if (!wall) return offsetDate.test(date)
      const at = Date.UTC(wall.year, wall.month - 1, wall.day)
      earliest = Math.min(earliest, at)
      latest = Math.max(latest, at)
      return true
    })
    if (fits && dates.length > 0) spans.set(order, latest - earliest)
  }
  const fits = [...spans.keys()]
  const [order = 'iso'] = fits.toSorted((one, other) => spans.get(one)! - spans.get(other)!)
  // 01-01-2010 reads the same both ways.
  const differs = dates.some(date => JSON.stringify(wallTime(date, 'dmy')) !== JSON.stringify(wallTime(date, 'mdy')))
  return { order, fits, doubtful: fits.length > 1 && differs, tied: fits.length > 1 && spans.get(fits[0]!) === spans.get(fits[1]!) }
}

export const DecimalSign = z.enum(['.', ','])
export type DecimalSign = z.infer<typeof DecimalSign>

const currencyMarks = /^(?:\p{Sc}|[A-Z]{3}|kr\.?)\s*|\s*(?:\p{Sc}|[A-Z]{3}|kr\.?|,-)$/giu
const bySign: Record<DecimalSign, RegExp> = {
  '.': /^[-+]?(?:\d+|\d{1,3}(?:[, \u00a0\u202f'’]\d{3})+)?(?:\.\d+)?$/,
  ',': /^[-+]?(?:\d+|\d{1,3}(?:[. \u00a0\u202f'’]\d{3})+)?(?:,\d+)?$/,
}

/** `'1.000,50'` with a decimal comma → `'1000.50'`; currency signs around it are ignored. Null where it is no number. */
export function readNumber(text: string, decimals: DecimalSign): string | null {
  if (/^-?\d{1,12}$/.test(text)) return text
  // No number is so long, and the patterns below would take their time with a cell full of blanks.
  if (text.length > 60) return null
  const bare = text
    .replace(/\u2212/g, '-')
    .replace(currencyMarks, '')
    .replace(/^-\s+/, '-')
    .replace(/^(\d.*)-$/, '-$1')
  if (!/\d/.test(bare) || !bySign[decimals].test(bare)) return null
  const plain = bare.replace(decimals === '.' ? /[, \u00a0\u202f'’+]/g : /[. \u00a0\u202f'’+]/g, '').replace(',', '.')
  return plain.replace(/^(-?)\./, '$10.')
}

export interface DecimalFinding {
  decimals: DecimalSign
  /** Both signs would do (`1.000`), or some values need one and some the other. */
  doubtful: boolean
}

/** Which sign a column puts before its decimals; null where its values are no numbers. */
export function detectDecimals(values: readonly string[]): DecimalFinding | null {
  const numbers = values.map(cellText).filter(value => value !== '')
  if (numbers.length === 0) return null
  const fitting = (decimals: DecimalSign) => numbers.filter(number => readNumber(number, decimals) !== null).length
  const point = fitting('.')
  const comma = fitting(',')
  const either = numbers.filter(number => readNumber(number, '.') !== null || readNumber(number, ',') !== null).length
  if (either < numbers.length * 0.8) return null
  if (point !== comma) return { decimals: point > comma ? '.' : ',', doubtful: Math.max(point, comma) < either }
  // Everything fits both: `1,000` and `12` do; only what changes its value by the reading is a doubt.
  const changes = numbers.some(number => Number(readNumber(number, '.')) !== Number(readNumber(number, ',')))
  return { decimals: '.', doubtful: changes }
}

// ——— Columns

/** What a column can mean. The first part belongs to the order, and stands in each of its rows; the second to the line. */
export const orderFields = [
  'order_no',
  'external_id',
  'shop',
  'ordered_at',
  'paid_at',
  'currency',
  'locale',
  'customer_no',
  'vat_no',
  'ship_name',
  'ship_attention',
  'ship_company',
  'ship_address1',
  'ship_address2',
  'ship_postcode',
  'ship_city',
  'ship_region',
  'ship_country',
  'ship_phone',
  'ship_email',
  'ship_instruction',
  'ship_door_code',
  'bill_name',
  'bill_company',
  'bill_address1',
  'bill_address2',
  'bill_postcode',
  'bill_city',
  'bill_country',
  'shipping_code',
  'shipping_title',
  'service_point_id',
  'service_point_carrier',
  'ship_by',
  'note',
  'tags',
] as const
export const lineFields = [
  'line_id',
  'line_type',
  'sku',
  'barcode',
  'name',
  'variant',
  'qty',
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'discount_excl_vat',
  'vat_percent',
  'weight_g',
  'weight_kg',
  'hs_code',
  'origin',
  'customs_text',
  'bin',
  'image_url',
  'serial_required',
] as const
export const CsvField = z.enum([...orderFields, ...lineFields])
export type CsvField = z.infer<typeof CsvField>

const numberFields = [
  'qty',
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'discount_excl_vat',
  'vat_percent',
  'weight_g',
  'weight_kg',
] as const satisfies readonly CsvField[]
const dateFields = ['ordered_at', 'paid_at', 'ship_by'] as const satisfies readonly CsvField[]

const bare = (header: string): string =>
  header
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')

const table = (rows: Partial<Record<CsvField, string>>): Map<string, CsvField> =>
  new Map(Object.entries(rows).flatMap(([field, names]) => names.split(' ').map(name => [name, field as CsvField] as const)))

/** Headers of files that come again and again. A dialect counts where its names fit best; the words of all of them fill what is left. */
const dialects: { name: string; words: Map<string, CsvField> }[] = [
  { name: 'ours', words: new Map(CsvField.options.map(field => [bare(field), field])) },
  {
    name: 'online_retail',
    words: table({
      order_no: 'invoiceno invoice',
      sku: 'stockcode',
      name: 'description',
      qty: 'quantity',
      ordered_at: 'invoicedate',
      unit_price_excl_vat: 'unitprice price',
      customer_no: 'customerid',
      ship_country: 'country',
    }),
  },
  {
    name: 'convictional',
    words: table({
      order_no: 'code',
      ordered_at: 'date',
      sku: 'sku',
      qty: 'quantity',
      ship_name: 'name',
      ship_company: 'company',
      ship_city: 'city',
      ship_postcode: 'zip',
      ship_region: 'state',
      ship_country: 'country',
      ship_address1: 'addressone',
      ship_address2: 'addresstwo',
      tags: 'partner',
    }),
  },
]
const commonWords = table({
  order_no: 'ordernumber orderid order invoiceno invoicenumber reference ordrenummer ordrenr bestellnummer bestillingsnummer ordernummer',
  ordered_at: 'orderdate date createdat ordredato dato bestelldatum datum orderdatum',
  currency: 'currencycode valuta währung',
  customer_no: 'customerid customernumber customer kundenummer kundenr kundennummer kundnummer',
  ship_name: 'recipient recipientname shiptoname deliveryname modtager empfänger mottaker mottagare navn',
  ship_attention: 'shipattn attention attn att deliverycontactname',
  ship_company: 'company companyname firma virksomhed företag',
  ship_address1: 'address1 address shipaddress shippingaddress1 shipaddressline1 deliveryaddress street adresse adress strasse straße',
  ship_address2: 'address2 shippingaddress2 shipaddressline2 deliveryaddress2',
  ship_postcode: 'postcode postalcode zip zipcode shipzip shipzipcode shippingzip deliveryzipcode postnummer postnr plz',
  ship_city: 'city town shippingcity deliverycity by ort poststed stad',
  ship_region: 'state province region shipstate shippingprovince deliveryregion',
  ship_country: 'country countrycode shippingcountry deliverycountry land',
  ship_phone: 'phone telephone mobile shippingphone telefon mobil',
  ship_email: 'email emailaddress mail epost',
  bill_name: 'invoicename billingname',
  bill_address1: 'invoiceaddress billingaddress1',
  bill_address2: 'invoiceaddress2 billingaddress2',
  bill_postcode: 'invoicezipcode billingzip',
  bill_city: 'invoicecity billingcity',
  bill_country: 'invoicecountry billingcountry',
  shipping_title: 'shippingmethod shipping leveringsmetode versandart',
  note: 'notes comment comments customerremarks bemærkning bemerkung kommentar',
  tags: 'tag labels',
  sku: 'productsku itemsku lineitemsku productcode itemcode articleno articlenumber stockcode varenummer varenr artikelnummer artikelnr',
  barcode: 'ean ean13 gtin upc stregkode strekkode streckkod',
  name: 'productname itemname lineitemname title description product varenavn beskrivelse bezeichnung artikel benämning',
  qty: 'quantity productqty itemqty lineitemquantity amount antal menge antall',
  unit_price_incl_vat: 'priceinclvat priceincltax',
  unit_price_excl_vat: 'priceexclvat priceexcltax unitprice price lineitemprice pris preis',
  vat_percent: 'vat vatrate tax taxrate moms momssats mwst',
  weight_g: 'weightgrams grams vægtg',
  weight_kg: 'weightkilograms kg vægtkg',
  hs_code: 'hscode tariff tariffcode commoditycode varekode zolltarifnummer',
  origin: 'countryoforigin oprindelsesland ursprungsland',
  bin: 'location shelf lagerplads lagerplatz',
  image_url: 'image picture imagesrc',
})

// ——— The mapping

const constant = z.string().max(500)
const header = z.string().min(1).max(200)

export const NonProduct = z.strictObject({
  sku: z.string().min(1).max(64),
  becomes: z.enum(['shipping', 'discount', 'fee', 'gift_card', 'left_out']),
})

/** Stock codes of the UCI data set "Online Retail" (doi 10.24432/C5BW33) that name charges and bookkeeping, not goods. */
export const knownNonProducts: z.infer<typeof NonProduct>[] = [
  { sku: 'POST', becomes: 'shipping' },
  { sku: 'DOT', becomes: 'shipping' },
  { sku: 'C2', becomes: 'shipping' },
  { sku: 'C3', becomes: 'shipping' },
  { sku: 'D', becomes: 'discount' },
  { sku: 'M', becomes: 'fee' },
  { sku: 'BANK CHARGES', becomes: 'fee' },
  { sku: 'AMAZONFEE', becomes: 'fee' },
  { sku: 'CRUK', becomes: 'left_out' },
  { sku: 'S', becomes: 'left_out' },
  { sku: 'B', becomes: 'left_out' },
  { sku: 'PADS', becomes: 'left_out' },
]

const knownZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** How the files of one shop are read: made once on the screen, kept, and used for each file after it. */
export const Mapping = z.strictObject({
  /** Column name in the file → what it means. Columns that are not named are left out. */
  columns: z.record(header, CsvField).refine(columns => Object.keys(columns).length <= 200, 'At most 200 columns can be mapped'),
  /** For fields that no column has, or whose cell is empty. */
  constants: z.partialRecord(CsvField, constant).default({}),
  /** Fills empty addresses and product data with invented ones, for trying the product with files that have none. */
  invent: z
    .strictObject({ addresses: z.boolean().default(false), products: z.boolean().default(false) })
    .default({ addresses: false, products: false }),
  dates: DateOrder.default('iso'),
  /** IANA name: the clock that dates without an offset were read from. */
  time_zone: z.string().max(60).refine(knownZone, 'This time zone is not known').default('UTC'),
  decimals: DecimalSign.default('.'),
  /** Columns that write their numbers the other way. */
  column_decimals: z.record(header, DecimalSign).default({}),
  /** Rows of one order that differ in what belongs to the order: the first row counts, or the order is refused. */
  conflicts: z.enum(['first', 'refuse']).default('refuse'),
  /** Rows of one order with the same product at the same price: one line with the sum, or a line each. */
  repeated: z.enum(['add', 'keep']).default('keep'),
  /** An order number that begins so, with negative quantities, is a cancellation. Empty: there are none. */
  cancellation_prefix: z.string().max(10).default(''),
  /** A row without a price of its own, and one without a description: left out of the order, or taken all the same. */
  zero_price: z.enum(['leave_out', 'keep']).default('keep'),
  no_description: z.enum(['leave_out', 'keep']).default('keep'),
  non_products: z.array(NonProduct).max(200).default([]),
})
export type Mapping = z.output<typeof Mapping>
export type WrittenMapping = z.input<typeof Mapping>

export const csvSentences = {
  unmapped: 'No column is mapped to {{field}}',
  twice: '{{field}} is mapped to two columns: {{first}} and {{second}}',
  absent: 'The file has no column {{column}}',
  dates: 'The dates in {{column}} can be read day first or month first',
  decimals: 'The numbers in {{column}} can be read with a decimal point or a decimal comma',

  missing_field: '{{field}} is empty',
  cancellation: 'Order {{order_no}} is a cancellation: it was left out',
  not_a_product: '{{sku}} is no product: it was taken as {{becomes}}',
  left_out: '{{sku}} is no product: it was left out',
  no_customer: 'Order {{order_no}} names no customer: it was taken as an order of a guest',
  no_description: 'The row has no description',
  zero_price: 'The price is zero',
  bad_date: '{{value}} is no date of the chosen order of day, month and year',
  bad_number: '{{value}} is no number with the chosen decimal sign',
  bad_barcode: '{{value}} is a barcode that a spreadsheet has rounded: it was left out',
  quantity_not_whole: 'Quantity {{value}} is not a whole number',
  negative_quantity: 'Quantity {{value}} is negative',
  quantity_zero: 'The quantity is zero',
  conflicting_field: '{{field}} {{value}} differs from {{first}} in row {{row}} of the same order',
  unknown_country: '{{value}} is no country that is known',
  unknown_type: '{{value}} is no type of line',
  nothing_to_pack: 'Order {{order_no}} has nothing that can be packed',
  order_refused: 'Row {{row}} of the same order was refused',
  unreadable: 'A quotation mark in row {{row}} or after it is not closed, or the row is too long',
  too_many_rows: 'The file has more than {{max}} rows',
  no_rows: 'The file has no rows under its header',
} as const
export type CsvCode = keyof typeof csvSentences | 'bad_value'

/** What stops a mapping from being used on a file with these columns. */
export function mappingProblems(mapping: Mapping, headers: readonly string[]): Problem[] {
  const problems: Problem[] = []
  const present = new Set(headers)
  const mapped = new Map<CsvField, string>()
  for (const [column, field] of Object.entries(mapping.columns)) {
    const first = mapped.get(field)
    if (first !== undefined) problems.push({ field, text: csvSentences.twice, values: { field, first, second: column } })
    mapped.set(field, column)
    if (!present.has(column)) problems.push({ field, text: csvSentences.absent, values: { column } })
  }
  const has = (field: CsvField) => mapped.has(field) || (mapping.constants[field] ?? '') !== ''
  for (const field of ['qty', 'currency', 'ship_country'] as const)
    if (!has(field)) problems.push({ field, text: csvSentences.unmapped, values: { field } })
  if (!mapped.has('order_no')) problems.push({ field: 'order_no', text: csvSentences.unmapped, values: { field: 'order_no' } })
  if (!mapped.has('sku') && !mapped.has('name')) problems.push({ field: 'sku', text: csvSentences.unmapped, values: { field: 'sku' } })
  return problems
}

export interface Suggestion {
  mapping: Mapping
  /** What somebody should look at before the import: dates and numbers that can be read in two ways, fields that are still missing. */
  doubts: Problem[]
}

/** The likeliest mapping for a file, from its header and its first rows (at most `sampleRows` are looked at). */
export function suggestMapping(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { timeZone = 'UTC' }: { timeZone?: string } = {},
): Suggestion {
  const names = headers.map(bare)
  const [dialect] = dialects
    .map(({ name, words }) => ({ name, words, fits: names.filter(name => words.has(name)).length }))
    .toSorted((one, other) => other.fits - one.fits)
  const sample = rows.slice(0, sampleRows)
  const columns: Record<string, CsvField> = {}
  const taken = new Set<CsvField>()
  const take = (words: Map<string, CsvField>) => {
    for (const [index, column] of headers.entries()) {
      const field = words.get(names[index]!)
      if (!field || columns[column] || taken.has(field)) continue
      columns[column] = field
      taken.add(field)
    }
  }
  take(dialect!.words)
  take(dialects[0]!.words)
  take(commonWords)

  const valuesOf = (column: string): string[] => {
    const index = headers.indexOf(column)
    return [...new Set(sample.map(cells => cells[index] ?? ''))]
  }
  const weight = headers.find((column, index) => names[index] === 'weight' && !columns[column])
  if (weight !== undefined && !taken.has('weight_g') && !taken.has('weight_kg')) {
    // Nobody ships parcels of half a gram, and few of 60 kilograms.
    const heavy = valuesOf(weight).some(value => Number(value.replace(',', '.')) > 60)
    columns[weight] = heavy ? 'weight_g' : 'weight_kg'
  }

  const retail = dialect!.name === 'online_retail' && dialect!.fits > 5
  const doubts: Problem[] = []
  let dates: DateOrder = 'iso'
  const signs = new Map<string, DecimalSign>()
  for (const [column, field] of Object.entries(columns)) {
    if ((dateFields as readonly CsvField[]).includes(field)) {
      const finding = detectDates(valuesOf(column))
      // A file of one day tells nothing, but this data set is known to write the month first.
      const order = retail && finding.doubtful && finding.tied ? 'mdy' : finding.order
      if (field === 'ordered_at' || dates === 'iso') dates = order
      if (finding.doubtful) doubts.push({ field, text: csvSentences.dates, values: { column } })
    } else if ((numberFields as readonly CsvField[]).includes(field)) {
      const finding = detectDecimals(valuesOf(column))
      if (finding) signs.set(column, finding.decimals)
      if (finding?.doubtful) doubts.push({ field, text: csvSentences.decimals, values: { column } })
    }
  }
  const telling = [...signs].filter(([column]) => valuesOf(column).some(value => /[.,]/.test(value)))
  const decimals: DecimalSign = telling.filter(([, sign]) => sign === ',').length > telling.length / 2 ? ',' : '.'
  const mapping = Mapping.parse({
    columns,
    constants: retail ? { currency: 'GBP' } : {},
    dates,
    time_zone: timeZone,
    decimals,
    column_decimals: Object.fromEntries(telling.filter(([, sign]) => sign !== decimals)),
    ...(retail && {
      conflicts: 'first',
      repeated: 'add',
      cancellation_prefix: 'C',
      zero_price: 'leave_out',
      no_description: 'leave_out',
      non_products: knownNonProducts,
    }),
  } satisfies WrittenMapping)
  return { mapping, doubts: [...doubts, ...mappingProblems(mapping, headers)] }
}

// ——— Rows become orders

/** `refused`: the whole order stays out. `left_out`: only this row does. `noted`: taken, and worth knowing. `skipped`: rightly no order, as a cancellation. */
export type RowSeverity = 'refused' | 'left_out' | 'noted' | 'skipped'

export interface RowProblem {
  row: number
  code: CsvCode
  /** Our name of the field; empty for the row as a whole. */
  field: CsvField | ''
  /** The file's name of the column, where it has one. */
  column: string
  severity: RowSeverity
  /** A sentence with places: the translation key. */
  text: string
  values: Record<string, string | number>
}

export type RowsReading = { order_no: string; rows: number; problems: RowProblem[] } & (
  | { outcome: 'order'; order: CanonicalOrder }
  | { outcome: 'skipped' | 'refused'; order: null }
)

export interface RowReader {
  /** Rows with the same key are one order; empty where the row has no order number. */
  keyOf(cells: readonly string[]): string
  /** The rows of one order, in the order of the file → the order, or why not. */
  toCanonical(rows: readonly Row[]): RowsReading
}

type Line = WrittenOrder['lines'][number]

const orderOnly = orderFields.filter(field => field !== 'order_no' && field !== 'external_id')
const rounded = /^\d[.,]?\d*E\+\d+$/i

/** Reads rows by a mapping whose problems were looked at before. Column places and lists are worked out once, for files of many rows. */
export function rowReader(headers: readonly string[], mapping: Mapping): RowReader {
  const places = new Map<CsvField, number>()
  const columnOf = new Map<CsvField, string>()
  for (const [column, field] of Object.entries(mapping.columns)) {
    const place = headers.indexOf(column)
    if (place < 0) continue
    places.set(field, place)
    columnOf.set(field, column)
  }
  const signOf = (field: CsvField): DecimalSign => mapping.column_decimals[columnOf.get(field) ?? ''] ?? mapping.decimals
  const nonProducts = new Map(mapping.non_products.map(({ sku, becomes }) => [sku.trim().toUpperCase(), becomes]))
  const prefix = mapping.cancellation_prefix.toUpperCase()
  const comparable = orderOnly.filter(field => places.has(field))

  const cell = (row: Row, field: CsvField): string => {
    const place = places.get(field)
    const text = place === undefined ? '' : cellText(row.cells[place] ?? '')
    return text === '' ? (mapping.constants[field] ?? '') : text
  }

  // Neighbouring rows mostly repeat the same instant.
  let lastDate = ''
  let lastInstant: string | null = null
  const instantOf = (text: string): string | null => {
    if (text !== lastDate) {
      lastDate = text
      lastInstant = readDate(text, mapping.dates, mapping.time_zone)
    }
    return lastInstant
  }

  const keyOf = (cells: readonly string[]): string => {
    const row = { row: 0, cells: cells as string[] }
    const order_no = cell(row, 'order_no')
    return order_no === '' ? '' : `${cell(row, 'shop').toLowerCase()}\n${order_no}`
  }

  function toCanonical(rows: readonly Row[]): RowsReading {
    const first = rows[0]!
    const order_no = cell(first, 'order_no')
    const problems: RowProblem[] = []
    const tell = (
      row: Row,
      severity: RowSeverity,
      code: keyof typeof csvSentences,
      field: CsvField | '' = '',
      values: RowProblem['values'] = {},
    ) => {
      problems.push({
        row: row.row,
        code,
        field,
        column: field === '' ? '' : (columnOf.get(field) ?? ''),
        severity,
        text: csvSentences[code],
        values,
      })
    }
    const done = (outcome: 'skipped' | 'refused'): RowsReading => ({ outcome, order: null, order_no, rows: rows.length, problems })
    /** Every row of a refused order goes back with a reason, so that the file of refused rows can be mended and sent again as a whole. */
    const refuse = (): RowsReading => {
      for (const problem of problems) if (problem.severity === 'left_out') problem.severity = 'refused'
      const refused = new Set(problems.filter(problem => problem.severity === 'refused').map(problem => problem.row))
      const [cause = first.row] = refused
      for (const row of rows) if (!refused.has(row.row)) tell(row, 'refused', 'order_refused', '', { row: cause })
      return done('refused')
    }

    if (order_no === '') {
      for (const row of rows) tell(row, 'refused', 'missing_field', 'order_no', { field: 'order_no' })
      return done('refused')
    }
    if (
      prefix !== '' &&
      order_no.toUpperCase().startsWith(prefix) &&
      rows.every(row => readNumber(cell(row, 'qty'), signOf('qty'))?.startsWith('-'))
    ) {
      for (const row of rows) tell(row, 'skipped', 'cancellation', 'order_no', { order_no })
      return done('skipped')
    }

    /** The value of the order's first row that has one. Another one further down is a conflict. */
    const values: Partial<Record<CsvField, string>> = {}
    for (const field of comparable) {
      const place = places.get(field)!
      let found = ''
      let from = first.row
      for (const row of rows) {
        const written = cellText(row.cells[place] ?? '')
        if (written === '' || written === found) continue
        if (found === '') {
          found = written
          from = row.row
        } else {
          tell(row, mapping.conflicts === 'first' ? 'noted' : 'refused', 'conflicting_field', field, {
            field,
            value: written.slice(0, 60),
            first: found.slice(0, 60),
            row: from,
          })
        }
      }
      values[field] = found
    }
    const given = (field: CsvField): string => values[field] || mapping.constants[field] || ''
    const orNull = (field: CsvField): string | null => given(field) || null

    const instant = (field: (typeof dateFields)[number]): string | null => {
      const written = given(field)
      if (written === '') return null
      const read = instantOf(written)
      if (read === null) tell(first, 'refused', 'bad_date', field, { value: written.slice(0, 60) })
      return read
    }
    const country = (field: 'ship_country' | 'bill_country'): string | null => {
      const written = given(field)
      if (written === '') return null
      const code = countryCode(written)
      if (code === null) tell(first, 'refused', 'unknown_country', field, { value: written.slice(0, 60) })
      return code
    }

    const lines: Line[] = []
    const rowOfLine: Row[] = []
    const lineByContent = new Map<string, number>()
    let items = 0

    for (const row of rows) {
      const before = problems.length
      const number = (field: (typeof numberFields)[number]): string | null => {
        const written = cell(row, field)
        if (written === '') return null
        const read = readNumber(written, signOf(field))
        if (read === null) tell(row, 'refused', 'bad_number', field, { value: written.slice(0, 60) })
        return read
      }
      const sku = cell(row, 'sku')
      const becomes = nonProducts.get(sku.toUpperCase())
      if (becomes === 'left_out') {
        tell(row, 'left_out', 'left_out', 'sku', { sku })
        continue
      }
      const written = cell(row, 'line_type')
      const type = becomes ?? (written === '' ? 'item' : written.toLowerCase())
      if (!LineType.safeParse(type).success) {
        tell(row, 'refused', 'unknown_type', 'line_type', { value: written.slice(0, 60) })
        continue
      }

      let qty = number('qty')
      if (qty === null) {
        if (cell(row, 'qty') === '') tell(row, 'refused', 'missing_field', 'qty', { field: 'qty' })
        continue
      }
      let backwards = false
      if (qty.startsWith('-') && Number(qty) !== 0) {
        if (type === 'item') {
          tell(row, 'refused', 'negative_quantity', 'qty', { value: qty.slice(0, 60) })
          continue
        }
        backwards = true
        qty = qty.slice(1)
      }
      if (!Number.isInteger(Number(qty))) {
        tell(row, 'refused', 'quantity_not_whole', 'qty', { value: qty.slice(0, 60) })
        continue
      }
      if (Number(qty) === 0) {
        tell(row, 'left_out', 'quantity_zero', 'qty')
        continue
      }

      let name = cell(row, 'name')
      if (name === '') {
        if (sku === '') {
          tell(row, 'refused', 'missing_field', 'sku', { field: 'sku' })
          continue
        }
        if (mapping.no_description === 'leave_out') {
          tell(row, 'left_out', 'no_description', 'name')
          continue
        }
        name = sku
      }
      const signed = (price: string | null): string | null =>
        price === null || !backwards ? price : price.startsWith('-') ? price.slice(1) : `-${price}`
      const incl = signed(number('unit_price_incl_vat'))
      const excl = signed(number('unit_price_excl_vat'))
      const price = incl ?? excl
      if (type === 'item' && price !== null && Number(price) === 0 && mapping.zero_price === 'leave_out') {
        tell(row, 'left_out', 'zero_price', incl === null ? 'unit_price_excl_vat' : 'unit_price_incl_vat')
        continue
      }

      let barcode = cell(row, 'barcode')
      if (rounded.test(barcode)) {
        tell(row, 'noted', 'bad_barcode', 'barcode', { value: barcode })
        barcode = ''
      }
      const kilograms = number('weight_kg')
      const grams = number('weight_g') ?? (kilograms === null ? null : String(Number(kilograms) * 1_000))
      const origin = cell(row, 'origin')
      const originCode = origin === '' ? null : countryCode(origin)
      if (origin !== '' && originCode === null) tell(row, 'refused', 'unknown_country', 'origin', { value: origin.slice(0, 60) })
      const invented = mapping.invent.products && type === 'item' && sku !== '' ? inventProduct(sku) : null
      const discount = number('discount_excl_vat')
      const vat = number('vat_percent')
      if (problems.slice(before).some(problem => problem.severity === 'refused')) continue
      if (becomes !== undefined) tell(row, 'noted', 'not_a_product', 'sku', { sku, becomes })

      const line: Line = {
        type: type as LineType,
        external_id: cell(row, 'line_id') || null,
        sku: sku || null,
        barcode: barcode || invented?.barcode || null,
        name,
        variant: cell(row, 'variant') || null,
        qty: String(Number(qty)),
        unit_price_incl_vat: incl,
        unit_price_excl_vat: excl,
        discount_excl_vat: discount,
        vat_percent: vat,
        weight_g: grams === null ? (invented?.weight_g ?? null) : Math.round(Number(grams)),
        hs_code: cell(row, 'hs_code') || null,
        origin: originCode,
        customs_text: cell(row, 'customs_text') || null,
        bin: cell(row, 'bin') || invented?.bin || null,
        image_url: cell(row, 'image_url') || null,
        serial_required: /^(1|true|yes|ja|x)$/i.test(cell(row, 'serial_required')),
      }
      if (mapping.repeated === 'add') {
        const content = `${line.type}\n${sku.toUpperCase() || name}\n${line.barcode}\n${line.variant}\n${incl}\n${excl}\n${discount}\n${vat}`
        const same = lineByContent.get(content)
        if (same !== undefined) {
          const earlier = lines[same]!
          earlier.qty = String(Number(earlier.qty) + Number(line.qty))
          continue
        }
        lineByContent.set(content, lines.length)
      }
      lines.push(line)
      rowOfLine.push(row)
      if (line.type === 'item') items++
    }

    const ordered_at = instant('ordered_at')
    const paid_at = instant('paid_at')
    const ship_by = instant('ship_by')
    const shipCountry = country('ship_country')
    const billCountry = country('bill_country')
    if (given('ship_country') === '') tell(first, 'refused', 'missing_field', 'ship_country', { field: 'ship_country' })
    if (given('currency') === '') tell(first, 'refused', 'missing_field', 'currency', { field: 'currency' })
    if (problems.some(problem => problem.severity === 'refused')) return refuse()
    if (items === 0) {
      const told = new Set(problems.filter(problem => problem.severity === 'left_out').map(problem => problem.row))
      for (const row of rows) if (!told.has(row.row)) tell(row, 'refused', 'nothing_to_pack', '', { order_no })
      return refuse()
    }

    const customer_no = given('customer_no')
    if (customer_no === '' && places.has('customer_no')) tell(first, 'noted', 'no_customer', 'customer_no', { order_no })
    const invented = mapping.invent.addresses && given('ship_address1') === '' ? inventAddress(order_no, shipCountry!) : null
    const billed = ['bill_name', 'bill_company', 'bill_address1', 'bill_postcode', 'bill_city', 'bill_country'] as const
    const written: WrittenOrder = {
      external_id: cell(first, 'external_id') || order_no,
      order_no,
      ...(given('shop') !== '' && { shop: given('shop') }),
      source: 'csv',
      ordered_at,
      paid_at,
      currency: given('currency'),
      locale: orNull('locale'),
      customer: {
        external_id: customer_no || null,
        name: given('bill_name') || given('ship_name') || invented?.name || null,
        email: orNull('ship_email'),
        phone: orNull('ship_phone'),
        vat_no: orNull('vat_no'),
      },
      ship_to: {
        name: given('ship_name') || invented?.name || '',
        attention: orNull('ship_attention'),
        company: orNull('ship_company'),
        address1: given('ship_address1') || invented?.address1 || '',
        address2: orNull('ship_address2'),
        postcode: given('ship_postcode') || invented?.postcode || '',
        city: given('ship_city') || invented?.city || '',
        region: orNull('ship_region'),
        country: shipCountry!,
        phone: given('ship_phone') || invented?.phone || null,
        email: given('ship_email') || invented?.email || null,
        instruction: orNull('ship_instruction'),
        door_code: orNull('ship_door_code'),
      },
      bill_to: billed.some(field => given(field) !== '')
        ? {
            name: given('bill_name'),
            company: orNull('bill_company'),
            address1: given('bill_address1'),
            address2: orNull('bill_address2'),
            postcode: given('bill_postcode'),
            city: given('bill_city'),
            country: billCountry,
          }
        : null,
      service_point: given('service_point_id') === '' ? null : { id: given('service_point_id'), carrier: orNull('service_point_carrier') },
      shipping:
        given('shipping_code') === '' && given('shipping_title') === ''
          ? null
          : { code: orNull('shipping_code'), title: orNull('shipping_title') },
      delivery: ship_by === null ? null : { ship_by },
      lines,
      notes: given('note') === '' ? [] : [{ text: given('note') }],
      tags: given('tags')
        .split(/[,;|]/)
        .map(tag => tag.trim())
        .filter(tag => tag !== ''),
    }
    const reading = readCanonical(written)
    if (reading.problems) {
      for (const problem of reading.problems) {
        const place = /^lines\[(\d+)\]\.?(\w*)/.exec(problem.field)
        const row = (place && rowOfLine[Number(place[1])]) ?? first
        const field = fieldOf(place ? place[2]! : problem.field)
        problems.push({
          row: row.row,
          code: 'bad_value',
          field,
          column: field === '' ? '' : (columnOf.get(field) ?? ''),
          severity: 'refused',
          text: problem.text,
          values: problem.values,
        })
      }
      return refuse()
    }
    return { outcome: 'order', order: reading.order, order_no, rows: rows.length, problems }
  }

  return { keyOf, toCanonical }
}

/** `ship_to.postcode` → `ship_postcode`; empty for what no column holds. */
function fieldOf(path: string): CsvField | '' {
  const name = path
    .replace(/^ship_to\./, 'ship_')
    .replace(/^bill_to\./, 'bill_')
    .replace(/^shipping\./, 'shipping_')
    .replace(/^service_point\./, 'service_point_')
    .replace(/\[.*$/, '')
  return CsvField.safeParse(name).data ?? ''
}

/** The rows of one order by a mapping; for whole files make the reader once. */
export const toCanonical = (rows: readonly Row[], headers: readonly string[], mapping: Mapping): RowsReading =>
  rowReader(headers, mapping).toCanonical(rows)

// ——— Files that go out again

/**
 * A cell that no spreadsheet takes for a formula: an apostrophe before `= + - @` of either width, tab and carriage return (ASVS 1.2.10).
 * `cellText` takes it away again when the mended file comes back.
 */
export const spreadsheetSafe = (cell: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell)

export const errorHeader = (headers: readonly string[]): string[] => [...headers.map(spreadsheetSafe), 'error_code', 'error_text', 'field']

/** The row as it came, with what was wrong with it. Several reasons stand in one row, so that the row is there once. `say` turns a sentence and its values into the reader's language. */
export function errorRow(
  cells: readonly string[],
  width: number,
  problems: readonly RowProblem[],
  say: (text: string, values: RowProblem['values']) => string = fill,
): string[] {
  const padded = Array.from({ length: width }, (_, index) => cells[index] ?? '')
  const joined = (part: (problem: RowProblem) => string) => [...new Set(problems.map(part).filter(text => text !== ''))].join('; ')
  return [
    ...padded,
    joined(problem => problem.code),
    joined(problem => say(problem.text, problem.values)),
    joined(problem => problem.column || problem.field),
  ].map(spreadsheetSafe)
}
