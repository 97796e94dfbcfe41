/** The layout of a parcel label as data, in millimetres from the top left corner: PDF, A4 sheet and ZPL draw the same pieces. */

import type { Party } from '#domain/party.ts'
import { code128 } from './code128.ts'
import { fitBlock, fitLine, heightOf, LEADING, type Line, type Paragraph, POINT, showable, textWidth } from './label-text.ts'
import { type QrMatrix, qrMatrix } from './qr.ts'

/** A caption and its value, e.g. `Weight`, `2.4 kg`. */
export interface Fact {
  caption: string
  text: string
}

/** Everything printed, in words that the caller chose: the writers depend on no courier and no language. */
export interface Label {
  /** The document's title in viewers and print queues. */
  title: string
  from: string
  sender: Party
  receiver: Party
  to: string
  /** Printed under the postcode, or null for a domestic address. */
  country: string | null
  /** The largest text: route or shipping method. */
  headline: Fact
  /** The cage, in its own box. */
  mark: Fact | null
  /** Null for a shipment without an order. */
  order: Fact | null
  reference: Fact
  /** At most four. */
  facts: readonly Fact[]
  tracking_url: string | null
  /** `data` is the content of the bars (`gs1`: starts with FNC1), `text` the line that people read below them. */
  barcode: { data: string; gs1: boolean; text: string }
}

interface TextPiece {
  kind: 'text'
  x: number
  /** Position of the baseline. */
  y: number
  line: Line
  white: boolean
}
interface FillPiece {
  kind: 'fill'
  x: number
  y: number
  width: number
  height: number
}
interface FramePiece {
  kind: 'frame'
  x: number
  y: number
  width: number
  height: number
  /** Width of the stroke, which lies inside the box. */
  stroke: number
}
interface DashPiece {
  kind: 'dash'
  x: number
  y: number
  width: number
  height: number
}
interface BarsPiece {
  kind: 'bars'
  x: number
  y: number
  width: number
  height: number
  /** Millimetres of one module. */
  module: number
  widths: readonly number[]
  data: string
  gs1: boolean
}
interface QrPiece {
  kind: 'qr'
  x: number
  y: number
  /** Length of one side. */
  width: number
  height: number
  module: number
  matrix: QrMatrix
  data: string
}
export type Piece = TextPiece | FillPiece | FramePiece | DashPiece | BarsPiece | QrPiece

