/** Normalization of postcodes, country by country. */

import { describe, expect, it } from 'vitest'
import { measureCpu } from '#test/cpu-cost.ts'
import { plainPostcode } from './postcodes.ts'

describe('a postcode', () => {
  it.each([
    ['2200', 'DK', '2200', true],
    [' DK-2200 ', 'DK', '2200', true],
    ['220', 'DK', '220', false],
    ['', 'DK', '', false],
    ['0150', 'NO', '0150', true],
    ['N-0150', 'NO', '0150', true],
    ['123 45', 'SE', '123 45', true],
    ['S-12345', 'SE', '12345', true],
    ['SE-123  45', 'SE', '123 45', true],
    ['012 34', 'SE', '012 34', false],
    ['100', 'FO', '100', true],
    ['FO-100', 'FO', '100', true],
    ['3900', 'GL', '3900', true],
    ['2200', 'GL', '2200', false],
    ['d-10115', 'DE', '10115', true],
    ['1071 aa', 'NL', '1071 AA', true],
    ['1071 SS', 'NL', '1071 SS', false],
    ['SW1A 1AA', 'GB', 'SW1A 1AA', true],
    ['SW1A', 'GB', 'SW1A', false],
    ['00-950', 'PL', '00-950', true],
    ['00950', 'PL', '00950', false],
    ['1001', 'LV', 'LV-1001', true],
    ['LV 1001', 'LV', 'LV-1001', true],
    ['12345', 'LT', 'LT-12345', true],
    ['1000-001', 'PT', '1000-001', true],
    ['', 'HK', '', null],
    ['anything', 'XX', 'ANYTHING', null],
  ])('%j of %s is %j, fits: %s', (written, country, postcode, fits) => {
    expect(plainPostcode(written, country)).toEqual({ postcode, fits })
  })

  it('is parsed quickly at any length', () => {
    const effort = measureCpu()
    for (const country of ['DK', 'GB', 'LV', 'BR', 'JP', 'US']) plainPostcode('9'.repeat(1_000_000), country)
    expect(effort()).toBeLessThan(200)
  })
})
