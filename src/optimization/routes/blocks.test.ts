/** Tours through rectangular warehouses are optimal: every answer is measured again and compared with other methods. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { measureCpu } from '#test/cpu-cost.ts'
import type { BlocksQuestion, Place } from './block-network.ts'
import { mostCrossAisles, routeBlocks } from './blocks.ts'
import { largestGap, returnRoute, sShape } from './heuristics.ts'

/** Bellman and Ford over the network's points: independent of the code under test. */
function lengthsFrom({ aisles, aisleGap, crossAisleY, depot, end, picks }: BlocksQuestion) {
  const ys = Array.from({ length: aisles }, (_, aisle) => {
    const own = [depot, ...(end ? [end] : []), ...picks].filter(place => place[0] === aisle).map(([, y]) => y)
    return [...new Set([...own, ...crossAisleY])].sort((a, b) => a - b)
  })
  const links: [string, string, number][] = []
  ys.forEach((own, aisle) => {
    own.slice(1).forEach((y, index) => void links.push([`${aisle} ${own[index]}`, `${aisle} ${y}`, y - own[index]!]))
    if (aisle + 1 < aisles) for (const y of crossAisleY) links.push([`${aisle} ${y}`, `${aisle + 1} ${y}`, aisleGap])
  })
  const tables = new Map<string, Map<string, number>>()
  return ([aisle, y]: Place) => {
    const name = `${aisle} ${y}`
    const known = tables.get(name)
    if (known) return known
    const lengths = new Map([[name, 0]])
    for (let changed = true; changed; ) {
      changed = false
      for (const [one, other, length] of [...links, ...links.map(([one, other, length]) => [other, one, length] as const)]) {
        const over = (lengths.get(one) ?? Number.POSITIVE_INFINITY) + length
        if (over < (lengths.get(other) ?? Number.POSITIVE_INFINITY)) {
          lengths.set(other, over)
          changed = true
        }
      }
    }
    tables.set(name, lengths)
    return lengths
  }
}

function measured(question: BlocksQuestion, tour: readonly Place[]): number {
  const lengths = lengthsFrom(question)
  const walk = [question.depot, ...tour, question.end ?? question.depot]
  return walk.slice(1).reduce((sum, [aisle, y], index) => sum + lengths(walk[index]!).get(`${aisle} ${y}`)!, 0)
}

/** Exhaustive search over all orders of picks, by the measured lengths. */
function shortestOfAll(question: BlocksQuestion): number {
  const picks = [...new Map(question.picks.map(pick => [String(pick), pick])).values()]
  const lengths = lengthsFrom(question)
  const far = (from: Place, to: Place) => lengths(from).get(`${to[0]} ${to[1]}`)!
  const all = (1 << picks.length) - 1
  const table = Array.from({ length: all + 1 }, () => picks.map(() => Number.POSITIVE_INFINITY))
  picks.forEach((pick, index) => {
    table[1 << index]![index] = far(question.depot, pick)
  })
  for (let set = 1; set <= all; set++)
    picks.forEach((last, lastIndex) => {
      picks.forEach((next, nextIndex) => {
        if (!(set & (1 << lastIndex)) || set & (1 << nextIndex)) return
        const longer = set | (1 << nextIndex)
        table[longer]![nextIndex] = Math.min(table[longer]![nextIndex]!, table[set]![lastIndex]! + far(last, next))
      })
    })
  const end = question.end ?? question.depot
  return picks.length === 0 ? far(question.depot, end) : Math.min(...picks.map((last, index) => table[all]![index]! + far(last, end)))
}

/** Places on, between and beyond the cross-aisles, several at the same place. */
const anyQuestion = ({ most, open }: { most: number; open: boolean }): fc.Arbitrary<BlocksQuestion> =>
  fc
    .record({
      aisles: fc.integer({ min: 1, max: 5 }),
      crossAisleY: fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 1, maxLength: 6 }),
    })
    .chain(({ aisles, crossAisleY }) => {
      const place = fc.tuple(
        fc.integer({ min: 0, max: aisles - 1 }),
        fc.oneof(fc.integer({ min: -4, max: 28 }), fc.constantFrom(...crossAisleY)),
      )
      return fc.record({
        aisles: fc.constant(aisles),
        aisleGap: fc.constantFrom(0, 1, 3, 10),
        crossAisleY: fc.constant(crossAisleY),
        depot: place,
        picks: fc.array(place, { maxLength: most }),
        end: open ? fc.option(place, { nil: undefined }) : fc.constant(undefined),
      })
    })

const sorted = (places: readonly Place[]) => places.map(String).sort()

