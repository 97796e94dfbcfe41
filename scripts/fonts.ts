/** Makes the two static fonts for printed paper out of the variable Inter that the screens use: `node scripts/fonts.ts`. */

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// pdfkit can embed neither WOFF2 nor a variable font, and one font per alphabet would split a word such as "Łódź" in two.
// So every alphabet is read here, moved to one weight and written into one plain TrueType file.

interface Point {
  x: number
  y: number
  onCurve: boolean
  endContour: boolean
  copy(): Point
}
interface RawGlyph {
  numberOfContours: number
  points?: Point[]
  components?: { dx: number; dy: number }[]
}
interface Glyph {
  id: number
  advanceWidth: number
  path: { commands: { command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'closePath'; args: number[] }[] }
}
interface VariableFont {
  unitsPerEm: number
  ascent: number
  descent: number
  lineGap: number
  capHeight: number
  xHeight: number
  underlinePosition: number
  underlineThickness: number
  numGlyphs: number
  characterSet: number[]
  variationCoords: number[] | null
  getGlyph(id: number): Glyph
  glyphForCodePoint(code: number): Glyph
  layout(text: string, features: Record<string, boolean>): { glyphs: Glyph[]; positions: { xAdvance: number }[] }
  /** Internals of fontkit, used because it applies a weight to the points of a TrueType font but not to those of a WOFF2 font. */
  _transformedGlyphs: RawGlyph[]
  _variationProcessor: { transformPoints(id: number, points: Point[]): void }
}

// pdfkit's own copy of fontkit: the font must be readable by exactly the version that will embed it.
const require = createRequire(createRequire(import.meta.url).resolve('pdfkit'))
const { create } = require('fontkit') as { create(file: Buffer): VariableFont }

const inter = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/package.json')))
const folder = fileURLToPath(new URL('../src/integrations/printers/fonts/', import.meta.url))
const alphabets = ['latin', 'latin-ext', 'greek', 'cyrillic', 'cyrillic-ext', 'vietnamese']
const kerned = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzÆØÅÄÖÜæøåäöüßéèáóúŁłŚśŻżĄąĘęĆćŃńÓ.,:;-–/()&\'"’ ']

/** Stands for a letter of an alphabet that Inter does not have. */
const hollowBox: Glyph = {
  id: 0,
  advanceWidth: 1200,
  path: { commands: [...ring([150, 0], [150, 1490], [1050, 1490], [1050, 0]), ...ring([250, 100], [950, 100], [950, 1390], [250, 1390])] },
}

function ring(...corners: [number, number][]): Glyph['path']['commands'] {
  return corners.map((args, i) => ({ command: i === 0 ? 'moveTo' : 'lineTo', args }))
}

async function staticFont(style: string, weight: number): Promise<Buffer> {
  const drawn: { code: number | null; glyph: Glyph }[] = []
  const kerning: { left: string; right: string; value: number }[] = []
  const known = new Set<number>()
  let first: VariableFont | undefined
  for (const alphabet of alphabets) {
    const font = atWeight(await readFile(`${inter}/files/inter-${alphabet}-wght-normal.woff2`), weight)
    if (!first) {
      first = font
      drawn.push({ code: null, glyph: hollowBox })
      for (const left of kerned)
        for (const right of kerned) {
          const value = kern(font, left, right)
          if (value) kerning.push({ left, right, value })
        }
    }
    for (const code of font.characterSet) {
      if (code < 32 || code > 0xfffe || known.has(code)) continue
      known.add(code)
      const isDigit = code >= 48 && code <= 57
      // Figures all as wide as each other: numbers under numbers line up.
      const glyph = isDigit ? font.layout(String.fromCodePoint(code), { tnum: true }).glyphs[0]! : font.glyphForCodePoint(code)
      drawn.push({ code, glyph })
    }
  }
  drawn.sort((a, b) => (a.code ?? -1) - (b.code ?? -1))
  return trueType(style, weight, first!, drawn, kerning)
}

