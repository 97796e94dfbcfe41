/** The test page: shows whether a printer prints 1:1 and sharp, and whether the scanner reads the result. */

import { code128, drawCode128, finished, hairline, ink, mm, paleInk, readable, type Sheet, sheet } from './paper.ts'
import type { Paper } from './printer.ts'

interface TestPrintWords {
  title: string
  /** Instruction beside the barcode. */
  scan: string
  /** Contains `{n}`: the length in millimetres. */
  measure: string
  /** Contains `{n}`: the distance in millimetres. */
  frame: string
}

const testPrintWords: TestPrintWords = {
  title: 'Test page',
  scan: 'Scan this code at the station: printer and scanner are OK when it answers.',
  measure: 'This line is {n} mm long.',
  frame: 'The frame is {n} mm from every edge.',
}

export interface TestPrint {
  /** Makes the code `TEST-<number>`, which the station recognises when it is scanned. */
  number: number
  printer: string
  /** Date and time formatted for the reader. */
  time: string
  at: Date
  words?: TestPrintWords
}

export const testCode = (number: number) => `TEST-${number}`

/** The number in a scanned test code, or null for any other code. */
export function testNumber(code: string): number | null {
  const [, number] = /^TEST-(\d{1,9})$/.exec(code.trim()) ?? []
  return number === undefined ? null : Number(number)
}

const sizes: Record<Paper, readonly [number, number]> = { a4: [210, 297], label: [100, 150] }

/** The test page as PDF for A4 or for a label of 100 × 150 mm. */
export async function testPrintPdf(paper: Paper, { number, printer, time, at, words = testPrintWords }: TestPrint): Promise<Uint8Array> {
  const [width, height] = sizes[paper]
  const isLabel = paper === 'label'
  const edge = isLabel ? 4 : 10
  const inner = edge + (isLabel ? 11 : 14)
  const maxWidth = width - inner * 2
  const big = isLabel ? 1 : 1.6
  const page = sheet({ size: [width, height], title: `${words.title} – ${printer}`, at })

  page.lineWidth(mm(0.3)).strokeColor(ink)
  page.rect(mm(edge), mm(edge), mm(width - edge * 2), mm(height - edge * 2)).stroke()
  ruler(page, { x: edge, y: edge, length: width - edge * 2, along: 'x' })
  ruler(page, { x: edge, y: edge, length: height - edge * 2, along: 'y' })

  let y = inner
  const line = (text: string, size: number, bold: boolean, colour = ink, lines = 2) => {
    page
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(colour)
    const options = { width: mm(maxWidth), height: size * 1.3 * lines, ellipsis: true }
    page.text(readable(text).slice(0, 120), mm(inner), mm(y), options)
    y = (page.y / 72) * 25.4
  }
  line(words.title, 18 * big, true)
  y += 1
  line(printer, 11 * big, true)
  line(time, 9 * big, false, paleInk)

  y += 5 * big
  const tall = isLabel ? 24 : 34
  drawCode128(page, testCode(number), { x: 10, y, width: width - 20, height: tall, module: isLabel ? 0.5 : 0.6, align: 'centre' })
  y += tall + 2
  page
    .font('bold')
    .fontSize(12 * big)
    .fillColor(ink)
  page.text(testCode(number), mm(inner), mm(y), { width: mm(maxWidth), align: 'center' })
  y = (page.y / 72) * 25.4 + 1
  page
    .font('regular')
    .fontSize(8 * big)
    .fillColor(ink)
  page.text(words.scan, mm(inner), mm(y), { width: mm(maxWidth), align: 'center' })

  const length = isLabel ? 70 : 150
  y = isLabel ? 94 : 140
  const start = (width - length) / 2
  page
    .lineWidth(mm(0.3))
    .strokeColor(ink)
    .moveTo(mm(start), mm(y))
    .lineTo(mm(start + length), mm(y))
    .stroke()
  for (const x of [start, start + length])
    page
      .moveTo(mm(x), mm(y - 2))
      .lineTo(mm(x), mm(y + 2))
      .stroke()
  page.font('regular').fontSize(8 * big)
  page.text(words.measure.replace('{n}', String(length)), mm(inner), mm(y + 2.5), { width: mm(maxWidth), align: 'center' })
  page.text(words.frame.replace('{n}', String(edge)), mm(inner), page.y, { width: mm(maxWidth), align: 'center' })

  // Bars and gaps as thin as on labels: they must not merge.
  y += isLabel ? 17 : 30
  let x = start
  for (const thin of [0.125, 0.25, 0.375, 0.5]) {
    for (let i = 0; i < 8; i++) page.rect(mm(x + i * thin * 2), mm(y), mm(thin), mm(7)).fill(ink)
    page
      .font('regular')
      .fontSize(6)
      .fillColor(paleInk)
      .text(`${thin}`, mm(x), mm(y + 7.6), { lineBreak: false })
    x += length / 4
  }
  y += 13
  page.fillColor(ink)
  for (const size of [5, 6, 8]) {
    page.fontSize(size).text('ÆØÅ æøå ÄÖÜ ß ŁŚŻ łśż 0123456789 €', mm(start), mm(y), { lineBreak: false })
    y += size * 0.5
  }
  return finished(page)
}

