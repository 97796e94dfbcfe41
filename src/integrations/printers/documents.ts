/** The documents that go into the box: the packing slip as an A4 page. */

import { elementAt } from '#domain/objects.ts'
import { drawCode128, finished, hairline, ink, mm, paleInk, readable, type Sheet, sheet } from './paper.ts'

interface DispatchLine {
  sku: string
  name: string
  qty: number
  packed: number
}

/** Texts of the document in the recipient's language; `{n}` and `{total}` are placeholders for numbers. */
export interface DispatchWords {
  title: string
  ship_to: string
  order: string
  date: string
  sku: string
  item: string
  ordered: string
  packed: string
  /** Under an incomplete line; contains `{n}`. */
  to_follow: string
  /** Before the sum of the pieces. */
  total: string
  note: string
  /** Contains `{n}` and `{total}`. */
  page: string
}

export interface DispatchNote {
  company: {
    name: string
    /** Address, phone, e-mail, registration number: one short text each, for the footer. */
    contact: readonly string[]
    /** PNG or JPEG. The name replaces a missing or broken logo. */
    logo: Uint8Array | null
  }
  order_no: string
  /** The code to scan, printed as Code 128. */
  order_code: string
  /** Formatted for the recipient. */
  date: string
  /** Name first, country last. */
  ship_to: readonly string[]
  /** More facts beside the address: label and value. */
  facts?: readonly (readonly [label: string, value: string])[]
  lines: readonly DispatchLine[]
  note: string | null
  /** A closing sentence to the customer. */
  thanks?: string | null
  /** BCP 47, so that screen readers use the right language. */
  language?: string
  words: DispatchWords
  at: Date
}

export const dispatchWords: DispatchWords = {
  title: 'Packing slip',
  ship_to: 'Ship to',
  order: 'Order',
  date: 'Date',
  sku: 'SKU',
  item: 'Item',
  ordered: 'Ordered',
  packed: 'Packed',
  to_follow: '{n} to follow',
  total: 'Pieces in this parcel',
  note: 'Note',
  page: 'Page {n} of {total}',
}

const [width, height] = [210, 297]
const [left, right] = [20, width - 18]
const foot = height - 22
const columns = { sku: left, item: 58, ordered: 154, packed: 174 }

/** The packing slip as PDF; the address fits the windows of DL and C5 envelopes and document pouches. */
export async function dispatchNote(note: DispatchNote): Promise<Uint8Array> {
  const page = sheet({
    size: [width, height],
    title: `${note.words.title} ${note.order_no}`,
    at: note.at,
    ...(note.language && { language: note.language }),
  })
  drawDispatchNote(page, note)
  return finished(page)
}

/** Draws it from the page on that is open now. */
export function drawDispatchNote(page: Sheet, note: DispatchNote): void {
  const { company, words, lines } = note
  const first = page.bufferedPageRange().count - 1
  let y = Math.max(firstHead(page, note), 98)

  y = tableHead(page, words, y)
  for (const line of lines) {
    const drawn = lineOf(page, line, words)
    if (y + drawn.height > foot - 4) y = tableHead(page, words, nextPage(page, note))
    drawn.draw(y)
    y += drawn.height
  }

  if (y + 12 > foot - 4) y = nextPage(page, note)
  rule(page, y, 0.35, ink)
  write(page, words.total, { x: columns.item, y: y + 2.6, width: columns.ordered - columns.item - 4, size: 9.5, bold: true })
  const pieces = lines.reduce((sum, { packed }) => sum + packed, 0)
  write(page, String(pieces), { x: columns.packed, y: y + 2.6, width: right - columns.packed, size: 9.5, bold: true, align: 'right' })
  y += 16

  if (note.note?.trim()) y = noteBox(page, note, y)
  if (note.thanks?.trim()) {
    const tall = heightOf(page, note.thanks, { width: right - left, size: 10.5, bold: true, lines: 8 })
    if (y + tall > foot - 4) y = nextPage(page, note)
    write(page, note.thanks, { x: left, y, width: right - left, size: 10.5, bold: true, lines: 8 })
  }

  const count = page.bufferedPageRange().count - first
  for (let i = 0; i < count; i++) {
    page.switchToPage(first + i)
    footer(page, company, words.page.replace('{n}', String(i + 1)).replace('{total}', String(count)))
  }
}

