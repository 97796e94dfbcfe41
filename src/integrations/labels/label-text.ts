/** Text on labels: what Helvetica can show, its width, and how it shrinks or wraps to fit its box. */

import { PLAIN_LETTERS } from './glyphs.ts'

/** Millimetres per point. */
export const POINT = 25.4 / 72

/** Advance widths of the codes 32–255 in WinAnsi, thousandths of the size. Source: Adobe Font Metrics of the standard fonts. */
const REGULAR = Uint16Array.from([
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278,
  278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
  667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556,
  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, 0, 556, 350, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333,
  1000, 350, 611, 350, 350, 222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 350, 500, 667, 278, 333, 556, 556, 556, 556, 260,
  556, 333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611, 667, 667,
  667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722,
  667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278, 556, 556, 556, 556, 556, 556, 556, 584,
  611, 556, 556, 556, 556, 500, 556, 500,
])
const BOLD = Uint16Array.from([
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333,
  333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722,
  667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611,
  611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584, 0, 556, 350, 278, 556, 500, 1000, 556, 556, 333, 1000, 667, 333,
  1000, 350, 611, 350, 350, 278, 278, 500, 500, 350, 556, 1000, 333, 1000, 556, 333, 944, 350, 500, 667, 278, 333, 556, 556, 556, 556, 280,
  556, 333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333, 333, 333, 611, 556, 278, 333, 333, 365, 556, 834, 834, 834, 611, 722, 722,
  722, 722, 722, 722, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722,
  667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556, 278, 278, 278, 278, 611, 611, 611, 611, 611, 611, 611, 584,
  611, 611, 611, 611, 611, 556, 611, 556,
])

/** The letters of WinAnsi that do not have their Unicode number. */
const WINDOWS = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((letter, i) => [
    letter,
    [128, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 142, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 158, 159][
      i
    ]!,
  ]),
)

const SHOWN = /^[\x21-\x7e\xa1-\xac\xae-\xff]+(?: [\x21-\x7e\xa1-\xac\xae-\xff]+)*$/
/** Longer texts are cut first, to bound the work; no box on a label holds that much. */
const LONGEST = 600

/**
 * The text in letters that Helvetica has: accents that it lacks are dropped, Latin, Cyrillic and Greek letters become plain ones, control characters, direction marks and
 * emoji are removed, and a letter of any other script becomes a question mark, which `unshowable` reports beforehand.
 */
export function showable(text: string): string {
  if (text.length <= LONGEST && SHOWN.test(text)) return text
  let shown = ''
  for (const letter of text.slice(0, LONGEST).normalize('NFC')) shown += showableLetter(letter)
  return shown.replace(/ +/g, ' ').trim()
}

/** The letters that a label cannot show, each once: a person has to write the text differently. */
export function unshowable(text: string): string[] {
  const missing = new Set<string>()
  for (const letter of text.normalize('NFC')) if (letter !== '?' && showableLetter(letter) === '?') missing.add(letter)
  return [...missing]
}

function showableLetter(letter: string): string {
  if (hasGlyph(letter)) return letter
  if (/[\s\p{Cc}]/u.test(letter)) return ' '
  const known = PLAIN_LETTERS.get(letter)
  if (known !== undefined) return known
  let plain = ''
  for (const part of letter.normalize('NFKD')) {
    if (/\p{M}/u.test(part)) {
      // Of several accents, the ones that Helvetica has are kept: ễ becomes ê.
      const composed = (plain.slice(-1) + part).normalize('NFC')
      if (composed.length === 1 && hasGlyph(composed)) plain = plain.slice(0, -1) + composed
    } else plain += hasGlyph(part) ? part : (PLAIN_LETTERS.get(part) ?? '')
  }
  if (plain.trim()) return plain
  if (/\p{Script=Latin}/u.test(letter) || !/[\p{L}\p{N}]/u.test(letter)) return ''
  return '?'
}

function hasGlyph(letter: string): boolean {
  const code = letter.codePointAt(0)!
  return (code > 31 && code < 127) || (code > 160 && code < 256 && code !== 173) || WINDOWS.has(letter)
}

/** The text's WinAnsi codes as a string of one byte per letter; only for text that `showable` returned. */
export function winAnsi(text: string): string {
  let bytes = ''
  for (const letter of text) bytes += letter.charCodeAt(0) < 256 ? letter : String.fromCharCode(WINDOWS.get(letter) ?? 63)
  return bytes
}

