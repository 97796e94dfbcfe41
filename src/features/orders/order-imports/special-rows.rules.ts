/** Rows of a file that are no products: charges, cancellations, bookkeeping, and rows that continue the order above. */
import { cellText } from '#domain/csv-text.ts'
import { isOneOf } from '#domain/objects.ts'
import type { Column } from './column-evidence.rules.ts'
import { numberIn } from './column-values.rules.ts'
import { bare, type CsvField, dateFields, fold, lineFields } from './columns.rules.ts'
import type { Mapping } from './mapping.rules.ts'

type SpecialRows = Pick<Mapping, 'blank_order_no' | 'cancellation_prefix' | 'conflicts' | 'no_description' | 'non_products' | 'zero_price'>

/** Whole names of charges; a product `Shipping box` is none. */
const charges: [becomes: 'shipping' | 'discount' | 'fee' | 'gift_card', name: RegExp][] = [
  [
    'shipping',
    /^(?:\p{L}+ )?(?:shipping(?: costs?| fee| & handling| and handling)?|postage|carriage|delivery(?: costs?| fee| charge)?|freight|versand(?:kosten)?|porto|lieferkosten|fragt(?:omkostninger)?|forsendelse|levering|frakt(?:kostnad)?|leverans)$/u,
  ],
  ['discount', /^(?:\p{L}+ )?(?:discount|coupon|voucher|rabatt?|rabatkode|rabattkod|gutschein(?:code)?|nachlass)$/u],
  ['fee', /^(?:\p{L}+ )?(?:fee|surcharge|charges|handling|gebuhr|gebyr|avgift|zuschlag|betalingsgebyr|expeditionsavgift)$/u],
  ['gift_card', /^(?:gift ?card|gavekort|presentkort|geschenkgutschein|geschenkkarte)$/u],
]
/** Numbers of rows that shop systems give to charges: `SHIPPING1`, `BILLING2`, `DISCOUNT`. */
const chargeCodes: [becomes: 'shipping' | 'discount' | 'fee', code: RegExp][] = [
  ['shipping', /^(?:shipping|delivery|freight|postage|versand|fragt|frakt)[ _-]?\d{0,4}$/i],
  ['fee', /^(?:billing|payment|fee|handling)[ _-]?\d{0,4}$/i],
  ['discount', /^(?:discount|coupon|voucher|rabatt?)[ _-]?\d{0,4}$/i],
]
const chargeOfCode = (sku: string) => chargeCodes.find(([, pattern]) => pattern.test(sku))?.[0]
const chargeOf = (name: string) => charges.find(([, pattern]) => pattern.test(fold(name).trim()))?.[0]

/** What the rows of a file show of how its special rows are to be taken. Charges are rare: they are looked for in all rows, the rest in `most`. */
export function specialRows(
  columns: Mapping['columns'],
  headers: readonly string[],
  all: readonly (readonly string[])[],
  most: number,
): Partial<SpecialRows> {
  const rows = all.slice(0, most)
  const places = new Map(Object.entries(columns).map(([header, field]) => [field, headers.indexOf(header)]))
  const text = (cells: readonly string[], field: CsvField): string => {
    const place = places.get(field)
    return place === undefined ? '' : cellText(cells[place] ?? '')
  }
  const price = (cells: readonly string[]): number | null =>
    numberIn(
      text(cells, 'unit_price_incl_vat') ||
        text(cells, 'unit_price_excl_vat') ||
        text(cells, 'line_total_incl_vat') ||
        text(cells, 'line_total_excl_vat'),
    )
  return {
    ...chargesOf(all, text),
    ...bookkeepingOf(rows, text, price, places.has('name')),
    ...repeatsOf(rows, headers, text, price),
    ...cancellationsOf(rows, text),
    ...continuedOf(rows, text),
    ...conflictsOf(rows, text, places),
  }
}

type TextOf = (cells: readonly string[], field: CsvField) => string

function chargesOf(rows: readonly (readonly string[])[], text: TextOf): Partial<SpecialRows> {
  const found = new Map<string, Mapping['non_products'][number]>()
  const products = new Set<string>()
  for (const cells of rows) {
    const name = text(cells, 'name')
    if (products.has(name)) continue
    const code = text(cells, 'sku')
    const sku = code || name
    // Freight as a line has the name of the way of delivery, and no number of a product.
    const freight = name !== '' && code === '' && name === text(cells, 'shipping_title')
    const charge = (name.length <= 60 ? chargeOf(name) : undefined) ?? chargeOfCode(code)
    const becomes = charge ?? (freight && name.length <= 60 ? ('shipping' as const) : undefined)
    if (becomes === undefined && code !== '') products.add(name)
    if (becomes && sku !== '' && sku.length <= 100 && found.size < 100) found.set(sku.toUpperCase(), { sku, becomes })
  }
  return found.size === 0 ? {} : { non_products: [...found.values()] }
}

/** Rows without a description whose price is zero are corrections of the stock: where all others have both, these are no goods. */
function bookkeepingOf(
  rows: readonly (readonly string[])[],
  text: TextOf,
  price: (cells: readonly string[]) => number | null,
  named: boolean,
): Partial<SpecialRows> {
  if (!named) return {}
  const blank = rows.filter(cells => text(cells, 'name') === '' && text(cells, 'sku') !== '')
  if (blank.length === 0 || blank.length > rows.length / 10 || !blank.every(cells => price(cells) === 0)) return {}
  return { no_description: 'leave_out', zero_price: 'leave_out' }
}

