/** Cells under a mapping: the text, number or instant that a row holds for a field, and what is found in rows on the way. */

import { cellText, type Row } from '#domain/csv-text.ts'
import { readDate } from '#domain/dates.ts'
import { type DecimalSign, readNumber } from '#domain/decimals.ts'
import { isOneOf } from '#domain/objects.ts'
import type { RowSeverity } from '#domain/row-severity.ts'
import { withoutUnit } from './column-values.rules.ts'
import { type CsvField, moneyFields, type NumberField } from './columns.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import { csvSentences, type RowProblem } from './rejected-rows.rules.ts'

/** A cell in a sentence: its beginning is enough to find it by. */
export const quoted = (written: string): string => written.slice(0, 60)

/** What is found in the rows of one order. */
export class Findings {
  readonly problems: RowProblem[] = []
  refusals = 0
  readonly #cells: MappedCells

  constructor(cells: MappedCells) {
    this.#cells = cells
  }
  report(
    row: Row,
    severity: RowSeverity,
    code: keyof typeof csvSentences,
    field: CsvField | '' = '',
    values: RowProblem['values'] = {},
  ): void {
    this.add({ row: row.row, code, field, column: this.#cells.columnOf(field), severity, text: csvSentences[code], values })
  }
  add(problem: RowProblem): void {
    if (problem.severity === 'refused') this.refusals++
    this.problems.push(problem)
  }
}

/** 1250 cents are 12.50, and half a cent is kept. */
const hundredth = (amount: string): string =>
  /^-?\d+$/.test(amount) ? (Number(amount) / 100).toFixed(2) : String(Number((Number(amount) / 100).toFixed(6)))

/** What an item of a cell fills, in the order of the cells that are put behind its row. */
const itemFields = ['sku', 'name', 'qty', 'unit_price_excl_vat'] as const

/** Column places are worked out once, for files of many rows. */
export class MappedCells {
  readonly mapping: Mapping
  readonly #places = new Map<CsvField, number>()
  readonly #columns = new Map<CsvField | '', string>()
  /** Columns whose cells are lists of items. */
  readonly itemPlaces: number[] = []
  // Neighbouring rows mostly repeat the same instant.
  #lastDate = ''
  #lastInstant: string | null = null

  constructor(headers: readonly string[], mapping: Mapping) {
    this.mapping = mapping
    for (const [column, field] of Object.entries(mapping.columns)) {
      const place = headers.indexOf(column)
      if (place < 0) continue
      if (field === 'items') this.itemPlaces.push(place)
      this.#places.set(field, place)
      this.#columns.set(field, column)
    }
    // Items of a cell become rows of their own, with cells behind the columns of the file.
    if (this.itemPlaces.length > 0)
      for (const [at, field] of itemFields.entries()) {
        this.#places.set(field, headers.length + at)
        this.#columns.set(field, this.#columns.get('items') ?? '')
      }
  }

  has(field: CsvField): boolean {
    return this.#places.has(field)
  }
  /** The file's name of the column; empty where it has none. */
  columnOf(field: CsvField | ''): string {
    return this.#columns.get(field) ?? ''
  }
  signOf(field: CsvField): DecimalSign {
    return this.mapping.column_decimals[this.columnOf(field)] ?? this.mapping.decimals
  }
  /** What stands in the file, and nothing else. */
  written(cells: readonly string[], field: CsvField): string {
    const place = this.#places.get(field)
    return place === undefined ? '' : cellText(cells[place] ?? '')
  }
  /** What stands in the file, or the mapping's constant where nothing does. */
  text(cells: readonly string[], field: CsvField): string {
    return this.written(cells, field) || this.constant(field)
  }
  constant(field: CsvField): string {
    return this.mapping.constants[field] ?? ''
  }
  /** Where the cells of these fields stand. */
  placesOf(fields: readonly CsvField[]): number[] {
    return fields.flatMap(field => this.#places.get(field) ?? [])
  }
  /** Decimal text; null where there is none, and where it is no number, which is reported. */
  number(row: Row, field: NumberField, findings: Findings): string | null {
    const cell = this.text(row.cells, field)
    if (cell === '') return null
    const written = field === 'qty' ? withoutUnit(cell) : cell
    const read = readNumber(written, this.itemPlaces.length > 0 && isOneOf(itemFields, field) ? '.' : this.signOf(field))
    if (read === null) findings.report(row, 'refused', 'bad_number', field, { field, value: quoted(written) })
    return read !== null && isOneOf(moneyFields, field) && this.mapping.cents.includes(this.columnOf(field)) ? hundredth(read) : read
  }
  instant(written: string): string | null {
    if (written !== this.#lastDate) {
      this.#lastDate = written
      this.#lastInstant = readDate(written, this.mapping.dates, this.mapping.time_zone)
    }
    return this.#lastInstant
  }
}
