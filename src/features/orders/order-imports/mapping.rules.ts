/** How the files of one shop are read: the form in which it is kept, and what stops it from being used on a file. */
import * as z from 'zod'
import { DateOrder } from '#domain/dates.ts'
import { DecimalSign } from '#domain/decimals.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { CsvField } from './columns.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'

const constant = z.string().max(500)
const header = z.string().min(1).max(200)

const NonProduct = z.strictObject({
  sku: z.string().min(1).max(100),
  becomes: z.enum(['shipping', 'discount', 'fee', 'gift_card', 'left_out']),
})

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
  /** Columns whose amounts are hundredths of the currency. */
  cents: z.array(header).max(50).default([]),
  /** Rows of one order that differ in what belongs to the order: the first row counts, or the order is refused. */
  conflicts: z.enum(['first', 'refuse']).default('refuse'),
  /** Rows of one order with the same product at the same price: one line with the sum, or a line each. */
  repeated: z.enum(['add', 'keep']).default('keep'),
  /** An order number that begins so, with negative quantities, is a cancellation. Empty: there are none. */
  cancellation_prefix: z.string().max(10).default(''),
  /** A row without a price of its own, and one without a description: left out of the order, or taken all the same. */
  zero_price: z.enum(['leave_out', 'keep']).default('keep'),
  no_description: z.enum(['leave_out', 'keep']).default('keep'),
  /** By SKU, or by name where a row has no SKU. */
  non_products: z.array(NonProduct).max(200).default([]),
  /** Rows that a column calls cancelled are left out: those with one of these values, or with any but `no` where there are none. */
  cancelled: z
    .strictObject({ column: header, values: z.array(z.string().max(200)).max(50) })
    .nullable()
    .default(null),
  /** Rows without an order number belong to the order above them, or are refused. */
  blank_order_no: z.enum(['refuse', 'order_above']).default('refuse'),
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
    // Each item of an order may have a column of its own.
    if (first !== undefined && field !== 'items')
      problems.push({ field, text: csvSentences.twice, values: { field, first, second: column } })
    mapped.set(field, column)
    if (!present.has(column)) problems.push({ field, text: csvSentences.absent, values: { column } })
  }
  const { cancelled } = mapping
  if (cancelled && !present.has(cancelled.column))
    problems.push({ field: '', text: csvSentences.absent, values: { column: cancelled.column } })
  const has = (field: CsvField) => mapped.has(field) || (mapping.constants[field] ?? '') !== ''
  const missing = (field: CsvField) => problems.push({ field, text: csvSentences.unmapped, values: { field } })
  if (!has('qty') && !has('items')) missing('qty')
  if (!has('currency')) missing('currency')
  // Orders without an address of their own go to the one of the bill.
  if (!has('ship_country') && !has('bill_country')) missing('ship_country')
  if (!mapped.has('order_no')) missing('order_no')
  if (!mapped.has('sku') && !mapped.has('name') && !mapped.has('items')) missing('sku')
  return problems
}

/** Whether the file itself says which shop its orders are from. */
export const namesShop = ({ columns, constants }: Mapping): boolean => Object.values(columns).includes('shop') || Boolean(constants.shop)