export interface Layout {
  title: string
  /** Millimetres. */
  width: number
  height: number
  pieces: Piece[]
  /** True when a text had to be shortened. */
  cut: boolean
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Dots per millimetre of a 203 dpi printer: bars and modules are whole dots, so that every printer rounds them the same. */
export const DOTS = 8
const LEFT = 4
const RIGHT = 96
/** Rightmost position that printers reach, and so the end of the widest quiet zone. */
const EDGE = 99
/** The strip above is reserved for the copy mark. */
const TOP = 6
const CAPTION = 7

/** Lays out a label of 100 × 150 mm. Throws a RangeError when the barcode does not fit that width. */
export function layoutLabel(label: Label): Layout {
  const pieces: Piece[] = []
  let cut = false
  const text = (x: number, y: number, line: Line, white = false) => {
    pieces.push({ kind: 'text', x, y, line, white })
    if (line.text.endsWith('…')) cut = true
  }
  const caption = (x: number, y: number, words: string, width: number, white = false) =>
    text(x, y, fitLine(words, CAPTION, false, width), white)
  const block = (paragraphs: readonly Paragraph[], box: Box, { middle = false, white = false } = {}) => {
    const fitted = fitBlock(paragraphs, box.width, box.height)
    if (fitted.cut) cut = true
    let y = box.y + (middle ? (box.height - heightOf(fitted.lines)) / 2 : 0)
    for (const line of fitted.lines) {
      text(box.x, y + line.size * 0.9 * POINT, line, white)
      y += line.size * LEADING * POINT
    }
  }
  const rule = (x: number, y: number, width: number, height: number) => pieces.push({ kind: 'fill', x, y, width, height })

  // The headline: white on black, to be read from a distance.
  const headlineWidth = label.mark ? 62 : RIGHT - LEFT
  rule(LEFT, TOP, headlineWidth, 18)
  caption(LEFT + 3, TOP + 4, label.headline.caption, headlineWidth - 6, true)
  block(
    [{ text: label.headline.text, size: 32, bold: true }],
    { x: LEFT + 3, y: TOP + 4.4, width: headlineWidth - 6, height: 13.2 },
    { middle: true, white: true },
  )
  if (label.mark) {
    const box = { x: LEFT + headlineWidth + 2, y: TOP, width: RIGHT - LEFT - headlineWidth - 2, height: 18 }
    pieces.push({ kind: 'frame', ...box, stroke: 1 })
    caption(box.x + 3, TOP + 4.2, label.mark.caption, box.width - 6)
    const line = fitLine(label.mark.text, 34, true, box.width - 6)
    text(box.x + (box.width - line.width) / 2, TOP + 15.2 - (34 - line.size) * 0.11, line)
  }

  // Sender and the shop's references.
  caption(LEFT, 28, label.from, 52)
  block(senderLines(label.sender), { x: LEFT, y: 28.7, width: 52, height: 10.6 })
  rule(58.5, 26, 0.25, 12.5)
  if (label.order) {
    caption(61, 28, label.order.caption, 35)
    text(61, 34, fitLine(label.order.text, 15, true, 35))
  }
  text(61, 38.2, fitLine(`${label.reference.caption} ${label.reference.text}`, CAPTION, false, 35))

  // Receiver: laid out from the bottom, so that postcode and city stay large under a long name.
  rule(LEFT, 40, RIGHT - LEFT, 0.5)
  caption(LEFT, 43.8, label.to, 60)
  const { receiver } = label
  const addressLines = receiverLines(receiver).filter(p => filled(p.text))
  const crowded = addressLines.length > 4 || addressLines.some(p => textWidth(showable(p.text), p.size, p.bold) > RIGHT - LEFT)
  let bottom = 78
  const notes = [receiver.phone, receiver.instruction].filter(filled).join(' · ')
  if (notes) {
    const fitted = fitBlock([{ text: notes, size: 9, bold: false }], RIGHT - LEFT, 6.4, 2)
    if (fitted.cut) cut = true
    bottom -= heightOf(fitted.lines) + 0.6
    let y = bottom
    for (const line of fitted.lines) {
      text(LEFT, y + line.size * 0.9 * POINT, line)
      y += line.size * LEADING * POINT
    }
  }
  if (label.country) {
    const size = crowded ? 10 : 14
    text(LEFT, bottom - 1.2, fitLine(label.country, size, true, RIGHT - LEFT))
    bottom -= 1 + size * POINT
  }
  const place = fitLine(`${receiver.postcode}  ${receiver.city}`, crowded ? 16 : 22, true, RIGHT - LEFT, 9)
  const descent = place.size * 0.24 * POINT
  text(LEFT, bottom - descent, place)
  bottom -= descent + place.size * 0.76 * POINT + 1
  block(addressLines, { x: LEFT, y: 44.8, width: RIGHT - LEFT, height: bottom - 44.8 })
  rule(LEFT, 78.6, RIGHT - LEFT, 0.5)

  // Parcel facts, and where the recipient can follow it.
  const qr = label.tracking_url ? qrPiece(label.tracking_url) : null
  if (qr) pieces.push(qr)
  const factsWidth = (qr ? Math.min(70, qr.x - 4 * qr.module - 0.5) : RIGHT) - LEFT
  const columns = label.facts.length > 1 ? 2 : 1
  const cell = (factsWidth - (columns - 1) * 3) / columns
  for (const [i, fact] of label.facts.slice(0, 4).entries()) {
    const x = LEFT + (i % 2) * (cell + 3)
    const y = 79.6 + Math.floor(i / 2) * 12.9
    if (i % 2 === 1) rule(x - 1.6, y + 1, 0.25, 10.4)
    caption(x, y + 3.4, fact.caption, cell)
    block([{ text: fact.text, size: i < 2 ? 19 : 13, bold: true }], { x, y: y + 3.9, width: cell, height: 8.4 })
  }

  const bars = barsPiece(label.barcode)
  pieces.push(bars)
  const number = fitLine(label.barcode.text, 13, true, RIGHT - LEFT)
  text((100 - number.width) / 2, 145, number)
  return { title: label.title, width: 100, height: 150, pieces, cut }
}

/** An A4 sheet: the label in the upper half, a cut line, and below it a slip with both addresses and the order number. */
export function layoutA4(label: Label, { pieces: onLabel, title, cut }: Layout): Layout {
  const pieces: Piece[] = onLabel.map(piece => ({ ...piece, x: piece.x + 55, y: piece.y + 0.5 }))
  const text = (x: number, y: number, line: Line) => pieces.push({ kind: 'text', x, y, line, white: false })
  const lines = (paragraphs: readonly Paragraph[], box: Box) => {
    let y = box.y
    for (const line of fitBlock(paragraphs, box.width, box.height).lines) {
      text(box.x, y + line.size * 0.9 * POINT, line)
      y += line.size * LEADING * POINT
    }
  }
  pieces.push({ kind: 'dash', x: 10, y: 148.5, width: 190, height: 0 })
  pieces.push({ kind: 'dash', x: 55, y: 8, width: 0, height: 138 }, { kind: 'dash', x: 155, y: 8, width: 0, height: 138 })

  if (label.order) {
    text(20, 170, fitLine(label.order.caption, 10, false, 110))
    text(20, 180, fitLine(label.order.text, 26, true, 110))
  }
  const number = fitLine(label.barcode.text, 11, true, 60)
  text(190 - number.width, 180, number)
  const reference = fitLine(`${label.reference.caption} ${label.reference.text}`, 9, false, 60)
  text(190 - reference.width, 175, reference)
  pieces.push({ kind: 'fill', x: 20, y: 184, width: 170, height: 0.5 })
  const columns: (readonly [number, string, Party, string | null])[] = [
    [20, label.from, label.sender, null],
    [107, label.to, label.receiver, label.country],
  ]
  for (const [x, caption, party, country] of columns) {
    text(x, 191, fitLine(caption, 10, false, 80))
    lines(
      [
        ...receiverLines(party).map(p => ({ ...p, size: p.bold ? 14 : 11 })),
        { text: `${party.postcode}  ${party.city}`, size: 14, bold: true },
        { text: country ?? '', size: 11, bold: false },
        { text: [party.phone, party.email].filter(filled).join(' · '), size: 9, bold: false },
        { text: party.instruction ?? '', size: 9, bold: false },
      ],
      { x, y: 193, width: 80, height: 50 },
    )
  }
  pieces.push({ kind: 'fill', x: 20, y: 248, width: 170, height: 0.5 })
  const facts = [...label.facts.slice(0, 4), ...(label.mark ? [label.headline, label.mark] : [])]
  for (const [i, fact] of facts.entries()) {
    const x = 20 + (i % 4) * 43.5
    const y = 255 + Math.floor(i / 4) * 16
    text(x, y, fitLine(fact.caption, 9, false, 39))
    text(x, y + 6, fitLine(fact.text, 14, true, 39))
  }
  return { title, width: 210, height: 297, pieces, cut }
}

/** The area of a piece: bars and QR codes with their quiet zones, text from its accents to its descenders. */
export function boundsOf(piece: Piece): Box {
  if (piece.kind === 'text') {
    const { size, width } = piece.line
    return { x: piece.x, y: piece.y - size * 0.94 * POINT, width, height: size * 1.16 * POINT }
  }
  const { x, y, width, height } = piece
  if (piece.kind === 'bars') return { x: x - 10 * piece.module, y, width: width + 20 * piece.module, height }
  if (piece.kind === 'qr')
    return { x: x - 4 * piece.module, y: y - 4 * piece.module, width: width + 8 * piece.module, height: height + 8 * piece.module }
  return { x, y, width, height }
}

/** Bars of whole dots, up to half a millimetre per module: GS1 requires 0.495 mm for logistic units. */
function barsPiece({ data, gs1 }: Label['barcode']): BarsPiece {
  const { widths, modules } = code128(data, { gs1 })
  const dots = Math.min(4, Math.floor((100 * DOTS) / (modules + 20)))
  if (dots < 2) throw new RangeError('The barcode is too long for the label')
  const width = (modules * dots) / DOTS
  return {
    kind: 'bars',
    x: Math.round((100 - width) * (DOTS / 2)) / DOTS,
    y: 107.5,
    width,
    height: 32,
    module: dots / DOTS,
    widths,
    data,
    gs1,
  }
}

/** Fills the space between the rule above and the quiet zone of the bars below. Phones cannot read modules under two dots. */
function qrPiece(url: string): QrPiece | null {
  const matrix = qrMatrix(url)
  if (!matrix) return null
  const dots = Math.min(8, Math.floor((28.25 * DOTS) / (matrix.size + 8)))
  if (dots < 2) return null
  const module = dots / DOTS
  const width = matrix.size * module
  const y = Math.round((93.3 - width / 2) * DOTS) / DOTS
  return { kind: 'qr', x: Math.min(RIGHT, EDGE - 4 * module) - width, y, width, height: width, module, matrix, data: url }
}

function senderLines(sender: Party): Paragraph[] {
  return [
    { text: sender.company ?? sender.name, size: 8.5, bold: true },
    { text: [sender.address1, sender.address2].filter(filled).join(', '), size: 8, bold: false },
    { text: `${sender.country} ${sender.postcode} ${sender.city}`, size: 8, bold: false },
  ]
}

function receiverLines(receiver: Party): Paragraph[] {
  const name = { text: receiver.name, size: 18, bold: true }
  const company = {
    text: receiver.company === receiver.name ? '' : (receiver.company ?? ''),
    size: filled(receiver.name) ? 13 : 18,
    bold: !filled(receiver.name),
  }
  return [
    name,
    company,
    { text: receiver.attention ?? '', size: 13, bold: false },
    { text: receiver.address1, size: 14, bold: false },
    { text: receiver.address2 ?? '', size: 14, bold: false },
  ]
}

function filled(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}
