/** What is read as the serial number of a longer code. */
import { expect, it } from 'vitest'
import { extracted } from './serial-extraction.rules.ts'
import type { ExtractStep } from './serial-numbers.schemas.ts'

const position = (start: number, length?: number): ExtractStep => ({ kind: 'position', start, ...(length !== undefined && { length }) })
const part = (separator: string, no: number): ExtractStep => ({ kind: 'part', separator, part: no })

it.each<[string, ExtractStep[], string]>([
  ['a1234567890', [], 'a1234567890'],
  [' a1234567890\u00a0', [], 'a1234567890'],
  ['SN:a1234567890;LOT7', [part(';', 1), position(4)], 'a1234567890'],
  ['0457a1234567890XX', [position(5, 11)], 'a1234567890'],
  ['x;y;', [part(';', 3)], ''],
  ['x;y;z', [part(';', -1)], 'z'],
  ['x;y;z', [part(';', 4)], ''],
  ['x;y;z', [part(';', -4)], ''],
  ['abc', [position(5)], ''],
  ['abc', [position(2, 1)], 'b'],
  ['LOT7//SN//a1234567890', [part('//', 3)], 'a1234567890'],
  ['one|SN=two;x|three', [part('|', 2), part(';', 1), position(4)], 'two'],
])('%s by %j is “%s”', (code, steps, serial) => {
  expect(extracted(code, steps)).toBe(serial)
})
