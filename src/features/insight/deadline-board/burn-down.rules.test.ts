/** Lines of the burn-down: what was left, what would be even, what is forecast. */
import { describe, expect, it } from 'vitest'
import { burnDownOf, burnDownRows } from './burn-down.rules.ts'

const minute = 60_000
/** `at` in minutes. */
const points = (...pairs: readonly (readonly [at: number, left: number])[]) => pairs.map(([at, left]) => ({ at: at * minute, left }))
const pairs = (some: readonly { at: number; left: number }[]) => some.map(({ at, left }) => [at / minute, left])

describe('the even line to the pickup', () => {
  it.each([
    [
      'begins where most was left',
      points([0, 20], [60, 80], [120, 60]),
      40,
      [
        [60, 80],
        [240, 0],
      ],
    ],
    [
      'begins at the latest of several highest points',
      points([0, 80], [60, 80], [120, 60]),
      40,
      [
        [60, 80],
        [240, 0],
      ],
    ],
    [
      'begins now where never more was left',
      points([0, 20], [60, 30]),
      40,
      [
        [180, 40],
        [240, 0],
      ],
    ],
    [
      'begins now where nothing was measured',
      [],
      40,
      [
        [180, 40],
        [240, 0],
      ],
    ],
    ['is absent where nothing was left all day', points([0, 0], [60, 0]), 0, []],
  ])('%s', (_words, measured, left, needed) => {
    expect(pairs(burnDownOf(measured, { now: 180 * minute, left, due: 240 * minute, forecast: [] }).needed)).toEqual(needed)
  })

  it('is absent after the pickup', () => {
    expect(burnDownOf([], { now: 250 * minute, left: 3, due: 240 * minute, forecast: [] }).needed).toEqual([])
  })
})

describe('the forecast line', () => {
  const every = (step: number) => Array.from({ length: 240 / step }, (_, place) => ({ at: (place + 1) * step * minute, left: place }))

  it('goes from now to the pickup and no further', () => {
    const { forecast } = burnDownOf([], { now: 100 * minute, left: 50, due: 200 * minute, forecast: every(20) })
    expect(forecast.map(point => point.at / minute)).toEqual([100, 120, 140, 160, 180, 200])
    expect(forecast[0]?.left).toBe(50)
  })

  it('has at most 49 points and keeps the one at the pickup', () => {
    const { forecast } = burnDownOf([], { now: 0, left: 50, due: 240 * minute, forecast: every(1) })
    expect(forecast.length).toBeLessThanOrEqual(49)
    expect(forecast.at(-1)?.at).toBe(240 * minute)
  })
})

it('the table has a row for each time, and the even line in each row that it reaches', () => {
  const burnDown = burnDownOf(points([0, 20], [60, 80]), { now: 120 * minute, left: 70, due: 180 * minute, forecast: points([180, 5]) })
  expect(burnDownRows(burnDown).map(({ at, ...row }) => ({ at: at / minute, ...row }))).toEqual([
    { at: 0, left: 20 },
    { at: 60, left: 80, needed: 80 },
    { at: 120, left: 70, needed: 40, forecast: 70 },
    { at: 180, needed: 0, forecast: 5 },
  ])
})
