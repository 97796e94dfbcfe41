/** The test code, scanned by scanners of every kind. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasCheckDigit, readCode } from '#domain/codes.ts'
import { calibrate, calibrationSentences, testCode } from './calibration.ts'
import type { RecordedKey } from './capture.ts'
import { isDead, keysFor, type Layout, layoutNames, meaning } from './keyboard-layouts.ts'
import { profileFrom, uncalibrated } from './scanner-profile.ts'

const plain = { shift: false, altGraph: false, ctrl: false, alt: false }
const end = (key: string, timeStamp = 900): RecordedKey => ({ ...plain, code: key, key, timeStamp })

function scanned(text: string, scanner: Layout, pc: Layout = 'us', gap = 8): RecordedKey[] {
  return keysFor(text, scanner).flatMap(({ code, shift, altGraph }, at) => {
    const character = meaning({ code, key: '', shift, altGraph }, pc) ?? 'Unidentified'
    const key = { ...plain, code, key: isDead(character, pc) ? 'Dead' : character, timeStamp: at * gap, shift, altGraph }
    return shift ? [{ ...plain, code: 'ShiftLeft', key: 'Shift', timeStamp: at * gap }, key] : [key]
  })
}

describe('the test code', () => {
  it('is nothing that the warehouse uses', () => {
    expect(readCode(testCode)).toEqual({ kind: 'other', text: testCode })
    expect(hasCheckDigit(testCode)).toBe(false)
  })

  it.each(layoutNames.flatMap(scanner => layoutNames.map(pc => [scanner, pc] as const)))(
    'shows a scanner set to %s on a PC set to %s',
    (scanner, pc) => {
      expect(calibrate([...scanned(testCode, scanner, pc), end('Enter')])).toMatchObject({
        found: true,
        profile: { layout: scanner, prefix: '', suffix: 'enter' },
        remarks: [],
      })
    },
  )

  it('shows what the scanner sends around a code', () => {
    expect(calibrate([...scanned(testCode, 'us'), end('Tab')])).toMatchObject({ found: true, profile: { suffix: 'tab' } })
    expect(calibrate([...scanned(testCode, 'us'), end('Enter'), { ...end('j'), code: 'KeyJ', ctrl: true }])).toMatchObject({
      found: true,
      profile: { suffix: 'enter' },
    })
    expect(calibrate([...scanned(`~${testCode}`, 'us'), end('Enter')])).toMatchObject({ found: true, profile: { prefix: '~' } })
    expect(calibrate([end('F18', 0), ...scanned(testCode, 'da'), end('F19')])).toMatchObject({
      found: true,
      profile: { layout: 'da', start_key: 'F18', end_key: 'F19', suffix: 'none' },
      remarks: [],
    })
    expect(calibrate(scanned(testCode, 'us'))).toMatchObject({
      found: true,
      profile: { suffix: 'none' },
      remarks: [{ text: calibrationSentences.noEnd }],
    })
  })

  it('warns of a slow scanner', () => {
    expect(calibrate([...scanned(testCode, 'us', 'us', 40), end('Enter')])).toMatchObject({
      found: true,
      remarks: [{ text: calibrationSentences.slow, values: { gap: 40 } }],
    })
  })

  it('accepts a scanner that follows a layout we do not know, when the PC reads it right', () => {
    const keys = [...testCode].map((key, at) => ({ ...plain, code: 'KeyQ', key, timeStamp: at * 8 }))
    expect(calibrate([...keys, end('Enter')])).toMatchObject({
      found: true,
      profile: { layout: 'pc' },
      remarks: [{ text: calibrationSentences.foreign }],
    })
    const text = [...testCode].map((key, at) => ({ ...plain, code: '', key, timeStamp: at * 8 }))
    expect(calibrate([...text, end('Enter')])).toMatchObject({
      found: true,
      profile: { layout: 'pc' },
      remarks: [{ text: calibrationSentences.noKeys }],
    })
  })

  const swapped = testCode.replace(/[a-z]/gi, letter => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
  it.each([
    ['nothing', [], calibrationSentences.nothing],
    ['Enter alone', [end('Enter')], calibrationSentences.otherCode],
    ['another code', scanned('5701234567899', 'us'), calibrationSentences.otherCode],
    ['half the code', scanned(testCode.slice(4), 'us'), calibrationSentences.incomplete],
    ['Caps Lock', scanned(swapped, 'us'), calibrationSentences.capsLock],
    ['a scanner that shouts', scanned(testCode.toUpperCase(), 'us'), calibrationSentences.oneCase],
    ['a person', scanned('hello there', 'us', 'us', 90), calibrationSentences.typed],
    [
      'a French scanner on a Danish PC',
      [...'PQK&Mè!°.,=@`yzYZà09'].map((key, at) => ({ ...plain, code: 'KeyX', key, timeStamp: at * 8 })),
      calibrationSentences.otherCode,
    ],
    [
      'a layout that no one knows',
      [...'PAK1$%&yzYZ09'].map((key, at) => ({ ...plain, code: 'KeyX', key, timeStamp: at * 8 })),
      calibrationSentences.unknownLayout,
    ],
  ])('explains %s in a sentence', (_, keys, sentence) => {
    expect(calibrate(keys)).toMatchObject({ found: false, problem: { text: sentence } })
  })

  it('answers whatever arrives', () => {
    const key = fc.record({
      code: fc.string({ maxLength: 8 }),
      key: fc.string({ maxLength: 8 }),
      timeStamp: fc.double(),
      shift: fc.boolean(),
      altGraph: fc.boolean(),
      ctrl: fc.boolean(),
      alt: fc.boolean(),
    })
    void fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), keys => {
        expect(calibrate(keys)).toHaveProperty('found')
      }),
    )
  })
})

describe('the profile', () => {
  it.each([undefined, null, 7, 'us', [], { layout: 'klingon', volume: 12 }, { prefix: 'x'.repeat(99), suffix: 4 }])(
    'is usable though the device remembers %j',
    stored => {
      expect(profileFrom(stored)).toEqual(uncalibrated)
    },
  )

  it('keeps what is right beside what is wrong', () => {
    expect(profileFrom({ layout: 'da', volume: 'loud' })).toEqual({ ...uncalibrated, layout: 'da' })
  })
})
