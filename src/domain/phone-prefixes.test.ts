/** The prefix of a telephone number, apart from the rest and put before it again. */
import { describe, expect, it } from 'vitest'
import { countryCodes } from './countries.ts'
import { joinPhone, phonePrefixes, splitPhone } from './phone-prefixes.ts'

describe('a telephone number', () => {
  it.each([
    ['+45 12 34 56 78', 'DK', '12 34 56 78'],
    ['004712345678', 'NO', '12345678'],
    ['+1 (268) 460-1234', 'AG', '460-1234'],
    ['+1 212 555 0100', 'US', '212 555 0100'],
    ['+441534 123456', 'GB', '1534 123456'],
    ['+46', 'SE', ''],
  ])('%s belongs to %s', (text, country, number) => {
    expect(splitPhone(text)).toEqual({ country, number })
  })

  it.each(['12 34 56 78', '', '+', '+999 1', 'see note'])('keeps “%s”, which has no known prefix, as it is', text => {
    expect(splitPhone(text)).toEqual({ country: null, number: text })
    expect(joinPhone(splitPhone(text))).toBe(text)
  })

  it('belongs to the preferred country where several share a prefix', () => {
    expect(splitPhone('+1 416 555 0100', 'CA').country).toBe('CA')
    expect(splitPhone('+45 12345678', 'CA').country).toBe('DK')
  })

  it('is put together with one space after the prefix', () => {
    expect(joinPhone({ country: 'NO', number: ' 22 33 44 55' })).toBe('+47 22 33 44 55')
  })

  it('is empty without digits, and keeps a prefix that was written by hand', () => {
    expect(joinPhone({ country: 'NO', number: ' ' })).toBe('')
    expect(joinPhone({ country: 'NO', number: '+46 8 123' })).toBe('+46 8 123')
  })
})

it('knows a prefix for every country that people live in', () => {
  expect(countryCodes.filter(code => !phonePrefixes.has(code))).toEqual(['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'])
})
