/** Code 128: the bars encode exactly the text, in the fewest symbols. */

import bwipjs from 'bwip-js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { code128 } from './code128.ts'

const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map(code => String.fromCharCode(code)), minLength: 1, maxLength: 40 })
const mixed = fc
  .array(fc.oneof(fc.stringMatching(/^\d{1,7}$/), fc.stringMatching(/^[A-Za-z-]{1,3}$/), fc.constant('\x09')), {
    minLength: 1,
    maxLength: 6,
  })
  .map(a => a.join(''))

describe('Code 128', () => {
  it('encodes exactly the text', () => {
    void fc.assert(
      fc.property(fc.oneof(ascii, mixed), text => {
        expect(decoded(code128(text).values)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it('has a check symbol that weights every value by its position', () => {
    void fc.assert(
      fc.property(ascii, text => {
        const { values } = code128(text)
        const sum = values.slice(0, -2).reduce((total, value, i) => total + value * Math.max(1, i), 0)
        expect(values.at(-2)).toBe(sum % 103)
      }),
    )
  })

  it('draws eleven modules for each symbol and thirteen for the stop', () => {
    const { values, widths, modules } = code128('OWN0000000123')
    expect(widths.reduce((a, b) => a + b)).toBe(modules)
    expect(modules).toBe(11 * (values.length - 1) + 13)
    expect(widths.length).toBe(6 * values.length + 1)
  })

  it('draws the same bars as an independent encoder', () => {
    for (const text of ['12345678', 'Pakhus', 'OWN0000000123', '1:100023', 'AB\tCD']) {
      expect(code128(text).widths).toEqual(barsOf(bwipjs.raw({ bcid: 'code128', text, parse: true })))
    }
    const sscc = bwipjs.raw({ bcid: 'gs1-128', text: '(00)095287654321012346' })
    expect(code128('00095287654321012346', { gs1: true }).widths).toEqual(barsOf(sscc))
  })

  it('never needs more symbols than an independent encoder', () => {
    void fc.assert(
      fc.property(
        mixed.filter(text => !text.includes('\t')),
        text => {
          expect(code128(text).widths.length).toBeLessThanOrEqual(barsOf(bwipjs.raw({ bcid: 'code128', text })).length)
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each([
    ['00095287654321012346', 10 + 3],
    ['123456', 3 + 3],
    ['A1234567', 1 + 1 + 1 + 1 + 3 + 2],
    ['a\tb', 1 + 2 + 1 + 3],
  ])('takes the fewest symbols for %j', (text, count) => {
    expect(code128(text).values.length).toBe(count)
  })

  it('starts GS1 data with FNC1 and writes FNC1 for each separator', () => {
    const { values } = code128('10ABC\x1d2112', { gs1: true })
    expect(values[1]).toBe(102)
    expect(decoded(values)).toBe('\x1d10ABC\x1d2112')
  })

  it('rejects what it cannot encode', () => {
    expect(() => code128('')).toThrow('1 to 80 characters')
    expect(() => code128('Ø1')).toThrow('ASCII')
    expect(() => code128('1'.repeat(81))).toThrow('1 to 80 characters')
  })
})

/** A decoder by the standard's table, with FNC1 as a separator. */
function decoded(values: readonly number[]): string {
  let text = ''
  let set = values[0]! - 103
  let shifted = false
  for (const value of values.slice(1, -2)) {
    const now = shifted ? 1 - set : set
    shifted = false
    if (value === 102) text += '\x1d'
    else if (set === 2 && value < 100) text += String(value).padStart(2, '0')
    else if (value === 98) shifted = true
    else if (value === 99) set = 2
    else if (value === 100) set = 1
    else if (value === 101) set = 0
    else text += String.fromCharCode(now === 0 && value >= 64 ? value - 64 : value + 32)
  }
  return text
}

function barsOf(raw: unknown): number[] {
  const [first] = raw as { sbs: number[] }[]
  return [...first!.sbs]
}
