/** Tours over drawn maps respect the map, and are as short as other methods find them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { type Place, routeBlocks } from '#optimization/routes/blocks.ts'
import { type MapQuestion, routeMap, type Spot } from './grid-map.ts'

const directions = { '^': [[0, -1]], v: [[0, 1]], '<': [[-1, 0]], '>': [[1, 0]] } as const
const everywhere = Object.values(directions).flat()

/** Breadth-first search over the text of the map, from one cell. */
function stepsFrom(grid: readonly string[], [x, y]: Spot): Map<string, number> {
  const steps = new Map([[`${x},${y}`, 0]])
  for (const [name, count] of steps) {
    const [column, row] = name.split(',').map(Number) as [number, number]
    const sign = grid[row]![column]! as keyof typeof directions | '.'
    for (const [right, down] of sign === '.' ? everywhere : directions[sign]) {
      const next = grid[row + down]?.[column + right] ?? '#'
      const key = `${column + right},${row + down}`
      if (!'#x'.includes(next) && !steps.has(key)) steps.set(key, count + 1)
    }
  }
  return steps
}

function measured({ grid, depot, end }: MapQuestion, tour: readonly Spot[]): number {
  const walk = [depot, ...tour, end ?? depot]
  return walk.slice(1).reduce((sum, [x, y], index) => sum + (stepsFrom(grid, walk[index]!).get(`${x},${y}`) ?? Number.POSITIVE_INFINITY), 0)
}

function* permutations(spots: readonly Spot[]): Generator<Spot[]> {
  if (spots.length === 0) yield []
  for (const [index, spot] of spots.entries()) for (const rest of permutations(spots.toSpliced(index, 1))) yield [spot, ...rest]
}

const sorted = (spots: readonly Spot[]) => spots.map(String).sort()

