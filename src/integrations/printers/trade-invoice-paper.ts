/** The customs invoice of many parcels on paper: parties and sums on the first page, then its lines, and every parcel in an annex. */
import { addPage, finished, hairline, ink, mm, paleInk, type Sheet, sheet, writeLine } from './paper.ts'
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
/** Where what follows the first page begins. */
const top = 22
const titleRow = 4.4
const noteRow = 4.6
const parcelTitleRow = 4
const parcelRow = 4.6

interface Column {
  title: string
  x: number
  width: number
  align?: 'right'
}

type Row = readonly string[]

/** What one page holds: lines of the invoice with the notes below them, or parcels. */
interface PageContent {
  lines: readonly Row[]
  notes: readonly string[]
  parcels: readonly Row[]
}

/** One page after the other, each written out before the next begins: an invoice may have thousands of parcels. */
export async function tradeInvoicePaper(paper: TradeInvoicePaper): Promise<Uint8Array> {
  const title = `${paper.title} ${paper.number ?? ''}`
  const page = sheet({ size: [width, height], title, at: paper.at, language: paper.language, open: false })
  const contents = contentsOfPages(paper)
  for (const [i, content] of contents.entries()) {
    if (i > 0) await addPage(page)
    const y = i === 0 ? head(page, paper) : continued(page, paper, content.parcels.length > 0 ? paper.words.annex : '')
    if (content.parcels.length > 0) parcels(page, paper, content.parcels, y)
    else notes(page, content.notes, content.lines.length > 0 || i === 0 ? lines(page, paper, content.lines, y) : y)
    finish(page, paper, { number: i + 1, total: contents.length })
  }
  return finished(page)
}

/** How many rows of this height end above the foot; a hair of rounding does not cost one. */
const rowsBelow = (y: number, tall: number): number => Math.max(0, Math.floor((foot - y) / tall + 1e-9))

function contentsOfPages(paper: TradeInvoicePaper): PageContent[] {
  const pages: PageContent[] = []
  let y = headHeight(paper)
  let left = paper.lines.map(line => line.cells)
  for (;;) {
    const count = rowsBelow(y + titleRow, row)
    const [some, rest] = [left.slice(0, count), left.slice(count)]
    y += titleRow + some.length * row
    left = rest
    if (left.length === 0) {
      pages.push({ lines: some, notes: paper.notes.slice(0, notesBelow(y)), parcels: [] })
      break
    }
    pages.push({ lines: some, notes: [], parcels: [] })
    y = top
  }
  let said = notesBelow(y)
  while (said < paper.notes.length) {
    const count = notesBelow(top)
    pages.push({ lines: [], notes: paper.notes.slice(said, said + count), parcels: [] })
    said += count
  }
  const perPage = 2 * rowsBelow(top + parcelTitleRow, parcelRow)
  for (let i = 0; i < paper.parcels.length; i += perPage) pages.push({ lines: [], notes: [], parcels: paper.parcels.slice(i, i + perPage) })
  return pages
}

const notesBelow = (y: number): number => rowsBelow(y + row - noteRow, noteRow)

const partiesHeight = ({ parties }: TradeInvoicePaper): number => Math.max(0, ...parties.map(party => party.lines.length)) * 4.8
const factsHeight = ({ facts }: TradeInvoicePaper): number => Math.ceil(facts.length / 3) * 10
const headHeight = (paper: TradeInvoicePaper): number => 62 + partiesHeight(paper) + factsHeight(paper)

/** Title, parties, facts and sums; returns where the lines begin. */
function head(page: Sheet, paper: TradeInvoicePaper): number {
  const { words } = paper
  writeLine(page, paper.title, { x: left, y: 14, width: 120, size: 20, bold: true })
  writeLine(page, paper.number ?? paper.mark ?? '', { x: 124, y: 14, width: right - 124, size: 20, bold: true, align: 'right' })
  const half = (right - left) / 2
  paper.parties.forEach(({ title, lines }, i) => {
    const x = left + i * half
    writeLine(page, title, { x, y: 30, width: half - 6, size: 8, colour: paleInk })
    lines.forEach((line, at) => {
      writeLine(page, line, { x, y: 34.4 + at * 4.8, width: half - 6, size: 10, bold: at === 0 })
    })
  })
  let y = 38 + partiesHeight(paper)
  const third = (right - left) / 3
  paper.facts.forEach(([name, value], i) => {
    const [x, at] = [left + (i % 3) * third, y + Math.floor(i / 3) * 10]
    writeLine(page, name, { x, y: at, width: third - 4, size: 8, colour: paleInk })
    writeLine(page, value, { x, y: at + 3.6, width: third - 4, size: 10.5, bold: true })
  })
  y += factsHeight(paper) + 4
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
  return headHeight(paper)
}

