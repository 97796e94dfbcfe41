/** The likeliest mapping for a file, from its header and its first rows, and everything in it that a person should look at. */
import { countryCode } from '#domain/country-names.ts'
import { cellText, sampleRows } from '#domain/csv-text.ts'
import { type DateOrder, detectDates } from '#domain/dates.ts'
import { type DecimalSign, detectDecimals } from '#domain/decimals.ts'
import { isCurrency } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import {
  type Column,
  goesWith,
  isNameOfProduct,
  settleCodesAsNames,
  settleOpenQuantities,
  settleVariantCodes,
  vatBeside,
  weighOrderNumbers,
  weighPrices,
  weighProductNumbers,
} from './column-evidence.rules.ts'
import { looksLikeCode, looksLikeOrderNo, numberIn, postcodeAndCity, strictFields, valuesFit, wholeAddress } from './column-values.rules.ts'
import { bare, CsvField, dateFields, numberFields, type OtherColumn } from './columns.rules.ts'
import { isSumWord } from './file-shape.rules.ts'
import { takeInitials } from './header-initials.rules.ts'
import { type Meaning, meaningsOf, partialMeanings, sharedPrefix, splitCurrency } from './header-words.rules.ts'
import { itemsOf, listOf } from './item-cells.rules.ts'
import { type Mapping, Mapping as MappingSchema, mappingProblems } from './mapping.rules.ts'
import { furtherItems } from './numbered-columns.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'
import { cancelledRows, specialRows } from './special-rows.rules.ts'

export interface Suggestion {
  mapping: Mapping
  /** What somebody should look at before the import: what can be read in two ways, is left out, or is missing. */
  doubts: Problem[]
}

/** What the company's settings say where a file does not. */
export interface CompanyDefaults {
  timeZone?: string
  currency?: string
  country?: string
}

/** Below this, a column's name says in part only what the column means. */
const sureScore = 43

/** Rows whose values show what a column holds; fewer of a file with many columns, so that others need not wait for the look at it. */
const looked = 2_000
const mostCells = 40_000
const mostValues = 300

function columnsOf(headers: readonly string[], rows: readonly (readonly string[])[]): Column[] {
  const prefix = sharedPrefix(headers)
  return headers.map((header, place) => {
    const written = new Set<string>()
    for (const cells of rows.slice(0, Math.min(looked, Math.ceil(mostCells / headers.length)))) {
      written.add(cells[place] ?? '')
      if (written.size === mostValues) break
    }
    const values = new Set([...written].map(cellText).filter(value => value !== ''))
    const meanings = meaningsOf(header)
    const own = meanings.length === 0 && prefix !== '' ? meaningsOf(header.slice(prefix.length)) : meanings
    return { place, header, values: [...values], meanings: own }
  })
}

const priceFields = [
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'line_total_incl_vat',
  'line_total_excl_vat',
] as const satisfies CsvField[]
const isOther = (field: Meaning['field']): field is OtherColumn =>
  field === 'order_total' || field === 'tax_total' || field === 'shipping_total' || field === 'qty_open' || field === 'qty_done'
const has = (column: Column, field: Meaning['field'], least = 0): boolean =>
  column.meanings.some(meaning => meaning.field === field && meaning.score >= least)

/** Whether a column has values in all rows in which another has them. */
const isFilledWith = (rows: readonly (readonly string[])[], { place }: Column, other: Column): boolean =>
  rows.slice(0, mostValues).every(cells => (cells[place] ?? '').trim() !== '' || (cells[other.place] ?? '').trim() === '')

/** `Name` may be the recipient, the product or, where its values are numbers, the order: the other columns decide. */
function settleNames(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const others = (field: CsvField, least: number, but: Column) =>
    columns.some(column => column !== but && has(column, field, least) && valuesFit(field, column.values))
  for (const column of columns) {
    if (has(column, 'order_no') && has(column, 'ship_name')) {
      const named = column.values.some(value => !/\d/.test(value))
      column.meanings = column.meanings.filter(({ field }) => (field === 'order_no') !== named)
    }
    if (!has(column, 'name') || !has(column, 'ship_name')) continue
    const strip = (...fields: CsvField[]) => {
      column.meanings = column.meanings.filter(meaning => !isOneOf(fields, meaning.field))
    }
    const numbered = columns.some(other => other !== column && has(other, 'order_no', 60) && isFilledWith(rows, other, column))
    if (looksLikeOrderNo(column.values) && !numbered) {
      column.meanings = [{ field: 'order_no', score: 70, vat: null }]
      continue
    }
    const addressed = (['ship_address1', 'ship_postcode', 'ship_city'] as const).some(field => others(field, 60, column))
    const recipient = others('ship_name', 60, column) || (others('ship_first_name', 60, column) && others('ship_last_name', 60, column))
    const product = others('name', 60, column)
    if (!product && isNameOfProduct(rows, column, columns)) {
      strip('ship_name', 'bill_name')
      continue
    }
    // The product and the recipient have columns of their own: this one names the customer.
    if (product && recipient) strip('name', 'ship_name')
    else if (product) strip('name')
    else if (recipient || !addressed) strip('ship_name')
    else strip('name')
  }
}

/** Fields that no import should miss because a name is known only in part. */
const needed = new Set<Meaning['field']>([
  'order_no',
  'ordered_at',
  'sku',
  'name',
  'qty',
  'items',
  'ship_name',
  'ship_address1',
  'ship_postcode',
  'ship_city',
  'ship_country',
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'currency',
])