const anyQuestion = (most: number): fc.Arbitrary<MapQuestion> =>
  fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }))
    .chain(([width, height]) =>
      fc.array(
        fc
          .array(fc.constantFrom('.', '.', '.', '.', '.', '#', 'x', '^', 'v', '<', '>'), { minLength: width, maxLength: width })
          .map(row => row.join('')),
        { minLength: height, maxLength: height },
      ),
    )
    .filter(grid => grid.some(row => /[^#x]/.test(row)))
    .chain(grid => {
      const walkable = grid.flatMap((row, y) => [...row].flatMap((sign, x): Spot[] => ('#x'.includes(sign) ? [] : [[x, y]])))
      const spot = fc.constantFrom(...walkable)
      return fc.record({
        grid: fc.constant(grid),
        depot: spot,
        picks: fc.array(spot, { maxLength: most }),
        end: fc.option(spot, { nil: undefined }),
      })
    })

/** A rectangular warehouse as a drawing, to compare the search on maps with the exact method. */
function drawn({ aisles, gap, crossings, picks }: { aisles: number; gap: number; crossings: number[]; picks: Place[] }): MapQuestion {
  const height = crossings.at(-1)! + 1
  const width = (aisles - 1) * gap + 1
  const grid = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (x % gap === 0 || crossings.includes(y) ? '.' : '#')).join(''),
  )
  return { grid, depot: [0, 0], picks: picks.map(([aisle, y]): Spot => [aisle * gap, y]) }
}

function anyWarehouse(seed: number, stops: number) {
  const chance = newChance(seed)
  const crossings = [0, 15, 30].slice(0, 2 + chance.below(2))
  const aisles = 5 + chance.below(8)
  const gap = 2 + chance.below(4)
  const picks = Array.from({ length: stops }, (): Place => [chance.below(aisles), chance.below(crossings.at(-1)!)])
  const { length } = routeBlocks({ aisles, aisleGap: gap, crossAisleY: crossings, depot: [0, 0], picks })
  return { question: drawn({ aisles, gap, crossings, picks }), optimum: length }
}

describe('A tour over a map', () => {
  it('is the shortest of all orders, or refused where one-way cells allow none', () => {
    fc.assert(
      fc.property(anyQuestion(5), question => {
        const best = Math.min(...[...permutations(question.picks)].map(tour => measured(question, tour)))
        if (best === Number.POSITIVE_INFINITY) {
          expect(() => routeMap(question)).toThrow(/way leads|One-way/)
          return
        }
        const { tour, length } = routeMap(question)
        expect(sorted(tour)).toEqual(sorted(question.picks))
        expect(length).toBe(best)
        expect(measured(question, tour)).toBe(best)
      }),
      { numRuns: 300 },
    )
  })

  it('is as long as the proven tour through the same warehouse with up to 13 stops', () => {
    for (let seed = 1; seed <= 15; seed++) {
      const { question, optimum } = anyWarehouse(seed, 3 + (seed % 11))
      const { tour, length } = routeMap(question)
      expect(sorted(tour)).toEqual(sorted(question.picks))
      expect(length).toBe(optimum)
      expect(measured(question, tour)).toBe(optimum)
    }
  })

  it('is less than one per cent longer than the proven optimum on average with 14 to 60 stops', () => {
    const excess = Array.from({ length: 24 }, (_, index) => {
      const { question, optimum } = anyWarehouse(100 + index, 14 + 2 * index)
      const { tour, length } = routeMap(question)
      expect(sorted(tour)).toEqual(sorted(question.picks))
      expect(measured(question, tour)).toBe(length)
      expect(length).toBeGreaterThanOrEqual(optimum)
      return length / optimum - 1
    })
    expect(excess.reduce((sum, one) => sum + one, 0) / excess.length).toBeLessThan(0.01)
  })

  it('is the same for the same question', () => {
    const { question } = anyWarehouse(7, 40)
    expect(routeMap(structuredClone(question))).toEqual(routeMap(question))
  })

  it('goes around where an aisle is one-way', () => {
    const grid = ['....', '.##v', '.##v', '....']
    expect(routeMap({ grid, depot: [0, 0], picks: [[3, 2]] }).length).toBe(3 + 2 + 1 + 3 + 3)
    expect(routeMap({ grid, depot: [0, 0], picks: [[3, 2]], end: [3, 3] })).toEqual({ tour: [[3, 2]], length: 6 })
  })

  it('is rejected with a sentence where a pick is on a rack, outside or unreachable, or the drawing is empty', () => {
    const grid = ['..#.', '..#.']
    expect(() => routeMap({ grid, depot: [0, 0], picks: [[2, 0]] })).toThrow('picks[0] (2, 0) is a shelf or blocked')
    expect(() => routeMap({ grid, depot: [0, 0], picks: [[0, 2]] })).toThrow('picks[0] (0, 2) lies outside the grid of 4 × 2 cells')
    expect(() =>
      routeMap({
        grid,
        depot: [0, 0],
        picks: [
          [1, 1],
          [3, 1],
        ],
      }),
    ).toThrow('No way leads from the depot to picks[1] (3, 1)')
    expect(() => routeMap({ grid: ['.v', '##'], depot: [0, 0], picks: [[1, 0]] })).toThrow('No way leads from picks[0] (1, 0) to the end')
    expect(() => routeMap({ grid: ['.?'], depot: [0, 0], picks: [] })).toThrow('grid[0] holds a sign that means nothing')
    expect(() => routeMap({ grid: [], depot: [0, 0], picks: [] })).toThrow('grid is empty')
    expect(() => routeMap({ grid, depot: [0.5, 0], picks: [] })).toThrow('depot')
  })

  it('stays at the depot when nothing is to be picked', () => {
    expect(routeMap({ grid: ['.'], depot: [0, 0], picks: [] })).toEqual({ tour: [], length: 0 })
    expect(
      routeMap({
        grid: ['.'],
        depot: [0, 0],
        picks: [
          [0, 0],
          [0, 0],
        ],
      }).tour,
    ).toHaveLength(2)
  })
})
