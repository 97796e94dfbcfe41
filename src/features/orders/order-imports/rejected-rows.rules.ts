/** Rows that are refused, left out or worth a word: why, in a sentence, and the file in which the refused ones go back. */
import { interpolate } from '#contract/errors.ts'
import { csvFileSentences, spreadsheetSafe } from '#domain/csv-text.ts'
import type { RowSeverity } from '#domain/row-severity.ts'
import type { CsvField } from './columns.rules.ts'

export const csvSentences = {
  ...csvFileSentences,
  twice: '{{field}} is mapped to two columns: {{first}} and {{second}}',
  absent: 'The file has no column {{column}}',
  letters: 'Some letters of the file are not {{encoding}} and would be lost: select another encoding, or save the file as UTF-8',
  dates: 'The dates in {{column}} can be read day first or month first',
  decimals: 'The numbers in {{column}} can be read with a decimal point or a decimal comma',

  dates_changed: 'The dates of this file are not written as in the last one: they are read anew',
  decimals_changed: 'The numbers of this file are not written as in the last one: they are read anew',
  left_out_column: '{{column}} looks like {{field}} and is left out',
  guessed: '{{column}} is taken for {{field}}, but its name does not say so for certain',
  sums_differ: 'The prices in {{column}} do not come to the totals in {{total}}: look whether price and quantity are the right columns',
  numbered_columns: 'The columns with numbers in their names are read as up to {{count}} items of each row',
  whole_address: 'The addresses in {{column}} are split into street, postcode, city and country',
  misfit: 'What stands in {{column}} does not look like {{field}}',
  no_price: 'No column is read as the price: the orders come without prices',
  vat_unknown: 'The file does not say whether the prices in {{column}} contain VAT: they are taken as prices without VAT',
  cents: 'The amounts in {{column}} are in cents: they are divided by 100',
  line_sums: 'The prices in {{column}} are the sums of lines: they are divided by the quantity',
  assumed_currency: 'The file names no currency: {{value}} is taken, as in the settings',
  assumed_country: 'The file names no country: {{value}} is taken, as in the settings',
  empty_country: '{{column}} is empty: the country in {{other}} is taken',
  order_above: 'Rows without an order number are taken as rows of the order above them',
  duplicates: '{{count}} of the orders came in another way already, such as {{order_no}} from {{source}}: look whether they are the same',
  header_row: 'Row {{row}} is taken for the names of the columns: the rows above it are left out',

  missing_field: '{{field}} is empty',
  sum_row: 'The row holds sums, not an order',
  explanation_row: 'The row explains the columns, it is not an order',
  items_unreadable: '{{value}} is no list of products with their quantities',
  items_uneven: 'The cells of the row hold different numbers of products',
  bill_address: 'Order {{order_no}} has no delivery address: the address of the bill was taken',
  cancellation: 'Order {{order_no}} is a cancellation: it was left out',
  cancelled_row: 'The row is cancelled: {{column}} says {{value}}',
  not_a_product: '{{sku}} is no product: it was taken as {{becomes}}',
  left_out: '{{sku}} is no product: it was left out',
  no_customer: 'Order {{order_no}} names no customer: it was taken as an order of a guest',
  no_description: 'The row has no description',
  zero_price: 'The price is zero',
  bad_date: '{{field}}: “{{value}}” is no date of the chosen order of day, month and year',
  bad_number: '{{field}}: “{{value}}” is no number with the chosen decimal sign',
  bad_barcode: '{{value}} is a barcode that a spreadsheet has rounded: it was left out',
  quantity_not_whole: 'Quantity {{value}} is not a whole number',
  negative_quantity: 'Quantity {{value}} is negative',
  quantity_zero: 'The quantity is zero',
  conflicting_field: '{{field}} {{value}} differs from {{first}} in row {{row}} of the same order',
  unknown_country: '{{field}}: “{{value}}” is no country that is known',
  unknown_type: '{{value}} is no type of line',
  nothing_to_pack: 'Order {{order_no}} has nothing that can be packed',
  order_refused: 'Row {{row}} of the same order was rejected',
  nothing_imported: 'No order of the file was imported: look at what was found',
  no_row_reads: 'No row of the file can be read as an order like this: look at what was found, and at what the columns mean',
} as const
type CsvCode = keyof typeof csvSentences | 'bad_value'

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

/** One reason with how often it was met, and the first rows that it concerns. */
export interface ReasonCount extends Pick<RowProblem, 'code' | 'severity' | 'text' | 'values'> {
  count: number
  rows: number[]
  /** In English. */
  message: string
}

const mostReasons = 100
const weight: Readonly<Record<RowSeverity, number>> = { refused: 0, left_out: 1, skipped: 2, noted: 3 }

/** Counts problems by their reason: what a person corrects once is said once. */
export class ReasonCounts {
  readonly #reasons = new Map<string, ReasonCount>()

  add({ code, severity, text, values, row }: RowProblem): void {
    const key = `${severity}\n${text}\n${values.field ?? ''}${code === 'not_a_product' || code === 'left_out' ? `\n${values.sku}` : ''}`
    const known = this.#reasons.get(key)
    if (known) {
      known.count++
      if (known.rows.length < 5) known.rows.push(row)
    } else if (this.#reasons.size < mostReasons)
      this.#reasons.set(key, { code, severity, count: 1, rows: [row], text, values, message: interpolate(text, values) })
  }
  /** The gravest and most frequent first. */
  sorted(): ReasonCount[] {
    return [...this.#reasons.values()].sort((one, other) => weight[one.severity] - weight[other.severity] || other.count - one.count)
  }
}

export const errorHeader = (headers: readonly string[]): string[] => [...headers.map(spreadsheetSafe), 'error_code', 'error_text', 'field']

/** The row as it came, with what was wrong with it. Several reasons stand in one row, so that the row is there once. `say` turns a sentence and its values into the reader's language. */
export function errorRow(
  cells: readonly string[],
  width: number,
  problems: readonly RowProblem[],
  say: (text: string, values: RowProblem['values']) => string = interpolate,
): string[] {
  const padded = Array.from({ length: width }, (_, index) => cells[index] ?? '')
  const joined = (part: (problem: RowProblem) => string) => [...new Set(problems.map(part).filter(text => text !== ''))].join('; ')
  return [
    ...padded,
    joined(problem => problem.code),
    joined(problem => say(problem.text, problem.values)),
    joined(problem => problem.column || problem.field),
    // Cells beyond the columns of the file stay beyond its last column: nothing of the row is lost.
    ...cells.slice(width),
  ].map(spreadsheetSafe)
}
