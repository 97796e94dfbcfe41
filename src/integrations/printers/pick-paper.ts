/** Pick lists on paper: each wagon with its slots and its route, and the overview of a whole list. */

import { elementAt } from '#domain/objects.ts'
import { qrMatrix } from '#integrations/labels/qr.ts'
import { addPage, drawCode128, finished, hairline, ink, mm, paleInk, readable, type Sheet, sheet } from './paper.ts'

export interface PaperWords {
  title: string
  overview: string
  wagon: string
  slot: string
  bin: string
  pieces: string
  product: string
  orders: string
  lines: string
  stops: string
  metres: string
  minutes: string
  picker: string
  deadline: string
  map: string
  no_bin: string
  total: string
  /** Contains `{n}` and `{total}`. */
  page: string
}

interface PaperSlot {
  slot_no: number
  /** A CSS colour; null draws none. The number identifies the slot. */
  colour: string | null
  order_no: string
  company: string
  /** The code to scan, as Code 128. */
  order_code: string
  /** Includes the prefix PP. */
  codes: readonly string[]
}

interface PaperLine {
  bin: string | null
  quantity: number
  sku: string
  name: string
  slot_no: number
  colour: string | null
  /** Key of its picture. */
  picture: number | null
  /** True for the first line of its stop. */
  first: boolean
}

export interface PaperWagon {
  wagon_no: number
  picker: string | null
  deadline: string | null
  orders: number
  pieces: number
  stops: number
  metres: number | null
  minutes: number
  /** URL of the page that draws the route, as QR code. */
  map_url: string | null
  slots: readonly PaperSlot[]
  lines: readonly PaperLine[]
}

export interface PickPaper {
  /** `PL12`: the code to scan, which opens the list. */
  code: string
  /** Date and other facts for the header. */
  subtitle: string
  wagons: readonly PaperWagon[]
  /** PNG or JPEG by key; empty for a list without pictures. */
  pictures: ReadonlyMap<number, Uint8Array>
  words: PaperWords
  language: string
  at: Date
}

const [width, height] = [210, 297]
const [left, right] = [12, width - 12]
const foot = height - 12

/** Every wagon starts on its own page, because the page goes with its picker. */
export async function pickListPaper(paper: PickPaper): Promise<Uint8Array> {
  const page = sheet({ size: [width, height], title: `${paper.words.title} ${paper.code}`, at: paper.at, language: paper.language })
  const pictures = new Map([...paper.pictures].flatMap(([key, bytes]) => opened(page, key, bytes)))
  for (const [i, wagon] of paper.wagons.entries()) {
    if (i > 0) await addPage(page)
    let y = wagonHead(page, paper, wagon)
    y = await slots(page, paper, wagon, y)
    y = lineHead(page, paper.words, y + 3)
    for (const line of wagon.lines) {
      const tall = pictures.size > 0 ? 17 : 9.5
      if (y + tall > foot - 6) {
        await addPage(page)
        y = lineHead(page, paper.words, shortHead(page, paper, wagon))
      }
      drawLine(page, line, paper.words, {
        y,
        tall,
        picture: line.picture === null ? undefined : pictures.get(line.picture),
        hasPictures: pictures.size > 0,
      })
      y += tall
    }
  }
  number(page, paper)
  return finished(page)
}

