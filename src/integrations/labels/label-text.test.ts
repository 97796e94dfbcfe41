/** Text on labels: readable, measured correctly, inside its box. */

import * as fc from 'fast-check'
import PDFDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { hostileTexts } from '#test/label-samples.ts'
import { fitBlock, fitLine, heightOf, POINT, showable, textWidth, unshowable, winAnsi } from './label-text.ts'

describe('letters', () => {
  it.each([
    ['Łukasz Żółć', 'Lukasz Zólc'],
    ['Žofie Dvořáková', 'Žofie Dvoráková'],
    ['Nguyễn Đức', 'Nguyên Dúc'],
    ['İstanbul Işık', 'Istanbul Isik'],
    ['Ærø ÅÄÖ ß €', 'Ærø ÅÄÖ ß €'],
    ['Ǿ ẞ Ə', 'Ø Ss E'],
    ['Ａｎｎａ ﬁn №5', 'Anna fin No5'],
    ['Cafe\u0301', 'Café'],
    ['“Anna” – ‘B’…', '“Anna” – ‘B’…'],
    ['a\u00a0b\u2009c\u200bd', 'a b cd'],
    ['3‑5 km', '3-5 km'],
    ['Щукин', 'Shchukin'],
    ['Ελλάδα', 'Ellada'],
    ['Anna\u0000Berg\r\n', 'Anna Berg'],
    ['\u202eAnna\u202c', 'Anna'],
    ['😀 Anna 👩‍👧', 'Anna'],
    ['\ud800x', 'x'],
  ])('writes %j as %j', (text, shown) => {
    expect(showable(text)).toBe(shown)
  })

  it('never writes a question mark for a Latin letter', () => {
    for (let code = 0; code < 0x20000; code++) {
      const letter = String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 65 : code)
      if (/\p{Script=Latin}/u.test(letter)) expect(showable(letter), code.toString(16)).not.toMatch(/\?/)
    }
  })

  it('writes a Latin letter that ordinary names use as at least one letter', () => {
    for (let code = 0x41; code < 0x250; code++) {
      const letter = String.fromCodePoint(code)
      if (/\p{L}/u.test(letter) && /\p{Script=Latin}/u.test(letter)) expect(showable(letter), letter).not.toBe('')
    }
  })

  it('names the letters that it cannot show', () => {
    expect(unshowable('Anna שלום?')).toEqual(['ש', 'ל', 'ו', 'ם'])
    expect(unshowable('Łódź 😀')).toEqual([])
  })

  it('returns only what fits one byte per letter', () => {
    void fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 50 }), fc.constantFrom(...hostileTexts)), text => {
        const shown = showable(text)
        expect(winAnsi(shown)).toMatch(/^[\x20-\x7e\x80-\xff]*$/)
        expect(winAnsi(shown).length).toBe(shown.length)
        expect(showable(shown)).toBe(shown)
      }),
      { numRuns: 500 },
    )
  })
})

describe('measuring', () => {
  it('agrees with another PDF writer', () => {
    const other = new PDFDocument({ font: 'Helvetica' })
    for (const [bold, font] of [
      [false, 'Helvetica'],
      [true, 'Helvetica-Bold'],
    ] as const) {
      // Letter by letter: the other writer kerns pairs, and labels do not.
      for (const text of 'Nørebogad 0123456789€“”Œuvre…–ŽžÀÉÎÕÜ¿½¡þð@%mMwW.,') {
        const width = other.font(font).fontSize(12).widthOfString(text, { features: [] })
        expect(textWidth(text, 12, bold) / POINT).toBeCloseTo(width, 1)
      }
    }
  })
})

describe('fitting', () => {
  const paragraphs = fc.array(
    fc.record({
      text: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom(...hostileTexts)),
      size: fc.integer({ min: 8, max: 32 }),
      bold: fc.boolean(),
    }),
    { maxLength: 6 },
  )

  it('never leaves its box', () => {
    void fc.assert(
      fc.property(paragraphs, fc.integer({ min: 15, max: 95 }), fc.integer({ min: 4, max: 40 }), (given, width, height) => {
        const { lines } = fitBlock(given, width, height)
        expect(heightOf(lines)).toBeLessThanOrEqual(height)
        for (const line of lines) {
          expect(line.width).toBeLessThanOrEqual(width)
          expect(textWidth(line.text, line.size, line.bold)).toBeCloseTo(line.width)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('leaves an ordinary text as it is', () => {
    expect(fitBlock([{ text: 'Kajgade 4', size: 8, bold: false }], 52, 10)).toMatchObject({
      cut: false,
      lines: [{ text: 'Kajgade 4', size: 8 }],
    })
  })

  it('shrinks before it breaks a word, and reports a cut', () => {
    const long = fitBlock([{ text: 'Müller-Lüdenscheidt-Hohenzollern', size: 32, bold: true }], 60, 14)
    expect(long).toMatchObject({ cut: false })
    expect(long.lines.length).toBe(1)
    const cut = fitBlock([{ text: 'W'.repeat(300), size: 32, bold: true }], 60, 14)
    expect(cut.cut).toBe(true)
    expect(cut.lines.at(-1)!.text).toMatch(/…$/)
  })

  it('ends one line with an ellipsis when even the smallest size is too wide', () => {
    const line = fitLine('W'.repeat(100), 20, true, 40)
    expect(line.text).toMatch(/^W+…$/)
    expect(line.width).toBeLessThanOrEqual(40)
  })
})