/** The font at one weight: outlines as they are written in the file, moved by the deltas that the weight asks for. */
function atWeight(file: Buffer, weight: number): VariableFont {
  const font = create(file)
  font.variationCoords = [weight]
  // Read by a second reader: the first would try to move them while it reads, and stumble.
  const plain = create(file)
  plain.getGlyph(0).path
  font._transformedGlyphs = plain._transformedGlyphs
  // The four points that stand for a glyph's metrics; their new places are not used, widths come from the font's own table.
  const metrics = () => Array.from({ length: 4 }, () => point(0, 0))
  font._transformedGlyphs.forEach((glyph, id) => {
    if (glyph.points) font._variationProcessor.transformPoints(id, [...glyph.points, ...metrics()])
    if (glyph.components) {
      const places = glyph.components.map(({ dx, dy }) => point(dx, dy))
      font._variationProcessor.transformPoints(id, [...places, ...metrics()])
      glyph.components.forEach((component, i) => {
        component.dx = places[i]!.x
        component.dy = places[i]!.y
      })
    }
  })
  return font
}

function point(x: number, y: number): Point {
  return { x, y, onCurve: true, endContour: true, copy: () => point(x, y) }
}

function kern(font: VariableFont, left: string, right: string): number {
  const [a, b] = [left.codePointAt(0)!, right.codePointAt(0)!]
  if (!font.characterSet.includes(a) || !font.characterSet.includes(b)) return 0
  const { glyphs, positions } = font.layout(left + right, { calt: false, liga: false })
  if (glyphs.length !== 2 || glyphs[0]!.id !== font.glyphForCodePoint(a).id) return 0
  return Math.round(positions[0]!.xAdvance - glyphs[0]!.advanceWidth)
}

function trueType(
  style: string,
  weight: number,
  font: VariableFont,
  drawn: { code: number | null; glyph: Glyph }[],
  kerning: { left: string; right: string; value: number }[],
): Buffer {
  const outlines = drawn.map(({ glyph }) => outline(glyph))
  const glyf: Buffer[] = []
  const loca = new Bytes()
  let at = 0
  for (const { bytes } of outlines) {
    loca.u32(at)
    glyf.push(bytes)
    at += bytes.length
  }
  loca.u32(at)

  const box = (side: 'xMin' | 'yMin' | 'xMax' | 'yMax', pick: (...n: number[]) => number) => pick(...outlines.map(o => o[side]))
  const [xMin, yMin, xMax, yMax] = [box('xMin', Math.min), box('yMin', Math.min), box('xMax', Math.max), box('yMax', Math.max)]
  const advances = drawn.map(({ glyph }) => Math.round(glyph.advanceWidth))
  const hmtx = new Bytes()
  advances.forEach((advance, i) => void hmtx.u16(advance).i16(outlines[i]!.xMin))

  const ids = new Map(drawn.flatMap(({ code }, id) => (code === null ? [] : [[code, id] as const])))
  const pairs = kerning
    .map(({ left, right, value }) => [ids.get(left.codePointAt(0)!)!, ids.get(right.codePointAt(0)!)!, value] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .slice(0, 10_000)
  const kern = new Bytes()
    .u16(0)
    .u16(1)
    .u16(0)
    .u16(14 + pairs.length * 6)
    .u16(1)
  searchRange(kern, pairs.length, 6)
  for (const [left, right, value] of pairs) kern.u16(left).u16(right).i16(value)

  const head = new Bytes().u32(0x10000).u32(0x10000).u32(0).u32(0x5f0f3cf5).u16(3).u16(font.unitsPerEm).u32(0).u32(0).u32(0).u32(0)
  head.i16(xMin).i16(yMin).i16(xMax).i16(yMax).u16(0).u16(6).i16(2).i16(1).i16(0)
  const hhea = new Bytes()
    .u32(0x10000)
    .i16(font.ascent)
    .i16(font.descent)
    .i16(font.lineGap)
    .u16(Math.max(...advances))
  hhea.i16(xMin).i16(0).i16(xMax).i16(1).i16(0).i16(0).i16(0).i16(0).i16(0).i16(0).i16(0).u16(drawn.length)
  const maxp = new Bytes()
    .u32(0x10000)
    .u16(drawn.length)
    .u16(Math.max(...outlines.map(o => o.points)))
    .u16(Math.max(...outlines.map(o => o.contours)))
  for (const value of [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]) maxp.u16(value)
  const post = new Bytes().u32(0x30000).u32(0).i16(font.underlinePosition).i16(font.underlineThickness).u32(0).u32(0).u32(0).u32(0).u32(0)
  const os2 = new Bytes()
    .u16(4)
    .i16(Math.round(advances.reduce((a, b) => a + b, 0) / advances.length))
    .u16(weight)
    .u16(5)
    .u16(0)
  for (let i = 0; i < 10; i++) os2.i16(0)
  os2.i16(0)
  for (let i = 0; i < 10; i++) os2.u8(0)
  for (let i = 0; i < 4; i++) os2.u32(0)
  os2
    .text('RSMS')
    .u16(weight > 500 ? 0x20 : 0x40)
    .u16(32)
    .u16(Math.min(0xffff, drawn.at(-1)!.code!))
  os2.i16(font.ascent).i16(font.descent).i16(font.lineGap).u16(font.ascent).u16(-font.descent).u32(0).u32(0)
  os2.i16(font.xHeight).i16(font.capHeight).u16(0).u16(32).u16(2)

  const names = [
    [1, 'Inter'],
    [2, style],
    [4, `Inter ${style}`],
    [6, `Inter-${style}`],
    [13, 'SIL Open Font License, Version 1.1'],
  ] as const
  const strings = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16())
  const name = new Bytes()
    .u16(0)
    .u16(names.length)
    .u16(6 + names.length * 12)
  let nameAt = 0
  names.forEach(([id], i) => {
    name.u16(3).u16(1).u16(0x409).u16(id).u16(strings[i]!.length).u16(nameAt)
    nameAt += strings[i]!.length
  })
  for (const string of strings) name.raw(string)

  return assembled({
    'OS/2': os2.done(),
    cmap: characterMap(ids),
    glyf: Buffer.concat(glyf),
    head: head.done(),
    hhea: hhea.done(),
    hmtx: hmtx.done(),
    kern: kern.done(),
    loca: loca.done(),
    maxp: maxp.done(),
    name: name.done(),
    post: post.done(),
  })
}