/** One row per wagon, then the content of its slots. */
export async function pickOverviewPaper(paper: PickPaper): Promise<Uint8Array> {
  const { words } = paper
  const page = sheet({ size: [width, height], title: `${words.overview} ${paper.code}`, at: paper.at, language: paper.language })
  const head = () => {
    text(page, `${words.overview} ${paper.code}`, { x: left, y: 12, width: 130, size: 18, bold: true })
    text(page, paper.subtitle, { x: left, y: 20.5, width: 130, size: 9, colour: paleInk })
    qr(page, paper.code, { x: right - 24, y: 8, side: 24 })
    return 34
  }
  const columns = [
    [words.wagon, 20],
    [words.orders, 20],
    [words.lines, 20],
    [words.pieces, 20],
    [words.stops, 20],
    [words.metres, 20],
    [words.minutes, 20],
    [words.picker, 46],
  ] as const
  const row = (cells: readonly string[], y: number, bold: boolean, colour = ink) => {
    let x = left
    cells.forEach((cell, i) => {
      const maxWidth = elementAt(columns, i)[1]
      text(page, cell, { x, y, width: maxWidth - 2, size: 9.5, bold, colour, align: i > 0 && i < 7 ? 'right' : 'left' })
      x += maxWidth
    })
  }
  const titles = (y: number) => {
    row(
      columns.map(([word]) => word),
      y,
      true,
      paleInk,
    )
    rule(page, y + 5, 0.35, ink)
    return y + 6.5
  }
  let y = titles(head())
  for (const wagon of paper.wagons) {
    if (y > foot - 14) {
      await addPage(page)
      y = titles(head())
    }
    const figures = [wagon.orders, wagon.lines.length, wagon.pieces, wagon.stops, wagon.metres ?? '–', wagon.minutes]
    row([String(wagon.wagon_no), ...figures.map(String), wagon.picker ?? ''], y, false)
    y += 5.6
    rule(page, y - 0.8, 0.1, hairline)
  }
  const sum = (of: (wagon: PaperWagon) => number) => paper.wagons.reduce((all, wagon) => all + of(wagon), 0)
  const metres = paper.wagons.some(wagon => wagon.metres !== null) ? String(sum(wagon => wagon.metres ?? 0)) : '–'
  const totals = [sum(w => w.orders), sum(w => w.lines.length), sum(w => w.pieces), sum(w => w.stops), metres, sum(w => w.minutes)]
  row([words.total, ...totals.map(String), ''], y + 0.6, true)
  y += 12
  for (const wagon of paper.wagons) {
    const tall = 8 + Math.ceil(Math.min(wagon.slots.length, 60) / 4) * 9
    if (y + Math.min(tall, 60) > foot - 4) {
      await addPage(page)
      y = head()
    }
    text(page, `${words.wagon} ${wagon.wagon_no}`, { x: left, y, width: 120, size: 11, bold: true })
    y += 7
    for (const [i, slot] of wagon.slots.entries()) {
      if (i > 0 && i % 4 === 0) y += 9
      if (y + 9 > foot - 4) {
        await addPage(page)
        y = head()
      }
      const x = left + (i % 4) * 46.5
      badge(page, slot, { x, y, side: 7.5 })
      text(page, slot.order_no, { x: x + 9, y, width: 36, size: 9, bold: true })
      text(page, slot.codes.join(' ') || slot.company, { x: x + 9, y: y + 4, width: 36, size: 7.5, colour: paleInk })
    }
    y += 14
  }
  number(page, paper)
  return finished(page)
}

function wagonHead(page: Sheet, { code, subtitle, words }: PickPaper, wagon: PaperWagon): number {
  text(page, `${words.wagon} ${wagon.wagon_no}`, { x: left, y: 11, width: 90, size: 22, bold: true })
  text(page, `${words.title} ${code} · ${subtitle}`, { x: left, y: 21, width: 130, size: 9, colour: paleInk })
  const facts = [
    `${wagon.orders} ${words.orders}`,
    `${wagon.lines.length} ${words.lines}`,
    `${wagon.pieces} ${words.pieces}`,
    `${wagon.stops} ${words.stops}`,
    ...(wagon.metres === null ? [] : [`${wagon.metres} m`]),
    `${wagon.minutes} min`,
  ].join('  ·  ')
  text(page, facts, { x: left, y: 26, width: 130, size: 9.5 })
  const more = [wagon.picker && `${words.picker}: ${wagon.picker}`, wagon.deadline && `${words.deadline}: ${wagon.deadline}`]
    .filter(Boolean)
    .join('  ·  ')
  if (more) text(page, more, { x: left, y: 31, width: 130, size: 9.5, bold: true })
  qr(page, code, { x: right - 24, y: 8, side: 24 })
  if (wagon.map_url) {
    qr(page, wagon.map_url, { x: right - 54, y: 6, side: 28 })
    text(page, words.map, { x: right - 54, y: 33.6, width: 28, size: 7, colour: paleInk })
  }
  text(page, code, { x: right - 22, y: 33.6, width: 22, size: 7, colour: paleInk })
  return 39
}