/** Names that are known in part are asked only for what no whole name says. */
function takePartialNames(columns: readonly Column[]): void {
  const known = new Set(columns.flatMap(column => column.meanings.filter(({ score }) => score >= 60).map(({ field }) => field)))
  const priced = priceFields.some(field => known.has(field))
  const missing = [...needed].filter(field => !known.has(field) && !(priced && isOneOf(priceFields, field)))
  if (missing.length === 0) return
  for (const column of columns)
    if (column.meanings.length === 0 && column.values.length > 0)
      column.meanings = partialMeanings(column.header).filter(({ field }) => isOneOf(missing, field))
}

/** A column whose cells are all codes of currencies, where no name says so: `iso_code`. */
function takeCurrencyByValues(columns: readonly Column[]): void {
  if (columns.some(column => has(column, 'currency', 60) && column.values.length > 0 && valuesFit('currency', column.values))) return
  for (const column of columns)
    if (column.values.length > 0 && column.values.every(value => /^[A-Z]{3}$/.test(value) && isCurrency(value)))
      column.meanings = [{ field: 'currency', score: 60, vat: null }]
}

/** A column whose cells are all a postcode with its town, where no column is named for either: the Swedish `Postadress`. */
function takePlaceByValues(columns: readonly Column[]): void {
  const named = (['ship_postcode', 'ship_city'] as const).some(field => columns.some(column => has(column, field, 60)))
  const places = columns.filter(({ values }) => values.length > 0 && values.every(value => postcodeAndCity(value) !== null))
  const [place, other] = places
  if (!named && place && !other) place.meanings = [{ field: 'ship_postcode', score: 80, vat: null }]
}

/** `Nr.` right beside streets that hold no number themselves is the number of the building. */
function takeStreetNumbers(columns: readonly Column[]): void {
  for (const [place, column] of columns.entries()) {
    const street = columns[place - 1]
    if (!street || !has(street, 'ship_address1', 60) || street.values.length === 0) continue
    if (!/^(?:nr|no|nummer|number)$/.test(bare(column.header)) || street.values.some(value => /\d/.test(value))) continue
    if (column.values.length > 0 && column.values.every(value => /^\d.{0,11}$/.test(value)))
      column.meanings = [{ field: 'ship_street_number', score: 80, vat: null }]
  }
}

/** `Address 2` that is a number in each row, beside a first line without one, is the number of the building. */
function takeSecondLines(columns: readonly Column[]): void {
  for (const party of ['ship', 'bill'] as const) {
    const street = columns.find(column => has(column, `${party}_address1`, 60) && column.values.length > 0)
    const second = columns.find(column => has(column, `${party}_address2`, 60) && column.values.length > 0)
    if (!street || !second || street.values.some(value => /\d/.test(value))) continue
    if (second.values.every(value => /^\d{1,4}(?:[ -]?\p{L}|[-/ ]\d{1,4})?$/u.test(value)))
      second.meanings = [{ field: `${party}_street_number`, score: 80, vat: null }]
  }
}

/** `name1`, `name2` and `name3` where the first is blank beside the others: the company, and the two names of a person. */
function takeThirdNames(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const parts = ['company', 'first_name', 'last_name'] as const
  const named = new Map(columns.map(column => [bare(column.header), column]))
  const groups = [...named].flatMap(([name, first]) => {
    if (!name.endsWith('1') || !(has(first, 'ship_name') || has(first, 'bill_name'))) return []
    const [second, third] = [2, 3].map(number => named.get(`${name.slice(0, -1)}${number}`))
    return second && third ? [[first, second, third]] : []
  })
  const text = (cells: readonly string[], column: Column) => cellText(cells[column.place] ?? '')
  const isPerson = (cells: readonly string[], [first, ...names]: readonly Column[]) =>
    first !== undefined && text(cells, first) === '' && names.every(column => text(cells, column) !== '')
  if (!groups.some(group => rows.slice(0, mostValues).some(cells => isPerson(cells, group)))) return
  for (const group of groups) {
    const party = group[0] && has(group[0], 'ship_name', 60) ? 'ship' : 'bill'
    for (const [at, column] of group.entries()) column.meanings = [{ field: `${party}_${parts[at] ?? 'company'}`, score: 86, vat: null }]
  }
}

/** The number of a database is the order's where no other column numbers the orders. */
function takeIdsAsNumbers(columns: readonly Column[]): void {
  if (columns.some(column => has(column, 'order_no', sureScore) && column.values.length > 0)) return
  const ids = columns.find(column => has(column, 'external_id', 60) && looksLikeOrderNo(column.values))
  if (ids) ids.meanings = [{ field: 'order_no', score: sureScore - 1, vat: null }]
}

/** `NAME2` beside `NAME1` continues it: with a department or a person; where both hold one word in each row, with the last name. */
function takeSecondNames(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  for (const column of columns) {
    const [, stem] = /^(.+)2$/.exec(bare(column.header)) ?? []
    if (!stem || has(column, 'ship_last_name') || column.values.length === 0) continue
    const first = columns.find(
      other => [stem, `${stem}1`].includes(bare(other.header)) && (has(other, 'ship_name') || has(other, 'bill_name')),
    )
    if (!first) continue
    const isWord = (cells: readonly string[], { place }: Column) => /^\S+$/.test(cellText(cells[place] ?? ''))
    const inParts = rows
      .slice(0, mostValues)
      .every(
        cells => isWord(cells, first) === isWord(cells, column) && (isWord(cells, first) || cells[first.place] === cells[column.place]),
      )
    const renamed = (from: readonly Meaning[], part: string): Meaning[] =>
      from.flatMap(meaning => {
        const field = CsvField.safeParse(meaning.field.replace(/_name$/, `_${part}`)).data
        return field && field !== meaning.field ? [{ ...meaning, field }] : []
      })
    column.meanings = renamed(first.meanings, inParts ? 'last_name' : 'attention')
    if (inParts) first.meanings = renamed(first.meanings, 'first_name')
  }
}

