/** When a delivery is tried again, and which deliveries go first. */
import { describe, expect, it } from 'vitest'
import { type Candidate, chooseFairly, hoursUntilPause, most, pauseAfter, probePause } from './deliveries.rules.ts'

const many = (n: number, company_id: number, destination_id: number, failures = 0): Candidate[] =>
  Array.from({ length: n }, () => ({ company_id, destination_id, failures }))

describe('the pause after a failed attempt', () => {
  it('grows from a minute to a day, and the ninth attempt is the last', () => {
    const pauses = Array.from({ length: 9 }, (_, i) => pauseAfter(i + 1, 0.5))
    expect(pauses).toEqual([60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400, undefined])
  })

  it('varies by a tenth, so that receivers are not hit by all at once', () => {
    expect([pauseAfter(1, 0), pauseAfter(1, 1)]).toEqual([54, 66])
  })

  it('is what the receiver asks for, up to a day', () => {
    expect([600, 0, 1_000_000].map(seconds => pauseAfter(1, 0.5, seconds))).toEqual([600, 1, 86_400])
    expect(pauseAfter(9, 0.5, 600)).toBeUndefined()
  })
})

describe('a destination that fails', () => {
  it.each([
    [4, undefined],
    [5, 30],
    [6, 60],
    [20, 900],
  ])('%i times in a row is left alone for %s seconds', (failures, pause) => {
    expect(probePause(failures)).toBe(pause)
  })

  it('gets one delivery at a time', () => {
    expect(chooseFairly(many(8, 1, 1, 5), [])).toHaveLength(1)
    expect(chooseFairly(many(8, 1, 1, 5), many(1, 1, 1))).toEqual([])
  })
})

describe('the choice of deliveries', () => {
  it('gives one destination some at once and no more', () => {
    expect(chooseFairly(many(20, 1, 1), [])).toHaveLength(most.destination)
    expect(chooseFairly(many(20, 1, 1), many(most.destination, 1, 1))).toEqual([])
  })

  it('lets no company fill the server, however many destinations it has', () => {
    const flood = Array.from({ length: 20 }, (_, i) => many(8, 1, i)).flat()
    const chosen = chooseFairly([...flood, ...many(2, 2, 100)], [])
    expect(chosen.filter(one => one.company_id === 1)).toHaveLength(most.company)
    expect(chosen.filter(one => one.company_id === 2)).toHaveLength(2)
  })

  it('takes companies in turn where there are more than it can send', () => {
    const companies = Array.from({ length: 100 }, (_, i) => many(8, i, i)).flat()
    const chosen = chooseFairly(companies, [])
    expect(chosen).toHaveLength(most.all)
    expect(new Set(chosen.map(one => one.company_id)).size).toBe(most.all)
  })

  it('starts nothing while the server is busy', () => {
    expect(chooseFairly(many(1, 1, 1), Array.from({ length: most.all }, (_, i) => many(1, i + 2, i + 2)).flat())).toEqual([])
  })

  it('keeps the order of what one destination gets', () => {
    const some = many(8, 1, 1).map((one, n) => ({ ...one, n }))
    expect(chooseFairly(some, []).map(one => one.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })
})

it('tries a shop after 1, 5 and 15 minutes, and then hourly for seven days', () => {
  const pauses = Array.from({ length: 172 }, (_, at) => pauseAfter(at + 1, 0.5, undefined, 'shop'))
  expect(pauses.slice(0, 5)).toEqual([60, 300, 900, 3_600, 3_600])
  expect(pauses.filter(pause => pause === 3_600)).toHaveLength(168)
  expect(pauses.at(-1)).toBeUndefined()
})

it('pauses a destination that takes nothing for three days, a shop after eight', () => {
  expect(['webhook', 'mail', 'shop'].map(hoursUntilPause)).toEqual([72, 72, 192])
})

it('a shop is tried hourly for a week', () => {
  const pauses = Array.from({ length: 172 }, (_, i) => pauseAfter(i + 1, 0.5, undefined, 'shop'))
  expect(pauses.slice(0, 4)).toEqual([60, 300, 900, 3_600])
  expect(pauses.at(-2)).toBe(3_600)
  expect(pauses.at(-1)).toBeUndefined()
})

it('the destinations of one company take turns', () => {
  const chosen = chooseFairly([...many(8, 1, 1), ...many(8, 1, 2), ...many(8, 1, 3)], many(6, 1, 3))
  const of = (id: number) => chosen.filter(one => one.destination_id === id).length
  expect([of(1), of(2), of(3)]).toEqual([5, 5, 0])
})
