/** The text of a CSV file: encoding, separator, and cells as plain text – reading and writing. */
import * as z from 'zod'
import { isOneOf } from '#domain/objects.ts'

export const mostRows = 100_000
/** The widest exports of shop systems have some 100 columns. */
export const mostColumns = 500
/** Rows needed to detect a file's format: fewer may all be of one day, which leaves the order of day and month open. */
export const sampleRows = 20_000

export const Encoding = z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250'])
export type Encoding = z.infer<typeof Encoding>
export const Separator = z.enum([';', ',', '\t', '|'])
export type Separator = z.infer<typeof Separator>

/** One row of the file. `row` counts as a spreadsheet does: the header is row 1. */
export interface Row {
  row: number
  cells: string[]
}

const textSentences = {
  workbook: 'This is an old or protected Excel workbook: save it as .xlsx without a password, or as CSV',
  no_text: 'This is no table: select an Excel workbook (.xlsx) or a CSV file',
} as const

/** An archive: .xlsx files are archives of XML, and are read as such. */
export const isWorkbook = (start: Uint8Array): boolean => [0x50, 0x4b, 0x03, 0x04].every((byte, at) => start[at] === byte)

/** Magic bytes of files chosen by mistake: old workbooks, archives, PDF and images. */
const otherFiles: [begin: readonly number[], sentence: string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], textSentences.workbook],
  [[0x25, 0x50, 0x44, 0x46], textSentences.no_text],
  [[0x89, 0x50, 0x4e, 0x47], textSentences.no_text],
  [[0xff, 0xd8, 0xff], textSentences.no_text],
  [[0x1f, 0x8b], textSentences.no_text],
]

/** Bytes at the start of a file that are enough to recognise a text. */
export const checkedStart = 4_096

/** The reason why a file with this start cannot be a text table, as a sentence; null where it may be one. */
export const noTable = (start: Uint8Array): string | null =>
  otherFiles.find(([begin]) => begin.every((byte, at) => start[at] === byte))?.[1] ?? (isBinary(start) ? textSentences.no_text : null)

/** Texts hold no control characters but tabs, line ends, form feeds and the end mark of DOS (0x1a); in UTF-16 every ASCII character has a zero. */
function isBinary(start: Uint8Array): boolean {
  const encoding = detectText(start)
  const wide = encoding === 'utf-16le' || encoding === 'utf-16be'
  const text = new TextDecoder(encoding).decode(start)
  let controls = 0
  let unreadable = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0) return true
    if (code < 9 || (code > 13 && code < 32 && code !== 26 && code !== 31)) controls++
    else if (wide && code === 0xfffd) unreadable++
  }
  return controls > text.length / 100 || unreadable > text.length / 100
}

/**
 * Detects the encoding from the start of a file (a character cut at its end is no error).
 * A byte order mark decides; without one, many zero bytes mean UTF-16, valid UTF-8 is taken as such, and the rest
 * is the code page of Windows whose languages its letters fit.
 */
export function detectText(bytes: Uint8Array): Encoding {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const looked = Math.min(bytes.length, 4_096) & ~1
  let even = 0
  let odd = 0
  for (let at = 0; at < looked; at += 2) {
    if (bytes[at] === 0) even++
    if (bytes[at + 1] === 0) odd++
  }
  if (looked > 0 && odd > looked / 5 && even < odd / 4) return 'utf-16le'
  if (looked > 0 && even > looked / 5 && odd < even / 4) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return 'utf-8'
  } catch {
    return codePageOf(bytes)
  }
}

/** Letters beside a to z by language, in lower case, with the code page in which the language is written. */
const alphabets: readonly [encoding: 'windows-1252' | 'windows-1250', letters: string][] = [
  ['windows-1252', 'æøåäöüé'],
  ['windows-1252', 'äöüßéèà'],
  ['windows-1252', 'àâçèéêëîïôùûœæ'],
  ['windows-1252', 'áéíñóúüª'],
  ['windows-1252', 'àèéìòù'],
  ['windows-1252', 'ãâáàçéêíóôõú'],
  // Czech and Slovak, Polish, Hungarian, Slovene and Croatian, Romanian.
  ['windows-1250', 'áčďéěíňóřšťúůýžľĺŕôä'],
  ['windows-1250', 'ąćęłńóśźż'],
  ['windows-1250', 'áéíóöőúüű'],
  ['windows-1250', 'čšžćđ'],
  ['windows-1250', 'ăâîşţșț'],
]

/**
 * Windows-1252, unless the letters of the text are almost all of one language of Windows-1250 and of none of Windows-1252. Counts each byte
 * once, so that long texts cost no more than a look at their bytes.
 */
