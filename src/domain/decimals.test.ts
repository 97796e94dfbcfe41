/** Parsing of numbers, and detection of ambiguous ones. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureCpu } from '#test/cpu-cost.ts'
import { detectDecimals, readNumber } from './decimals.ts'

describe('numbers', () => {
  it.each([
    ['1.000,50', ',', '1000.50'],
    ['1000,5', ',', '1000.5'],
    ['1.000', ',', '1000'],
    ['1.000', '.', '1.000'],
    ['1,000.50', '.', '1000.50'],
    ['1 000,50', ',', '1000.50'],
    ["1'000.50", '.', '1000.50'],
    ['-5', '.', '-5'],
    ['5-', '.', '-5'],
    ['\u22125', '.', '-5'],
    ['£2.55', '.', '2.55'],
    ['kr. 12,00', ',', '12.00'],
    ['12,00 DKK', ',', '12.00'],
    ['12 kr', ',', '12'],
    ['EUR12', ',', '12'],
    ['12EUR', ',', '12'],
    ['12,-', ',', '12'],
    ['25 %', '.', '25'],
    ['-  5.5', '.', '-5.5'],
    ['5.5-', '.', '-5.5'],
    ['+1.5', '.', '1.5'],
    ['+1,5', ',', '1.5'],
    [',5', ',', '0.5'],
    ['-.5', '.', '-0.5'],
    ['0012', '.', '0012'],
    ['123456789012345', '.', '123456789012345'],
    ['1\u00a0000\u202f000,5', ',', '1000000.5'],
    ['1’000.50', '.', '1000.50'],
    [`${'1'.repeat(60)}`, '.', '1'.repeat(60)],
    [`${'1'.repeat(61)}`, '.', null],
    ['1-2', '.', null],
    ['1 EUR 2', '.', null],
    ['1,0000', '.', null],
    ['.5', '.', '0.5'],
    ['+3', '.', '3'],
    ['12.50', ',', null],
    ['1,00', '.', null],
    ['1.00.000', ',', null],
    ['5.7E+12', '.', null],
    ['two', '.', null],
    ['-', '.', null],
    ['', '.', null],
  ] as const)('%j with %j is %s', (text, decimals, number) => {
    expect(readNumber(text, decimals)).toBe(number)
  })

  it.each([
    [['1.000,00', '149,00', '1000,00'], ',', false],
    [['2.55', '3.39'], '.', false],
    [['1', '2'], '.', false],
    [['1.000', '2.000'], '.', true],
    [['1,5', '2.5', '3.5'], '.', true],
    [['1,5', '2,5', '3.5'], ',', true],
    [['', ' ', '2,50'], ',', false],
    [['1,5', '2,5', '3,5', '4,5', 'none'], ',', false],
    [['1', '1.000'], '.', true],
  ] as const)('of a column %j have %j, doubtful: %s', (values, decimals, doubtful) => {
    expect(detectDecimals(values)).toEqual({ decimals, doubtful })
  })

  it('are rejected at once in a cell of a million spaces', () => {
    const effort = measureCpu()
    expect(readNumber(`1${' '.repeat(1_000_000)}x`, '.')).toBeNull()
    expect(effort()).toBeLessThan(200)
  })

  it('are not found in a column of words', () => {
    expect(detectDecimals(['a', 'b', '3'])).toBeNull()
    expect(detectDecimals(['1,5', '2,5', '3,5', 'none'])).toBeNull()
    expect(detectDecimals(['', ' '])).toBeNull()
    expect(detectDecimals([])).toBeNull()
  })

  it('have the same value with either decimal sign', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const plain = `${whole}.${String(cents).padStart(2, '0')}`
        expect(Number(readNumber(Number(plain).toLocaleString('de-DE', { minimumFractionDigits: 2 }), ','))).toBe(Number(plain))
        expect(Number(readNumber(Number(plain).toLocaleString('en-GB', { minimumFractionDigits: 2 }), '.'))).toBe(Number(plain))
      }),
    )
  })
})