/** Width in millimetres of text that `showable` returned, at a size in points. */
export function textWidth(text: string, size: number, bold: boolean): number {
  const widths = bold ? BOLD : REGULAR
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    sum += widths[(code < 256 ? code : (WINDOWS.get(text[i]!) ?? 63)) - 32] ?? 0
  }
  return (sum * size * POINT) / 1000
}

export interface Paragraph {
  text: string
  /** Maximum in points; smaller when the box is small. */
  size: number
  bold: boolean
}
export interface Line extends Paragraph {
  /** Millimetres. */
  width: number
}
export interface Fitted {
  lines: Line[]
  /** True when text was left out. */
  cut: boolean
}

/** Line height relative to the font size. */
export const LEADING = 1.16
const SMALLEST = 6
const SCALES = [1, 0.92, 0.84, 0.77, 0.7, 0.64, 0.58, 0.53, 0.48, 0.43, 0.38, 0.33, 0.29, 0.25]

/**
 * Sets paragraphs into a box of this size in millimetres: as large as they fit with whole words, then with broken words, and finally with the longest
 * paragraph ending in an ellipsis. Never wider or higher than the box.
 */
export function fitBlock(paragraphs: readonly Paragraph[], width: number, height: number, most = Number.POSITIVE_INFINITY): Fitted {
  const shown = paragraphs.map(p => ({ ...p, text: showable(p.text) })).filter(p => p.text !== '')
  for (const mayBreak of [false, true]) {
    for (const scale of SCALES) {
      const set = shown.map(p => wrap(p, Math.min(p.size, Math.max(SMALLEST, p.size * scale)), width))
      if (!mayBreak && set.some(p => p.broken)) continue
      const lines = set.flatMap(p => p.lines)
      if (lines.length <= Math.max(most, shown.length) && heightOf(lines) <= height) return { lines, cut: false }
    }
  }
  const set = shown.map(p => wrap(p, Math.min(p.size, SMALLEST), width).lines)
  while (set.length > 0 && (set.flat().length > Math.max(most, shown.length) || heightOf(set.flat()) > height)) {
    const longest = set.reduce((a, b) => (b.length > a.length ? b : a))
    longest.pop()
    const last = longest.at(-1)
    if (last) longest[longest.length - 1] = shortened(last, width)
    else set.splice(set.indexOf(longest), 1)
  }
  return { lines: set.flat(), cut: true }
}

/** One line, as large as it fits, otherwise ending in an ellipsis. */
export function fitLine(text: string, size: number, bold: boolean, width: number, smallest = SMALLEST): Line {
  const shown = showable(text)
  const natural = textWidth(shown, size, bold)
  if (natural <= width) return { text: shown, size, bold, width: natural }
  const smaller = Math.max(smallest, Math.floor((size * width * 20) / natural) / 20)
  const line = { text: shown, size: smaller, bold, width: textWidth(shown, smaller, bold) }
  return line.width <= width ? line : shortened(line, width)
}

export function heightOf(lines: readonly Line[]): number {
  let height = 0
  for (const line of lines) height += line.size * LEADING * POINT
  return height
}

function shortened(line: Line, width: number): Line {
  let text = line.text.replace(/…$/, '')
  while (text !== '' && textWidth(`${text}…`, line.size, line.bold) > width) text = text.slice(0, -1)
  text = `${text.trimEnd()}…`
  return { ...line, text, width: textWidth(text, line.size, line.bold) }
}

function wrap(paragraph: Paragraph, size: number, width: number): { lines: Line[]; broken: boolean } {
  const { bold } = paragraph
  const lines: Line[] = []
  let broken = false
  const put = (text: string) => lines.push({ text, size, bold, width: textWidth(text, size, bold) })
  if (textWidth(paragraph.text, size, bold) <= width) {
    put(paragraph.text)
    return { lines, broken }
  }
  let line = ''
  for (let word of paragraph.text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textWidth(longer, size, bold) <= width) {
      line = longer
      continue
    }
    if (line !== '') put(line)
    while (textWidth(word, size, bold) > width) {
      broken = true
      let fits = 1
      while (textWidth(word.slice(0, fits + 1), size, bold) <= width) fits++
      put(word.slice(0, fits))
      word = word.slice(fits)
    }
    line = word
  }
  if (line !== '') put(line)
  return { lines, broken }
}
