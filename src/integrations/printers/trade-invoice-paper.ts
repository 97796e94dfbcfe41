/** The customs invoice of many parcels on paper: parties and sums on the first page, then its lines, and every parcel in an annex. */
import { finished, hairline, ink, mm, paleInk, type Sheet, sheet, writeLine } from './paper.ts'
import type { TradeInvoiceWords } from './trade-invoice.labels.ts'

export interface TradeInvoicePaper {
  title: string
  number: string | null
  /** Across each page, where it is no invoice. */
  mark: string | null
  facts: readonly (readonly [name: string, value: string])[]
  parties: readonly { title: string; lines: readonly string[] }[]
  /** Number, description, tariff code, origin, pieces, unit value, value, net, gross. */
  lines: readonly { cells: readonly string[] }[]
  /** Parcels, net, gross, value. */
  total: readonly [string, string, string, string]
  notes: readonly string[]
  /** Number, tracking number, order, postcode, gross, value. */
  parcels: readonly (readonly string[])[]
  sha256: string | null
  words: TradeInvoiceWords
  language: string
  at: Date
}

const [width, height] = [210, 297]
const [left, right] = [14, width - 14]
const foot = height - 18
const row = 5.4

interface Column {
  title: string
  x: number
  width: number
  align?: 'right'
}

export async function tradeInvoicePaper(paper: TradeInvoicePaper): Promise<Uint8Array> {
  const { words } = paper
  const page = sheet({ size: [width, height], title: `${paper.title} ${paper.number ?? ''}`, at: paper.at, language: paper.language })
  let y = head(page, paper)
  y = table(
    page,
    paper,
    [
      { title: '', x: left, width: 7 },
      { title: words.description, x: left + 8, width: 58 },
      { title: words.hs_code, x: left + 67, width: 20 },
      { title: words.origin, x: left + 88, width: 11 },
      { title: words.pieces, x: left + 99, width: 10, align: 'right' },
      { title: words.unit_value, x: left + 110, width: 19, align: 'right' },
      { title: words.value, x: left + 130, width: 21, align: 'right' },
      { title: words.net, x: left + 152, width: 14, align: 'right' },
      { title: words.gross, x: left + 167, width: 15, align: 'right' },
    ],
    paper.lines.map(line => line.cells),
    y,
  )
  for (const note of paper.notes) {
    if (y + row > foot) y = nextPage(page, paper)
    writeLine(page, note, { x: left, y: y + 2, width: right - left, size: 8.5, colour: paleInk })
    y += 4.6
  }
  annex(page, paper)
  finish(page, paper)
  return finished(page)
}

function head(page: Sheet, paper: TradeInvoicePaper): number {
  const { words } = paper
  writeLine(page, paper.title, { x: left, y: 14, width: 120, size: 20, bold: true })
  writeLine(page, paper.number ?? paper.mark ?? '', { x: 124, y: 14, width: right - 124, size: 20, bold: true, align: 'right' })
  const half = (right - left) / 2
  let tall = 0
  paper.parties.forEach(({ title, lines }, i) => {
    const x = left + i * half
    writeLine(page, title, { x, y: 30, width: half - 6, size: 8, colour: paleInk })
    lines.forEach((line, at) => {
      writeLine(page, line, { x, y: 34.4 + at * 4.8, width: half - 6, size: 10, bold: at === 0 })
    })
    tall = Math.max(tall, lines.length)
  })
  let y = 38 + tall * 4.8
  const third = (right - left) / 3
  paper.facts.forEach(([name, value], i) => {
    const [x, at] = [left + (i % 3) * third, y + Math.floor(i / 3) * 10]
    writeLine(page, name, { x, y: at, width: third - 4, size: 8, colour: paleInk })
    writeLine(page, value, { x, y: at + 3.6, width: third - 4, size: 10.5, bold: true })
  })
  y += Math.ceil(paper.facts.length / 3) * 10 + 4
  page
    .roundedRect(mm(left), mm(y), mm(right - left), mm(14), mm(1.5))
    .lineWidth(mm(0.3))
    .strokeColor(ink)
    .stroke()
  const sums = [words.parcels, words.net, words.gross, words.total]
  const quarter = (right - left - 8) / 4
  sums.forEach((name, i) => {
    const place = { x: left + 4 + i * quarter, width: quarter - 2 }
    writeLine(page, name, { ...place, y: y + 2.2, size: 8, colour: paleInk })
    writeLine(page, paper.total[i] ?? '', { ...place, y: y + 6, size: 12.5, bold: true })
  })
  return y + 20
}

