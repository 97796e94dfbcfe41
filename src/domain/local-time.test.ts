/** Clocks of companies and instants, on ordinary days and where the clocks change. */
import { describe, expect, it } from 'vitest'
import { addDays, clockAt, dayAt, daysBetween, instantAt, instantsAt, mondayOf, weekdayOf } from './local-time.ts'

const utc = (text: string) => Date.parse(text)
const zone = 'Europe/Copenhagen'

describe('the instant of a clock', () => {
  it.each([
    ['2026-01-15', '12:00', zone, '2026-01-15T11:00:00Z'],
    ['2026-07-15', '12:00', zone, '2026-07-15T10:00:00Z'],
    ['2026-07-15', '00:00', zone, '2026-07-14T22:00:00Z'],
    ['2026-03-29', '01:59', zone, '2026-03-29T00:59:00Z'],
    ['2026-03-29', '03:00', zone, '2026-03-29T01:00:00Z'],
    ['2026-10-25', '01:59', zone, '2026-10-24T23:59:00Z'],
    ['2026-10-25', '03:00', zone, '2026-10-25T02:00:00Z'],
    ['2026-07-15', '12:00', 'America/New_York', '2026-07-15T16:00:00Z'],
    ['2026-07-15', '12:00', 'Asia/Kolkata', '2026-07-15T06:30:00Z'],
    ['2026-07-15', '12:00', 'UTC', '2026-07-15T12:00:00Z'],
  ])('%s %s in %s is %s', (day, clock, of, instant) => {
    expect(instantAt(day, clock, of)).toBe(utc(instant))
    expect(instantsAt(day, clock, of)).toEqual([utc(instant)])
  })

  it('that is left out in spring is one hour later, and no instant shows it', () => {
    expect(instantsAt('2026-03-29', '02:30', zone)).toEqual([])
    expect(instantAt('2026-03-29', '02:30', zone)).toBe(utc('2026-03-29T01:30:00Z'))
  })

  it('that comes twice in autumn is the first, and both are known', () => {
    const both = [utc('2026-10-25T00:30:00Z'), utc('2026-10-25T01:30:00Z')]
    expect(instantsAt('2026-10-25', '02:30', zone)).toEqual(both)
    expect(instantAt('2026-10-25', '02:30', zone)).toBe(both[0])
  })
})

it.each([
  ['2026-07-15T21:59:00Z', zone, '2026-07-15', '23:59'],
  ['2026-07-15T22:00:00Z', zone, '2026-07-16', '00:00'],
  ['2026-01-15T23:05:09Z', zone, '2026-01-16', '00:05'],
  ['2026-07-15T03:00:00Z', 'America/New_York', '2026-07-14', '23:00'],
  ['0999-07-15T12:00:00Z', 'UTC', '0999-07-15', '12:00'],
])('the clock at %s in %s shows %s %s', (instant, of, day, clock) => {
  expect([dayAt(utc(instant), of), clockAt(utc(instant), of)]).toEqual([day, clock])
})

describe('days', () => {
  it.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-10-24', 2, '2026-10-26'],
    ['2026-03-28', 0, '2026-03-28'],
  ])('%s and %d days more is %s', (day, days, later) => {
    expect(addDays(day, days)).toBe(later)
  })

  it.each([
    ['2026-11-23', 1, '2026-11-23'],
    ['2026-11-26', 4, '2026-11-23'],
    ['2026-11-28', 6, '2026-11-23'],
    ['2026-11-29', 7, '2026-11-23'],
  ])('%s is day %d of the week that begins on %s', (day, weekday, monday) => {
    expect([weekdayOf(day), mondayOf(day)]).toEqual([weekday, monday])
  })

  it('are counted with the first and the last', () => {
    expect(daysBetween('2026-10-24', '2026-10-26')).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
    expect(daysBetween('2026-10-24', '2026-10-24')).toEqual(['2026-10-24'])
    expect(daysBetween('2026-10-25', '2026-10-24')).toEqual([])
  })
})
