/** Reads a CSV file as a stream: bytes to text, text to rows. */
import { isAscii, isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { unprocessable } from '#contract/errors.ts'
import {
  csvFileSentences,
  detectText,
  type Encoding,
  headersOf,
  isSeparatorLine,
  mostColumns,
  type Row,
  type Separator,
} from '#domain/csv-text.ts'

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
      throw unprocessable('csv_row_unreadable', csvFileSentences.unreadable, {
        row: typeof error.records === 'number' ? error.records + 1 : row + 1,
      })
    throw error
  } finally {
    source.destroy()
  }
  if (rows.length > 0) yield rows
}

/** The names of the columns. Throws a Refusal for more than `mostColumns`. */
export function columnNames(header: Row): string[] {
  if (header.cells.length > mostColumns)
    throw unprocessable('csv_too_many_columns', csvFileSentences.too_many_columns, { max: mostColumns })
  return headersOf(header.cells)
}

/** The rows of a stream after its first one, and that first one as column names. */
export async function underHeader(rows: AsyncGenerator<Row[]>): Promise<{ headers: string[]; rows: AsyncGenerator<Row[]> }> {
  const start = await rows.next()
  const [header, ...others] = start.done ? [] : start.value
  if (!header) throw unprocessable('csv_no_rows', csvFileSentences.no_rows)
  async function* rest() {
    if (others.length > 0) yield others
    yield* rows
  }
  return { headers: columnNames(header), rows: rest() }
}