function namedColumns(headers: readonly string[], rows: readonly (readonly string[])[]): Column[] {
  const columns = columnsOf(headers, rows)
  takeInitials(columns)
  takeCurrencyByValues(columns)
  takePlaceByValues(columns)
  takeStreetNumbers(columns)
  takeSecondLines(columns)
  takePartialNames(columns)
  dropRepeatedLists(columns)
  settleNames(columns, rows)
  takeThirdNames(columns, rows)
  takeSecondNames(columns, rows)
  takeIdsAsNumbers(columns)
  settleCodesAsNames(columns)
  settleOpenQuantities(columns, rows)
  settleVariantCodes(columns)
  weighOrderNumbers(columns, rows)
  weighProductNumbers(columns)
  return columns
}

/** Whether most cells of a column are lists of items. What a name does not say, several items in a cell do. */
function listsItems({ values }: Column, named: boolean): boolean {
  // Most columns that are named for something else hold no items: one look at the first cell shows it.
  if (!named && itemsOf(values[0] ?? '') === null) return false
  const items = values.slice(0, 100).map(itemsOf)
  if (!named && !items.some(list => list && list.length > 1 && list.some(({ sku }) => sku !== ''))) return false
  return items.length > 0 && items.filter(list => list !== null).length >= items.length * 0.8
}

const isCounted = (columns: readonly Column[]): boolean =>
  columns.some(column => has(column, 'qty', 60) && column.values.length > 0 && valuesFit('qty', column.values))

/** A list of the items of the order beside columns for the number and the quantity of each, and not named as one, repeats these. */
function dropRepeatedLists(columns: readonly Column[]): void {
  const coded = columns.filter(column => has(column, 'sku', 60) && column.values.length > 0 && column.values.every(looksLikeCode))
  if (coded.length === 0 || !isCounted(columns)) return
  for (const column of columns)
    if (!coded.includes(column) && !has(column, 'items') && listsItems(column, false)) {
      column.meanings = []
      column.repeats = true
    }
}

/** Columns whose cells are lists of items; then the columns of single items mean something else. */
function settleItems(columns: readonly Column[]): void {
  const lists = columns.filter(
    column => !column.repeats && listsItems(column, has(column, 'items') || has(column, 'name') || has(column, 'sku')),
  )
  const counted = columns.some(column => has(column, 'qty', 60) && valuesFit('qty', column.values))
  const surely = lists.filter(column => !counted || column.values.some(value => (itemsOf(value)?.length ?? 0) > 1))
  for (const column of columns)
    column.meanings = surely.includes(column)
      ? [{ field: 'items', score: column.meanings.length > 0 ? 99 : 30, vat: null }]
      : column.meanings.filter(
          ({ field }) =>
            field !== 'items' &&
            !(surely.length > 0 && (field === 'qty' || field === 'name' || field === 'sku' || isOneOf(priceFields, field))),
        )
}

/** The rows of each order of the sample; rows without a number continue the order above them. */
function ordersOf(rows: readonly (readonly string[])[], place: number): (readonly string[])[][] {
  const orders = new Map<string, (readonly string[])[]>()
  let current = ''
  for (const cells of rows.slice(0, looked)) {
    current = cellText(cells[place] ?? '') || current
    if (current === '') continue
    const known = orders.get(current)
    if (known) known.push(cells)
    else orders.set(current, [cells])
  }
  return [...orders.values()]
}

const differs = (order: readonly (readonly string[])[], place: number): boolean =>
  order.length > 1 && new Set(order.map(cells => cellText(cells[place] ?? '')).filter(value => value !== '')).size > 1

/** `Total` is the order's, unless it differs between rows of one order. */
function settleTotals(columns: readonly Column[], orders: readonly (readonly string[])[][]): void {
  for (const column of columns) {
    if (!has(column, 'order_total')) continue
    const total = column.meanings.find(meaning => meaning.field === 'line_total_incl_vat' || meaning.field === 'line_total_excl_vat')
    if (!total) continue
    const ofLine = orders.some(order => order.length > 1 && differs(order, column.place))
    column.meanings = ofLine ? [{ ...total, score: 75 }] : column.meanings.filter(meaning => isOther(meaning.field))
  }
}

interface Claim extends Meaning {
  column: Column
}

const fitsValues = (field: CsvField, { values }: Column): boolean => valuesFit(field, values) || valuesFit(field, values.flatMap(listOf))

/** How surely a column means this, with its values: against them only where its name can mean nothing else. */
function scoreOf({ field, score }: Meaning, column: Column): number {
  if (isOther(field) || fitsValues(field, column)) return score
  const kinds = new Set(column.meanings.map(meaning => meaning.field.replace(/^(ship|bill)_/, '')))
  return strictFields.has(field) || kinds.size > 1 || score < 70 ? 0 : score - 30
}

/** Every field goes to the column that means it most surely; of equals the first. */
function claimsOf(columns: readonly Column[]): Map<Meaning['field'], Claim[]> {
  const claims = columns
    .flatMap(column => column.meanings.map(meaning => ({ ...meaning, score: scoreOf(meaning, column), column })))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.column.place - other.column.place)
  const taken = new Map<Meaning['field'], Claim[]>()
  const used = new Set<Column>()
  for (const claim of claims) {
    const others = taken.get(claim.field)
    if (used.has(claim.column) || (others && claim.field !== 'items')) continue
    // An empty column proves nothing: one with values goes first.
    if (
      claim.column.values.length === 0 &&
      claims.some(other => other.field === claim.field && other.column.values.length > 0 && other.score > 60)
    )
      continue
    used.add(claim.column)
    taken.set(claim.field, [...(others ?? []), claim])
  }
  return taken
}

