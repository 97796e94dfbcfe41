/** The layout as data: nothing overlaps and everything is on the paper, for any address. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileTexts, parties, sampleLabel, sampleParty } from '#test/label-samples.ts'
import { type Box, boundsOf, DOTS, type Label, type Layout, layoutA4, layoutLabel } from './label-layout.ts'
import { heightOf } from './label-text.ts'

const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.constantFrom('Nørrebro', 'B7', '100023', 'Eigene Zustellung', 'Rollbehälter'))
const fact = fc.record({ caption: text, text })
const labels: fc.Arbitrary<Label> = fc.record({
  title: text,
  from: text,
  sender: parties,
  to: fc.constantFrom('To', 'An', 'Till'),
  receiver: parties,
  country: fc.option(fc.constantFrom('Germany', 'Bosnien und Herzegowina'), { nil: null }),
  headline: fact,
  mark: fc.option(fact, { nil: null }),
  order: fact,
  reference: fact,
  facts: fc.array(fact, { maxLength: 5 }),
  tracking_url: fc.option(fc.webUrl({ size: 'large' }), { nil: null }),
  barcode: fc.constantFrom(sampleLabel().barcode, { data: 'OWN0000000123', gs1: false, text: 'OWN0000000123' }),
})

describe('a label', () => {
  it('keeps every text off the bars and the QR code, quiet zones included', () => {
    void fc.assert(
      fc.property(labels, label => {
        const layout = layoutLabel(label)
        for (const page of [layout, layoutA4(label, layout)]) expect(collisions(page, ['bars', 'qr'])).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('keeps every text on the paper and out of the strip of the copy mark', () => {
    void fc.assert(
      fc.property(labels, label => {
        const layout = layoutLabel(label)
        for (const piece of layout.pieces) {
          const box = boundsOf(piece)
          expect(box.x).toBeGreaterThanOrEqual(1)
          expect(box.x + box.width).toBeLessThanOrEqual(99)
          expect(box.y).toBeGreaterThanOrEqual(6)
          expect(box.y + box.height).toBeLessThanOrEqual(147)
        }
        for (const piece of layoutA4(label, layout).pieces) {
          const box = boundsOf(piece)
          expect(box.x).toBeGreaterThanOrEqual(8)
          expect(box.x + box.width).toBeLessThanOrEqual(202)
          expect(box.y + box.height).toBeLessThanOrEqual(290)
        }
      }),
      { numRuns: 300, examples: [[{ ...sampleLabel(), tracking_url: 'http://a.aa' }]] },
    )
  })

  it('never lays one text over another', () => {
    void fc.assert(
      fc.property(labels, label => {
        const layout = layoutLabel(label)
        expect(collisions(layout, ['text'])).toEqual([])
        expect(collisions(layoutA4(label, layout), ['text'])).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('keeps bars and modules on whole dots of a 203 dpi printer, with the quiet zones of the standards', () => {
    void fc.assert(
      fc.property(labels, label => {
        for (const piece of layoutLabel(label).pieces) {
          if (piece.kind !== 'bars' && piece.kind !== 'qr') continue
          expect(Number.isInteger(piece.module * DOTS)).toBe(true)
          expect(Number.isInteger(piece.x * DOTS)).toBe(true)
          expect(piece.module).toBeGreaterThanOrEqual(0.25)
        }
      }),
      { numRuns: 50 },
    )
    const bars = layoutLabel(sampleLabel()).pieces.find(piece => piece.kind === 'bars')!
    expect(bars).toMatchObject({ module: 0.5, height: 32 })
  })

  it('keeps postcode and city larger than the rest of a crowded address', () => {
    const receiver = sampleParty({
      name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4),
      company: 'A company',
      address2: 'Floor 4',
      instruction: 'Ring '.repeat(60),
    })
    const lines = layoutLabel(sampleLabel({ receiver })).pieces.flatMap(piece => (piece.kind === 'text' ? [piece.line] : []))
    const place = lines.find(line => line.text.includes('København N'))!
    const name = lines.find(line => line.text.startsWith('Wolfe'))!
    expect(place.size).toBeGreaterThan(name.size)
    expect(heightOf([place])).toBeGreaterThan(5)
  })

  it('reports when a text was cut', () => {
    expect(layoutLabel(sampleLabel()).cut).toBe(false)
    expect(layoutLabel(sampleLabel({ receiver: sampleParty({ name: 'W'.repeat(500) }) })).cut).toBe(true)
  })

  it('leaves out the QR code where tracking is off or the address is too long for one', () => {
    for (const tracking_url of [null, `https://x.example/${'a'.repeat(700)}`]) {
      expect(layoutLabel(sampleLabel({ tracking_url })).pieces.some(piece => piece.kind === 'qr')).toBe(false)
    }
  })

  it('rejects a barcode that the paper is too narrow for', () => {
    expect(() => layoutLabel(sampleLabel({ barcode: { data: 'X'.repeat(60), gs1: false, text: '' } }))).toThrow('too long for the label')
  })
})

/** Texts that overlap a piece of those kinds, as sentences. */
function collisions({ pieces }: Layout, kinds: string[]): string[] {
  const found: string[] = []
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind !== 'text' || piece.line.text === '') continue
    for (const [j, other] of pieces.entries()) {
      if (i === j || !kinds.includes(other.kind) || (other.kind === 'text' && (j < i || other.line.text === ''))) continue
      // The space for accents of one line may overlap the space for descenders of the line above.
      const slack = other.kind === 'text' ? 0.08 * 0.3528 * Math.max(piece.line.size, other.line.size) : 0
      if (overlap(boundsOf(piece), boundsOf(other), slack))
        found.push(`${piece.line.text} over ${other.kind === 'text' ? other.line.text : other.kind}`)
    }
  }
  return found
}

function overlap(a: Box, b: Box, slack: number): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y + slack < b.y + b.height && b.y + slack < a.y + a.height
}
