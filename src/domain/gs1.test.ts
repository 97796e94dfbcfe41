/** GS1 numbers: published samples, and scanner output. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gs1CheckDigit, gs1Data, gs1PrefixFault, gs1Text, isGtin, isSscc, scannedData, scannedNumber, sscc } from './gs1.ts'

describe('SSCC', () => {
  it.each(['095287654321012346', '157035381410375177', '376130321109103420'])('accepts the published number %s', number => {
    expect(isSscc(number)).toBe(true)
    expect(gs1CheckDigit(number.slice(0, 17))).toBe(Number(number[17]))
  })

  it.each(['376130321109103421', '37613032110910342', '3761303211091034200', '37613032110910342x', ''])('refuses %j', number => {
    expect(isSscc(number)).toBe(false)
  })

  it('computes the check digit of an article number too', () => {
    expect(gs1CheckDigit('400638133393')).toBe(1)
  })

  it('joins extension, prefix and serial to eighteen digits', () => {
    expect(sscc('9528765', 0, 432101234)).toBe('095287654321012346')
    expect(sscc('5712345678', 3, 7)).toMatch(/^35712345678000007\d$/)
  })

  it('is valid for every prefix length and serial', () => {
    void fc.assert(
      fc.property(fc.stringMatching(/^\d{7,10}$/), fc.integer({ min: 0, max: 9 }), fc.nat(999_999), (prefix, extension, serial) => {
        expect(isSscc(sscc(prefix, extension, serial))).toBe(true)
      }),
    )
  })

  it('detects any single wrong digit', () => {
    void fc.assert(
      fc.property(fc.nat(16), fc.integer({ min: 1, max: 9 }), (place, off) => {
        const digits = [...'095287654321012346'].map(Number)
        digits[place] = (digits[place]! + off) % 10
        expect(isSscc(digits.join(''))).toBe(false)
      }),
    )
  })

  it.each([
    ['123456', 0, 1, '7 to 10 digits'],
    ['12345678901', 0, 1, '7 to 10 digits'],
    ['12345a7', 0, 1, '7 to 10 digits'],
    ['5712345', 10, 1, 'one digit'],
    ['5712345', 0, 1_000_000_000, 'at most 9 digits'],
    ['5712345678', 0, 1_000_000, 'at most 6 digits'],
    ['5712345', 0, -1, 'at most 9 digits'],
  ])('refuses prefix %s, extension %i, serial %i', (prefix, extension, serial, sentence) => {
    expect(() => sscc(prefix, extension, serial)).toThrow(sentence)
  })

  it('explains what is wrong with a prefix', () => {
    expect(gs1PrefixFault('57123456')).toBeNull()
    expect(gs1PrefixFault('57 12345')).toBe('A GS1 company prefix has 7 to 10 digits')
  })
})

describe('application identifiers', () => {
  it('puts a separator after a value of variable length that is not last', () => {
    expect(
      gs1Data([
        ['10', 'AB12'],
        ['21', '7'],
      ]),
    ).toBe('10AB12\x1d217')
    expect(
      gs1Data([
        ['00', '095287654321012346'],
        ['3102', '001500'],
        ['410', '5790000000001'],
        ['400', 'X1'],
        ['420', '2200'],
      ]),
    ).toBe('00095287654321012346310200150041057900000000014' + '00X1\x1d4202200')
  })

  it('writes brackets in the human-readable text only', () => {
    expect(
      gs1Text([
        ['00', '095287654321012346'],
        ['10', 'AB'],
      ]),
    ).toBe('(00)095287654321012346(10)AB')
  })
})

it.each([
  ['5790001234560', true],
  ['5790001234561', false],
  ['96385074', true],
  ['036000291452', true],
  ['10036000291459', true],
  ['579000123456', false],
  ['', false],
  ['579000123456X', false],
])('%j is a GTIN: %s', (text, valid) => {
  expect(isGtin(text)).toBe(valid)
})

describe('a scanned label', () => {
  it.each([
    [']C100095287654321012346', '00095287654321012346', '095287654321012346'],
    ['(00)095287654321012346', '00095287654321012346', '095287654321012346'],
    ['(00) 095 287 654 321 012 346', '00095287654321012346', '095287654321012346'],
    ['\x1d00095287654321012346\r\n', '00095287654321012346', '095287654321012346'],
    [']C1\x1d00095287654321012346', '00095287654321012346', '095287654321012346'],
    ['095287654321012346', '095287654321012346', '095287654321012346'],
    [']C0OWN0000000123', 'OWN0000000123', 'OWN0000000123'],
    [' OWN0000000123 ', 'OWN0000000123', 'OWN0000000123'],
    [']Q3https://x.example/(a)', 'https://x.example/(a)', 'https://x.example/(a)'],
    ['00376130321109103421', '00376130321109103421', '00376130321109103421'],
    ['1:100023', '1:100023', '1:100023'],
    ['', '', ''],
  ])('reads %j', (scan, data, number) => {
    expect(scannedData(scan)).toBe(data)
    expect(scannedNumber(scan)).toBe(number)
  })
})