/** Fields of the order that it can do without: where the rows of an order differ in one, the column is none of the order's. */
const dispensable: ReadonlySet<Meaning['field']> = new Set<Meaning['field']>([
  'external_id',
  'paid_at',
  'locale',
  'customer_no',
  'vat_no',
  'ship_instruction',
  'ship_door_code',
  'shipping_code',
  'shipping_title',
  'service_point_id',
  'ship_by',
  'note',
  'tags',
  'ship_region',
])

/** Of two ways to write the same thing, the surer one. */
function dropSpares(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): void {
  const score = (field: CsvField) => taken.get(field)?.[0]?.score ?? 0
  for (const party of ['ship', 'bill'] as const) {
    const [name] = taken.get(`${party}_name`) ?? []
    const [first] = taken.get(`${party}_first_name`) ?? []
    // `Vorname` beside `Name`: the last name, unless it holds the first name as well.
    if (name && first && !taken.has(`${party}_last_name`) && !holdsTheSame(rows, name.column.place, first.column.place)) {
      taken.set(`${party}_last_name`, [{ ...name, field: `${party}_last_name` }])
      taken.delete(`${party}_name`)
    }
    const [last] = taken.get(`${party}_last_name`) ?? []
    if (name && last && !first && taken.has(`${party}_name`) && !holdsTheSame(rows, name.column.place, last.column.place)) {
      taken.set(`${party}_first_name`, [{ ...name, field: `${party}_first_name` }])
      taken.delete(`${party}_name`)
    }
    const parts = Math.max(score(`${party}_first_name`), score(`${party}_last_name`))
    if (parts === 0 || score(`${party}_name`) === 0) continue
    if (parts > score(`${party}_name`) && score(`${party}_last_name`) > 0) taken.delete(`${party}_name`)
    else {
      taken.delete(`${party}_first_name`)
      taken.delete(`${party}_last_name`)
    }
  }
  const [excl] = taken.get('unit_price_excl_vat') ?? []
  if (excl?.vat === null && taken.has('unit_price_incl_vat')) taken.delete('unit_price_excl_vat')
  if (taken.has('unit_price_incl_vat') || taken.has('unit_price_excl_vat')) {
    taken.delete('line_total_incl_vat')
    taken.delete('line_total_excl_vat')
  }
  if (taken.has('weight_g')) taken.delete('weight_kg')
}

/** Claims of needed fields that the name of the column bears out in part only. One of a product's number that does not go with its name is none. */
function uncertainClaims(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): Claim[] {
  const [sku] = taken.get('sku') ?? []
  const [name] = taken.get('name') ?? []
  const unsure = new Set([...taken.values()].flat().filter(({ field, score }) => needed.has(field) && score < sureScore))
  if (sku && name && unsure.has(sku)) {
    const [there, back] = [goesWith(rows, sku.column, name.column), goesWith(rows, name.column, sku.column)]
    const borneOut = there.always && back.always
    if (!borneOut && rows.length > 1) taken.delete('sku')
    // Digits that always stand beside the same name may be the id of a database.
    const written = sku.column.values.some(value => /\p{L}/u.test(value))
    if (borneOut ? there.repeated > 0 && written : rows.length > 1) unsure.delete(sku)
  }
  const [order] = taken.get('order_no') ?? []
  const [recipient] = taken.get('ship_address1') ?? taken.get('bill_address1') ?? taken.get('ship_name') ?? []
  // A number that stands in several rows, always beside the same recipient, is the order's, whatever it is called.
  if (order && recipient && unsure.has(order) && looksLikeOrderNo(order.column.values)) {
    const found = goesWith(rows, order.column, recipient.column)
    if (found.always && found.repeated > 0) unsure.delete(order)
  }
  return [...unsure]
}

const near = (one: number, other: number): boolean => Math.abs(one - other) <= Math.abs(other) * 0.01

/** A column `Tax` whose values grow with the price holds amounts, not rates. */
function dropTaxAmounts(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): void {
  const numberOf = (cells: readonly string[], field: CsvField) => {
    const [claim] = taken.get(field) ?? []
    return claim ? numberIn(cellText(cells[claim.column.place] ?? '')) : null
  }
  const priced = priceFields.find(field => taken.has(field))
  if (!taken.has('vat_percent') || !priced) return
  const seen = rows.slice(0, mostValues).flatMap(cells => {
    const tax = numberOf(cells, 'vat_percent')
    const price = numberOf(cells, priced)
    return tax && price ? [{ tax, piece: tax / price, line: tax / (price * (numberOf(cells, 'qty') ?? 1)) }] : []
  })
  const [first] = seen
  if (!first || new Set(seen.map(({ tax }) => tax)).size < 2) return
  if (seen.every(({ piece }) => near(piece, first.piece)) || seen.every(({ line }) => near(line, first.line))) taken.delete('vat_percent')
}

/** Prices of a product that grow with its quantity are sums of lines, whatever their column is named. */
function takeSumsOfLines(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): void {
  const [qty] = taken.get('qty') ?? []
  const [product] = taken.get('sku') ?? taken.get('name') ?? []
  if (!qty || !product) return
  for (const [from, to] of [
    ['unit_price_excl_vat', 'line_total_excl_vat'],
    ['unit_price_incl_vat', 'line_total_incl_vat'],
  ] as const) {
    const [claim] = taken.get(from) ?? []
    if (!claim) continue
    const known = new Map<string, { count: number; price: number }>()
    let pieces = 0
    let sums = 0
    for (const cells of rows.slice(0, looked)) {
      const count = numberIn(cellText(cells[qty.column.place] ?? ''))
      const price = numberIn(cellText(cells[claim.column.place] ?? ''))
      if (!count || !price) continue
      const key = cellText(cells[product.column.place] ?? '')
      const other = known.get(key)
      if (!other) known.set(key, { count, price })
      else if (other.count !== count) {
        if (near(price, other.price)) pieces++
        else if (near(price / count, other.price / other.count)) sums++
      }
    }
    if (sums <= pieces) continue
    taken.delete(from)
    if (!taken.has(to)) taken.set(to, [{ ...claim, field: to }])
  }
}