/** Draws logo or name, title and code, the address and the facts; returns the y position where they end. */
function firstHead(page: Sheet, note: DispatchNote): number {
  const { company, words } = note
  if (!logo(page, company.logo)) write(page, company.name, { x: left, y: 15, width: 92, size: 19, bold: true, lines: 2 })
  write(page, words.title, { x: 116, y: 15, width: right - 116, size: 19, bold: true, align: 'right', lines: 1 })
  const drawn = drawCode128(page, note.order_code, { x: 116, y: 26, width: right - 116, height: 10, module: 0.375, align: 'right' })
  if (drawn) write(page, note.order_code, { x: 116, y: 37, width: right - 116, size: 8, align: 'right', colour: paleInk, lines: 1 })

  let y = 50
  write(page, words.ship_to, { x: left, y, width: 80, size: 7.5, colour: paleInk, lines: 1 })
  y += 5
  note.ship_to
    .filter(line => readable(line))
    .slice(0, 9)
    .forEach((line, i) => {
      y = write(page, line, { x: left, y, width: 84, size: 11, bold: i === 0, lines: 2 }) + 0.6
    })

  let factY = 50
  const facts = [[words.order, note.order_no], [words.date, note.date], ...(note.facts ?? [])] as const
  for (const [label, value] of facts.slice(0, 8)) {
    write(page, label, { x: 120, y: factY + 0.35, width: 28, size: 8.5, colour: paleInk, lines: 2 })
    const bottom = write(page, value, { x: 150, y: factY, width: right - 150, size: 9.5, bold: label === words.order, lines: 2 })
    factY = Math.max(bottom, factY + 4.4) + 1.4
  }
  return Math.max(y, factY) + 10
}

/** Starts a new page with a short header that names its document; returns the y position to continue at. */
function nextPage(page: Sheet, { company, words, order_no, date }: DispatchNote): number {
  page.addPage()
  write(page, company.name, { x: left, y: 15, width: 92, size: 10, bold: true, lines: 1 })
  write(page, `${words.title} · ${words.order} ${order_no} · ${date}`, {
    x: 90,
    y: 15.2,
    width: right - 90,
    size: 8.5,
    colour: paleInk,
    align: 'right',
    lines: 1,
  })
  return 26
}

function tableHead(page: Sheet, words: DispatchWords, y: number): number {
  const label = (text: string, x: number, maxWidth: number, align: 'left' | 'right' = 'left') =>
    write(page, text, { x, y, width: maxWidth, size: 8, bold: true, colour: paleInk, align, lines: 1 })
  label(words.sku, columns.sku, columns.item - columns.sku - 4)
  label(words.item, columns.item, columns.ordered - columns.item - 4)
  label(words.ordered, columns.ordered - 4, columns.packed - columns.ordered + 2, 'right')
  label(words.packed, columns.packed, right - columns.packed, 'right')
  rule(page, y + 5, 0.35, ink)
  return y + 5
}

/** A line is measured before it is drawn, so that the end of a page cuts no line. */
function lineOf(page: Sheet, { sku, name, qty, packed }: DispatchLine, words: DispatchWords) {
  const [skuWidth, nameWidth] = [columns.item - columns.sku - 4, columns.ordered - columns.item - 6]
  const skuTall = heightOf(page, sku, { width: skuWidth, size: 9, lines: 3 })
  const nameTall = heightOf(page, name, { width: nameWidth, size: 10, lines: 6 })
  const missing = qty - packed
  const tall = Math.max(skuTall, nameTall + (missing > 0 ? 4.4 : 0), 4.4)
  const draw = (y: number) => {
    const top = y + 2.4
    write(page, sku, { x: columns.sku, y: top + 0.3, width: skuWidth, size: 9, colour: paleInk, lines: 3 })
    write(page, name, { x: columns.item, y: top, width: nameWidth, size: 10, lines: 6 })
    if (missing > 0)
      write(page, words.to_follow.replace('{n}', String(missing)), {
        x: columns.item,
        y: top + nameTall + 0.6,
        width: nameWidth,
        size: 8.5,
        bold: true,
        lines: 1,
      })
    write(page, String(qty), {
      x: columns.ordered - 4,
      y: top,
      width: columns.packed - columns.ordered + 2,
      size: 10,
      colour: paleInk,
      align: 'right',
      lines: 1,
    })
    write(page, String(packed), {
      x: columns.packed,
      y: top,
      width: right - columns.packed,
      size: 10,
      bold: true,
      align: 'right',
      lines: 1,
    })
    rule(page, y + tall + 4.6, 0.1, hairline)
  }
  return { height: tall + 4.6, draw }
}

