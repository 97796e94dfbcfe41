/** CPR numbers: form, date and check digit. All numbers here belong to no one: they fail the check digit and are no births on 1 January. */
import { describe, expect, it } from 'vitest'
import { demoCpr } from '#app/demo/people.ts'
import { cprBirthDate, cprDigits, hasCheckDigit, showCpr } from './cpr.rules.ts'

describe('a CPR number', () => {
  it.each([
    ['010190-1235', '0101901235'],
    ['0101901235', '0101901235'],
    [' 010190 1235 ', '0101901235'],
    ['10190-1235', null],
    ['010190-12345', null],
    ['010190-123x', null],
    ['', null],
  ])('typed as %j is read as %j', (typed, digits) => {
    expect(cprDigits(typed)).toBe(digits)
  })

  it.each([
    ['1705840', '1984-05-17'],
    ['1705363', '1936-05-17'],
    ['1705364', '2036-05-17'],
    ['1705374', '1937-05-17'],
    ['1705369', '2036-05-17'],
    ['1705379', '1937-05-17'],
    ['1705575', '2057-05-17'],
    ['1705588', '1858-05-17'],
    ['2902044', '2004-02-29'],
    ['2902034', null],
    ['3104844', null],
    ['0013844', null],
    ['3211844', null],
  ])('that begins with %s is of %s', (start, date) => {
    expect(cprBirthDate(`${start}000`)).toBe(date)
  })

  it('has a check digit where the weighted sum is a multiple of eleven', () => {
    // 0·4 + 7·3 + 0·2 + 7·7 + 6·6 + 1·5 + 4·4 + 2·3 + 8·2 + 5·1 = 154, the example of the CPR office.
    expect(hasCheckDigit('0707614285')).toBe(true)
    expect(hasCheckDigit('0707614286')).toBe(false)
  })

  it('is shown with its hyphen', () => {
    expect(showCpr('1705840000')).toBe('170584-0000')
  })
})

it('of the demo fits the date of birth, is no birth on 1 January and fails the check digit, so it belongs to no one', () => {
  for (const birth_date of ['1984-05-17', '2001-07-08', '2003-12-05', '1999-03-30'])
    for (const nth of [0, 1, 2]) {
      const cpr = demoCpr(birth_date, nth)
      expect(cprBirthDate(cpr)).toBe(birth_date)
      expect(hasCheckDigit(cpr)).toBe(false)
      expect(cpr.slice(0, 4)).not.toBe('0101')
    }
})