const moneySigns: readonly [sign: string, currency: string][] = [
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
]

/** `EUR` of `EUR 12,50` and of `12.50 EUR`. */
function currencyIn(value: string): string | null {
  const [, before, after] = /^(?:([A-Z]{3}) ?\d[\d.,' ]{0,30}|-?\d[\d.,' ]{0,30}([A-Z]{3}))$/.exec(value) ?? []
  const code = before ?? after ?? ''
  return isCurrency(code) ? code : null
}

/** The currency of every one of these amounts: `€ 12,50`, `EUR 12,50`. Null where they name none, or several. */
function currencyOfValues(values: readonly string[]): string | null {
  if (values.length === 0) return null
  const sign = moneySigns.find(([sign]) => values.every(value => value.length <= 40 && value.includes(sign) && numberIn(value) !== null))
  if (sign) return sign[1]
  const codes = new Set(values.map(currencyIn))
  const [code = null] = codes
  return codes.size === 1 ? code : null
}

/**
 * The currency that prices and sums name themselves, by the name of their column (`Preis CHF`) or in their cells; where no column is taken for
 * a price or a sum, that of any amounts. Null where they name none, or several.
 */
function currencyOfPrices(taken: Map<Meaning['field'], Claim[]>, columns: readonly Column[]): string | null {
  const prices = [...priceFields, 'order_total' as const].flatMap(field => (taken.get(field) ?? []).map(({ column }) => column))
  // `CUP 12` may be the number of a product, and the peso of Cuba: an amount has two decimals.
  const amounts = () => columns.filter(({ values }) => values.every(value => /\d[.,]\d{2}(?!\d)/.test(value)))
  const found = new Set(
    (prices.length > 0 ? prices : amounts()).flatMap(column => [
      ...(prices.length > 0 ? [splitCurrency(column.header).currency] : []),
      currencyOfValues(column.values),
    ]),
  )
  found.delete(null)
  const [currency] = found
  return found.size === 1 && currency ? currency : null
}

/** Whether prices whose name does not say so contain VAT: where totals and taxes stand beside them, they add up in one way only. */
function vatInPrices(
  taken: Map<Meaning['field'], Claim[]>,
  price: Column,
  perPiece: boolean,
  orders: readonly (readonly string[])[][],
): 'incl' | 'excl' | null {
  const place = (field: Meaning['field']) => taken.get(field)?.[0]?.column.place
  const [qty, total, tax, shipping] = [place('qty'), place('order_total'), place('tax_total'), place('shipping_total')]
  if (total === undefined || tax === undefined || qty === undefined) return null
  let incl = 0
  let excl = 0
  for (const order of orders.slice(0, 200)) {
    const first = (at: number | undefined) =>
      at === undefined ? 0 : (order.map(cells => numberIn(cellText(cells[at] ?? ''))).find(value => value !== null) ?? 0)
    const sum = order.reduce(
      (all, cells) =>
        all + (numberIn(cellText(cells[price.place] ?? '')) ?? 0) * (perPiece ? (numberIn(cellText(cells[qty] ?? '')) ?? 0) : 1),
      0,
    )
    if (first(tax) <= 0 || sum <= 0) continue
    const near = (value: number) => Math.abs(value - first(total)) < 0.015 * order.length + 0.01
    if (near(sum + first(shipping)) || near(sum)) incl++
    else if (near(sum + first(shipping) + first(tax)) || near(sum + first(tax))) excl++
  }
  return incl > excl ? 'incl' : excl > incl ? 'excl' : null
}

/** The column of addresses that hold street, postcode and city in one cell, where no other column has these. */
function wholeAddresses(taken: Map<Meaning['field'], Claim[]>): Column | undefined {
  if ((['ship_postcode', 'ship_city', 'bill_postcode', 'bill_city'] as const).some(field => taken.has(field))) return undefined
  const column = taken.get('ship_address1')?.[0]?.column
  const read = column?.values.filter(value => wholeAddress(value) !== null).length ?? 0
  return column && read > 0 && read >= column.values.length * 0.5 ? column : undefined
}

/** `Deliver to` may hold the whole address under the name. */
function takeAddressesAsNames(taken: Map<Meaning['field'], Claim[]>): void {
  for (const party of ['ship', 'bill'] as const) {
    const [name] = taken.get(`${party}_name`) ?? []
    if (!name || taken.has(`${party}_address1`) || !name.column.values.some(value => wholeAddress(value) !== null)) continue
    taken.delete(`${party}_name`)
    taken.set(`${party}_address1`, [{ ...name, field: `${party}_address1` }])
  }
}

/** A weight that is the same on all lines of each order is the parcel's, and so is one beside several items in a cell. */
function dropWeightsOfParcels(taken: Map<Meaning['field'], Claim[]>, orders: readonly (readonly string[])[][]): void {
  if (taken.has('items')) {
    taken.delete('weight_kg')
    taken.delete('weight_g')
    return
  }
  const [product] = taken.get('sku') ?? taken.get('name') ?? []
  for (const field of ['weight_kg', 'weight_g'] as const) {
    const place = taken.get(field)?.[0]?.column.place
    if (place === undefined || !product) continue
    const several = orders.filter(order => differs(order, product.column.place))
    const weights = new Set(orders.map(([first]) => first?.[place]))
    if (several.length > 0 && weights.size > 1 && !several.some(order => differs(order, place))) taken.delete(field)
  }
}

