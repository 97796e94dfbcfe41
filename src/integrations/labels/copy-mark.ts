/** Stamps a reprinted label as a copy (`COPY 2 · Kim`), outside everything that a scanner reads. */

import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'
import { fitLine, POINT } from './label-text.ts'
import { zplField } from './label-zpl.ts'

/**
 * Returns a marked copy of any courier's label, PDF or ZPL by its first bytes.
 * The mark is in the top margin: our labels keep that strip free, and couriers keep their bars further from the edge than its 5 mm.
 */
export async function markCopy(label: Uint8Array, text: string): Promise<Uint8Array> {
  return String.fromCharCode(...label.subarray(0, 5)) === '%PDF-' ? markPdf(label, text) : markZpl(label, text)
}

async function markPdf(label: Uint8Array, text: string): Promise<Uint8Array> {
  // Without its own dates the copy depends only on the label and the text.
  const document = await PDFDocument.load(label, { updateMetadata: false })
  const font = await document.embedFont(StandardFonts.HelveticaBold)
  for (const page of document.getPages()) {
    const { x, y, width, height } = page.getMediaBox()
    const sheet = width > 150 / POINT
    const margin = (sheet ? 8 : 4) / POINT
    const line = fitLine(text, sheet ? 12 : 9, true, sheet ? 42 : width * POINT - 8)
    const top = y + height - (sheet ? 9 : 1.4) / POINT
    const baseline = top - line.size * 0.94
    const left = sheet ? x + width - margin - line.width / POINT : x + margin
    const box = { x: left - 2, y: baseline - line.size * 0.22, width: line.width / POINT + 4, height: line.size * 1.16 }
    page.drawRectangle({ ...box, color: rgb(1, 1, 1) })
    page.drawText(line.text, { x: left, y: baseline, size: line.size, font, color: rgb(0, 0, 0) })
  }
  return document.save()
}

/** A ZPL file may hold several labels, and formats that only configure the printer: those print nothing and get no mark. */
function markZpl(label: Uint8Array, text: string): Uint8Array {
  const zpl = Buffer.from(label).toString('latin1')
  const marked = replaceFormats(zpl, format => {
    if (!/\^(FD|GF|XG|GB)/i.test(format)) return format
    const line = fitLine(text, 9, true, 92)
    // In another encoding than UTF-8, text beyond ASCII is unreadable, and a change of the printer's code page would persist after this label.
    const words = /\^CI28/i.test(format)
      ? line.text
      : line.text
          .normalize('NFKD')
          .replace(/[·•]/g, '-')
          .replace(/[^\x20-\x7e]/g, '')
    const field = Buffer.from(`^FO32,11^A0N,28,28${zplField(words)}`).toString('latin1')
    return `${format.slice(0, -3)}${field}\n^XZ`
  })
  return Buffer.from(marked, 'latin1')
}

/** Replaces each text from `^XA` to the next `^XZ`. One expression for both would search to the end from every `^XA` without an end. */
function replaceFormats(zpl: string, replace: (format: string) => string): string {
  const begin = /\^XA/gi
  const end = /\^XZ/gi
  let replaced = ''
  let done = 0
  for (let from = begin.exec(zpl); from !== null; from = begin.exec(zpl)) {
    end.lastIndex = begin.lastIndex
    if (end.exec(zpl) === null) break
    replaced += zpl.slice(done, from.index) + replace(zpl.slice(from.index, end.lastIndex))
    done = end.lastIndex
    begin.lastIndex = done
  }
  return replaced + zpl.slice(done)
}
