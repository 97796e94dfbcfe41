/** Written times: past midnight, and on the days on which the clock changes. Zone: Europe/Copenhagen. */
import { describe, expect, it } from 'vitest'
import { comesTwice, type Pass, writtenSpan } from './written-times.rules.ts'

const zone = 'Europe/Copenhagen'
const utc = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16))
const spanOf = (day: string, from: string, until: string, from_pass: Pass = '', until_pass: Pass = '') => {
  const span = writtenSpan(day, { from, until, from_pass, until_pass }, zone)
  return [utc(span.from), utc(span.until)]
}

describe('an entry', () => {
  it.each([
    ['of a day', '2026-11-24', '06:00', '14:00', '2026-11-24T05:00', '2026-11-24T13:00'],
    ['that ends before it begins ends on the next day', '2026-11-24', '22:00', '06:00', '2026-11-24T21:00', '2026-11-25T05:00'],
    ['over the night with 25 hours', '2026-10-24', '22:00', '06:00', '2026-10-24T20:00', '2026-10-25T05:00'],
    ['over the night with 23 hours', '2026-03-28', '22:00', '06:00', '2026-03-28T21:00', '2026-03-29T04:00'],
    ['at a time that the clock leaves out', '2026-03-29', '02:30', '08:00', '2026-03-29T01:30', '2026-03-29T06:00'],
  ])('%s', (_, day, from, until, start, end) => {
    expect(spanOf(day, from, until)).toEqual([start, end])
  })

  it('is not known before both times are written', () => {
    expect(spanOf('2026-11-24', '', '14:00')).toEqual([null, '2026-11-24T13:00'])
  })
})

describe('a time that the clock shows twice', () => {
  it('is not known before summer or winter time is chosen', () => {
    expect(comesTwice('2026-10-25', { from: '02:30', until: '08:00' }, zone)).toEqual({ from: true, until: false })
    expect(spanOf('2026-10-25', '02:30', '08:00')).toEqual([null, '2026-10-25T07:00'])
    expect(spanOf('2026-10-25', '02:30', '08:00', 'summer')).toEqual(['2026-10-25T00:30', '2026-10-25T07:00'])
    expect(spanOf('2026-10-25', '02:30', '08:00', 'winter')).toEqual(['2026-10-25T01:30', '2026-10-25T07:00'])
  })

  it('may be the end of a night', () => {
    expect(comesTwice('2026-10-24', { from: '18:00', until: '02:30' }, zone)).toEqual({ from: false, until: true })
    expect(spanOf('2026-10-24', '18:00', '02:30', '', 'winter')).toEqual(['2026-10-24T16:00', '2026-10-25T01:30'])
  })
})