/** Whether the lines of the orders come to their totals, with or without freight, taxes and discounts. */
function sumDoubts(taken: Map<Meaning['field'], Claim[]>, orders: readonly (readonly string[])[][]): Problem[] {
  const [total] = taken.get('order_total') ?? []
  const [qty] = taken.get('qty') ?? []
  const price = priceFields.map(field => taken.get(field)?.[0]).find(claim => claim !== undefined)
  if (!total || !qty || !price || total.column.values.length === 0) return []
  const perPiece = price.field.startsWith('unit_price')
  const numberAt = (cells: readonly string[], { column }: Claim) => numberIn(cellText(cells[column.place] ?? ''))
  const extras = (['shipping_total', 'tax_total'] as const).flatMap(field => taken.get(field)?.[0] ?? [])
  let agree = 0
  let above = 0
  for (const order of orders.slice(0, mostValues)) {
    const first = (claim: Claim) => order.map(cells => numberAt(cells, claim)).find(value => value !== null) ?? null
    const whole = first(total)
    if (whole === null) continue
    const sum = order.reduce((all, cells) => all + (numberAt(cells, price) ?? 0) * (perPiece ? (numberAt(cells, qty) ?? 0) : 1), 0)
    const more = extras.reduce((all, claim) => all + Math.abs(first(claim) ?? 0), 0)
    // A discount, a fee or taxes may stand in the total: far more than that shows that the price or the quantity is another column.
    if (sum <= whole * 1.5 + 0.01 && sum + more >= whole * 0.6 - 0.01) agree++
    else above++
  }
  return above > agree
    ? [{ field: price.field, text: csvSentences.sums_differ, values: { column: price.column.header, total: total.column.header } }]
    : []
}

/** How a file writes its dates and numbers: of this file, whatever the mapping is. */
function detectForms(
  columns: Mapping['columns'],
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): { dates: DateOrder | null; decimals: DecimalSign | null; column_decimals: Mapping['column_decimals']; doubts: Problem[] } {
  const doubts: Problem[] = []
  const valuesOf = (column: string): string[] => {
    const index = headers.indexOf(column)
    if (index < 0) return []
    // Most values repeat: they are taken apart once.
    const written = new Set(rows.slice(0, sampleRows).map(cells => cells[index] ?? ''))
    return [...new Set([...written].flatMap(listOf))]
  }
  let dates: DateOrder | null = null
  const sure = new Map<string, DecimalSign>()
  const unsure = new Map<string, CsvField>()
  for (const [column, field] of Object.entries(columns)) {
    if (isOneOf(dateFields, field)) {
      const finding = detectDates(valuesOf(column))
      if (finding.fits.length === 0) continue
      if (field === 'ordered_at' || dates === null || dates === 'iso') dates = finding.order
      if (finding.doubtful) doubts.push({ field, text: csvSentences.dates, values: { column } })
    } else if (isOneOf(numberFields, field)) {
      const values = valuesOf(column)
      const finding = detectDecimals(values)
      if (!finding || !values.some(value => /[.,]/.test(value))) continue
      if (finding.doubtful) unsure.set(column, field)
      if (!finding.doubtful || finding.decimals === ',') sure.set(column, finding.decimals)
    }
  }
  const signs = [...sure.values()]
  const decimals = signs.length === 0 ? null : signs.filter(sign => sign === ',').length > signs.length / 2 ? ',' : '.'
  // Written as the other columns are, `1.000` can be read in one way only.
  for (const [column, field] of unsure)
    if (decimals === null || sure.has(column) || new Set(signs).size > 1)
      doubts.push({ field, text: csvSentences.decimals, values: { column } })
  return { dates, decimals, column_decimals: Object.fromEntries([...sure].filter(([, sign]) => sign !== decimals)), doubts }
}

/** Fields whose column should not be left out without a word. */
const worthSaying = new Set<Meaning['field']>([
  'sku',
  'name',
  'qty',
  'items',
  ...priceFields,
  'ship_name',
  'ship_first_name',
  'ship_last_name',
  'ship_company',
  'ship_address1',
  'ship_street_number',
  'ship_address2',
  'ship_postcode',
  'ship_city',
  'ship_country',
])

/** Columns of products, prices and recipients that a mapping leaves out, and facts of an order that no column has. */
export function columnDoubts(mapping: Mapping, headers: readonly string[], rows: readonly (readonly string[])[]): Problem[] {
  const columns = namedColumns(headers, rows)
  return [...doubtsOf(mapping, headers, rows, columns), ...placeDoubts(mapping, columns)]
}

