/** Writes a laid-out label as a PDF of one page: vector bars, Helvetica, no image, no date, so that the same label gives the same bytes. */

import { DOTS, type Layout, type Piece } from './label-layout.ts'
import { POINT, winAnsi } from './label-text.ts'

/** Points per dot: the page is drawn in dots, which keeps bars and modules whole numbers. */
const SCALE = 72 / 25.4 / DOTS

/** One page of the layout's size, printed unscaled. */
export function labelPdf({ title, width, height, pieces }: Layout): Uint8Array {
  const page = `[0 0 ${short(width / POINT)} ${short(height / POINT)}]`
  const content = drawing(pieces, height)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/ViewerPreferences<</DisplayDocTitle true/PrintScaling/None>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox${page}/Resources<</Font<</R 4 0 R/B 5 0 R>>>>/Contents 6 0 R>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    `<</Title<${utf16(title)}>/Creator(Pakhus)>>`,
  ]
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  let table = ''
  for (const [i, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
  }
  const count = objects.length + 1
  file += `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R/Info 7 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

function drawing(pieces: readonly Piece[], height: number): string {
  let out = `${SCALE.toFixed(6)} 0 0 ${SCALE.toFixed(6)} 0 0 cm\n`
  const bottom = height * DOTS
  const rectangle = (x: number, y: number, w: number, h: number) =>
    `${short(x * DOTS)} ${short(bottom - (y + h) * DOTS)} ${short(w * DOTS)} ${short(h * DOTS)} re\n`
  for (const piece of pieces) {
    switch (piece.kind) {
      case 'fill':
        out += `${rectangle(piece.x, piece.y, piece.width, piece.height)}f\n`
        break
      case 'frame': {
        const { x, y, width, height: h, stroke } = piece
        out += `${short(stroke * DOTS)} w ${rectangle(x + stroke / 2, y + stroke / 2, width - stroke, h - stroke)}S\n`
        break
      }
      case 'dash':
        out += `q 1 w [12 10] 0 d ${short(piece.x * DOTS)} ${short(bottom - piece.y * DOTS)} m `
        out += `${short((piece.x + piece.width) * DOTS)} ${short(bottom - (piece.y + piece.height) * DOTS)} l S Q\n`
        break
      case 'bars': {
        const y = short(bottom - (piece.y + piece.height) * DOTS)
        const h = short(piece.height * DOTS)
        let x = piece.x * DOTS
        for (const [i, modules] of piece.widths.entries()) {
          const w = modules * piece.module * DOTS
          if (i % 2 === 0) out += `${short(x)} ${y} ${short(w)} ${h} re\n`
          x += w
        }
        out += 'f\n'
        break
      }
      case 'qr': {
        // In modules from the symbol's upper left corner: whole numbers and one path, so that viewers show no seams.
        const side = short(piece.module * DOTS)
        out += `q ${side} 0 0 -${side} ${short(piece.x * DOTS)} ${short(bottom - piece.y * DOTS)} cm\n`
        for (const [row, column, length] of piece.matrix.runs) out += `${column} ${row} ${length} 1 re\n`
        out += 'f Q\n'
        break
      }
      case 'text': {
        const { text, size, bold } = piece.line
        const at = `${short(piece.x * DOTS)} ${short(bottom - piece.y * DOTS)} Td`
        const shown = `BT /${bold ? 'B' : 'R'} ${short(size / SCALE)} Tf ${at} (${escaped(text)}) Tj ET\n`
        out += piece.white ? `1 g ${shown}0 g\n` : shown
        break
      }
    }
  }
  return out
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function escaped(text: string): string {
  return winAnsi(text).replace(/[\\()]/g, '\\$&')
}

/** Big-endian with a byte order mark, in hexadecimal: the only form of a PDF string that takes every letter. */
function utf16(text: string): string {
  return `FEFF${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex')}`
}
