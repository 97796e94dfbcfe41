/** Order files in tests: how a file is written, read as its suggested mapping has it, and compared with what it means. */
import { expect } from 'vitest'
import { interpolate } from '#contract/errors.ts'
import { examine, groupRows } from '#features/orders/order-imports/file-rows.server.ts'
import type { Mapping } from '#features/orders/order-imports/mapping.rules.ts'
import { type RowsReading, rowReader } from '#features/orders/order-imports/order-rows.rules.ts'
import { readRows, textOf, underHeader } from '#platform/csv/csv-rows.ts'

export interface ShopFile {
  content: string | Buffer
  columns: Record<string, string>
  /** How often each outcome comes of the file. */
  /** What a person adds because the file does not say it. */
  constants?: Mapping['constants']
  outcomes: { order: number; refused?: number; skipped?: number }
  first: object
  lines: [sku: string | null, name: string, qty: string, price: string | null][]
  /** Fields in doubt, in any order. */
  doubts: string[]
}

async function readFile({ content, constants }: ShopFile) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const seen = await examine(bytes, { whole: true, timeZone: 'Europe/Copenhagen', currency: 'DKK', country: 'DK' })
  const { headers, rows } = await underHeader(
    readRows(textOf([bytes], seen.form.encoding), { separator: seen.form.separator }),
    seen.form.header_row,
  )
  const reader = rowReader(headers, { ...seen.mapping, constants: { ...seen.mapping.constants, ...constants } })
  const readings: RowsReading[] = []
  for await (const group of groupRows(rows, reader)) readings.push(reader.toCanonical(group))
  return { ...seen, readings }
}

export const table = (separator: string, ...rows: string[][]) =>
  `${rows.map(row => row.map(cell => (/["\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)).join('\r\n')}\r\n`
export const lene = { name: 'Lene Hansen', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' }

export async function expectFile(file: ShopFile) {
  const { columns, outcomes, first, lines, doubts } = file
  const seen = await readFile(file)
  expect(seen.mapping.columns).toMatchObject(columns)
  const counts = Object.fromEntries(
    Map.groupBy(seen.readings, reading => reading.outcome)
      .entries()
      .map(([outcome, all]) => [outcome, all.length]),
  )
  expect({
    counts,
    problems: seen.readings.flatMap(reading =>
      reading.problems.filter(problem => problem.severity === 'refused').map(problem => interpolate(problem.text, problem.values)),
    ),
  }).toEqual({ counts: outcomes, problems: [] })
  const order = seen.readings.find(reading => reading.order !== null)?.order
  expect(order).toMatchObject(first)
  expect(order?.lines.map(line => [line.sku, line.name, line.qty, line.unit_price_incl_vat ?? line.unit_price_excl_vat])).toEqual(lines)
  expect([...new Set(seen.doubts.map(doubt => doubt.field))].toSorted()).toEqual(doubts)
}
