/** Exact conversion of amounts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsOf, fromMinor, isCurrency, toMinor, withoutVat, withVat } from './money.ts'

describe('money', () => {
  it.each([
    ['12.50', 'DKK', 1250],
    ['12.5', 'DKK', 1250],
    ['12', 'DKK', 1200],
    ['0.005', 'EUR', 1],
    ['0.0049', 'EUR', 0],
    ['1.005', 'EUR', 101],
    ['-1.005', 'EUR', -101],
    ['-0.001', 'EUR', 0],
    ['199', 'JPY', 199],
    ['199.5', 'JPY', 200],
    ['1.2345', 'KWD', 1235],
    ['999999999999.99', 'DKK', 99_999_999_999_999],
  ])('reads %s %s as %d minor units', (text, currency, minor) => {
    expect(toMinor(text, currency)).toBe(minor)
  })

  it('never returns a negative zero', () => {
    expect(Object.is(toMinor('-0.00', 'DKK'), 0)).toBe(true)
    expect(Object.is(withoutVat(-0, '25'), -0)).toBe(false)
  })

  it.each(['', '1,5', '1e3', '0x10', ' 1', '1.', '.5', 'NaN', '٣'])('refuses %j', text => {
    expect(() => toMinor(text, 'DKK')).toThrow(RangeError)
  })

  it('rejects values beyond a safe integer', () => {
    expect(() => toMinor('99999999999999999', 'DKK')).toThrow(RangeError)
  })

  it('formats every amount so that it parses back the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom('DKK', 'JPY', 'KWD', 'EUR'), (minor, currency) => {
        expect(toMinor(fromMinor(minor, currency), currency)).toBe(minor)
      }),
    )
  })

  it('rounds exactly, without floating point', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 11n }), micros => {
        const text = `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`
        expect(toMinor(text, 'EUR')).toBe(Number((micros + 5_000n) / 10_000n))
      }),
    )
  })

  it.each([
    [12500, '25', 10000],
    [3900, '25', 3120],
    [2490, '19', 2092],
    [1055, '5.5', 1000],
    [-12500, '25', -10000],
    [1000, '0', 1000],
  ])('takes VAT out of %d at %s %% and leaves %d', (incl, percent, excl) => {
    expect(withoutVat(incl, percent)).toBe(excl)
  })

  it('adds VAT to within half a unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.constantFrom('25', '19', '5.5', '8.1', '0'), (excl, percent) => {
        expect(withoutVat(withVat(excl, percent), percent)).toBe(excl)
      }),
    )
  })

  it('removes VAT exactly, from small amounts and from those beyond floating point precision', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), fc.integer({ min: 0, max: 400_000 }), (incl, tenThousandths) => {
        const percent = `${Math.floor(tenThousandths / 10_000)}.${String(tenThousandths % 10_000).padStart(4, '0')}`
        const whole = 1_000_000n + BigInt(tenThousandths)
        expect(withoutVat(incl, percent)).toBe(Number((BigInt(incl) * 2_000_000n + whole) / (whole * 2n)))
      }),
    )
  })

  it.each([
    [10_000, '25', 12_500],
    [10_000, '8.1', 10_810],
    [1, '50', 2],
    [-1, '50', -2],
    [-10_000, '25', -12_500],
    [100_000_000, '0.0001', 100_000_100],
    // At most four decimals count.
    [100_000_000, '0.00019', 100_000_100],
    [100, '+25', 125],
  ])('adds VAT to %d at %s %% and makes %d', (excl, percent, incl) => {
    expect(withVat(excl, percent)).toBe(incl)
  })

  it.each(['', '25 %', '2,5', '.5', 'x'])('knows no rate of VAT in %j', percent => {
    expect(() => withVat(100, percent)).toThrow(new RangeError(`${percent} is not a decimal number`))
    expect(() => withoutVat(100, percent)).toThrow(RangeError)
  })

  it('has no negative zero of VAT', () => {
    expect(Object.is(withoutVat(-1, '400'), 0)).toBe(true)
    expect(Object.is(withVat(0, '25'), 0)).toBe(true)
  })

  it.each([
    [5, 'EUR', '0.05'],
    [-5, 'EUR', '-0.05'],
    [1235, 'EUR', '12.35'],
    [7, 'JPY', '7'],
    [5, 'KWD', '0.005'],
    [0, 'DKK', '0.00'],
  ])('writes %d of %s as %s', (minor, currency, text) => {
    expect(fromMinor(minor, currency)).toBe(text)
  })

  it('says which text is no amount, and which is too large', () => {
    expect(() => toMinor('1,5', 'DKK')).toThrow('1,5 is not a decimal number')
    expect(() => toMinor('99999999999999999', 'DKK')).toThrow('99999999999999999 is too large an amount')
    expect(toMinor('+1.5', 'DKK')).toBe(150)
  })

  it('has currencies and their decimals', () => {
    expect([isCurrency('DKK'), isCurrency('dkk'), isCurrency('ZZZ')]).toEqual([true, false, false])
    expect(['DKK', 'JPY', 'KWD', 'ISK'].map(decimalsOf)).toEqual([2, 0, 3, 0])
  })
})