/** The test page as ZPL for a label of 100 × 150 mm; `dpi` is the density of the print head. */
export function testPrintZpl({ number, printer, time, words = testPrintWords }: TestPrint, dpi: 203 | 300 | 600 = 203): Uint8Array {
  const dots = (millimetres: number) => Math.round((millimetres * dpi) / 25.4)
  const [width, height] = sizes.label
  const [edge, inner] = [4, 12]
  const maxWidth = width - inner * 2
  const line = Math.max(2, dots(0.3))
  const text = (y: number, size: number, said: string, lines = 1, align: 'L' | 'C' = 'L') =>
    `^FO${dots(inner)},${dots(y)}^A0N,${dots(size)},${dots(size)}^FB${dots(maxWidth)},${lines},0,${align}^FH_^FD${zplText(said)}${align === 'C' ? '\\&' : ''}^FS`
  const bar = (x: number, y: number, w: number, h: number) => `^FO${dots(x)},${dots(y)}^GB${dots(w) || line},${dots(h) || line},${line}^FS`
  const ticks = (along: 'x' | 'y', length: number) =>
    Array.from({ length: Math.floor(length / 10) + 1 }, (_, i) =>
      along === 'x' ? bar(edge + i * 10, edge, 0, 3) : bar(edge, edge + i * 10, 3, 0),
    )
  const code = testCode(number)
  // Whole dots per module: half a millimetre, less when the code is long.
  const modules = (code128(code)?.modules ?? 0) + 20
  const module = Math.max(1, Math.min(dots(0.5), Math.floor(dots(maxWidth + 8) / modules)))
  const start = Math.round((dots(width) - (modules - 20) * module) / 2)
  const commands = [
    `^XA^CI28^PW${dots(width)}^LL${dots(height)}^LH0,0^PON`,
    `^FO${dots(edge)},${dots(edge)}^GB${dots(width - edge * 2)},${dots(height - edge * 2)},${line}^FS`,
    ...ticks('x', width - edge * 2),
    ...ticks('y', height - edge * 2),
    text(12, 7, words.title),
    text(21, 4.5, printer, 2),
    text(31, 3.5, time),
    `^FO${start},${dots(42)}^BY${module},2,${dots(24)}^BCN,${dots(24)},N,N,N,A^FD${code}^FS`,
    text(69, 5, code, 1, 'C'),
    text(76, 3.2, words.scan, 3, 'C'),
    bar(15, 102, 70, 0),
    bar(15, 100, 0, 4),
    bar(85, 100, 0, 4),
    text(106, 3.2, words.measure.replace('{n}', '70'), 1, 'C'),
    text(110.5, 3.2, words.frame.replace('{n}', String(edge)), 1, 'C'),
    text(120, 4, 'ÆØÅ æøå ÄÖÜ ß 0123456789'),
    '^PQ1^XZ',
  ]
  return new TextEncoder().encode(`${commands.join('\n')}\n`)
}

/** Letters that are printer commands are written in hexadecimal, so that no name can become a command. */
function zplText(text: string): string {
  return readable(text).replace(/[_^~\\]/g, letter => `_${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}

function ruler(page: Sheet, { x, y, length, along }: { x: number; y: number; length: number; along: 'x' | 'y' }): void {
  page.lineWidth(mm(0.15))
  for (let i = 0; i <= length; i++) {
    const deep = i % 10 === 0 ? 4 : i % 5 === 0 ? 2.5 : 1.5
    page.strokeColor(i % 10 === 0 ? ink : hairline)
    if (along === 'x') page.moveTo(mm(x + i), mm(y)).lineTo(mm(x + i), mm(y + deep))
    else page.moveTo(mm(x), mm(y + i)).lineTo(mm(x + deep), mm(y + i))
    page.stroke()
    if (i % 10 !== 0 || i === 0) continue
    page.font('regular').fontSize(5).fillColor(paleInk)
    const [left, top] = along === 'x' ? [x + i - 4, y + 4.3] : [x + 4.5, y + i - 1]
    if (i <= length - 2) page.text(String(i), mm(left), mm(top), along === 'x' ? { width: mm(8), align: 'center' } : { lineBreak: false })
  }
}