function rule(page: Sheet, y: number, thick: number, [from, to]: readonly [number, number] = [left, right]): void {
  page
    .moveTo(mm(from), mm(y))
    .lineTo(mm(to), mm(y))
    .lineWidth(mm(thick))
    .strokeColor(thick > 0.2 ? ink : hairline)
    .stroke()
}

/** The lines of a page; returns where they end. */
function lines(page: Sheet, { words }: TradeInvoicePaper, rows: readonly Row[], from: number): number {
  const columns: Column[] = [
    { title: '', x: left, width: 7 },
    { title: words.description, x: left + 8, width: 58 },
    { title: words.hs_code, x: left + 67, width: 20 },
    { title: words.origin, x: left + 88, width: 11 },
    { title: words.pieces, x: left + 99, width: 10, align: 'right' },
    { title: words.unit_value, x: left + 110, width: 19, align: 'right' },
    { title: words.value, x: left + 130, width: 21, align: 'right' },
    { title: words.net, x: left + 152, width: 14, align: 'right' },
    { title: words.gross, x: left + 167, width: 15, align: 'right' },
  ]
  for (const { title, ...place } of columns) writeLine(page, title, { ...place, y: from, size: 7.5, bold: true, colour: paleInk })
  let y = from + titleRow
  rule(page, y, 0.35)
  for (const cells of rows) {
    columns.forEach(({ title: _, ...place }, i) => {
      writeLine(page, cells[i] ?? '', { ...place, y: y + 1.3, size: 8.5 })
    })
    y += row
    rule(page, y, 0.1)
  }
  return y
}

function notes(page: Sheet, of: readonly string[], from: number): void {
  of.forEach((note, i) => {
    writeLine(page, note, { x: left, y: from + 2 + i * noteRow, width: right - left, size: 8.5, colour: paleInk })
  })
}

/** The parcels of a page, in two columns: number, tracking number, order, postcode, weight, value. */
function parcels(page: Sheet, { words }: TradeInvoicePaper, rows: readonly Row[], from: number): void {
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
  const perColumn = rowsBelow(from + parcelTitleRow, parcelRow)
  ;[left, left + half + gap].forEach((x, side) => {
    const places = columns(x)
    for (const { title, ...place } of places) writeLine(page, title, { ...place, y: from, size: 6.5, bold: true, colour: paleInk })
    rule(page, from + parcelTitleRow, 0.35, [x, x + half])
    rows.slice(side * perColumn, (side + 1) * perColumn).forEach((cells, at) => {
      places.forEach(({ title: _, ...place }, i) => {
        writeLine(page, cells[i] ?? '', { ...place, y: from + parcelTitleRow + 1 + at * parcelRow, size: 7 })
      })
    })
  })
}

/** The head of a further page; returns where its content begins. */
function continued(page: Sheet, { title, number }: TradeInvoicePaper, more: string): number {
  writeLine(page, [`${title} ${number ?? ''}`.trim(), more].filter(Boolean).join(' · '), {
    x: left,
    y: 14,
    width: right - left,
    size: 9,
    colour: paleInk,
  })
  return top
}

/** On each page its number, the hash of the content, and what it is where it is no invoice. */
function finish(page: Sheet, { number, mark, sha256, words }: TradeInvoicePaper, of: { number: number; total: number }): void {
  const hash = sha256 === null ? '' : `sha256 ${sha256.slice(0, 16)}`
  writeLine(page, [number ?? '', hash].filter(Boolean).join(' · '), { x: left, y: foot + 5, width: 130, size: 7.5, colour: paleInk })
  const place = { x: right - 40, y: foot + 5, width: 40, size: 7.5, colour: paleInk, align: 'right' } as const
  writeLine(page, words.page.replace('{n}', String(of.number)).replace('{total}', String(of.total)), place)
  if (mark === null) return
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
