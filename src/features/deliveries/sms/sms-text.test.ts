/** How many parts a text message has, and what it costs. */
import { describe, expect, it } from 'vitest'
import { costlyCharacters, minorOfMicro, withPlainCharacters } from './sms-price.rules.ts'
import { sizeOfSms } from './sms-text.rules.ts'

const a = (count: number) => 'a'.repeat(count)
const ya = (count: number) => 'я'.repeat(count)

describe('a text message', () => {
  it.each([
    ['nothing', '', 'GSM-7', 0],
    ['160 letters', a(160), 'GSM-7', 1],
    ['161 letters', a(161), 'GSM-7', 2],
    ['306 letters', a(306), 'GSM-7', 2],
    ['307 letters', a(307), 'GSM-7', 3],
    ['80 euro signs', '€'.repeat(80), 'GSM-7', 1],
    ['81 euro signs', '€'.repeat(81), 'GSM-7', 2],
    ['a euro sign on the border of two parts', `${a(152)}€${a(152)}`, 'GSM-7', 3],
    ['70 Cyrillic letters', ya(70), 'UCS-2', 1],
    ['71 Cyrillic letters', ya(71), 'UCS-2', 2],
    ['134 Cyrillic letters', ya(134), 'UCS-2', 2],
    ['135 Cyrillic letters', ya(135), 'UCS-2', 3],
    ['an emoji on the border of two parts', `${ya(66)}😀${ya(66)}`, 'UCS-2', 3],
    ['35 emoji', '😀'.repeat(35), 'UCS-2', 1],
    ['36 emoji', '😀'.repeat(36), 'UCS-2', 2],
    ['the letters of five languages', 'æøåÆØÅäöüÄÖÜßé', 'GSM-7', 1],
    ['one typographic apostrophe', `${a(150)}’`, 'UCS-2', 3],
  ] as const)('of %s is %#', (_what, text, encoding, parts) => expect(sizeOfSms(text)).toMatchObject({ encoding, parts }))

  it('counts a letter and its combining mark once', () =>
    expect(sizeOfSms('a\u030a')).toEqual({ encoding: 'GSM-7', characters: 1, parts: 1 }))

  it('is shorter with plain characters, which are named', () => {
    const text = `${a(150)}’`
    expect(costlyCharacters(text)).toEqual([{ from: '’', to: "'" }])
    expect(sizeOfSms(withPlainCharacters(text))).toMatchObject({ encoding: 'GSM-7', parts: 1 })
  })
})

it('rounds the price of a sending once, half up', () => {
  expect(minorOfMicro(3 * 307_000, 2)).toBe(92)
  expect(minorOfMicro(1_284 * 307_000, 2)).toBe(39_419)
  expect(minorOfMicro(5_000, 2)).toBe(1)
  expect(minorOfMicro(4_999, 2)).toBe(0)
})
