/** Tours visit every stop once and are as short as possible. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { measureCpu } from '#test/cpu-cost.ts'
import type { Between } from '../distances/between.ts'
import { mostProven, shortestTour, type Visits } from './tour.ts'

/** Directed distances between random places, some longer one way than the other. */
const places = (count: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 9 })), {
      minLength: count,
      maxLength: count,
    })
    .map(
      (points): Between =>
        (from, to) =>
          Math.abs(points[from]![0] - points[to]![0]) +
          Math.abs(points[from]![1] - points[to]![1]) +
          Math.max(0, points[from]![2] - points[to]![2]),
    )

function lengthOf(between: Between, { start, end }: Visits, order: readonly number[]): number {
  const walk = [start, ...order, end]
  return walk.slice(1).reduce((sum, place, index) => sum + (walk[index] === place ? 0 : between(walk[index]!, place)), 0)
}

function* permutations(stops: readonly number[]): Generator<number[]> {
  if (stops.length === 0) yield []
  for (const stop of stops) for (const rest of permutations(stops.filter(other => other !== stop))) yield [stop, ...rest]
}

/** Held and Karp over sets of names: slow, and independent of the code under test. */
function shortestByTable(between: Between, { start, end, stops }: Visits): number {
  let table = new Map<string, { set: number; last: number; length: number }>()
  for (const [index, stop] of stops.entries())
    table.set(`${1 << index} ${index}`, { set: 1 << index, last: index, length: between(start, stop) })
  for (let step = 1; step < stops.length; step++) {
    const longer: typeof table = new Map()
    for (const { set, last, length } of table.values())
      for (const [index, stop] of stops.entries()) {
        if (set & (1 << index)) continue
        const key = `${set | (1 << index)} ${index}`
        const total = length + between(stops[last]!, stop)
        if (total < (longer.get(key)?.length ?? Number.POSITIVE_INFINITY))
          longer.set(key, { set: set | (1 << index), last: index, length: total })
      }
    table = longer
  }
  return Math.min(...[...table.values()].map(({ last, length }) => length + between(stops[last]!, end)))
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('A tour', () => {
  it('is the shortest of all orders, open or closed, with few stops', () => {
    fc.assert(
      fc.property(places(8), fc.integer({ min: 0, max: 6 }), fc.boolean(), (between, count, closed) => {
        const visits = { start: 0, end: closed ? 0 : 7, stops: upTo(count) }
        const { order, length, proven } = shortestTour(between, visits)
        expect(proven).toBe(true)
        expect(length).toBe(lengthOf(between, visits, order))
        expect(length).toBe(Math.min(...[...permutations(visits.stops)].map(some => lengthOf(between, visits, some))))
      }),
      { numRuns: 60 },
    )
  })

  it('visits every stop once and starts and ends as asked, with few stops and many', () => {
    fc.assert(
      fc.property(places(62), fc.integer({ min: 0, max: 60 }), fc.boolean(), (between, count, closed) => {
        const visits = { start: 0, end: closed ? 0 : 61, stops: upTo(count) }
        const { order, length, proven } = shortestTour(between, visits)
        expect(order.toSorted((a, b) => a - b)).toEqual(visits.stops)
        expect(length).toBeCloseTo(lengthOf(between, visits, order), 6)
        expect(proven).toBe(count <= mostProven)
      }),
      { numRuns: 40 },
    )
  })

  it('is the same for the same question', () => {
    fc.assert(
      fc.property(places(42), fc.integer(), (between, seed) => {
        const visits = { start: 0, end: 41, stops: upTo(40), seed }
        expect(shortestTour(between, visits)).toEqual(shortestTour(between, visits))
      }),
      { numRuns: 10 },
    )
  })

  it('stays within one per cent of the optimum on average with 14 and 15 stops', () => {
    const samples = fc.sample(
      fc.integer({ min: 14, max: 15 }).chain(count => places(count + 2).map(between => ({ between, count }))),
      { numRuns: 5, seed: 5 },
    )
    const excess = samples.map(({ between, count }) => {
      const visits = { start: 0, end: count % 2 ? 0 : count + 1, stops: upTo(count) }
      return shortestTour(between, visits).length / shortestByTable(between, visits) - 1
    })
    expect(excess.reduce((sum, one) => sum + one, 0) / excess.length).toBeLessThan(0.01)
    expect(Math.min(...excess)).toBeGreaterThanOrEqual(-1e-9)
  })

  it('stays within one per cent of what thirty times the effort finds with 60 stops', () => {
    const [between] = fc.sample(places(62), { numRuns: 1, seed: 11 })
    const visits = { start: 0, end: 61, stops: upTo(60) }
    const patient = shortestTour(between!, { ...visits, seed: 3, limit_ms: 240 })
    expect(shortestTour(between!, visits).length).toBeLessThanOrEqual(patient.length * 1.01)
  })

  it('ends within its limit', () => {
    const chance = newChance(4)
    const points = Array.from({ length: 402 }, () => [chance.below(1000), chance.below(1000)] as const)
    const between: Between = (from, to) => Math.hypot(points[from]![0] - points[to]![0], points[from]![1] - points[to]![1])
    const effort = measureCpu()
    shortestTour(between, { start: 0, end: 0, stops: upTo(400), limit_ms: 100 })
    expect(effort()).toBeLessThan(1000)
  })

  it('visits a repeated stop once, and lists it twice', () => {
    const between: Between = (from, to) => Math.abs(from - to)
    expect(shortestTour(between, { start: 0, end: 9, stops: [5, 2, 5] })).toEqual({ order: [2, 5, 5], length: 9, proven: true })
  })

  it('has an infinite length where a stop is unreachable, and still lists every stop', () => {
    const between: Between = (from, to) => (to === 3 ? Number.POSITIVE_INFINITY : Math.abs(from - to))
    const { order, length, proven } = shortestTour(between, { start: 0, end: 0, stops: [1, 2, 3, 4] })
    expect([order.toSorted(), length, proven]).toEqual([[1, 2, 3, 4], Number.POSITIVE_INFINITY, false])
  })

  it('may have stops at the start and the end', () => {
    const between: Between = (from, to) => Math.abs(from - to)
    expect(shortestTour(between, { start: 1, end: 3, stops: [3, 2, 1] })).toEqual({ order: [1, 2, 3], length: 2, proven: true })
  })
})
