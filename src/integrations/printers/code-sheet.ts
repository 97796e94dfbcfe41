/** A printable sheet of codes for a packing station: commands as QR codes, orders as Code 128, each under its caption. */

import { qrMatrix } from '#integrations/labels/qr.ts'
import { addPage, drawCode128, finished, hairline, ink, mm, paleInk, readable, type Sheet, sheet } from './paper.ts'

export interface SheetCode {
  /** Content of the code. */
  code: string
  /** The large caption: the command's effect, or the owner. */
  caption: string
  /** One more line of text. */
  note?: string
  as: 'qr' | 'code128'
}

const [width, height] = [210, 297]
const edge = 12
const gap = 6

/** Cards in two columns on as many A4 pages as needed, without cut marks: a card's frame shows where to cut. */
export async function codeSheet({ title, codes, at }: { title: string; codes: readonly SheetCode[]; at: Date }): Promise<Uint8Array> {
  const page = sheet({ size: [width, height], title, at, open: false })
  const head = () => {
    page.font('bold').fontSize(16).fillColor(ink)
    page.text(readable(title).slice(0, 80), mm(edge), mm(edge), { width: mm(width - edge * 2), height: 22, ellipsis: true })
  }
  const cell = (width - edge * 2 - gap) / 2
  head()
  let y = edge + 12
  // A row is as tall as its taller card, so commands and orders may share a sheet.
  for (let i = 0; i < codes.length; i += 2) {
    const row = codes.slice(i, i + 2)
    const tall = Math.max(...row.map(({ as }) => (as === 'qr' ? 46 : 40)))
    if (y + tall > height - edge) {
      await addPage(page)
      head()
      y = edge + 12
    }
    row.forEach((code, column) => {
      card(page, code, { x: edge + column * (cell + gap), y, width: cell, height: tall })
    })
    y += tall + gap
  }
  return finished(page)
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

function card(page: Sheet, { code, caption, note, as }: SheetCode, box: Box): void {
  page.roundedRect(mm(box.x), mm(box.y), mm(box.width), mm(box.height), mm(2)).lineWidth(mm(0.25)).strokeColor(hairline).stroke()
  if (as === 'qr') {
    // The card's margin serves as the quiet zone.
    const side = box.height - 2
    drawQr(page, code, { x: box.x + 1, y: box.y + 1, side })
    words(page, { caption, note, code }, { x: box.x + side + 1, y: box.y + 8, width: box.width - side - 6, height: box.height - 14 })
    return
  }
  const drawn = drawCode128(page, code, { x: box.x + 4, y: box.y + 5, width: box.width - 8, height: 16, module: 0.5, align: 'centre' })
  if (!drawn) drawQr(page, code, { x: box.x + box.width / 2 - 8, y: box.y + 5, side: 16 })
  words(page, { caption, note, code }, { x: box.x + 6, y: box.y + 23.5, width: box.width - 12, height: 14 })
}

function words(page: Sheet, { caption, note, code }: { caption: string; note?: string | undefined; code: string }, box: Box): void {
  const line = (text: string, y: number, size: number, bold: boolean, colour: string, lines: number) => {
    page
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(colour)
    page.text(readable(text).slice(0, 200), mm(box.x), y, { width: mm(box.width), height: size * 1.25 * lines, ellipsis: true })
    return page.y
  }
  let y = line(caption, mm(box.y), 15, true, ink, 2) + mm(0.8)
  if (note) y = line(note, y, 9.5, false, ink, box.height > 20 ? 4 : 1) + mm(0.8)
  line(code, y, 7.5, false, paleInk, 1)
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