/** The note in its own frame, on as many pages as it needs. */
function noteBox(page: Sheet, note: DispatchNote, from: number): number {
  let y = from
  const step = 4.6
  let rest = note
    .note!.trim()
    .slice(0, 6000)
    .split(/\r?\n/)
    .flatMap(paragraph => wrapped(page, paragraph, right - left - 10, 10, false, 200))
  while (rest.length > 0) {
    const fits = Math.floor((foot - 4 - y - 12) / step)
    // Do not split a short note to save a few lines.
    if (fits < Math.min(rest.length, 6)) {
      y = nextPage(page, note)
      continue
    }
    const part = rest.slice(0, fits)
    rest = rest.slice(fits)
    const box = part.length * step + 12
    page
      .roundedRect(mm(left), mm(y), mm(right - left), mm(box), mm(1.5))
      .lineWidth(mm(0.25))
      .strokeColor(hairline)
      .stroke()
    write(page, note.words.note, { x: left + 5, y: y + 3.6, width: right - left - 10, size: 8, bold: true, colour: paleInk, lines: 1 })
    page.font('regular').fontSize(10).fillColor(ink)
    part.forEach((line, i) => {
      page.text(line, mm(left + 5), mm(y + 8.6 + i * step), { lineBreak: false })
    })
    y += box + 8
  }
  return y
}

function footer(page: Sheet, company: DispatchNote['company'], pageNumber: string): void {
  rule(page, foot + 2, 0.1, hairline)
  const contact = [company.name, ...company.contact].map(readable).filter(Boolean).join('  ·  ')
  write(page, contact, { x: left, y: foot + 5, width: right - left - 34, size: 7.5, colour: paleInk, lines: 2 })
  write(page, pageNumber, { x: right - 32, y: foot + 5, width: 32, size: 7.5, colour: paleInk, align: 'right', lines: 1 })
}

function logo(page: Sheet, bytes: Uint8Array | null): boolean {
  if (!bytes) return false
  try {
    page.image(Buffer.from(bytes), mm(left), mm(14), { fit: [mm(70), mm(22)] })
    return true
  } catch {
    return false
  }
}

interface Place {
  x: number
  y: number
  width: number
  size: number
  bold?: boolean
  colour?: string
  align?: 'left' | 'right'
  /** Text beyond this many lines ends in an ellipsis. */
  lines?: number
}

/** Draws text, in millimetres, and returns the y position where it ends. */
export function write(page: Sheet, text: string, place: Place): number {
  const { x, y, width: maxWidth, size, bold = false, colour = ink, align = 'left', lines = 60 } = place
  const written = wrapped(page, text, maxWidth, size, bold, lines)
  page.fillColor(colour)
  const step = lineStep(page)
  written.forEach((line, i) => {
    const spare = align === 'right' ? mm(maxWidth) - page.widthOfString(line) : 0
    page.text(line, mm(x) + spare, mm(y + i * step), { lineBreak: false })
  })
  return y + written.length * step
}

export function heightOf(page: Sheet, text: string, place: Omit<Place, 'x' | 'y'>): number {
  const lines = wrapped(page, text, place.width, place.size, place.bold, place.lines)
  return lines.length * lineStep(page)
}

const lineStep = (page: Sheet) => (page.currentLineHeight(true) / 72) * 25.4

/**
 * Wraps text into lines that fit, between words, and inside a word only when it is longer than a line. Leaves its font set on the page.
 * pdfkit's own wrapping measures an endless word again for every letter and caches each measure: fifty thousand letters exhaust the
 * memory there. Here the text is cut to what the lines can hold before it is measured.
 */
function wrapped(page: Sheet, text: string, maxWidth: number, size: number, bold = false, limit = 60): string[] {
  page.font(bold ? 'bold' : 'regular').fontSize(size)
  const whole = readable(text.slice(0, limit * 400))
  // Every drawn letter is wider than a tenth of its size, so this many always fill the lines.
  const most = Math.ceil((mm(maxWidth) / size) * 10) * limit
  const cut = whole.slice(0, most).toWellFormed()
  const fits = (line: string) => page.widthOfString(line) <= mm(maxWidth)
  const lines = ['']
  for (const word of cut.split(' ')) {
    if (lines.length > limit) break
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (fits(longer)) {
      lines[lines.length - 1] = longer
      continue
    }
    if (lines.at(-1)) lines.push('')
    if (fits(word)) {
      lines[lines.length - 1] = word
      continue
    }
    for (const letter of word) {
      if (lines.length > limit) break
      if (!fits(lines.at(-1) + letter)) lines.push('')
      lines[lines.length - 1] += letter
    }
  }
  if (lines.length <= limit) return lines
  const shown = lines.slice(0, limit)
  let last = [...elementAt(shown, limit - 1)]
  while (last.length > 0 && !fits(`${last.join('')}…`)) last = last.slice(0, -1)
  shown[limit - 1] = `${last.join('').trimEnd()}…`
  return shown
}

function rule(page: Sheet, y: number, thick: number, colour: string): void {
  page.lineWidth(mm(thick)).strokeColor(colour).moveTo(mm(left), mm(y)).lineTo(mm(right), mm(y)).stroke()
}