function doubtsOf(
  mapping: Mapping,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
): Problem[] {
  const doubts: Problem[] = []
  const placeOf = new Map(Object.entries(mapping.columns).map(([header, field]) => [field, headers.indexOf(header)]))
  const mapped = new Set(Object.values(mapping.columns))
  const any = (...fields: CsvField[]) => fields.some(field => mapped.has(field) || Boolean(mapping.constants[field]))
  const priced = any(...priceFields)
  const orderPlace = placeOf.get('order_no')
  const orders = orderPlace === undefined ? [] : ordersOf(rows, orderPlace)
  /** A sum of the order stands in each of its rows. */
  const ofOrder = (column: Column) => orders.some(order => order.length > 1) && !orders.some(order => differs(order, column.place))
  const further = furtherItems(mapping, headers)
  const ofFurther = new Set(further.flatMap(set => [...set.values()]))
  for (const column of columns) {
    if (mapping.columns[column.header] || column.values.length === 0 || ofFurther.has(column.place)) continue
    const meaning = column.meanings.find(({ field, score }) => score >= 65 && (worthSaying.has(field) || isOther(field)))
    if (!meaning || isOther(meaning.field) || mapped.has('items')) continue
    const field = meaning.field
    if (!fitsValues(field, column)) continue
    // The name of a person beside first and last name, the sum of a line beside its price: said already.
    if (isOneOf(priceFields, field) && priced && (field.startsWith('line_total') || meaning.vat === null || ofOrder(column))) continue
    // The same company in all rows is the seller.
    if (field === 'ship_company' && column.values.length === 1 && orders.length > 1) continue
    // How many pieces the whole order has.
    if (field === 'qty' && mapped.has('qty') && ofOrder(column)) continue
    if (/^ship_(first_|last_)?name$/.test(field) && any('ship_name', 'ship_last_name')) continue
    const taken = placeOf.get(field)
    if (taken !== undefined && holdsTheSame(rows, column.place, taken)) continue
    doubts.push({ field, text: csvSentences.left_out_column, values: { column: column.header, field } })
  }
  for (const column of columns) {
    const field = mapping.columns[column.header]
    if (field && worthSaying.has(field) && !fitsValues(field, column))
      doubts.push({ field, text: csvSentences.misfit, values: { column: column.header, field } })
  }
  if (further.length > 0) doubts.push({ field: 'items', text: csvSentences.numbered_columns, values: { count: further.length + 1 } })
  const dated = any('ordered_at')
    ? undefined
    : columns.find(({ header, values }) => !mapping.columns[header] && values.length > 0 && valuesFit('ordered_at', values.slice(0, 20)))
  if (dated) doubts.push({ field: 'ordered_at', text: csvSentences.left_out_column, values: { column: dated.header, field: 'ordered_at' } })
  const lack = (field: CsvField) => doubts.push({ field, text: csvSentences.no_column, values: { field } })
  if (rows.length > 0) {
    if (!priced && !mapped.has('items')) doubts.push({ field: 'unit_price_excl_vat', text: csvSentences.no_price, values: {} })
    const address = columns.find(({ header }) => mapping.columns[header] === 'ship_address1')
    const withNames = address && address.values.length > 0 && address.values.every(value => wholeAddress(value)?.name)
    // Most shops have companies and persons among their customers: a column of companies names some of them.
    const named = (['ship_company', 'bill_company'] as const).some(field => {
      const place = placeOf.get(field)
      return (
        place !== undefined &&
        rows.every(cells => (cells[place] ?? '').trim() !== '' || (orderPlace !== undefined && (cells[orderPlace] ?? '').trim() === ''))
      )
    })
    if (!withNames && !named && !any('ship_name', 'ship_last_name', 'ship_attention', 'bill_name', 'bill_last_name')) lack('ship_name')
    if (!any('ship_address1', 'bill_address1')) lack('ship_address1')
    if (!any('sku', 'items', 'barcode')) lack('sku')
  }
  return doubts
}

/** Postcodes and cities that no column has, of its own or in one cell with others. */
function placeDoubts({ columns: meant }: Mapping, columns: readonly Column[]): Problem[] {
  const lack = (field: CsvField): Problem => ({ field, text: csvSentences.no_column, values: { field } })
  const of = (pattern: RegExp) => columns.find(({ header }) => pattern.test(meant[header] ?? ''))
  const address = of(/^(?:ship|bill)_address1$/)
  if (!address || address.values.some(value => wholeAddress(value) !== null)) return []
  const postcode = of(/^(?:ship|bill)_postcode$/)
  const city = of(/^(?:ship|bill)_city$/) ?? (postcode?.values.some(value => postcodeAndCity(value) !== null) ? postcode : undefined)
  return [...(postcode ? [] : [lack('ship_postcode')]), ...(city ? [] : [lack('ship_city')])]
}

/** A column that repeats what another says, wholly or as a part of it. */
function holdsTheSame(rows: readonly (readonly string[])[], one: number, other: number): boolean {
  const filled = rows.slice(0, mostValues).filter(cells => (cells[one] ?? '').trim() !== '')
  const same = filled.filter(cells => {
    const [a, b] = [cellText(cells[one] ?? ''), cellText(cells[other] ?? '')]
    if (b === '') return false
    if (a.includes(b) || b.includes(a)) return true
    const country = countryCode(a)
    return country !== null && country === countryCode(b)
  })
  return same.length >= filled.length * 0.9
}

/** Rows under the header without those of sums. */
const withoutSums = (rows: readonly (readonly string[])[]): (readonly string[])[] =>
  rows.filter(cells => !isSumWord(cells.find(cell => cell.trim() !== '') ?? ''))

