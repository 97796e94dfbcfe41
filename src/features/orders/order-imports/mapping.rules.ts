/** How the files of one shop are read: proposed from a file's header and first rows, corrected by a person, kept for the next file. */
import * as z from 'zod'
import { sampleRows } from '#domain/csv-text.ts'
import { DateOrder, detectDates } from '#domain/dates.ts'
import { DecimalSign, detectDecimals } from '#domain/decimals.ts'
import { elementAt, isOneOf } from '#domain/objects.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { bare, CsvField, commonWords, dateFields, dialects, numberFields } from './columns.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'

const constant = z.string().max(500)
const header = z.string().min(1).max(200)

const NonProduct = z.strictObject({
  sku: z.string().min(1).max(64),
  becomes: z.enum(['shipping', 'discount', 'fee', 'gift_card', 'left_out']),
})

/** Stock codes of the UCI data set "Online Retail" (doi 10.24432/C5BW33) that name charges and bookkeeping, not goods. */
const knownNonProducts: z.infer<typeof NonProduct>[] = [
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

/** Beside the columns of an address, and with no other column for the recipient, `Name` is the recipient and not the product. */
function nameIsRecipient(names: readonly string[]): boolean {
  const fields = names
    .filter(name => name !== 'name')
    .flatMap(name => [...dialects.map(dialect => dialect.words.get(name)), commonWords.get(name)])
  const has = (field: CsvField) => fields.includes(field)
  return (has('ship_address1') || has('ship_postcode') || has('ship_city')) && !has('ship_name')
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
  const dialect = elementAt(
    dialects
      .map(({ name, words }) => ({ name, words, fits: names.filter(name => words.has(name)).length }))
      .toSorted((one, other) => other.fits - one.fits),
    0,
  )
  const sample = rows.slice(0, sampleRows)
  const columns: Record<string, CsvField> = {}
  const taken = new Set<CsvField>()
  const take = (words: Map<string, CsvField>) => {
    for (const [index, column] of headers.entries()) {
      const field = words.get(names[index] ?? '')
      if (!field || columns[column] || taken.has(field)) continue
      columns[column] = field
      taken.add(field)
    }
  }
  const words = new Map(dialect.words)
  // Two dialects mean different things by this word: the other columns decide.
  words.delete('name')
  if (nameIsRecipient(names)) words.set('name', 'ship_name')
  take(words)
  take(elementAt(dialects, 0).words)
  take(commonWords)

  const valuesOf = (column: string): string[] => {
    const index = headers.indexOf(column)
    return [...new Set(sample.map(cells => cells[index] ?? ''))]
  }
  const weight = headers.find((column, index) => names[index] === 'weight' && !columns[column])
  if (weight !== undefined && !taken.has('weight_g') && !taken.has('weight_kg')) {
    // No one ships parcels of half a gram, and few of 60 kilograms.
    const heavy = valuesOf(weight).some(value => Number(value.replace(',', '.')) > 60)
    columns[weight] = heavy ? 'weight_g' : 'weight_kg'
  }

  const retail = dialect.name === 'online_retail' && dialect.fits > 5
  const doubts: Problem[] = []
  let dates: DateOrder = 'iso'
  const signs = new Map<string, DecimalSign>()
  for (const [column, field] of Object.entries(columns)) {
    if (isOneOf(dateFields, field)) {
      const finding = detectDates(valuesOf(column))
      // A file of one day says nothing, but this data set is known to write the month first.
      const order = retail && finding.doubtful && finding.tied ? 'mdy' : finding.order
      if (field === 'ordered_at' || dates === 'iso') dates = order
      if (finding.doubtful) doubts.push({ field, text: csvSentences.dates, values: { column } })
    } else if (isOneOf(numberFields, field)) {
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
