/** What the cells of a file say of its columns beside their names: which number is the order's, which text is the product's, what is still to be sent. */
import { cellText } from '#domain/csv-text.ts'
import { looksLikeCode, looksLikeOrderNo, numberIn } from './column-values.rules.ts'
import { bare } from './columns.rules.ts'
import type { Meaning } from './header-words.rules.ts'

export interface Column {
  place: number
  header: string
  /** Different values that are not empty, of the first rows. */
  values: string[]
  meanings: Meaning[]
  /** A list of what other columns say. */
  repeats?: boolean
}
export type SampleRows = readonly (readonly string[])[]

/** Rows that are looked at to compare columns with each other. */
const compared = 300
const textAt = (cells: readonly string[], { place }: Column): string => cellText(cells[place] ?? '')
const means = (column: Column, field: Meaning['field']): boolean => column.meanings.some(meaning => meaning.field === field)
const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i

const lower = (column: Column, field: Meaning['field'], by: number): void => {
  column.meanings = column.meanings.map(meaning => (meaning.field === field ? { ...meaning, score: meaning.score - by } : meaning))
}

/** Of several columns that may number the orders: the one of a database, one that is often empty, and one that is always the same go last. */
export function weighOrderNumbers(columns: readonly Column[], rows: SampleRows): void {
  const candidates = columns.filter(column => means(column, 'order_no') && column.values.length > 0)
  if (candidates.length < 2) return
  const seen = rows.slice(0, compared)
  for (const column of candidates) {
    const others = candidates.filter(other => other !== column && (looksLikeOrderNo(other.values) || other.values.every(isWordOfCapitals)))
    const missing = seen.filter(cells => textAt(cells, column) === '' && others.some(other => textAt(cells, other) !== '')).length
    if (column.values.every(value => uuid.test(value))) lower(column, 'order_no', 60)
    else if (missing > seen.length / 10) lower(column, 'order_no', 60)
    else if (column.values.length === 1 && (others.some(other => other.values.length > 2) || (others.length > 0 && goesToSeveral(columns))))
      lower(column, 'order_no', 40)
    else if (isDatabaseId(column) && others.some(other => namesOrder(other) && numbersTheSame(rows, column, other)))
      lower(column, 'order_no', 60)
    else if (others.some(other => namesOrder(other) && numbersTheSame(rows, column, other) && spellsOut(rows, other, column)))
      lower(column, 'order_no', 10)
    else if (/^(?:customers?|clients?|kunden?|buyers?)(?=.)/.test(bare(column.header)) && others.some(namesOrder))
      lower(column, 'order_no', 12)
  }
}

/** `KHWLILZLL`: orders of some shops are numbered by letters. */
const isWordOfCapitals = (value: string): boolean => /^[A-Z]{6,12}$/.test(value)

/** Recipients at several places have several orders. */
const goesToSeveral = (columns: readonly Column[]): boolean =>
  columns.some(
    ({ meanings, values }) =>
      values.length > 1 && meanings.some(({ field, score }) => (field === 'ship_postcode' || field === 'ship_address1') && score >= 70),
  )

/** `WC-1843` is what people see of 1843. */
const spellsOut = (rows: SampleRows, long: Column, short: Column): boolean =>
  rows.slice(0, compared).every(cells => {
    const [whole, part] = [textAt(cells, long), textAt(cells, short)]
    return whole === part ? whole === '' : part !== '' && whole.includes(part)
  })

/** `orderId`, `id_order`: the number of a database, which shops show to no one where they have another. */
const isDatabaseId = (column: Column): boolean => means(column, 'external_id') && column.values.every(value => /^\d+$/.test(value))
const namesOrder = (column: Column): boolean =>
  !isDatabaseId(column) &&
  !/invoice|rechnung|fakt|factu|fattur|payment|transact|customer|kund/i.test(column.header) &&
  column.meanings.some(({ field, score }) => field === 'order_no' && score >= 45)

/** Whether two columns number the same orders: each value of one stands beside one value of the other in all rows. */
function numbersTheSame(rows: SampleRows, one: Column, other: Column): boolean {
  const filled = rows.slice(0, compared).every(cells => (textAt(cells, one) === '') === (textAt(cells, other) === ''))
  return filled && goesWith(rows, one, other).always && goesWith(rows, other, one).always
}

/** Of two numbers of a product with names that say the same, the one that people wrote goes before the one that a program counted. */
export function weighProductNumbers(columns: readonly Column[]): void {
  const scoreOf = (column: Column) => column.meanings.find(({ field }) => field === 'sku')?.score ?? 0
  const candidates = columns.filter(column => scoreOf(column) >= 60 && column.values.length > 0)
  const counted = candidates.filter(column => scoreOf(column) < 95 && column.values.every(value => /^\d+$/.test(value)))
  const best = Math.max(...counted.map(scoreOf))
  for (const column of candidates)
    if (scoreOf(column) >= best - 15 && column.values.every(looksLikeCode) && column.values.some(value => /\p{L}/u.test(value)))
      lower(column, 'sku', Math.min(scoreOf(column) - best - 1, 0))
}

/** `Variant code` beside the number of the product: the variant, unless codes stand in it. */
export function settleVariantCodes(columns: readonly Column[]): void {
  for (const column of columns)
    if (means(column, 'sku') && means(column, 'variant') && column.values.every(looksLikeCode))
      column.meanings = column.meanings.filter(({ field }) => field !== 'variant')
}

