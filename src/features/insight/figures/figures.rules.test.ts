/** Spans of time behind figures. */
import { describe, expect, it } from 'vitest'
import { ratio } from '../statistics/statistics.rules.ts'
import { comparedSpan, partsOf, published, spanOf } from './figures.rules.ts'

const zone = 'Europe/Copenhagen'
const at = (text: string) => Date.parse(text)
const written = ({ from, to }: { from: number; to: number }) => [new Date(from).toISOString(), new Date(to).toISOString()]

describe('a period', () => {
  it.each([
    [
      'a past day ends at midnight',
      '2026-11-20',
      '2026-11-20',
      '2026-11-25T12:00Z',
      '2026-11-19T23:00:00.000Z',
      '2026-11-20T23:00:00.000Z',
    ],
    ['today ends now', '2026-11-25', '2026-11-25', '2026-11-25T12:00Z', '2026-11-24T23:00:00.000Z', '2026-11-25T12:00:00.000Z'],
    [
      'the long day of autumn has 25 hours',
      '2026-10-25',
      '2026-10-25',
      '2026-11-25T12:00Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ],
    ['a day to come is empty', '2026-11-27', '2026-11-27', '2026-11-25T12:00Z', '2026-11-26T23:00:00.000Z', '2026-11-26T23:00:00.000Z'],
  ])('%s', (_, from, to, now, first, end) => {
    expect(written(spanOf(from, to, zone, at(now)))).toEqual([first, end])
  })

  it.each([
    [
      'today with yesterday up to the same time',
      '2026-11-25',
      '2026-11-25',
      'before',
      '2026-11-23T23:00:00.000Z',
      '2026-11-24T12:30:00.000Z',
    ],
    [
      'today with the same weekday of last year',
      '2026-11-25',
      '2026-11-25',
      'last_year',
      '2025-11-25T23:00:00.000Z',
      '2025-11-26T12:30:00.000Z',
    ],
    [
      'a week that runs with the week before, as far',
      '2026-11-23',
      '2026-11-29',
      'before',
      '2026-11-15T23:00:00.000Z',
      '2026-11-18T12:30:00.000Z',
    ],
    ['ended days with whole days', '2026-11-20', '2026-11-21', 'before', '2026-11-17T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
  ] as const)('compares %s', (_, from, to, comparison, first, end) => {
    expect(written(comparedSpan(from, to, comparison, zone, at('2026-11-25T12:30Z')))).toEqual([first, end])
  })
})

describe('the parts of a period', () => {
  it('are stored for counted days, and counted for the others', () => {
    const { stored, live } = partsOf(
      { from: at('2026-11-22T23:00Z'), to: at('2026-11-25T12:30Z') },
      new Map([
        ['2026-11-23', Number.POSITIVE_INFINITY],
        ['2026-11-24', Number.POSITIVE_INFINITY],
      ]),
      zone,
    )
    expect(stored.map(written)).toEqual([['2026-11-22T23:00:00.000Z', '2026-11-24T23:00:00.000Z']])
    expect(live.map(written)).toEqual([['2026-11-24T23:00:00.000Z', '2026-11-25T12:30:00.000Z']])
  })

  it('count the begun hour of a stored day', () => {
    const { stored, live } = partsOf(
      { from: at('2026-11-22T23:00Z'), to: at('2026-11-23T12:30Z') },
      new Map([['2026-11-23', Number.POSITIVE_INFINITY]]),
      zone,
    )
    expect(stored.map(written)).toEqual([['2026-11-22T23:00:00.000Z', '2026-11-23T12:00:00.000Z']])
    expect(live.map(written)).toEqual([['2026-11-23T12:00:00.000Z', '2026-11-23T12:30:00.000Z']])
  })

  it('are stored today until the last quarter of an hour that was counted', () => {
    const day = { from: at('2026-11-22T23:00Z'), to: at('2026-11-23T12:30Z') }
    const { stored, live } = partsOf(day, new Map([['2026-11-23', at('2026-11-23T12:15Z')]]), zone)
    expect(stored.map(written)).toEqual([['2026-11-22T23:00:00.000Z', '2026-11-23T12:15:00.000Z']])
    expect(live.map(written)).toEqual([['2026-11-23T12:15:00.000Z', '2026-11-23T12:30:00.000Z']])
  })

  it('are none for an empty period', () => {
    expect(partsOf({ from: 5, to: 5 }, new Map(), zone)).toEqual({ stored: [], live: [] })
  })
})

it('has no share of nothing, and publishes no number behind which fewer than five stand', () => {
  expect([ratio(1, 0), ratio(1, 4)]).toEqual([null, 0.25])
  expect([published(4), published(5), published(0, 12), published(3, 12)]).toEqual([null, 5, 0, 3])
})
