/** Country names as people write them, and the customs border at the edge of the Union's VAT area. */
import { describe, expect, it } from 'vitest'
import { countryCode, isCountry } from './country-names.ts'

describe('countries', () => {
  it.each([
    ['United Kingdom', 'GB'],
    ['EIRE', 'IE'],
    ['dk', 'DK'],
    [' Denmark ', 'DK'],
    ['UK', 'GB'],
    ['RSA', 'ZA'],
    ['USA', 'US'],
    ['Channel Islands', 'JE'],
    ['Czech Republic', 'CZ'],
    ['Österreich', 'AT'],
    ['Côte d’Ivoire', 'CI'],
    ['Saudi Arabia', 'SA'],
    ['Turkey', 'TR'],
    ['Færøerne', 'FO'],
    ['D', 'DE'],
    ['A', 'AT'],
    ['SLO', 'SI'],
    ['Unspecified', null],
    ['European Community', null],
    ['EU', null],
    ['ZZ', null],
    ['', null],
  ])('reads %j as %s', (text, code) => {
    expect(countryCode(text)).toBe(code)
  })

  it('contain the 249 codes of ISO 3166-1 that have a post, and Kosovo', () => {
    expect(['DK', 'GL', 'FO', 'AX', 'XK', 'GB'].every(isCountry)).toBe(true)
    expect(['UK', 'EU', 'AN', 'DD', 'SU', 'dk', 'A1'].some(isCountry)).toBe(false)
  })
})
