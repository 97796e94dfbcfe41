/** The collect list on paper: the parcels handed to the courier, by method and one by one, with a field for the driver's signature. */

import { addPage, drawCode128, finished, hairline, ink, mm, paleInk, type Sheet, sheet, writeLine as write } from './paper.ts'

export interface CollectWords {
  title: string
  courier: string
  cage: string
  cut_off: string
  closed: string
  handed_over: string
  running: string
  method: string
  parcels: string
  weight: string
  total: string
  number: string
  order: string
  to: string
  missing: string
  reason: string
  not_found: string
  damaged: string
  next_pickup: string
  cancelled: string
  stopped: string
  /** Contains `{n}`. */
  received: string
  driver: string
  time: string
  signature: string
  /** Contains `{n}` and `{total}`. */
  page: string
}

export interface CollectPaper {
  /** `CL12`: the code to scan, which opens the list. */
  code: string
  /** The sender: name, address. */
  company: readonly string[]
  courier: string
  cage: string
  /** Instants formatted for the reader. */
  cut_off: string | null
  closed: string | null
  handed_over: string | null
  driver: string | null
  /** The path of an SVG drawing, 600 wide and 200 high. */
  driver_signature: string | null
  running: boolean
  /** Weights in kilograms, formatted for the reader. */
  methods: readonly { name: string; count: number; weight: string }[]
  weight: string
  parcels: readonly { number: string; order_no: string; to: string; method: string; weight: string }[]
  missing: readonly { number: string; order_no: string; reason: string }[]
  words: CollectWords
  language: string
  at: Date
}

const [width, height] = [210, 297]
const [left, right] = [16, width - 16]
const foot = height - 16
const row = 5.6

export async function collectListPaper(paper: CollectPaper): Promise<Uint8Array> {
  const { words } = paper
  const page = sheet({ size: [width, height], title: `${words.title} ${paper.code}`, at: paper.at, language: paper.language })
  let y = head(page, paper)
  y = methods(page, paper, y)
  // The signature is on the first page, beside the sums: a driver does not turn pages.
  y = signature(page, paper, y + 4) + 8

  const columns: Column[] = [
    { title: '', x: left, width: 9 },
    { title: words.number, x: left + 10, width: 56 },
    { title: words.order, x: left + 68, width: 32 },
    { title: words.to, x: left + 102, width: 34 },
    { title: words.method, x: left + 138, width: 22 },
    { title: words.weight, x: left + 160, width: right - left - 160, align: 'right' },
  ]
  y = await table(
    page,
    paper,
    columns,
    paper.parcels.map((parcel, i) => [String(i + 1), parcel.number, parcel.order_no, parcel.to, parcel.method, parcel.weight]),
    y,
  )
  if (paper.missing.length > 0) {
    if (y + 3 * row > foot - 4) y = await nextPage(page, paper)
    write(page, `${words.missing} (${paper.missing.length})`, { x: left, y: y + 5, width: 120, size: 11, bold: true })
    await table(
      page,
      paper,
      [
        { title: words.number, x: left, width: 66 },
        { title: words.order, x: left + 68, width: 32 },
        { title: words.reason, x: left + 102, width: right - left - 102 },
      ],
      paper.missing.map(parcel => [parcel.number, parcel.order_no, parcel.reason]),
      y + 12,
    )
  }
  const { count } = page.bufferedPageRange()
  for (let i = 0; i < count; i++) {
    page.switchToPage(i)
    const number = words.page.replace('{n}', String(i + 1)).replace('{total}', String(count))
    write(page, paper.company.filter(Boolean).join('  ·  '), { x: left, y: foot + 4, width: 130, size: 7.5, colour: paleInk })
    write(page, number, { x: right - 40, y: foot + 4, width: 40, size: 7.5, colour: paleInk, align: 'right' })
  }
  return finished(page)
}

function head(page: Sheet, paper: CollectPaper): number {
  const { words } = paper
  write(page, `${words.title} ${paper.code}`, { x: left, y: 14, width: 100, size: 20, bold: true })
  paper.company.forEach((line, i) => {
    write(page, line, { x: left, y: 24 + i * 4.6, width: 100, size: 9, colour: paleInk })
  })
  drawCode128(page, paper.code, { x: 124, y: 14, width: right - 124, height: 13, module: 0.5, align: 'right' })
  write(page, paper.code, { x: 124, y: 28, width: right - 124, size: 9, align: 'right', colour: paleInk })
  const facts = [
    [words.courier, paper.courier],
    [words.cage, paper.cage],
    [words.cut_off, paper.cut_off],
    [words.closed, paper.closed],
    [words.handed_over, paper.handed_over],
  ].filter((fact): fact is [string, string] => fact[1] !== null)
  const cell = (right - left) / 3
  facts.forEach(([name, value], i) => {
    const [x, y] = [left + (i % 3) * cell, 38 + Math.floor(i / 3) * 12]
    write(page, name, { x, y, width: cell - 4, size: 8, colour: paleInk })
    write(page, value, { x, y: y + 3.8, width: cell - 4, size: 12, bold: true })
  })
  let y = 38 + Math.ceil(facts.length / 3) * 12 + 2
  if (paper.running) {
    page
      .rect(mm(left), mm(y), mm(right - left), mm(8))
      .lineWidth(mm(0.4))
      .strokeColor(ink)
      .stroke()
    write(page, words.running, { x: left + 3, y: y + 2.2, width: right - left - 6, size: 10, bold: true })
    y += 12
  }
  return y
}

