import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addVisit, type BlockShape, newBlock, newVisits, tourLength, tourThrough } from './ratliff-rosenthal.ts'

const shapes = fc.record({
  aisles: fc.integer({ min: 1, max: 7 }),
  cells: fc.integer({ min: 1, max: 70 }),
  aisleGap: fc.integer({ min: 1, max: 9 }),
  cellGap: fc.integer({ min: 1, max: 3 }),
  endGap: fc.integer({ min: 0, max: 3 }),
})
const questions = (most: number) =>
  shapes.chain(shape =>
    fc.record({
      shape: fc
        .tuple(fc.integer({ min: 0, max: shape.aisles - 1 }), fc.constantFrom('bottom' as const, 'top' as const))
        .map((depot): BlockShape => ({ ...shape, depot })),
      picks: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: shape.aisles - 1 }), fc.integer({ min: 0, max: shape.cells - 1 })), {
        maxLength: most,
        selector: ([aisle, cell]) => `${aisle},${cell}`,
      }),
    }),
  )

type Place = readonly [aisle: number, y: number]
const lengthOf = ({ cells, cellGap, endGap }: BlockShape) => (cells - 1) * cellGap + 2 * endGap
/** Distance from place to place by the shorter cross-aisle. */
function between(shape: BlockShape, [aisle, y]: Place, [otherAisle, otherY]: Place): number {
  if (aisle === otherAisle) return Math.abs(y - otherY)
  const length = lengthOf(shape)
  return Math.abs(aisle - otherAisle) * shape.aisleGap + Math.min(y + otherY, 2 * length - y - otherY)
}
const placesOf = (shape: BlockShape, picks: readonly (readonly [number, number])[]): Place[] =>
  picks.map(([aisle, cell]) => [aisle, shape.endGap + cell * shape.cellGap])
const depotOf = (shape: BlockShape): Place => [shape.depot[0], shape.depot[1] === 'bottom' ? 0 : lengthOf(shape)]
function walked(shape: BlockShape, tour: readonly Place[]): number {
  const stops = [depotOf(shape), ...tour, depotOf(shape)]
  return stops.slice(1).reduce((sum, stop, at) => sum + between(shape, stops[at]!, stop), 0)
}
function shortestOfAll(shape: BlockShape, left: readonly Place[], here: Place = depotOf(shape)): number {
  if (left.length === 0) return between(shape, here, depotOf(shape))
  return Math.min(...left.map((next, at) => between(shape, here, next) + shortestOfAll(shape, left.toSpliced(at, 1), next)))
}

function solve(shape: BlockShape, picks: readonly (readonly [number, number])[]) {
  const block = newBlock(shape)
  const visits = newVisits(block)
  for (const [aisle, cell] of picks) addVisit(block, visits, aisle, cell + 1)
  return { length: tourLength(block, visits), tour: tourThrough(block, visits).map(({ aisle, place }) => [aisle, place - 1] as const) }
}

describe('a tour through one block', () => {
  it('is as short as the best of all orders of its visits', () => {
    fc.assert(
      fc.property(questions(6), ({ shape, picks }) => {
        expect(solve(shape, picks).length).toBeCloseTo(shortestOfAll(shape, placesOf(shape, picks)), 6)
      }),
      { numRuns: 300 },
    )
  })

  it('visits every place once and has the stated length', () => {
    fc.assert(
      fc.property(questions(60), ({ shape, picks }) => {
        const { length, tour } = solve(shape, picks)
        expect(tour.map(String).sort()).toEqual(picks.map(String).sort())
        expect(walked(shape, placesOf(shape, tour))).toBeCloseTo(length, 6)
      }),
      { numRuns: 500 },
    )
  })

  it('has length 0 without visits', () => {
    expect(solve({ aisles: 4, cells: 5, aisleGap: 3, cellGap: 1, endGap: 1, depot: [2, 'top'] }, [])).toEqual({ length: 0, tour: [] })
  })
})
