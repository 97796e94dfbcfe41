/** The order sheet: everything about one order on A4, for the person who looks for it in the warehouse. */
import { heightOf, write } from './documents.ts'
import { drawCode128, hairline, ink, mm, paleInk, type Sheet } from './paper.ts'

export interface OrderSheetWords {
  title: string
  ship_to: string
  bin: string
  sku: string
  item: string
  quantity: string
  done: string
  holds: string
  notes: string
  /** Contains `{n}` and `{total}`. */
  page: string
}

export interface OrderSheet {
  company: string
  order_no: string
  /** The code to scan, as Code 128. */
  order_code: string
  /** Name first, country last. */
  ship_to: readonly string[]
  /** Label and value. */
  facts: readonly (readonly [label: string, value: string])[]
  /** What keeps it in the warehouse. */
  holds: readonly string[]
  notes: readonly string[]
  lines: readonly { bin: string; sku: string; name: string; qty: number; done: number }[]
  words: OrderSheetWords
}

const [width, height] = [210, 297]
const [left, right] = [14, width - 14]
const foot = height - 16
const columns = { bin: left, sku: 44, item: 84, qty: 160, done: 176 }

/** Draws it from the page on that is open now. */
export function drawOrderSheet(page: Sheet, order: OrderSheet): void {
  const { words } = order
  const first = page.bufferedPageRange().count - 1
  write(page, order.order_no, { x: left, y: 12, width: 90, size: 26, bold: true, lines: 1 })
  write(page, `${words.title} · ${order.company}`, { x: left, y: 24, width: 90, size: 9, colour: paleInk, lines: 1 })
  if (drawCode128(page, order.order_code, { x: 110, y: 12, width: right - 110, height: 12, align: 'right' }))
    write(page, order.order_code, { x: 110, y: 25, width: right - 110, size: 8, align: 'right', colour: paleInk, lines: 1 })

  let y = 36
  write(page, words.ship_to, { x: left, y, width: 80, size: 8, colour: paleInk, lines: 1 })
  y += 5
  for (const [at, line] of order.ship_to.filter(Boolean).slice(0, 9).entries())
    y = write(page, line, { x: left, y, width: 84, size: 11, bold: at === 0, lines: 2 }) + 0.6
  let factY = 36
  for (const [label, value] of order.facts.slice(0, 10)) {
    write(page, label, { x: 108, y: factY + 0.3, width: 30, size: 8.5, colour: paleInk, lines: 1 })
    factY = Math.max(write(page, value, { x: 140, y: factY, width: right - 140, size: 9.5, lines: 2 }), factY + 4.4) + 1
  }
  y = Math.max(y, factY) + 6
  y = paragraphs(page, order, words.holds, order.holds, y, true)
  y = paragraphs(page, order, words.notes, order.notes, y, false)

  y = tableHead(page, words, y)
  for (const line of order.lines) {
    const tall = Math.max(heightOf(page, line.name, { width: columns.qty - columns.item - 4, size: 10, lines: 4 }), 4.6) + 4
    if (y + tall > foot - 4) y = tableHead(page, words, nextPage(page, order))
    const top = y + 2
    write(page, line.bin, { x: columns.bin, y: top, width: columns.sku - columns.bin - 2, size: 11, bold: true, lines: 1 })
    write(page, line.sku, { x: columns.sku, y: top + 0.3, width: columns.item - columns.sku - 3, size: 9, colour: paleInk, lines: 2 })
    write(page, line.name, { x: columns.item, y: top, width: columns.qty - columns.item - 4, size: 10, lines: 4 })
    write(page, String(line.qty), { x: columns.qty - 6, y: top, width: 16, size: 12, bold: true, align: 'right', lines: 1 })
    write(page, `${line.done} / ${line.qty}`, {
      x: columns.done,
      y: top + 0.3,
      width: right - columns.done - 8,
      size: 9,
      align: 'right',
      lines: 1,
    })
    page
      .rect(mm(right - 5), mm(top - 0.2), mm(4.6), mm(4.6))
      .lineWidth(mm(0.25))
      .strokeColor(ink)
      .stroke()
    rule(page, y + tall, 0.1, hairline)
    y += tall
  }
  const count = page.bufferedPageRange().count - first
  for (let i = 0; i < count; i++) {
    page.switchToPage(first + i)
    const number = words.page.replace('{n}', String(i + 1)).replace('{total}', String(count))
    write(page, number, { x: right - 40, y: foot + 3, width: 40, size: 8, align: 'right', colour: paleInk, lines: 1 })
  }
}

const rule = (page: Sheet, y: number, thick: number, colour: string) =>
  page.lineWidth(mm(thick)).strokeColor(colour).moveTo(mm(left), mm(y)).lineTo(mm(right), mm(y)).stroke()

function paragraphs(page: Sheet, order: OrderSheet, title: string, texts: readonly string[], from: number, bold: boolean): number {
  if (texts.length === 0) return from
  let y = from
  write(page, title, { x: left, y, width: 80, size: 8, colour: paleInk, lines: 1 })
  y += 4.6
  for (const text of texts.slice(0, 20)) {
    const tall = heightOf(page, text, { width: right - left, size: 10, bold, lines: 8 })
    if (y + tall > foot - 4) y = nextPage(page, order)
    y = write(page, text, { x: left, y, width: right - left, size: 10, bold, lines: 8 }) + 1
  }
  return y + 4
}

function tableHead(page: Sheet, words: OrderSheetWords, y: number): number {
  const label = (text: string, x: number, maxWidth: number, align: 'left' | 'right' = 'left') =>
    write(page, text, { x, y, width: maxWidth, size: 8, bold: true, colour: paleInk, align, lines: 1 })
  label(words.bin, columns.bin, columns.sku - columns.bin - 2)
  label(words.sku, columns.sku, columns.item - columns.sku - 3)
  label(words.item, columns.item, columns.qty - columns.item - 10)
  label(words.quantity, columns.qty - 10, 20, 'right')
  label(words.done, columns.done - 4, right - columns.done - 4, 'right')
  rule(page, y + 5, 0.35, ink)
  return y + 5
}

function nextPage(page: Sheet, { order_no, words }: OrderSheet): number {
  page.addPage()
  write(page, `${order_no}  ·  ${words.title}`, { x: left, y: 10, width: 150, size: 10, bold: true, lines: 1 })
  return 20
}