/** A TrueType glyph; its curves are quadratic already, so nothing is approximated. */
function outline(glyph: Glyph) {
  const contours: { x: number; y: number; on: boolean }[][] = []
  for (const { command, args } of glyph.path.commands) {
    const n = args.map(Math.round)
    if (command === 'moveTo') contours.push([{ x: n[0]!, y: n[1]!, on: true }])
    if (command === 'lineTo') contours.at(-1)!.push({ x: n[0]!, y: n[1]!, on: true })
    if (command === 'quadraticCurveTo') contours.at(-1)!.push({ x: n[0]!, y: n[1]!, on: false }, { x: n[2]!, y: n[3]!, on: true })
  }
  for (const contour of contours) {
    const [start, end] = [contour[0]!, contour.at(-1)!]
    if (contour.length > 1 && end.on && start.x === end.x && start.y === end.y) contour.pop()
  }
  const points = contours.flat()
  if (points.length === 0) return { bytes: Buffer.alloc(0), points: 0, contours: 0, xMin: 0, yMin: 0, xMax: 0, yMax: 0 }
  const [xs, ys] = [points.map(p => p.x), points.map(p => p.y)]
  const [xMin, yMin, xMax, yMax] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const bytes = new Bytes().i16(contours.length).i16(xMin).i16(yMin).i16(xMax).i16(yMax)
  let last = -1
  for (const contour of contours) {
    last += contour.length
    bytes.u16(last)
  }
  bytes.u16(0)
  const [dx, dy] = [xs.map((x, i) => x - (xs[i - 1] ?? 0)), ys.map((y, i) => y - (ys[i - 1] ?? 0))]
  points.forEach((point, i) => {
    const side = (delta: number, short: number, same: number) =>
      delta === 0 ? same : Math.abs(delta) < 256 ? short | (delta > 0 ? same : 0) : 0
    bytes.u8((point.on ? 1 : 0) | side(dx[i]!, 2, 16) | side(dy[i]!, 4, 32))
  })
  for (const deltas of [dx, dy])
    for (const delta of deltas) {
      if (delta === 0) continue
      if (Math.abs(delta) < 256) bytes.u8(Math.abs(delta))
      else bytes.i16(delta)
    }
  return { bytes: bytes.padded(), points: points.length, contours: contours.length, xMin, yMin, xMax, yMax }
}