/** A product and the variant that was chosen of it, as two rows of one number: the second names its parent row, and costs nothing. */
function repeatsOf(
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  text: TextOf,
  price: (cells: readonly string[]) => number | null,
): Partial<SpecialRows> {
  const parents = headers.flatMap((header, place) => (/parent/i.test(header) ? [place] : []))
  if (parents.length === 0) return {}
  let order = ''
  const seen = rows.map(cells => {
    order = text(cells, 'order_no') || order
    return { cells, key: `${order}\n${text(cells, 'sku').toUpperCase()}\n${text(cells, 'qty')}`, price: price(cells) }
  })
  const sold = new Set(seen.filter(row => row.price).map(({ key }) => key))
  const repeats = new Set(seen.filter(row => row.price === 0 && text(row.cells, 'sku') !== '' && sold.has(row.key)))
  const named = parents.some(place => seen.every(row => repeats.has(row) !== /^(?:0|null)?$/i.test(cellText(row.cells[place] ?? ''))))
  return repeats.size > 0 && named && seen.every(row => row.price !== 0 || repeats.has(row)) ? { zero_price: 'leave_out' } : {}
}

/** Order numbers that begin with letters of their own wherever all quantities are negative. */
function cancellationsOf(rows: readonly (readonly string[])[], text: TextOf): Partial<SpecialRows> {
  const prefixes = new Map<string, boolean>()
  for (const cells of rows) {
    const [prefix = ''] = /^\p{L}{0,10}/u.exec(text(cells, 'order_no').toUpperCase()) ?? []
    const qty = numberIn(text(cells, 'qty'))
    if (qty !== null) prefixes.set(prefix, (prefixes.get(prefix) ?? true) && qty < 0)
  }
  const negative = [...prefixes].filter(([, all]) => all).map(([prefix]) => prefix)
  const [prefix = ''] = negative
  const others = [...prefixes.keys()].filter(other => other !== prefix)
  return negative.length === 1 && prefix !== '' && others.length > 0 && others.every(other => !other.startsWith(prefix))
    ? { cancellation_prefix: prefix }
    : {}
}

const cancelWord =
  /^(?:order |bestellung |ordre )?(?:cancel|void|annul|storn|makuler|avbest|avbrut|kanseller|geannuleerd|peruttu|peruutettu|anulo|anulad|zrusen)/u
const stateNames = /status|state$|stato|estado|^tila$|stav$|zustand|tilstand/
const cancelNames = /cancel|storno|annul|makul|kanseller|peruut|anulow/

/** Whether a value of a column that is named for cancellations says yes: `1`, a date, a reason. */
export const isYes = (value: string): boolean =>
  value !== '' && !/^(?:0|no|nej|nein|nei|nee|non|false|falsch|ei|nie|n|-|0000-.*)$/i.test(value)

/** The column that calls rows cancelled, and what it says then. */
export function cancelledRows(columns: readonly Pick<Column, 'header' | 'values'>[]): Mapping['cancelled'] {
  for (const { header, values } of columns) {
    const name = bare(header)
    if (header.length > 200 || /qty|quantity|antal|menge|amount|total/.test(name)) continue
    const cancelled = values.filter(value => value.length <= 200 && cancelWord.test(fold(value)))
    if (stateNames.test(name) && cancelled.length > 0) return { column: header, values: cancelled.slice(0, 50) }
    if (cancelNames.test(name) && values.some(isYes)) return { column: header, values: [] }
  }
  return null
}

const goods = ['sku', 'name', 'items', 'barcode'] as const
const recipient = ['ship_name', 'ship_last_name', 'ship_address1', 'ship_postcode', 'bill_name', 'bill_address1', 'ordered_at'] as const

/** Rows that name a product but neither an order nor a recipient belong to the order above them. */
function continuedOf(rows: readonly (readonly string[])[], text: TextOf): Partial<SpecialRows> {
  if (rows.length === 0 || text(rows[0] ?? [], 'order_no') === '') return {}
  const blank = rows.filter(cells => text(cells, 'order_no') === '' && goods.some(field => text(cells, field) !== ''))
  return blank.length > 0 && blank.every(cells => recipient.every(field => text(cells, field) === ''))
    ? { blank_order_no: 'order_above' }
    : {}
}

/** Where the rows of an order differ in dates alone, they were written one after the other: the first counts. */
function conflictsOf(rows: readonly (readonly string[])[], text: TextOf, places: ReadonlyMap<CsvField, number>): Partial<SpecialRows> {
  const first = new Map<string, readonly string[]>()
  const fields = [...places].filter(([field]) => !isOneOf(lineFields, field) && field !== 'order_no')
  const differing = new Set<CsvField>()
  for (const cells of rows) {
    const order = text(cells, 'order_no')
    const known = first.get(order)
    if (!known) first.set(order, cells)
    else
      for (const [field, place] of fields) {
        // Rows of an order mostly repeat its facts as they are.
        if (cells[place] === known[place] || differing.has(field)) continue
        const [value, before] = [text(cells, field), text(known, field)]
        if (value !== '' && before !== '' && value !== before) differing.add(field)
      }
  }
  return differing.size > 0 && [...differing].every(field => isOneOf(dateFields, field)) ? { conflicts: 'first' } : {}
}
