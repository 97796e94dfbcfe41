/** Country names as people write them, and the customs border at the edge of the Union's VAT area. */
import { describe, expect, it } from 'vitest'
import { countryCode, isCountry, needsCustoms } from './country-names.ts'

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

  it.each([
    ['DK', 'DE', '10115', false],
    ['DK', 'NO', '0155', true],
    ['DK', 'GB', 'SW1A 1AA', true],
    ['DK', 'GB', 'BT1 5GS', false],
    ['DK', 'ES', '28001', false],
    ['DK', 'ES', '35001', true],
    ['DK', 'FI', '00100', false],
    ['DK', 'AX', '22100', true],
    ['DK', 'FO', '100', true],
    ['DK', 'GL', '3900', true],
    ['DK', 'DE', '27498', true],
    ['DK', 'DK', '5000', false],
    ['NO', 'NO', '0155', false],
    ['NO', 'SE', '111 22', true],
    ['CH', 'LI', '9490', false],
  ])('from %s to %s %s customs papers are needed: %s', (from, country, postcode, needed) => {
    expect(needsCustoms({ country: from }, { country, postcode })).toBe(needed)
  })
})