/**
 * Of several columns that may be the price of a piece, those that change for the same product are sums of the line or of the order, where
 * another one does not.
 */
export function weighPrices(rows: SampleRows, product: Column, columns: readonly Column[]): void {
  const isPrice = ({ field, score }: Meaning) => field.startsWith('unit_price') && score >= 50
  const candidates = columns.filter(column => column.meanings.some(isPrice) && column.values.some(value => numberIn(value) !== null))
  if (candidates.length < 2) return
  const found = candidates.map(column => ({ column, ...goesWith(rows, product, column) }))
  if (!found.some(({ always, repeated }) => always && repeated > 0)) return
  for (const { column, always } of found)
    if (!always) column.meanings = column.meanings.filter(meaning => !meaning.field.startsWith('unit_price'))
}

/** Whether a value of one column always stands beside the same value of the other; `repeated` values show it. */
export function goesWith(rows: SampleRows, one: Column, other: Column): { always: boolean; repeated: number } {
  const known = new Map<string, string>()
  let repeated = 0
  for (const cells of rows.slice(0, compared)) {
    const [key, value] = [textAt(cells, one), textAt(cells, other)]
    if (key === '' || value === '') continue
    const before = known.get(key)
    if (before === undefined) known.set(key, value)
    else if (before === value) repeated++
    else return { always: false, repeated: 0 }
  }
  return { always: known.size > 1, repeated }
}

/** A text that goes with the number of the product, row for row and in several orders, is its name. */
export function isNameOfProduct(rows: SampleRows, text: Column, columns: readonly Column[]): boolean {
  const number = columns.find(column => column !== text && column.meanings.some(({ field, score }) => field === 'sku' && score >= 60))
  const order = columns.find(column => column.meanings.some(({ field, score }) => field === 'order_no' && score >= 45))
  if (!number) return false
  if (order && !goesWith(rows, order, text).always && goesWith(rows, number, text).always) return true
  const found = goesWith(rows, number, text)
  return found.always && found.repeated > 0 && number.values.length >= text.values.length
}

/** `Item name` with numbers in it beside a description in words: the number and the name of the product. */
export function settleCodesAsNames(columns: readonly Column[]): void {
  const surely = (column: Column, field: Meaning['field']) =>
    column.meanings.some(meaning => meaning.field === field && meaning.score >= 60)
  if (columns.some(column => surely(column, 'sku') && column.values.length > 0)) return
  const code = columns.find(column => surely(column, 'name') && column.values.length > 0 && column.values.every(looksLikeCode))
  const text = columns.find(
    column => column !== code && means(column, 'name') && column.values.some(value => /\p{L}{3}/u.test(value) && !looksLikeCode(value)),
  )
  if (code && text) code.meanings = [{ field: 'sku', score: 40, vat: null }]
}

/** Pieces still to be sent are what a warehouse sends, where they are others than the pieces ordered. */
export function settleOpenQuantities(columns: readonly Column[], rows: SampleRows): void {
  const ordered = columns.find(column => means(column, 'qty') && column.values.length > 0)
  const open = columns.find(column => means(column, 'qty_open') && column.values.length > 0)
  if (!open) return
  const differ =
    !ordered ||
    rows.slice(0, compared).some(cells => {
      const [left, all] = [numberIn(textAt(cells, open)), numberIn(textAt(cells, ordered))]
      return left !== null && all !== null && left !== all
    })
  if (differ) open.meanings = [{ field: 'qty', score: 99, vat: null }]
}

/** Sums of two columns that differ by a tax: with a rate in each row, or by the rates of Europe. */
const rates = [0.25, 0.24, 0.255, 0.23, 0.22, 0.21, 0.2, 0.19, 0.17, 0.08, 0.081, 0.077]

/** Whether a price contains VAT: another column holds the same price with it or without it, in all rows. */
export function vatBeside(rows: SampleRows, price: Column, columns: readonly Column[], rate: Column | undefined): 'incl' | 'excl' | null {
  const seen = rows.slice(0, compared).filter(cells => (numberIn(textAt(cells, price)) ?? 0) > 0)
  if (seen.length === 0) return null
  const near = (one: number, other: number) => Math.abs(one - other) < 0.011 + Math.abs(other) * 0.0005
  for (const column of columns) {
    if (column === price || !/pric|pris|preis|prijs|prix|prec|prez|hinta|cena/i.test(column.header)) continue
    const pairs = seen.map(cells => {
      const percent = rate ? numberIn(textAt(cells, rate)) : null
      return { own: numberIn(textAt(cells, price)) ?? 0, other: numberIn(textAt(cells, column)) ?? 0, percent }
    })
    if (pairs.some(({ other }) => other <= 0)) continue
    for (const factor of rate ? [null] : rates) {
      const by = (percent: number | null) => 1 + (factor ?? (percent ?? 0) / 100)
      if (pairs.every(({ percent }) => by(percent) === 1)) continue
      if (pairs.every(({ own, other, percent }) => near(own, other * by(percent)))) return 'incl'
      if (pairs.every(({ own, other, percent }) => near(other, own * by(percent)))) return 'excl'
    }
  }
  return null
}
