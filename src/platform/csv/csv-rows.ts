/** Reads a CSV file as a stream: bytes to text, text to rows. */
import { isAscii, isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { badRequest, unprocessable } from '#contract/errors.ts'
import {
  checkedStart,
  csvFileSentences,
  detectText,
  type Encoding,
  headersOf,
  isSeparatorLine,
  mostColumns,
  noTable,
  type Row,
  type Separator,
} from '#domain/csv-text.ts'
import { checkStart } from '#platform/files/content.ts'

/** Bytes of a file that are enough to detect how it is written. */
const surveyed = 1_048_576

/** What a file's text looks like, from one pass over it that keeps only its beginning. */
export interface TextSurvey {
  start: Uint8Array
  /** The beginning is all of the file. */
  whole: boolean
  encoding: Encoding
  isUtf8: boolean
}

/**
 * The beginning decides how a file spells its text, unless it is plain ASCII, which fits most encodings: then the rest is looked
 * through, or a name far down would lose its letters in silence.
 */
export async function surveyText(content: AsyncIterable<Uint8Array>): Promise<TextSurvey> {
  const pieces: Uint8Array[] = []
  const check = new Utf8Check()
  let bytes = 0
  for await (const piece of content) {
    if (bytes < surveyed) pieces.push(piece)
    bytes += piece.length
    check.add(piece)
  }
  const start = Buffer.concat(pieces).subarray(0, surveyed)
  const detected = detectText(start)
  const isUtf8 = check.end()
  const encoding = detected === 'utf-8' && isAscii(start) && !isUtf8 ? 'windows-1252' : detected
  return { start, whole: bytes <= surveyed, encoding, isUtf8 }
}

/** Whether pieces together are UTF-8; a character may lie across two of them. */
class Utf8Check {
  #valid = true
  #open: Uint8Array = new Uint8Array()

  add(piece: Uint8Array): void {
    if (!this.#valid) return
    const bytes = this.#open.length > 0 ? Buffer.concat([this.#open, piece]) : piece
    const end = endOfCharacters(bytes)
    this.#valid = isUtf8(bytes.subarray(0, end))
    this.#open = bytes.slice(end)
  }
  end(): boolean {
    return this.#valid && this.#open.length === 0
  }
}

/** The length without a character of UTF-8 that is cut off at the end. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.at(-back) ?? 0
    if (byte >> 6 === 0b10) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Passes on the content of an uploaded table. Throws a Refusal for an empty file, and for a workbook, a picture or an archive. */
export const textTable = (content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  checkStart(content, checkedStart, start => {
    if (start.length === 0) throw badRequest('file_empty', 'The file is empty')
    const problem = noTable(start)
    if (problem) throw unprocessable('file_not_table', problem)
  })

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

/** Characters that the parser gets at once: it holds all rows of a piece before the first one is read. */
const longestPiece = 16_384

async function* shortPieces(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const piece of text) for (let at = 0; at < piece.length; at += longestPiece) yield piece.slice(at, at + longestPiece)
}

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
    // Blanks before a quotation mark would make it a part of the cell.
    ltrim: true,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: longestRow,
  })
  const source = Readable.from(shortPieces(text))
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

/** The rows of a stream under its header, and the header as column names. Rows above `headerRow` are passed over. */
export async function underHeader(rows: AsyncGenerator<Row[]>, headerRow = 1): Promise<{ headers: string[]; rows: AsyncGenerator<Row[]> }> {
  const start = await rows.next()
  const [header, ...others] = start.done ? [] : start.value.filter(row => row.row >= headerRow)
  if (!header) throw unprocessable('csv_no_rows', csvFileSentences.no_rows)
  async function* rest() {
    if (others.length > 0) yield others
    yield* rows
  }
  return { headers: columnNames(header), rows: rest() }
}
