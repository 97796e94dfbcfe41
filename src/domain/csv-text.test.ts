/** Decoding of CSV files: encodings, separators and headers. */
import { describe, expect, it } from 'vitest'
import { measureCpu } from '#test/cpu-cost.ts'
import { cellText, detectSeparator, detectText, hasTooManyCells, headersOf, noTable } from './csv-text.ts'

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap(part => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))
const utf16 = (text: string, big: boolean) =>
  [...text].flatMap(letter => {
    const code = letter.charCodeAt(0)
    return big ? [code >> 8, code & 255] : [code & 255, code >> 8]
  })

describe('the text of a file', () => {
  it.each([
    ['plain ASCII', bytes('a;b\n1;2'), 'utf-8'],
    ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], 'a;b'), 'utf-8'],
    ['UTF-8 without a mark', bytes('navn;by\nLene;Ærø'), 'utf-8'],
    ['UTF-8 cut within a character', bytes('Ærø').subarray(0, 4), 'utf-8'],
    ['Windows-1252', bytes('navn;by\nLene;', [0xc6, 0x72, 0xf8]), 'windows-1252'],
    [
      'Windows-1252 with names of several countries',
      bytes('S', [0xf8], 'ren;', [0xc5], 'se;M', [0xfc], 'ller;Andr', [0xe9]),
      'windows-1252',
    ],
    ['Windows-1252 in French', bytes('Bo', [0xee], 'te;pr', [0xe9], 'f', [0xe8], 're;gar', [0xe7], 'on'), 'windows-1252'],
    ['Windows-1250 in Czech', bytes('Ji', [0xf8, 0xed], ' Nov', [0xe1], 'k;Plze', [0xf2]), 'windows-1250'],
    ['Windows-1250 in Polish', bytes([0xa3, 0xf3], 'd', [0x9f], ';W', [0xb9], 'sik'), 'windows-1250'],
    ['UTF-16 little end first with a mark', bytes([0xff, 0xfe], utf16('a;b', false)), 'utf-16le'],
    ['UTF-16 big end first with a mark', bytes([0xfe, 0xff], utf16('a;b', true)), 'utf-16be'],
    ['UTF-16 little end first without a mark', bytes(utf16('navn;by\nLene;Ærø', false)), 'utf-16le'],
    ['UTF-16 big end first without a mark', bytes(utf16('navn;by\nLene;Ærø', true)), 'utf-16be'],
    ['nothing', bytes(), 'utf-8'],
  ])('is recognised as %s', (_, file, encoding) => {
    expect(detectText(file)).toBe(encoding)
  })

  it.each([
    ['a;b;c\n1,5;2,5;3', ';'],
    ['a,b,c\n1.5,2,"x;y;z;w"', ','],
    ['a\tb\n1,2\t3,4', '\t'],
    ['a|b\n1|2', '|'],
    ['only one column\nx', ','],
    ['sep=|\na|b;c;d\n1|2;3;4', '|'],
    ['"sep=;"\r\na;b,c,d\r\n1;2,3,4', ';'],
    ['a;b\n"line\nbreak, and, commas";2\n3;4', ';'],
  ])('%j is cut by %j', (text, separator) => {
    expect(detectSeparator(text)).toBe(separator)
  })

  it.each([
    ['an old program', bytes('MZ', [0x90, 0, 3, 0, 0, 0], 'This program cannot be run in DOS mode')],
    ['a database', bytes('SQLite format 3', [0, 16, 0, 1, 1])],
    ['noise', Uint8Array.from({ length: 2_000 }, (_, at) => (at * 7_919 + (at >> 3) * 104_729) & 255)],
    ['bits without a zero', Uint8Array.from({ length: 2_000 }, (_, at) => 1 + ((at * 31) % 8))],
    [
      'noise behind a mark of UTF-16',
      bytes(
        [0xff, 0xfe],
        [...Array(600).keys()].flatMap(() => [0x12, 0xd8]),
      ),
    ],
    ['a picture', bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
  ])('is none where it holds %s', (_, file) => {
    expect(noTable(file)).toBe('This is no table: select an Excel workbook (.xlsx) or a CSV file')
  })

  it.each([
    ['tabs, form feeds and the end mark of DOS', bytes('a\tb\r\n\f1\t2\r\n', [0x1a])],
    ['UTF-16', bytes([0xff, 0xfe], utf16('a;b\nÆ;ø', false))],
    ['Windows-1252', bytes('navn;by\nLene;', [0xc6, 0x72, 0xf8])],
  ])('may be a table where it holds %s', (_, file) => {
    expect(noTable(file)).toBeNull()
  })

  it('has too many cells where something stands beyond the last column', () => {
    expect(hasTooManyCells(['a', 'b', ''], 2)).toBe(false)
    expect(hasTooManyCells(['a'], 2)).toBe(false)
    expect(hasTooManyCells(['a', 'b', ' ', 'c'], 2)).toBe(true)
  })

  it.each([
    ["'01067", '01067'],
    ["'5701234567890", '5701234567890'],
    ["'+45 20112233", '+45 20112233'],
    ["'47 Brand", "'47 Brand"],
    ["'s-Hertogenbosch", "'s-Hertogenbosch"],
    ["5'", "5'"],
  ])('reads %s as %s: an apostrophe before a number alone is the sign of a spreadsheet', (cell, text) => {
    expect(cellText(cell)).toBe(text)
  })

  it('has a header of unique names', () => {
    expect(headersOf(['\ufeffName', '', 'Name', ' name ', ''])).toEqual(['Name', 'Column 2', 'Name (2)', 'name', 'Column 5'])
  })

  it.each<[string, (count: number) => string[]]>([
    ['equal', count => Array<string>(count).fill('Name')],
    ['empty', count => Array<string>(count).fill('')],
    ['equal to a name with its number', count => Array.from({ length: count }, (_, at) => (at % 2 ? 'Name' : `Name (${at / 2 + 2})`))],
  ])('are found in time that grows with the number of columns where all are %s', (_, cells) => {
    const least = (count: number) =>
      Math.min(
        ...[1, 2, 3].map(() => {
          const effort = measureCpu()
          expect(new Set(headersOf(cells(count))).size).toBe(count)
          return effort()
        }),
      )
    least(5_000)
    // Four times the columns take sixteen times as long where each name compares with all before it. Less than 20 ms cannot be measured well.
    expect(least(20_000)).toBeLessThan(10 * Math.max(least(5_000), 20))
  })
})