function rule(page: Sheet, y: number, thick: number, [from, to]: readonly [number, number] = [left, right]): void {
  page
    .moveTo(mm(from), mm(y))
    .lineTo(mm(to), mm(y))
    .lineWidth(mm(thick))
    .strokeColor(thick > 0.2 ? ink : hairline)
    .stroke()
}

/** Draws rows on as many pages as needed; returns where they end. */
function table(
  page: Sheet,
  paper: TradeInvoicePaper,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  from: number,
): number {
  const titles = (y: number) => {
    for (const { title, ...place } of columns) writeLine(page, title, { ...place, y, size: 7.5, bold: true, colour: paleInk })
    rule(page, y + 4.4, 0.35)
    return y + 4.4
  }
  let y = titles(from)
  for (const cells of rows) {
    if (y + row > foot) y = titles(nextPage(page, paper))
    columns.forEach(({ title: _, ...place }, i) => {
      writeLine(page, cells[i] ?? '', { ...place, y: y + 1.3, size: 8.5 })
    })
    y += row
    rule(page, y, 0.1)
  }
  return y
}

/** Each parcel, in two columns a page: number, tracking number, order, postcode, weight, value. */
function annex(page: Sheet, paper: TradeInvoicePaper): void {
  const { words } = paper
  const gap = 6
  const half = (right - left - gap) / 2
  const columns = (x: number): Column[] => [
    { title: '', x, width: 8 },
    { title: words.tracking_no, x: x + 9, width: 32 },
    { title: words.order, x: x + 42, width: 14 },
    { title: words.postcode, x: x + 57, width: 9 },
    { title: words.gross, x: x + 66, width: 9, align: 'right' },
    { title: words.value, x: x + 75.5, width: half - 75.5, align: 'right' },
  ]
  const places = [columns(left), columns(left + half + gap)]
  const begin = () => {
    const y = nextPage(page, paper, words.annex)
    places.forEach((of, i) => {
      for (const { title, ...place } of of) writeLine(page, title, { ...place, y, size: 6.5, bold: true, colour: paleInk })
      const x = left + i * (half + gap)
      rule(page, y + 4, 0.35, [x, x + half])
    })
    return y + 4
  }
  const tall = 4.6
  let top = 0
  let at = 0
  let perColumn = 0
  for (const cells of paper.parcels) {
    if (at === perColumn * 2) {
      top = begin()
      at = 0
      perColumn = Math.floor((foot - top) / tall)
    }
    const y = top + (at % perColumn) * tall + 1
    places[Math.floor(at / perColumn)]?.forEach(({ title: _, ...place }, i) => {
      writeLine(page, cells[i] ?? '', { ...place, y, size: 7 })
    })
    at += 1
  }
}

function nextPage(page: Sheet, { title, number }: TradeInvoicePaper, more = ''): number {
  page.addPage()
  writeLine(page, [`${title} ${number ?? ''}`.trim(), more].filter(Boolean).join(' · '), {
    x: left,
    y: 14,
    width: right - left,
    size: 9,
    colour: paleInk,
  })
  return 22
}

/** On each page its number, the hash of the content, and what it is where it is no invoice. */
function finish(page: Sheet, { number, mark, sha256, words }: TradeInvoicePaper): void {
  const { count } = page.bufferedPageRange()
  for (let i = 0; i < count; i++) {
    page.switchToPage(i)
    const hash = sha256 === null ? '' : `sha256 ${sha256.slice(0, 16)}`
    writeLine(page, [number ?? '', hash].filter(Boolean).join(' · '), { x: left, y: foot + 5, width: 130, size: 7.5, colour: paleInk })
    const place = { x: right - 40, y: foot + 5, width: 40, size: 7.5, colour: paleInk, align: 'right' } as const
    writeLine(page, words.page.replace('{n}', String(i + 1)).replace('{total}', String(count)), place)
    if (mark === null) continue
    page
      .save()
      .rotate(-55, { origin: [mm(width / 2), mm(height / 2)] })
      .font('bold')
      .fontSize(110)
      .fillColor(ink)
      .fillOpacity(0.08)
      .text(mark, 0, mm(height / 2) - 60, { width: mm(width), align: 'center', lineBreak: false })
      .restore()
  }
}