function shortHead(page: Sheet, { code, words }: PickPaper, wagon: PaperWagon): number {
  text(page, `${words.wagon} ${wagon.wagon_no}  ·  ${words.title} ${code}`, { x: left, y: 10, width: 150, size: 10, bold: true })
  return 17
}

/** Two columns of slots: the number large, the order beside it, its code to scan. */
async function slots(page: Sheet, paper: PickPaper, wagon: PaperWagon, from: number): Promise<number> {
  const tall = 15.5
  const cell = (right - left - 4) / 2
  let y = from
  for (let i = 0; i < wagon.slots.length; i += 2) {
    if (y + tall > foot - 6) {
      await addPage(page)
      y = shortHead(page, paper, wagon)
    }
    wagon.slots.slice(i, i + 2).forEach((slot, column) => {
      const x = left + column * (cell + 4)
      badge(page, slot, { x, y, side: 12 })
      text(page, slot.order_no, { x: x + 14, y: y + 0.4, width: 30, size: 11, bold: true })
      text(page, slot.codes.join(' '), { x: x + 14, y: y + 5.2, width: 30, size: 8.5, bold: true })
      text(page, slot.company, { x: x + 14, y: y + 9, width: 30, size: 7.5, colour: paleInk })
      drawCode128(page, slot.order_code, { x: x + 45, y: y + 0.6, width: cell - 46, height: 8.6, module: 0.33 })
      text(page, slot.order_code, { x: x + 45, y: y + 9.6, width: cell - 46, size: 7, colour: paleInk })
    })
    y += tall
  }
  return y
}

const columns = { tick: left, bin: 20, quantity: 62, product: 78, slot: 178 }

function lineHead(page: Sheet, words: PaperWords, y: number): number {
  const title = (word: string, x: number, maxWidth: number, align: 'left' | 'right' = 'left') =>
    text(page, word, { x, y, width: maxWidth, size: 8, bold: true, colour: paleInk, align })
  title(words.bin, columns.bin, 40)
  title(words.pieces, columns.quantity - 4, 16, 'right')
  title(words.product, columns.product, 90)
  title(words.slot, columns.slot, right - columns.slot)
  rule(page, y + 4.6, 0.35, ink)
  return y + 5.4
}

interface LinePlace {
  y: number
  tall: number
  picture: PDFKit.Mixins.ImageSrc | undefined
  hasPictures: boolean
}

function drawLine(page: Sheet, line: PaperLine, words: PaperWords, { y, tall, picture, hasPictures }: LinePlace): void {
  const middle = y + tall / 2
  page
    .rect(mm(columns.tick), mm(middle - 2), mm(4), mm(4))
    .lineWidth(mm(0.3))
    .strokeColor(ink)
    .stroke()
  // A repeated place is pale, so that a change of place is easy to see.
  text(page, line.bin ?? words.no_bin, {
    x: columns.bin,
    y: middle - 2.9,
    width: 42,
    size: 13,
    bold: line.first,
    colour: line.first ? ink : paleInk,
  })
  text(page, String(line.quantity), { x: columns.quantity - 4, y: middle - 3.2, width: 16, size: 15, bold: true, align: 'right' })
  if (picture) page.image(picture, mm(columns.product), mm(y + 1), { fit: [mm(15), mm(tall - 2)], align: 'center', valign: 'center' })
  const x = columns.product + (hasPictures ? 17 : 0)
  text(page, line.name, { x, y: middle - 3.7, width: columns.slot - x - 3, size: 9.5 })
  text(page, line.sku, { x, y: middle + 0.3, width: columns.slot - x - 3, size: 8, colour: paleInk })
  badge(page, line, { x: columns.slot, y: middle - 3.6, side: 7.2 })
  rule(page, y + tall, 0.1, hairline)
}