describe('A tour through blocks', () => {
  it('is as short as the shortest of all orders, with dead ends, picks on cross-aisles, and an end elsewhere', () => {
    fc.assert(
      fc.property(anyQuestion({ most: 7, open: true }), question => {
        const { tour, length } = routeBlocks(question)
        expect(sorted(tour)).toEqual(sorted(question.picks))
        expect(length).toBeCloseTo(measured(question, tour), 6)
        expect(length).toBeCloseTo(shortestOfAll(question), 6)
      }),
      { numRuns: 400 },
    )
  })

  it('is never longer than S-shape, return and largest gap, and these visit every pick too', () => {
    fc.assert(
      fc.property(anyQuestion({ most: 40, open: true }), question => {
        const { tour, length } = routeBlocks(question)
        expect(sorted(tour)).toEqual(sorted(question.picks))
        expect(length).toBeCloseTo(measured(question, tour), 6)
        for (const rule of [sShape, returnRoute, largestGap]) {
          const route = rule(question)
          expect(sorted(route.tour)).toEqual(sorted(question.picks))
          expect(route.length).toBeGreaterThanOrEqual(measured(question, route.tour) - 1e-6)
          expect(length).toBeLessThanOrEqual(route.length + 1e-6)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is the same for the same question, in any order of picks and cross-aisles', () => {
    fc.assert(
      fc.property(anyQuestion({ most: 30, open: true }), question => {
        const answer = routeBlocks(question)
        expect(routeBlocks(structuredClone(question))).toEqual(answer)
        const shuffled = { ...question, picks: question.picks.toReversed(), crossAisleY: question.crossAisleY.toReversed() }
        expect(routeBlocks(shuffled).length).toBeCloseTo(answer.length, 6)
      }),
      { numRuns: 100 },
    )
  })

  it('walks the S-shape where every aisle is full', () => {
    const picks = [0, 1, 2, 3].flatMap(aisle => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((y): Place => [aisle, y]))
    const { length } = routeBlocks({ aisles: 4, aisleGap: 1, crossAisleY: [0, 10], depot: [0, 0], picks })
    expect(length).toBe(4 * 10 + 2 * 3)
  })

  it('turns at the largest gap where that is shorter', () => {
    const picks: Place[] = [
      [0, 5],
      [1, 1],
      [1, 9],
      [2, 5],
    ]
    const { tour, length } = routeBlocks({ aisles: 3, aisleGap: 1, crossAisleY: [0, 10], depot: [0, 0], picks })
    expect(length).toBe(2 * 10 + 2 * 2 + 2 + 2)
    expect(tour).toHaveLength(4)
  })

  it('lists a repeated pick twice in a row', () => {
    const picks: Place[] = [
      [1, 4],
      [0, 2],
      [1, 4],
    ]
    const { tour } = routeBlocks({ aisles: 2, aisleGap: 5, crossAisleY: [0], depot: [0, 0], picks })
    expect(tour.map(([aisle]) => aisle).join('')).toMatch(/^(011|110)$/)
  })

  it('is found with more cross-aisles than can be proven, and measured there too', () => {
    const crossAisleY = Array.from({ length: mostCrossAisles + 3 }, (_, index) => index * 10)
    const picks = Array.from({ length: 25 }, (_, index): Place => [(index * 7) % 6, (index * 37) % 95])
    const question = { aisles: 6, aisleGap: 4, crossAisleY, depot: [0, 0] as const, picks }
    const { tour, length } = routeBlocks(question)
    expect(sorted(tour)).toEqual(sorted(picks))
    expect(length).toBeCloseTo(measured(question, tour), 6)
  })

  it('is rejected with a sentence for an invalid question', () => {
    const question: BlocksQuestion = { aisles: 2, aisleGap: 1, crossAisleY: [0], depot: [0, 0], picks: [] }
    expect(() => routeBlocks({ ...question, picks: [[2, 1]] })).toThrow('picks[0] is in aisle 2, but aisles are numbered 0 to 1')
    expect(() => routeBlocks({ ...question, crossAisleY: [], picks: [[1, 1]] })).toThrow('There is no way to picks[0]')
    expect(() => routeBlocks({ ...question, aisleGap: -1 })).toThrow('aisleGap')
    expect(() => routeBlocks({ ...question, depot: [0, Number.NaN] })).toThrow('depot must have a number for y')
    expect(routeBlocks({ ...question, crossAisleY: [], picks: [[0, -3]] })).toEqual({ tour: [[0, -3]], length: 6 })
  })

  it('takes milliseconds for 60 picks and up to three cross-aisles, and stays bounded with six', () => {
    const chance = newChance(3)
    for (const [count, limit] of [
      [2, 100],
      [3, 100],
      [4, 400],
      [5, 1000],
      [6, 4000],
    ] as const) {
      const crossAisleY = Array.from({ length: count }, (_, index) => index * 20)
      const questions = Array.from({ length: 4 }, () => ({
        aisles: 20,
        aisleGap: 5,
        crossAisleY,
        depot: [0, 0] as const,
        picks: Array.from({ length: 60 }, (): Place => [chance.below(20), chance.below((count - 1) * 20)]),
      }))
      routeBlocks(questions[0]!)
      const times = questions.map(question => {
        const effort = measureCpu()
        routeBlocks(question)
        return effort()
      })
      expect(Math.min(...times), `${count} cross-aisles`).toBeLessThan(limit)
    }
  })
})
