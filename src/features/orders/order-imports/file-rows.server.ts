/** An order file: what its first part looks like, and its rows grouped into orders. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { AppError, unprocessable } from '#contract/errors.ts'
import { csvFileSentences, detectSeparator, detectText, mostRows, type Row, sampleRows } from '#domain/csv-text.ts'
import { columnNames, readRows } from '#platform/csv/csv-rows.ts'
import { headerRowOf } from './file-shape.rules.ts'
import type { FileForm } from './order-imports.schemas.ts'
import type { RowReader } from './order-rows.rules.ts'
import { type CompanyDefaults, type Suggestion, suggestMapping } from './suggested-mapping.rules.ts'

export interface Examination extends Suggestion {
  form: FileForm
  headers: string[]
  /** The first 20 rows under the header. */
  preview: Row[]
  /** The rows that were looked at. */
  sample: Row[]
}

/**
 * What a file looks like, from its first part (a megabyte is plenty): how it is written, its columns, its first rows and the likeliest mapping.
 * `form` overrules what was detected. Throws a Refusal where there is no row under the header.
 */
export async function examine(
  bytes: Uint8Array,
  { form = {}, whole = false, ...defaults }: { form?: Partial<FileForm>; whole?: boolean } & CompanyDefaults = {},
): Promise<Examination> {
  const encoding = form.encoding ?? detectText(bytes)
  const text = new TextDecoder(encoding).decode(bytes)
  const separator = form.separator ?? detectSeparator(text)
  // The last row of a part of a file is cut somewhere.
  const end = whole ? text.length : Math.max(text.lastIndexOf('\n'), 0) || text.length
  const rows: Row[] = []
  try {
    for await (const some of readRows([text.slice(0, end)], { separator })) {
      rows.push(...some)
      if (rows.length > sampleRows) break
    }
  } catch (error) {
    // A quoted cell may be cut; what was read before it is enough to look at.
    if (!(error instanceof AppError) || rows.length < 2) throw error
  }
  const header_row = form.header_row ?? headerRowOf(rows)
  const [header, ...sample] = rows.filter(row => row.row >= header_row)
  if (!header || sample.length === 0) throw unprocessable('csv_no_rows', csvFileSentences.no_rows)
  const headers = columnNames(header)
  // Reading the sample and proposing a mapping are two pieces of work: other requests get their turn between them.
  await yieldToEventLoop()
  const suggestion = suggestMapping(
    headers,
    sample.map(row => row.cells),
    defaults,
  )
  return { form: { encoding, separator, header_row }, headers, preview: sample.slice(0, 20), sample, ...suggestion }
}

/** Between the cells of a row that is put by. No cell holds it: `cellText` takes it out. */
const unit = '\u001f'

/**
 * All rows of each order together, in the order in which the orders begin in the file; rows of one order may lie apart.
 * Rows without an order number come last, each alone. `rows` are those under the header.
 * The whole file is put by first, a row as one flat string, because only its end shows that an order is complete: 50 MB of file are about as much in memory.
 * Throws a Refusal for more than `most` rows.
 */
export async function* groupRows(
  rows: AsyncIterable<Row[]>,
  reader: Pick<RowReader, 'keyOf'>,
  { most = mostRows }: { most?: number } = {},
): AsyncGenerator<Row[]> {
  const byKey = new Map<string, [row: number, text: string][]>()
  const nameless: Row[] = []
  let count = 0
  for await (const some of rows) {
    count += some.length
    if (count > most) throw unprocessable('csv_too_many_rows', csvFileSentences.too_many_rows, { max: most })
    for (const { row, cells } of some) {
      const key = reader.keyOf(cells)
      if (key === '') {
        nameless.push({ row, cells })
        continue
      }
      const kept: [number, string] = [row, cells.map(cell => (cell.includes(unit) ? cell.replaceAll(unit, '') : cell)).join(unit)]
      const others = byKey.get(key)
      if (others) others.push(kept)
      else byKey.set(key, [kept])
    }
    // Other requests get their turn between two batches.
    await yieldToEventLoop()
  }
  for (const [key, kept] of byKey) {
    byKey.delete(key)
    yield kept.map(([row, text]) => ({ row, cells: text.split(unit) }))
  }
  for (const row of nameless) yield [row]
}