/** A slot's number in a frame, with a bar of its colour. */
function badge(
  page: Sheet,
  { slot_no, colour }: { slot_no: number; colour: string | null },
  { x, y, side }: { x: number; y: number; side: number },
): void {
  page.rect(mm(x), mm(y), mm(side), mm(side)).lineWidth(mm(0.4)).strokeColor(ink).stroke()
  if (colour)
    page
      .rect(mm(x + 0.2), mm(y + side - side / 5), mm(side - 0.4), mm(side / 5 - 0.2))
      .fillColor(colour)
      .fill()
  const size = side * 1.55
  page.font('bold').fontSize(size).fillColor(ink)
  const word = String(slot_no)
  page.text(word, mm(x) + (mm(side) - page.widthOfString(word)) / 2, mm(y + side * 0.08), { lineBreak: false })
}

function qr(page: Sheet, words: string, { x, y, side }: { x: number; y: number; side: number }): void {
  const matrix = qrMatrix(words)
  if (!matrix) return
  const module = side / (matrix.size + 8)
  page.save().fillColor('#000000')
  for (const [row, column, length] of matrix.runs)
    page.rect(mm(x + (column + 4) * module), mm(y + (row + 4) * module), mm(length * module), mm(module))
  page.fill().restore()
}

interface TextPlace {
  x: number
  y: number
  width: number
  size: number
  bold?: boolean
  colour?: string
  align?: 'left' | 'right'
}

/** One line, cut to its width. A list has thousands of them, so each is measured once. */
function text(page: Sheet, words: string, { x, y, width: maxWidth, size, bold = false, colour = ink, align = 'left' }: TextPlace): void {
  page
    .font(bold ? 'bold' : 'regular')
    .fontSize(size)
    .fillColor(colour)
  let shown = readable(words.slice(0, 200))
  let wide = page.widthOfString(shown)
  if (wide > mm(maxWidth)) {
    let keep = Math.max(1, Math.floor((shown.length * mm(maxWidth)) / wide) - 1)
    while (keep > 1 && page.widthOfString(`${shown.slice(0, keep)}…`) > mm(maxWidth)) keep--
    shown = `${shown.slice(0, keep).toWellFormed().trimEnd()}…`
    wide = page.widthOfString(shown)
  }
  page.text(shown, mm(x) + (align === 'right' ? mm(maxWidth) - wide : 0), mm(y), { lineBreak: false })
}

function rule(page: Sheet, y: number, thick: number, colour: string): void {
  page.lineWidth(mm(thick)).strokeColor(colour).moveTo(mm(left), mm(y)).lineTo(mm(right), mm(y)).stroke()
}

function number(page: Sheet, { words, code }: PickPaper): void {
  const { count } = page.bufferedPageRange()
  for (let i = 0; i < count; i++) {
    page.switchToPage(i)
    const place = words.page.replace('{n}', String(i + 1)).replace('{total}', String(count))
    text(page, code, { x: left, y: foot + 2, width: 60, size: 7.5, colour: paleInk })
    text(page, place, { x: right - 60, y: foot + 2, width: 60, size: 7.5, colour: paleInk, align: 'right' })
  }
}

/** Opened once: the same picture on many lines is stored once in the file. An unreadable one is left out. */
function opened(page: Sheet, key: number, bytes: Uint8Array): [number, PDFKit.Mixins.ImageSrc][] {
  try {
    const open = (page as unknown as { openImage(from: Buffer): PDFKit.Mixins.ImageSrc }).openImage(Buffer.from(bytes))
    return [[key, open]]
  } catch {
    return []
  }
}