/** The likeliest mapping for a file, from its header and its first rows (at most `sampleRows` are looked at). */
export function suggestMapping(
  headers: readonly string[],
  all: readonly (readonly string[])[],
  { timeZone = 'UTC', currency, country }: CompanyDefaults = {},
): Suggestion {
  const rows = withoutSums(all.slice(0, sampleRows))
  const named = namedColumns(headers, rows)
  const columns = named.map(column => ({ ...column }))
  settleItems(columns)
  const numbered = claimsOf(columns).get('order_no')?.[0]
  const orders = numbered ? ordersOf(rows, numbered.column.place) : []
  settleTotals(columns, orders)
  const product = claimsOf(columns).get('sku')?.[0] ?? claimsOf(columns).get('name')?.[0]
  if (product) weighPrices(rows, product.column, columns)
  const taken = claimsOf(columns)
  for (const field of [...taken.keys()]) {
    const [claim] = taken.get(field) ?? []
    if (claim && dispensable.has(field) && orders.some(order => differs(order, claim.column.place))) taken.delete(field)
  }
  takeAddressesAsNames(taken)
  const unsure = uncertainClaims(taken, rows)
  dropWeightsOfParcels(taken, orders)
  dropTaxAmounts(taken, rows)
  takeSumsOfLines(taken, rows)
  dropSpares(taken, rows)
  const doubts: Problem[] = []
  for (const [from, to] of [
    ['unit_price_excl_vat', 'unit_price_incl_vat'],
    ['line_total_excl_vat', 'line_total_incl_vat'],
  ] as const) {
    const [claim] = taken.get(from) ?? []
    if (!claim || claim.vat !== null) continue
    const vat =
      vatInPrices(taken, claim.column, from === 'unit_price_excl_vat', orders) ??
      vatBeside(rows, claim.column, named, taken.get('vat_percent')?.[0]?.column)
    if (vat === 'incl') {
      taken.delete(from)
      taken.set(to, [{ ...claim, field: to }])
    } else if (vat === null && rows.length > 0)
      doubts.push({ field: from, text: csvSentences.vat_unknown, values: { column: claim.column.header } })
  }
  for (const { field, column } of unsure)
    if (taken.get(field)?.some(claim => claim.column === column))
      doubts.push({ field, text: csvSentences.guessed, values: { column: column.header, field } })
  doubts.push(...sumDoubts(taken, orders))
  const [weight] = taken.get('weight_kg') ?? []
  // No one ships parcels of half a gram, and few of 60 kilograms.
  if (weight && !/kg|kilo/.test(bare(weight.column.header)) && weight.column.values.some(value => (numberIn(value) ?? 0) > 60)) {
    taken.delete('weight_kg')
    taken.set('weight_g', [weight])
  }
  const fields: Mapping['columns'] = {}
  for (const [field, claims] of taken) if (!isOther(field)) for (const { column } of claims) fields[column.header] = field
  // In the order of the file, as a person reads it.
  const ordered = Object.fromEntries(headers.flatMap(header => (fields[header] ? [[header, fields[header]]] : [])))
  const mapped = new Set(Object.values(ordered))
  const constants: Mapping['constants'] = {}
  const assume = (field: 'currency' | 'ship_country', value: string | undefined, text: string) => {
    if (value === undefined || value === '') return
    constants[field] = value
    doubts.push({ field, text, values: { value } })
  }
  const ofPrices = mapped.has('currency') ? null : currencyOfPrices(taken, named)
  if (ofPrices) constants.currency = ofPrices
  else if (!mapped.has('currency')) assume('currency', currency, csvSentences.assumed_currency)
  const whole = wholeAddresses(taken)
  if (whole) doubts.push({ field: 'ship_address1', text: csvSentences.whole_address, values: { column: whole.header } })
  const places = whole?.values.map(wholeAddress) ?? []
  if (!mapped.has('ship_country') && !mapped.has('bill_country')) {
    if (places.length > 0 && places.every(place => place?.country) && country) constants.ship_country = country
    else assume('ship_country', country, csvSentences.assumed_country)
  }
  const [[to] = [], [billed] = []] = [taken.get('ship_country'), taken.get('bill_country')]
  if (to?.column.values.length === 0 && billed && billed.column.values.length > 0)
    doubts.push({
      field: 'ship_country',
      text: csvSentences.empty_country,
      values: { column: to.column.header, other: billed.column.header },
    })
  if ([...mapped].some(field => field.startsWith('line_total'))) {
    const column = headers.find(header => ordered[header]?.startsWith('line_total')) ?? ''
    doubts.push({ field: ordered[column] ?? '', text: csvSentences.line_sums, values: { column } })
  }
  const { dates, decimals, column_decimals, doubts: formDoubts } = detectForms(ordered, headers, rows)
  const special = specialRows(ordered, headers, rows, looked * 2)
  if (special.blank_order_no === 'order_above') doubts.push({ field: 'order_no', text: csvSentences.order_above, values: {} })
  const mapping = MappingSchema.parse({
    columns: ordered,
    constants,
    dates: dates ?? 'iso',
    time_zone: timeZone,
    decimals: decimals ?? '.',
    column_decimals,
    ...special,
    cancelled: cancelledRows(named.filter(({ header }) => !ordered[header])),
  })
  return {
    mapping,
    doubts: [
      ...formDoubts,
      ...doubts,
      ...doubtsOf(mapping, headers, rows, named),
      ...(rows.length > 0 ? placeDoubts(mapping, named) : []),
      ...mappingProblems(mapping, headers),
    ],
  }
}

/**
 * A kept mapping on another file: what the columns mean is kept, how dates and numbers are written is looked at again, because the same
 * export changes with the language of the program that wrote it.
 */
export function refreshMapping(kept: Mapping, headers: readonly string[], all: readonly (readonly string[])[]): Suggestion {
  const rows = withoutSums(all.slice(0, sampleRows))
  const found = detectForms(kept.columns, headers, rows)
  const fits = (column: string, order: DateOrder) => {
    const place = headers.indexOf(column)
    return detectDates(rows.map(cells => cells[place] ?? '')).fits.includes(order)
  }
  const dated = Object.entries(kept.columns).filter(([, field]) => isOneOf(dateFields, field))
  // Where a file can be read in the kept way, a person has decided that already.
  const stays = found.dates === null || dated.every(([column]) => fits(column, kept.dates))
  const dates = stays ? kept.dates : (found.dates ?? kept.dates)
  const doubts = found.doubts.filter(doubt => doubt.text !== csvSentences.dates || !stays)
  if (dates !== kept.dates) doubts.push({ field: 'ordered_at', text: csvSentences.dates_changed, values: {} })
  const decimals = found.decimals ?? kept.decimals
  if (decimals !== kept.decimals) doubts.push({ field: '', text: csvSentences.decimals_changed, values: {} })
  const mapping = { ...kept, dates, decimals, column_decimals: found.decimals === null ? kept.column_decimals : found.column_decimals }
  return { mapping, doubts: [...doubts, ...doubtsOf(mapping, headers, rows, namedColumns(headers, rows))] }
}
