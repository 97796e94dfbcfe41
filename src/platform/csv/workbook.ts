/** Excel workbooks (.xlsx) as CSV text. A small file can unpack to gigabytes, so everything is counted before it is read. */
import { stringify } from 'csv-stringify/sync'
import { Unzip, type UnzipFileInfo, UnzipInflate, unzipSync, zipSync } from 'fflate'
import readWorkbook from 'read-excel-file/universal'
import { mostColumns, mostRows } from '#domain/csv-text.ts'

export interface WorkbookLimits {
  packed: number
  unpacked: number
  entries: number
  sheets: number
  rows: number
  columns: number
  cells: number
  text: number
}

export const workbookLimits: WorkbookLimits = {
  /** Bytes of the file itself. */
  packed: 20_000_000,
  /** Bytes of everything in it, unpacked: 100,000 orders with 20 columns take some 90 MB. */
  unpacked: 200_000_000,
  entries: 2_000,
  sheets: 100,
  /** The header and titles above it come on top of the rows. */
  rows: mostRows + 100,
  columns: mostColumns,
  cells: 3_000_000,
  /** Bytes of the text that comes out: a cell may name the same long text again and again. */
  text: 100_000_000,
}

/** Why a workbook is not read. */
export class WorkbookProblem extends Error {
  override name = 'WorkbookProblem'
  readonly reason: 'damaged' | 'too_large' | 'empty'

  constructor(reason: WorkbookProblem['reason']) {
    super(reason)
    this.reason = reason
  }
}

const tooLarge = () => new WorkbookProblem('too_large')
const isRead = (name: string): boolean => name.endsWith('.xml') || name.endsWith('.rels')

/** Sizes as the directory at the end of the archive states them: nothing is unpacked for that. */
function checkDirectory(archive: Uint8Array, limits: WorkbookLimits): void {
  const entries: UnzipFileInfo[] = []
  unzipSync(archive, {
    filter: entry => {
      entries.push(entry)
      if (entries.length > limits.entries) throw tooLarge()
      return false
    },
  })
  const total = entries.reduce((sum, entry) => sum + (isRead(entry.name) ? entry.originalSize : 0), 0)
  if (total > limits.unpacked) throw tooLarge()
  if (entries.filter(entry => /^xl\/worksheets\/[^/]+\.xml$/.test(entry.name)).length > limits.sheets) throw tooLarge()
  if (!entries.some(entry => entry.name === 'xl/workbook.xml')) throw new WorkbookProblem('damaged')
}

/** Pieces in which the archive is unpacked: deflate makes at most 1,032 bytes of one. */
const piece = 4_096

/** Unpacks the XML of an archive and counts on the way: what the directory states may be wrong. */
function unpack(archive: Uint8Array, limits: WorkbookLimits): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {}
  let bytes = 0
  const unzip = new Unzip(file => {
    if (!isRead(file.name)) return
    const parts: Uint8Array[] = []
    file.ondata = (error, data, final) => {
      if (error) throw error
      bytes += data.length
      if (bytes > limits.unpacked) throw tooLarge()
      parts.push(data)
      if (final) files[file.name] = Buffer.concat(parts)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < archive.length; at += piece) unzip.push(archive.subarray(at, at + piece), at + piece >= archive.length)
  return files
}

const address = /<c\b[^>]*?\br="([A-Z]{1,8})(\d{1,12})"/g
const columnNumber = (letters: string): number => [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

/** Cells by their addresses: one far out would make a table of billions of empty ones. */
function checkCells(files: Readonly<Record<string, Uint8Array>>, limits: WorkbookLimits): void {
  let cells = 0
  for (const [name, content] of Object.entries(files)) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/.test(name)) continue
    let rows = 0
    let columns = 0
    const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')
    for (const [, letters = '', number = ''] of text.matchAll(address)) {
      if (++cells > limits.cells) throw tooLarge()
      rows = Math.max(rows, Number(number))
      columns = Math.max(columns, columnNumber(letters))
    }
    // Tables are read with their empty cells.
    if (rows > limits.rows || columns > limits.columns || rows * columns > limits.cells * 10) throw tooLarge()
  }
}

/** A cell as text: numbers without the noise of binary fractions, dates year first. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ''
      : value
          .toISOString()
          .slice(0, 19)
          .replace('T', ' ')
          .replace(/ 00:00:00$/, '')
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : ''
  return String(value)
}

export interface WorkbookTable {
  /** UTF-8 with semicolons. */
  csv: Uint8Array
  /** Name of the sheet that was read, where the workbook has several with rows; else null. */
  sheet: string | null
}

/** The first sheet with rows. Throws a WorkbookProblem for one that is damaged, empty or larger than the limits. */
export async function workbookTable(archive: Uint8Array, limits: WorkbookLimits = workbookLimits): Promise<WorkbookTable> {
  const files = checked(() => {
    if (archive.length > limits.packed) throw tooLarge()
    checkDirectory(archive, limits)
    const files = unpack(archive, limits)
    checkCells(files, limits)
    return files
  })
  const sheets = await checkedAsync(async () => {
    // Stored without compression, so that the library has nothing left to unpack.
    const vetted = zipSync(files, { level: 0 })
    return readWorkbook(new Blob([vetted]))
  })
  const filled = sheets.filter(({ data }) => data.some(row => row.some(cell => cell !== null)))
  const [first] = filled
  if (!first) throw new WorkbookProblem('empty')
  const parts: string[] = ['\ufeff']
  let length = 0
  for (let at = 0; at < first.data.length; at += 1_000) {
    const text = stringify(
      first.data.slice(at, at + 1_000).map(row => row.map(cellOf)),
      { delimiter: ';', record_delimiter: '\r\n' },
    )
    length += text.length
    if (length > limits.text) throw tooLarge()
    parts.push(text)
  }
  return { csv: Buffer.from(parts.join('')), sheet: filled.length > 1 ? first.sheet : null }
}

/** Errors of the libraries mean a damaged file. */
function checked<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof WorkbookProblem ? error : new WorkbookProblem('damaged')
  }
}
const checkedAsync = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(error => {
    throw error instanceof WorkbookProblem ? error : new WorkbookProblem('damaged')
  })