function characterMap(ids: Map<number, number>): Buffer {
  const segments: { start: number; end: number; delta: number }[] = []
  for (const [code, id] of [...ids].sort((a, b) => a[0] - b[0])) {
    const last = segments.at(-1)
    if (last && code === last.end + 1 && id - code === last.delta) last.end = code
    else segments.push({ start: code, end: code, delta: id - code })
  }
  segments.push({ start: 0xffff, end: 0xffff, delta: 1 })
  const count = segments.length
  const table = new Bytes()
    .u16(4)
    .u16(16 + count * 8)
    .u16(0)
    .u16(count * 2)
  const power = 2 ** Math.floor(Math.log2(count))
  table
    .u16(power * 2)
    .u16(Math.log2(power))
    .u16((count - power) * 2)
  for (const { end } of segments) table.u16(end)
  table.u16(0)
  for (const { start } of segments) table.u16(start)
  for (const { delta } of segments) table.u16(delta & 0xffff)
  for (const _ of segments) table.u16(0)
  return new Bytes().u16(0).u16(1).u16(3).u16(1).u32(12).raw(table.done()).done()
}

function searchRange(bytes: Bytes, count: number, size: number): void {
  const power = count ? 2 ** Math.floor(Math.log2(count)) : 0
  bytes
    .u16(count)
    .u16((power * size) & 0xffff)
    .u16(power ? Math.log2(power) : 0)
    .u16(((count - power) * size) & 0xffff)
}

function assembled(tables: Record<string, Buffer>): Buffer {
  const tags = Object.keys(tables).sort()
  const directory = new Bytes().u32(0x10000)
  const power = 2 ** Math.floor(Math.log2(tags.length))
  directory
    .u16(tags.length)
    .u16(power * 16)
    .u16(Math.log2(power))
    .u16((tags.length - power) * 16)
  let at = 12 + tags.length * 16
  const bodies: Buffer[] = []
  for (const tag of tags) {
    const table = tables[tag]!
    const body = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)])
    directory.text(tag).u32(sum(body)).u32(at).u32(table.length)
    at += body.length
    bodies.push(body)
  }
  const file = Buffer.concat([directory.done(), ...bodies])
  const headAt = file.readUInt32BE(12 + tags.indexOf('head') * 16 + 8)
  file.writeUInt32BE((0xb1b0afba - sum(file)) >>> 0, headAt + 8)
  return file
}

function sum(bytes: Buffer): number {
  let total = 0
  for (let i = 0; i + 3 < bytes.length; i += 4) total = (total + bytes.readUInt32BE(i)) >>> 0
  return total
}

class Bytes {
  #parts: Buffer[] = []
  u8(n: number) {
    return this.raw(Buffer.from([n]))
  }
  u16(n: number) {
    return this.raw(Buffer.from([(n >> 8) & 255, n & 255]))
  }
  i16(n: number) {
    return this.u16(Math.round(n) & 0xffff)
  }
  u32(n: number) {
    const part = Buffer.alloc(4)
    part.writeUInt32BE(n >>> 0)
    return this.raw(part)
  }
  text(s: string) {
    return this.raw(Buffer.from(s, 'latin1'))
  }
  raw(part: Buffer) {
    this.#parts.push(part)
    return this
  }
  done() {
    return Buffer.concat(this.#parts)
  }
  padded() {
    const bytes = this.done()
    return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
  }
}

await mkdir(folder, { recursive: true })
await writeFile(`${folder}inter-regular.ttf`, await staticFont('Regular', 400))
await writeFile(`${folder}inter-bold.ttf`, await staticFont('Bold', 650))
await copyFile(`${inter}/LICENSE`, `${folder}OFL.txt`)