function codePageOf(bytes: Uint8Array): 'windows-1252' | 'windows-1250' {
  const counts = new Uint32Array(256)
  for (const byte of bytes) if (byte >= 0x80) counts[byte] = (counts[byte] ?? 0) + 1
  const shares = { 'windows-1252': 0, 'windows-1250': 0 }
  for (const [encoding, letters] of alphabets) {
    const known = new Set(letters)
    let all = 0
    let fitting = 0
    for (let byte = 0x80; byte < 256; byte++) {
      const count = counts[byte] ?? 0
      if (count === 0) continue
      const letter = new TextDecoder(encoding).decode(Uint8Array.of(byte)).toLowerCase()
      // Signs as € and – stand in texts of every language; what is no character of the code page counts against it.
      if (!/[\p{L}\p{Cc}\ufffd]/u.test(letter)) continue
      all += count
      if (known.has(letter)) fitting += count
    }
    if (all >= 2) shares[encoding] = Math.max(shares[encoding], fitting / all)
  }
  return shares['windows-1250'] >= 0.95 && shares['windows-1252'] <= 0.85 ? 'windows-1250' : 'windows-1252'
}

/** A first line that declares the separator to spreadsheets: `sep=;`. It is not a row. */
const separatorLine = /^\ufeff?"?sep=(.)"?(?:\r|\n|$)/i
export const isSeparatorLine = (cells: readonly string[]): boolean =>
  /^\ufeff?sep=.?$/i.test(cells[0] ?? '') && cells.slice(1).every(cell => cell === '')

/** The separator that divides the first lines into equal numbers of cells, and into the most. Quoted cells are skipped. */
export function detectSeparator(text: string): Separator {
  const declared = Separator.safeParse(separatorLine.exec(text)?.[1])
  if (declared.success) return declared.data
  const counts = new Map<Separator, number[]>(Separator.options.map(separator => [separator, [0]]))
  let quoted = false
  let lines = 0
  for (const character of text.slice(0, 100_000)) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n') {
      if (++lines === 50) break
      for (const count of counts.values()) count.push(0)
    } else {
      const count = isOneOf(Separator.options, character) ? counts.get(character) : undefined
      if (count) count[count.length - 1] = (count.at(-1) ?? 0) + 1
    }
  }
  let best: Separator = ','
  let most = 0
  for (const [separator, count] of counts) {
    // Titles above the table have none: the number that most lines have is the table's.
    const lines = Map.groupBy(
      count.filter(cells => cells > 0),
      cells => cells,
    )
    const [cells = 0, same = []] =
      [...lines].toSorted(([oneCells, one], [otherCells, other]) => other.length - one.length || otherCells - oneCells)[0] ?? []
    const score = same.length * 1_000 + Math.min(cells, 999)
    if (score > most) {
      most = score
      best = separator
    }
  }
  return best
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are removed
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/gu
const unusual = /[^\t\n\r -~\u0080-\ud7ff\ue000-\uffff]/

/**
 * A cell as text: trimmed, without characters that cannot be stored, without the apostrophe that our own files put before a formula and shops
 * before a number, so that a spreadsheet keeps `'01067` as it is. `'47 Brand` is a name.
 */
export function cellText(cell: string): string {
  let text = cell.trim()
  // Nearly every cell matches the plain pattern, which is three times as fast.
  if (unusual.test(text)) text = text.replace(unstorable, '')
  if (text.charCodeAt(0) === 39 && /^'(?:[=+\-@\t\r＝＋－＠]|\d[\d .-]*$)/.test(text)) text = text.slice(1)
  return text
}

/**
 * The header's names, made unique: an empty one becomes `Column 3`, a second `Name` becomes `Name (2)`.
 * The search for a free number continues where the last one for the same name ended, because thousands of equal names would take minutes otherwise.
 */
export function headersOf(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  const nextNumbers = new Map<string, number>()
  return cells.map((cell, index) => {
    const name = cellText(cell.replace(/^\ufeff/, '')).slice(0, 200) || `Column ${index + 1}`
    let free = name
    let next = nextNumbers.get(name) ?? 2
    while (taken.has(free)) free = `${name} (${next++})`
    nextNumbers.set(name, next)
    taken.add(free)
    return free
  })
}

/** Whether a row holds more than its header names: what stands there belongs to no column. Empty cells at its end do no harm. */
export const hasTooManyCells = (cells: readonly string[], columns: number): boolean =>
  cells.length > columns && cells.slice(columns).some(cell => cell.trim() !== '')

/**
 * A cell that no spreadsheet takes for a formula: an apostrophe before `= + - @` of either width, tab and carriage return (ASVS 1.2.10).
 * `cellText` removes it when the corrected file is imported again.
 */
export const spreadsheetSafe = (cell: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell)

/** Errors of any CSV file, as sentences with placeholders: the translation keys. */
export const csvFileSentences = {
  unmapped: 'No column is read as {{field}}',
  unreadable: 'A quotation mark in row {{row}} or after it is not closed, or the row is too long',
  too_many_rows: 'The file has more than {{max}} rows',
  too_many_columns: 'The file has more than {{max}} columns',
  no_rows: 'The file has no rows under its header',
  too_many_cells: 'The row has {{count}} cells under {{columns}} columns: a separator or a quotation mark in it is wrong',
} as const
