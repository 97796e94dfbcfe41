/** Labels for totes: the code as QR and Code 128, and its number large enough to read from a distance. */
import { qrMatrix } from '#integrations/labels/qr.ts'
import { addPage, drawCode128, finished, hairline, ink, mm, paleInk, readable, type Sheet, sheet } from './paper.ts'

export interface ToteLabels {
  /** The scanned code: PP17. */
  codes: readonly string[]
  /** One label of 100 × 150 mm each, or 21 small ones on an A4 page (63.5 × 38.1 mm, a standard label sheet). */
  size: 'label' | 'sheet'
  /** Size of the number. */
  text: 'normal' | 'large'
  /** One line under the number: the warehouse's name, the wagon's colour … */
  caption: string
  title: string
  at: Date
}

const label = [100, 150] as const
const a4 = [210, 297] as const
/** Three columns of seven. */
const cells = { columns: 3, rows: 7, width: 63.5, height: 38.1, left: 7.25, top: 15.15, gap: 2.5 } as const
const labelsOnSheet = cells.columns * cells.rows

export async function toteLabels({ codes, size, text, caption, title, at }: ToteLabels): Promise<Uint8Array> {
  const page = sheet({ size: size === 'label' ? label : a4, title, at, open: false })
  const line = readable(caption).slice(0, 60)
  const perPage = size === 'label' ? 1 : labelsOnSheet
  for (const [i, code] of codes.entries()) {
    const place = i % perPage
    if (i > 0 && place === 0) await addPage(page)
    if (size === 'label') drawLarge(page, code, line, text)
    else
      drawSmall(page, code, line, text, {
        x: cells.left + (place % cells.columns) * (cells.width + cells.gap),
        y: cells.top + Math.floor(place / cells.columns) * cells.height,
      })
  }
  return finished(page)
}

/** 100 × 150 mm: the number, the QR code, the bars. */
function drawLarge(page: Sheet, code: string, caption: string, text: 'normal' | 'large'): void {
  words(page, code, { x: 4, y: 6, width: 92, height: text === 'large' ? 34 : 22, bold: true })
  if (caption) words(page, caption, { x: 6, y: text === 'large' ? 41 : 30, width: 88, height: 7, bold: false })
  const top = (text === 'large' ? 43 : 31) + (caption ? 6 : 0)
  const side = 113 - top
  drawQr(page, code, { x: (label[0] - side) / 2, y: top, side })
  drawCode128(page, code, { x: 8, y: 116, width: 84, height: 22, module: 0.8, align: 'centre' })
  words(page, code, { x: 8, y: 140, width: 84, height: 5, bold: false })
}

/** 63.5 × 38.1 mm: the QR code on the left, number, caption and bars beside it. */
function drawSmall(page: Sheet, code: string, caption: string, text: 'normal' | 'large', at: { x: number; y: number }): void {
  // Faint, and inside the label: shows where to cut plain paper and is invisible in the gap of label sheets.
  page.roundedRect(mm(at.x), mm(at.y), mm(cells.width), mm(cells.height), mm(2)).lineWidth(mm(0.1)).strokeColor(hairline).stroke()
  drawQr(page, code, { x: at.x + 2, y: at.y + 6, side: 25 })
  const x = at.x + 28
  const width = cells.width - 30
  words(page, code, { x, y: at.y + 4, width, height: text === 'large' ? 12 : 8, bold: true })
  if (caption) words(page, caption, { x, y: at.y + (text === 'large' ? 16.5 : 13), width, height: 3.6, bold: false })
  drawCode128(page, code, { x, y: at.y + 21.5, width, height: 11, module: 0.33, align: 'centre' })
}

interface Box {
  x: number
  y: number
  width: number
  height: number
  bold: boolean
}

/** One line, as large as the box allows, centred. */
function words(page: Sheet, text: string, { x, y, width, height, bold }: Box): void {
  page.font(bold ? 'bold' : 'regular').fontSize(100)
  const size = Math.min((mm(height) / 100) * 83, (mm(width) / page.widthOfString(text)) * 100)
  page.fontSize(size).fillColor(bold ? ink : paleInk)
  page.text(text, mm(x) + (mm(width) - page.widthOfString(text)) / 2, mm(y) + (mm(height) - page.currentLineHeight()) / 2, {
    lineBreak: false,
  })
}

/** With the quiet zone of four modules inside the square. */
function drawQr(page: Sheet, text: string, { x, y, side }: { x: number; y: number; side: number }): void {
  const matrix = qrMatrix(text)
  if (!matrix) return
  const module = side / (matrix.size + 8)
  page.save().fillColor('#000000')
  for (const [row, column, length] of matrix.runs)
    page.rect(mm(x + (column + 4) * module), mm(y + (row + 4) * module), mm(length * module), mm(module))
  page.fill().restore()
}
