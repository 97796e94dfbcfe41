/** Columns that a mapping leaves out, and facts of an order that no column has. */
import { isOneOf } from '#domain/objects.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import type { Column } from './column-evidence.rules.ts'
import { isIdentity, postcodeAndCity, valuesFit, wholeAddress } from './column-values.rules.ts'
import type { CsvField } from './columns.rules.ts'
import { isSumWord } from './file-shape.rules.ts'
import type { Meaning } from './header-words.rules.ts'
import { itemsOf } from './item-cells.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import { furtherItems } from './numbered-columns.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'
import { fitsValues } from './suggested-claims.rules.ts'
import { differs, holdsTheSame, isOther, namedColumns, ordersOf, priceFields } from './suggested-columns.rules.ts'

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

export function doubtsOf(
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
    // The title of the order, beside the names of its products.
    if (field === 'name' && mapped.has('name') && ofOrder(column)) continue
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
  const lists = columns.find(({ header }) => mapping.columns[header] === 'items')
  const items = lists?.values.flatMap(value => itemsOf(value) ?? []) ?? []
  if (lists && items.length > 0 && items.every(({ sku }) => isIdentity(sku)))
    doubts.push({ field: 'sku', text: csvSentences.misfit, values: { column: lists.header, field: 'sku' } })
  const lack = (field: CsvField) => doubts.push({ field, text: csvSentences.unmapped, values: { field } })
  if (rows.length > 0) {
    if (!priced && items.every(({ price }) => price === ''))
      doubts.push({ field: 'unit_price_excl_vat', text: csvSentences.no_price, values: {} })
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
export function placeDoubts({ columns: meant }: Mapping, columns: readonly Column[]): Problem[] {
  const lack = (field: CsvField): Problem => ({ field, text: csvSentences.unmapped, values: { field } })
  const of = (pattern: RegExp) => columns.find(({ header }) => pattern.test(meant[header] ?? ''))
  const address = of(/^(?:ship|bill)_address1$/)
  if (!address || address.values.some(value => wholeAddress(value) !== null)) return []
  const postcode = of(/^(?:ship|bill)_postcode$/)
  const city = of(/^(?:ship|bill)_city$/) ?? (postcode?.values.some(value => postcodeAndCity(value) !== null) ? postcode : undefined)
  return [...(postcode ? [] : [lack('ship_postcode')]), ...(city ? [] : [lack('ship_city')])]
}

/** Rows under the header without those of sums. */
export const withoutSums = (rows: readonly (readonly string[])[]): (readonly string[])[] =>
  rows.filter(cells => !isSumWord(cells.find(cell => cell.trim() !== '') ?? ''))
