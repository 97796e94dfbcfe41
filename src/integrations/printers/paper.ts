/** The basis of every printed page: millimetres, the two fonts, Code 128 bars and the finished file. */

import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import bwip from 'bwip-js'
import PDFDocument from 'pdfkit'

export type Sheet = PDFKit.PDFDocument

/** Millimetres → PDF points. */
export const mm = (millimetres: number) => (millimetres * 72) / 25.4

export const ink = '#111111'
export const paleInk = '#5c5c58'
export const hairline = '#b9b9b2'

/**
 * An empty document whose pages have the given width and height in millimetres and no margins of their own:
 * a driver crops or scales a page that it considers too large, so margins belong into the drawing.
 * Fonts: `regular` and `bold` (Inter; Latin, Greek and Cyrillic letters, all figures equally wide).
 * Pages stay open until the end, so that each can say how many there are; with `open: false` a page is written out when the next one
 * begins, and a document of hundreds takes the memory of one.
 */
export function sheet({
  size,
  title,
  at,
  language,
  open = true,
}: {
  size: readonly [number, number]
  title: string
  at: Date
  language?: string
  open?: boolean
}): Sheet {
  const page = new PDFDocument({
    size: [mm(size[0]), mm(size[1])],
    margin: 0,
    bufferPages: open,
    info: { Title: readable(title), Creator: 'Pakhus', Producer: 'Pakhus', CreationDate: at, ModDate: at },
    ...(language && { lang: language }),
    displayTitle: true,
  })
  page.registerFont('regular', font('regular'))
  page.registerFont('bold', font('bold'))
  return page.font('regular').fillColor(ink)
}

/** Begins the next page. Others have their turn before: a page takes milliseconds, and a document may have hundreds. */
export async function addPage(page: Sheet): Promise<void> {
  await setImmediate()
  page.addPage()
}

const fonts = new Map<string, Buffer>()
function font(name: 'regular' | 'bold'): Buffer {
  const file = fonts.get(name) ?? readFileSync(new URL(`./fonts/inter-${name}.ttf`, import.meta.url))
  fonts.set(name, file)
  return file
}

/** Ends the document and returns its bytes. */
export async function finished(page: Sheet): Promise<Uint8Array> {
  const parts: Buffer[] = []
  page.end()
  for await (const part of page) parts.push(part as Buffer)
  return new Uint8Array(Buffer.concat(parts))
}

/** Text that the fonts can show on one line: no control characters, no emoji, accents composed with their letters. */
export function readable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/(?![©®™])[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\p{Variation_Selector}/gu, '')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

/** The widths of bars and gaps alternately, a bar first, in modules; null when Code 128 cannot encode a letter of the text. */
export function code128(text: string): { widths: number[]; modules: number } | null {
  if (!/^[\x20-\x7e]{1,80}$/.test(text)) return null
  const [drawn] = bwip.raw('code128', text, { parse: false })
  if (!drawn || !('sbs' in drawn)) return null
  const widths = drawn.sbs
  return { widths, modules: widths.reduce((sum, width) => sum + width, 0) }
}

/**
 * Draws Code 128 as vectors into a box (millimetres), at most `module` wide per bar, including the quiet zones of ten modules that a
 * scanner needs. Returns false and draws nothing when the bars would be thinner than 0.19 mm or cannot be encoded.
 */
export function drawCode128(
  page: Sheet,
  text: string,
  {
    x,
    y,
    width,
    height,
    module: widest = 0.5,
    align = 'left',
  }: { x: number; y: number; width: number; height: number; module?: number; align?: 'left' | 'centre' | 'right' },
): boolean {
  const code = code128(text)
  if (!code) return false
  const bar = Math.min(widest, width / (code.modules + 20))
  if (bar < 0.19) return false
  const spare = width - bar * code.modules
  // The quiet zone may use the blank paper beside the box's inner edge; at an outer edge the bars themselves are aligned.
  let left = x + (align === 'left' ? 0 : align === 'right' ? spare : spare / 2)
  page.save().fillColor('#000000')
  code.widths.forEach((modules, i) => {
    if (i % 2 === 0) page.rect(mm(left), mm(y), mm(modules * bar), mm(height))
    left += modules * bar
  })
  page.fill().restore()
  return true
}

interface LinePlace {
  x: number
  y: number
  width: number
  size: number
  bold?: boolean
  colour?: string
  align?: 'right'
}

/** Draws one line, in millimetres; too long text ends in an ellipsis. */
export function writeLine(page: Sheet, text: string, { x, y, width, size, bold = false, colour = ink, align }: LinePlace): void {
  page
    .font(bold ? 'bold' : 'regular')
    .fontSize(size)
    .fillColor(colour)
  let line = readable(text.slice(0, 300))
  const fits = (some: string) => page.widthOfString(some) <= mm(width)
  if (!fits(line)) {
    let [few, many] = [0, line.length]
    while (few < many) {
      const half = Math.ceil((few + many) / 2)
      if (fits(`${line.slice(0, half)}…`)) few = half
      else many = half - 1
    }
    line = `${line.slice(0, few).trimEnd()}…`
  }
  const spare = align === 'right' ? mm(width) - page.widthOfString(line) : 0
  page.text(line, mm(x) + spare, mm(y), { lineBreak: false })
}