/** The sums that a driver checks: parcels and weight by method. */
function methods(page: Sheet, { methods: of, parcels, weight, words }: CollectPaper, from: number): number {
  const columns = [left, left + 100, left + 140] as const
  const line = (cells: readonly [string, string, string], y: number, size: number, bold: boolean, colour = ink) => {
    write(page, cells[0], { x: columns[0], y, width: 96, size, bold, colour })
    write(page, cells[1], { x: columns[1], y, width: 32, size, bold, colour, align: 'right' })
    write(page, cells[2], { x: columns[2], y, width: right - columns[2], size, bold, colour, align: 'right' })
  }
  line([words.method, words.parcels, words.weight], from, 8, true, paleInk)
  let y = from + 5
  rule(page, y, 0.35)
  for (const method of of) {
    line([method.name, String(method.count), method.weight], y + 1.6, 10.5, false)
    y += 6.6
    rule(page, y, 0.1)
  }
  line([words.total, String(parcels.length), weight], y + 1.8, 12, true)
  return y + 9
}

function signature(page: Sheet, { parcels, driver, driver_signature, handed_over, words }: CollectPaper, from: number): number {
  const tall = 30
  page
    .roundedRect(mm(left), mm(from), mm(right - left), mm(tall), mm(1.5))
    .lineWidth(mm(0.3))
    .strokeColor(ink)
    .stroke()
  write(page, words.received.replace('{n}', String(parcels.length)), { x: left + 4, y: from + 3.4, width: 120, size: 11, bold: true })
  const fields = [
    [words.driver, driver ?? '', 56],
    [words.time, handed_over ?? '', 44],
    [words.signature, '', right - left - 8 - 56 - 44 - 8],
  ] as const
  let x = left + 4
  for (const [name, value, width] of fields) {
    write(page, value, { x, y: from + 16.6, width, size: 10.5 })
    page
      .moveTo(mm(x), mm(from + 22.5))
      .lineTo(mm(x + width), mm(from + 22.5))
      .lineWidth(mm(0.25))
      .strokeColor(ink)
      .stroke()
    write(page, name, { x, y: from + 23.8, width, size: 8, colour: paleInk })
    if (name === words.signature && driver_signature !== null) drawSignature(page, driver_signature, { x, y: from + 2, height: 20 })
    x += width + 4
  }
  return from + tall
}

interface Column {
  title: string
  x: number
  width: number
  align?: 'right'
}

/** Draws rows on as many pages as needed; returns the y position where they end. */
async function table(
  page: Sheet,
  paper: CollectPaper,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  from: number,
): Promise<number> {
  const titles = (y: number) => {
    for (const { title, ...place } of columns) write(page, title, { ...place, y, size: 8, bold: true, colour: paleInk })
    rule(page, y + 4.6, 0.35)
    return y + 4.6
  }
  if (rows.length === 0) return from
  let y = titles(from + 3 * row > foot ? await nextPage(page, paper) : from)
  for (const cells of rows) {
    if (y + row > foot) y = titles(await nextPage(page, paper))
    columns.forEach(({ title: _, ...place }, i) => {
      write(page, cells[i] ?? '', { ...place, y: y + 1.3, size: 9 })
    })
    y += row
    rule(page, y, 0.1)
  }
  return y
}

function drawSignature(page: Sheet, path: string, { x, y, height }: { x: number; y: number; height: number }): void {
  page
    .save()
    .translate(mm(x), mm(y))
    .scale(mm(height) / 200)
    .path(path)
    .lineWidth(4)
    .strokeColor(ink)
    .stroke()
    .restore()
}

async function nextPage(page: Sheet, { code, courier, cage, words }: CollectPaper): Promise<number> {
  await addPage(page)
  write(page, `${words.title} ${code} · ${courier} · ${cage}`, { x: left, y: 14, width: right - left, size: 9, colour: paleInk })
  return 22
}

function rule(page: Sheet, y: number, thick: number): void {
  page
    .moveTo(mm(left), mm(y))
    .lineTo(mm(right), mm(y))
    .lineWidth(mm(thick))
    .strokeColor(thick > 0.2 ? ink : hairline)
    .stroke()
}
