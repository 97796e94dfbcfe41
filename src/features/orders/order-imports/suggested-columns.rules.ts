/** The columns of a file with what their names and their values may mean, each settled by the columns beside it. */
import { countryCode } from '#domain/country-names.ts'
import { cellText } from '#domain/csv-text.ts'
import { isCurrency } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import {
  type Column,
  isNameOfProduct,
  settleCodesAsNames,
  settleOpenQuantities,
  settleVariantCodes,
  weighOrderNumbers,
  weighProductNumbers,
} from './column-evidence.rules.ts'
import { settleSizes, settleUnnamedParty, takeEqualNames, takeNumberedLines, takeOtherNumbers } from './column-groups.rules.ts'
import { looksLikeCode, looksLikeOrderNo, postcodeAndCity, valuesFit } from './column-values.rules.ts'
import { bare, CsvField, type OtherColumn } from './columns.rules.ts'
import { takeInitials } from './header-initials.rules.ts'
import { type Meaning, meaningsOf, partialMeanings, sharedPrefix } from './header-words.rules.ts'
import { itemsOf } from './item-cells.rules.ts'

/** Below this, a column's name says in part only what the column means. */
export const sureScore = 43

/** Rows whose values show what a column holds; fewer of a file with many columns, so that others need not wait for the look at it. */
export const looked = 2_000
const mostCells = 40_000
export const mostValues = 300

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

export const priceFields = [
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'line_total_incl_vat',
  'line_total_excl_vat',
] as const satisfies CsvField[]

export const isOther = (field: Meaning['field']): field is OtherColumn =>
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
export const needed = new Set<Meaning['field']>([
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

/** `name` of a table of countries: its cells are all countries, where no other column holds them. */
function takeCountriesByValues(columns: readonly Column[]): void {
  const isCountry = ({ values }: Column) => values.length > 0 && values.every(value => countryCode(value) !== null)
  if (columns.some(column => has(column, 'ship_country', 60) && isCountry(column))) return
  const column = columns.find(named => has(named, 'name') && has(named, 'ship_name') && isCountry(named))
  if (column) column.meanings = [{ field: 'ship_country', score: 75, vat: null }]
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
    if (columns.some(column => has(column, `${party}_street_number`, 60) && column.values.length > 0)) continue
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

export function namedColumns(headers: readonly string[], rows: readonly (readonly string[])[]): Column[] {
  const columns = columnsOf(headers, rows)
  takeInitials(columns)
  takeEqualNames(columns)
  takeNumberedLines(columns)
  settleSizes(columns)
  takeCurrencyByValues(columns)
  takeCountriesByValues(columns)
  takePlaceByValues(columns)
  takeStreetNumbers(columns)
  takeSecondLines(columns)
  takePartialNames(columns)
  dropRepeatedLists(columns)
  settleNames(columns, rows)
  takeThirdNames(columns, rows)
  takeSecondNames(columns, rows)
  takeIdsAsNumbers(columns)
  takeOtherNumbers(columns, rows, sureScore - 1)
  settleUnnamedParty(columns)
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
export function settleItems(columns: readonly Column[]): void {
  const counted = columns.some(column => has(column, 'qty', 60) && valuesFit('qty', column.values))
  // Where no column names a product, pieces with their quantities are the products, whatever their column is called.
  const goods = columns.some(
    column => (['sku', 'name', 'items'] as const).some(field => has(column, field, 60)) && column.values.length > 0,
  )
  const isGoods = (column: Column) =>
    (['items', 'name', 'sku'] as const).some(field => has(column, field)) || (!goods && !counted && column.meanings.length === 0)
  const lists = columns.filter(column => !column.repeats && listsItems(column, isGoods(column)))
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
export function ordersOf(rows: readonly (readonly string[])[], place: number): (readonly string[])[][] {
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

export const differs = (order: readonly (readonly string[])[], place: number): boolean =>
  order.length > 1 && new Set(order.map(cells => cellText(cells[place] ?? '')).filter(value => value !== '')).size > 1

/** `Total` is the order's, unless it differs between rows of one order. */
export function settleTotals(columns: readonly Column[], orders: readonly (readonly string[])[][]): void {
  for (const column of columns) {
    if (!has(column, 'order_total')) continue
    const total = column.meanings.find(meaning => meaning.field === 'line_total_incl_vat' || meaning.field === 'line_total_excl_vat')
    if (!total) continue
    const ofLine = orders.some(order => order.length > 1 && differs(order, column.place))
    column.meanings = ofLine ? [{ ...total, score: 75 }] : column.meanings.filter(meaning => isOther(meaning.field))
  }
}

/** A column that repeats what another says, wholly or as a part of it. */
export function holdsTheSame(rows: readonly (readonly string[])[], one: number, other: number): boolean {
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
