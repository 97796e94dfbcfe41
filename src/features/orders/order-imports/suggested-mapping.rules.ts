/** The likeliest mapping for a file, from its header and its first rows, and everything in it that a person should look at. */
import { sampleRows } from '#domain/csv-text.ts'
import { type DateOrder, detectDates } from '#domain/dates.ts'
import { isOneOf } from '#domain/objects.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { doubtsOf, placeDoubts, withoutSums } from './column-doubts.rules.ts'
import { vatBeside, weighPrices } from './column-evidence.rules.ts'
import { numberIn, wholeAddress } from './column-values.rules.ts'
import { bare, dateFields, moneyFields } from './columns.rules.ts'
import { itemsOf } from './item-cells.rules.ts'
import { type Mapping, Mapping as MappingSchema, mappingProblems } from './mapping.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'
import { cancelledRows, specialRows } from './special-rows.rules.ts'
import {
  claimsOf,
  dispensable,
  dropSpares,
  dropWeightsOfParcels,
  takeAddressesAsNames,
  uncertainClaims,
  wholeAddresses,
} from './suggested-claims.rules.ts'
import { differs, isOther, looked, namedColumns, ordersOf, settleItems, settleTotals } from './suggested-columns.rules.ts'
import { detectForms } from './suggested-forms.rules.ts'
import {
  columnsInCents,
  currencyOfPrices,
  dropTaxAmounts,
  sumDoubts,
  takeSumsOfLines,
  vatInPrices,
  vatSaid,
} from './suggested-prices.rules.ts'

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
      vatBeside(rows, claim.column, named, taken.get('vat_percent')?.[0]?.column) ??
      vatSaid(named)
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
  const cents = columnsInCents(named)
  for (const column of cents)
    if (isOneOf(moneyFields, ordered[column])) doubts.push({ field: ordered[column] ?? '', text: csvSentences.cents, values: { column } })
  const priced = [...(taken.get('items') ?? [])].find(({ column }) =>
    column.values.some(value => itemsOf(value)?.some(({ price }) => price !== '')),
  )
  if (priced) doubts.push({ field: 'unit_price_excl_vat', text: csvSentences.vat_unknown, values: { column: priced.column.header } })
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
    cents,
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
