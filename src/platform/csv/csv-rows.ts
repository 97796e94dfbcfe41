/** Reads an order file as it streams in: bytes to text, text to rows, rows to orders, with no more in memory than the text of the file. */
import { isAscii, isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { AppError, unprocessable } from '#contract/errors.ts'
import {
  detectSeparator,
  detectText,
  type Encoding,
  headersOf,
  isSeparatorLine,
  mostColumns,
  mostRows,
  type Row,
  type Separator,
  sampleRows,
} from '#domain/csv-text.ts'
import { type Suggestion, suggestMapping } from '#features/orders/order-imports/mapping.rules.ts'
import type { RowReader } from '#features/orders/order-imports/order-rows.rules.ts'
import { csvSentences } from '#features/orders/order-imports/rejected-rows.rules.ts'

export interface TextForm {
  encoding: Encoding
  separator: Separator
}

/** Bytes of a file that are enough to tell how it is written. */
export const lookedAt = 1_048_576

/**
 * How a whole file spells its text. Its beginning decides, unless that is plain ASCII, which tells nothing: then the rest is looked
 * through, or a name far down would lose its letters in silence.
 */
export function encodingOf(bytes: Uint8Array): Encoding {
  const start = bytes.subarray(0, lookedAt)
  const encoding = detectText(start)
  return encoding === 'utf-8' && isAscii(start) && !isUtf8(bytes) ? 'windows-1252' : encoding
}

/** Some bytes of the file are no characters of UTF-8: reading it so would lose them. */
export const losesLetters = (bytes: Uint8Array, encoding: Encoding): boolean => encoding === 'utf-8' && !isUtf8(bytes)

/** A file in pieces, so that its text is not decoded at once. */
export function* piecesOf(bytes: Uint8Array, size = 65_536): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Bytes in pieces → text in pieces. A character cut between two pieces comes out whole; the byte order mark does not come out. */
export async function* textOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** Longest row in bytes: a quotation mark that is never closed would otherwise swallow the file. */
const longestRow = 1_048_576
const batch = 500

/**
 * Rows in batches, the header first. Empty rows are passed over but counted, so that `row` is the number a spreadsheet shows.
 * Throws a Refusal with a sentence for a quotation mark that never closes.
 */
export async function* readRows(
  text: AsyncIterable<string> | Iterable<string>,
  { separator }: { separator: Separator },
): AsyncGenerator<Row[]> {
  const parser = parse({
    delimiter: separator,
    bom: true,
    // Files that were edited on two systems hold both.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: longestRow,
  })
  const source = Readable.from(text)
  // An error while reading the file must reach the reader of rows, not the process.
  source.on('error', error => parser.destroy(error))
  source.pipe(parser)
  let row = 0
  let rows: Row[] = []
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (row === 0 && isSeparatorLine(cells)) continue
      row++
      if (cells.every(cell => cell === '' || cell.trim() === '')) continue
      rows.push({ row, cells })
      if (rows.length >= batch) {
        yield rows
        rows = []
      }
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw unprocessable('csv_row_unreadable', csvSentences.unreadable, {
        row: typeof error.records === 'number' ? error.records + 1 : row + 1,
      })
    throw error
  } finally {
    source.destroy()
  }
  if (rows.length > 0) yield rows
}

/** The names of the columns. Throws a Refusal for more than `mostColumns`. */
function columnNames(header: Row): string[] {
  if (header.cells.length > mostColumns) throw unprocessable('csv_too_many_columns', csvSentences.too_many_columns, { max: mostColumns })
  return headersOf(header.cells)
}

export interface Examination extends Suggestion {
  form: TextForm
  headers: string[]
  /** The first 20 rows under the header. */
  preview: Row[]
}

/**
 * What a file looks like, from its first part (a megabyte is plenty): how it is written, its columns, its first rows and the likeliest mapping.
 * `form` overrules what was detected. Throws a Refusal where there is no row under the header.
 */
export async function examine(
  bytes: Uint8Array,
  { form = {}, timeZone = 'UTC', whole = false }: { form?: Partial<TextForm>; timeZone?: string; whole?: boolean } = {},
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
  const [header, ...sample] = rows
  if (!header || sample.length === 0) throw unprocessable('csv_no_rows', csvSentences.no_rows)
  const headers = columnNames(header)
  const suggestion = suggestMapping(
    headers,
    sample.map(row => row.cells),
    { timeZone },
  )
  return { form: { encoding, separator }, headers, preview: sample.slice(0, 20), ...suggestion }
}

/** Between the cells of a row that is put by. No cell holds it: `cellText` takes it out. */
const unit = '\u001f'

/**
 * All rows of each order together, in the order in which the orders begin in the file; rows of one order may lie apart.
 * Rows without an order number come last, each alone. `rows` are those under the header.
 * The whole file is put by first, a row as one flat string, because only its end tells that an order is complete: 50 MB of file are about as much in memory.
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
    if (count > most) throw unprocessable('csv_too_many_rows', csvSentences.too_many_rows, { max: most })
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
    await breathe()
  }
  for (const [key, kept] of byKey) {
    byKey.delete(key)
    yield kept.map(([row, text]) => ({ row, cells: text.split(unit) }))
  }
  for (const row of nameless) yield [row]
}

/** The rows of a stream after its first one, and that first one as column names. */
export async function underHeader(rows: AsyncGenerator<Row[]>): Promise<{ headers: string[]; rows: AsyncGenerator<Row[]> }> {
  const start = await rows.next()
  const [header, ...others] = start.done ? [] : start.value
  if (!header) throw unprocessable('csv_no_rows', csvSentences.no_rows)
  async function* rest() {
    if (others.length > 0) yield others
    yield* rows
  }
  return { headers: columnNames(header), rows: rest() }
}
