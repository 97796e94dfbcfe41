/** Parsing of barcodes: tables of examples, and arbitrary input. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candidates, codeSentences, hasCheckDigit, isOrderCode, linkable, readCode } from './codes.ts'

const GS = '\u001d'

describe('reading a code', () => {
  it.each([
    ['1:1023', { kind: 'order', text: '1:1023', company_id: 1, order_id: 1023 }],
    ['  12:7\r\n', { kind: 'order', text: '12:7', company_id: 12, order_id: 7 }],
    [']C01:1023', { kind: 'order', text: '1:1023', company_id: 1, order_id: 1023 }],
    ['PP17', { kind: 'paperless', text: 'PP17', digits: '17' }],
    ['PP007', { kind: 'paperless', text: 'PP007', digits: '007' }],
    [']Q1PP17', { kind: 'paperless', text: 'PP17', digits: '17' }],
    ['CMD:NEXT', { kind: 'command', text: 'CMD:NEXT', command: 'NEXT' }],
    ['CMD:7', { kind: 'command', text: 'CMD:7', command: '7' }],
    ['CMD:HOSPITAL', { kind: 'command', text: 'CMD:HOSPITAL', command: 'EXCEPTION' }],
    ['cmd:ok', { kind: 'command', text: 'cmd:ok', command: 'DONE' }],
    ['cmd:finalize', { kind: 'command', text: 'cmd:finalize', command: 'FINALIZE' }],
    ['U7-Zk3_9aB-x1', { kind: 'badge', text: 'U7-Zk3_9aB-x1', user_id: 7, token: 'Zk3_9aB-x1' }],
    ['W12', { kind: 'wagon', text: 'W12', id: 12 }],
    ['CL3', { kind: 'collect_list', text: 'CL3', id: 3 }],
    ['PL00044', { kind: 'pick_list', text: 'PL00044', id: 44 }],
    ['CL00003', { kind: 'collect_list', text: 'CL00003', id: 3 }],
    ['PL44', { kind: 'pick_list', text: 'PL44', id: 44 }],
    ['CRBOX-2', { kind: 'crate', text: 'CRBOX-2', crate: 'BOX-2' }],
    ['85123A', { kind: 'other', text: '85123A' }],
    ['PP4-BLUE', { kind: 'other', text: 'PP4-BLUE' }],
    ['1:<script>', { kind: 'other', text: '1:<script>' }],
    ['U7-short', { kind: 'other', text: 'U7-short' }],
    ['1:99999999999999999999', { kind: 'other', text: '1:99999999999999999999' }],
    ['10-03-02-B', { kind: 'other', text: '10-03-02-B' }],
    [']', { kind: 'other', text: ']' }],
  ])('reads %j', (raw, code) => {
    expect(readCode(raw)).toEqual(code)
  })

  it.each([
    ['', codeSentences.empty],
    [' \r\n ', codeSentences.empty],
    [']C1', codeSentences.empty],
    ['1:10\u000023', codeSentences.unprintable],
    ['1:10\n23', codeSentences.unprintable],
    ['ab\u202ecd', codeSentences.unprintable],
    ['ab\u200bcd', codeSentences.unprintable],
    ['ab\ud800cd', codeSentences.unprintable],
    ['CMD:DELETE-ALL', codeSentences.unknownCommand],
  ])('refuses %j with a sentence', (raw, reason) => {
    expect(readCode(raw)).toMatchObject({ kind: 'refused', reason })
  })

  it.each([
    [`]C101095011015300031726013110AB-123`, { gtin: '09501101530003', expiry: '2026-01-31', lot: 'AB-123' }],
    [`010950110153000310AB${GS}21SN9`, { gtin: '09501101530003', lot: 'AB', serial: 'SN9' }],
    [`${GS}010950110153000321S-1`, { gtin: '09501101530003', serial: 'S-1' }],
    [`]d2010950110153000317280200`, { gtin: '09501101530003', expiry: '2028-02-29' }],
    [`(01)09501101530003(17)261332(10)L1`, { gtin: '09501101530003', lot: 'L1' }],
    [`]C100370000000000000011`, { sscc: '370000000000000011' }],
    ['https://id.gs1.org/01/09501101530003/10/AB%2F1/21/X?17=261231', { gtin: '09501101530003', lot: 'AB/1', serial: 'X' }],
  ])('finds the GS1 fields of %j', (raw, gs1) => {
    expect(readCode(raw)).toMatchObject({ kind: 'other', gs1 })
  })

  it.each([257, 5000, 1_000_000])('refuses a code of %i characters', length => {
    expect(readCode('x'.repeat(length))).toMatchObject({ kind: 'refused', reason: codeSentences.tooLong, text: 'x'.repeat(256) })
  })

  it('keeps a plain number that starts like a GS1 field', () => {
    expect(readCode('0112345678901234567')).toEqual({ kind: 'other', text: '0112345678901234567' })
    expect(readCode('1012')).toEqual({ kind: 'other', text: '1012' })
  })

  it('opens only orders that start with 1 or PP in development', () => {
    expect(readCode('1:5', { dev: true }).kind).toBe('order')
    expect(readCode('PP5', { dev: true }).kind).toBe('paperless')
    expect(readCode('2:5', { dev: true })).toMatchObject({ kind: 'refused', reason: codeSentences.development })
    expect(readCode('2:5').kind).toBe('order')
  })

  it('recognizes order codes by the rule of the specification', () => {
    expect(['1:', '12:x', 'PP1', 'PP9z'].map(text => isOrderCode(text))).toEqual([true, true, true, true])
    expect([':1', 'PP', 'pp1', 'A1:2', ''].map(text => isOrderCode(text))).toEqual([false, false, false, false, false])
    expect(['1:', '2:', '10:', 'PP2'].map(text => isOrderCode(text, { dev: true }))).toEqual([true, false, true, true])
  })

  it('parses any input, and never returns control characters', () => {
    void fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 300 })), raw => {
        const code = readCode(raw)
        expect(code.text.length).toBeLessThanOrEqual(256)
        if (code.kind !== 'refused') {
          expect(code.text.replaceAll(GS, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
          expect(code.text).toBe(code.text.trim())
          expect(candidates(raw)[0]).toBe(code.text)
        } else expect(Object.values(codeSentences)).toContain(code.reason)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('looking a code up', () => {
  it.each([
    ['036000291452', ['036000291452', '0036000291452', '00036000291452']],
    ['0036000291452', ['0036000291452', '036000291452', '00036000291452']],
    ['05701234567899', ['05701234567899', '5701234567899']],
    ['5701234567899', ['5701234567899', '05701234567899']],
    ['96385074', ['96385074', '00000096385074']],
    ['00000096385074', ['00000096385074', '96385074']],
    ['5701234567890', ['5701234567890']],
    ['85123A', ['85123A']],
    [']E05701234567899', ['5701234567899', '05701234567899', ']E05701234567899']],
    [']C1010570123456789910L1', ['010570123456789910L1', '5701234567899', '05701234567899', ']C1010570123456789910L1']],
    ['00370000000000000011', ['00370000000000000011', '370000000000000011']],
    ['', []],
  ])('offers for %j the forms it may be stored in', (raw, forms) => {
    expect(candidates(raw)).toEqual(forms)
  })

  it('never reduces an outer pack to the piece inside', () => {
    expect(hasCheckDigit('15701234567896')).toBe(true)
    expect(candidates('15701234567896')).toEqual(['15701234567896'])
  })
})

describe('a scanned code as a product’s barcode', () => {
  it.each([
    ['5701234567899', '5701234567899'],
    ['OLD-CODE 7', 'OLD-CODE 7'],
    // Some shops have such article numbers.
    ['CR2032', 'CR2032'],
    ['W12', 'W12'],
    // Lot and serial number belong to one piece only.
    [`]d2010570123456789910L1${GS}21S77`, '05701234567899'],
    ['00370000000000000011', null],
    ['1:1023', null],
    ['PP17', null],
    ['CMD:DONE', null],
    ['U7-abcdefgh', null],
    ['', null],
  ])('keeps of %j: %j', (raw, barcode) => {
    expect(linkable(raw)).toBe(barcode)
  })
})
