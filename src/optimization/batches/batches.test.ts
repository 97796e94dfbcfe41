import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { measureCpu } from '#test/cpu-cost.ts'
import { addVisit, newBlock, newVisits, tourLength } from '../routes/ratliff-rosenthal.ts'
import { searchBatches } from './batch-search.ts'
import { type BatchInput, type Batching, type BatchLine, batchOrders } from './batches.ts'

/** Orders as in Henn and Wäscher 2012: places anywhere in ten aisles. */
function drawn(
  seed: number,
  count: number,
  {
    capacity = 45,
    cells = 45,
    fewest = 5,
    most = 25,
    limit_ms,
  }: { capacity?: number; cells?: number; fewest?: number; most?: number; limit_ms?: number } = {},
): BatchInput {
  const chance = newChance(seed)
  const orders = Array.from({ length: count }, () =>
    Array.from({ length: fewest + chance.below(most - fewest + 1) }, (): BatchLine => [chance.below(10), chance.below(cells), 1]),
  )
  return { aisles: 10, cells, aisleGap: 5, cellGap: 1, endGap: 1, depot: [0, 'bottom'], capacity, orders, limit_ms }
}

/** Measures the tours step by step; uses only the visits of the answer. */
function walked(input: BatchInput, { batches, tours }: Batching): number {
  expect(batches.flat().sort((a, b) => a - b)).toEqual(input.orders.map((_, order) => order))
  const top = (input.cells - 1) * input.cellGap + 2 * input.endGap
  const home = [input.depot[0], input.depot[1] === 'bottom' ? 0 : top] as const
  let length = 0
  batches.forEach((batch, at) => {
    const lines = batch.flatMap(order => input.orders[order]!)
    expect(lines.reduce((sum, [, , qty]) => sum + qty, 0)).toBeLessThanOrEqual(input.capacity)
    const places = new Set(lines.map(([aisle, cell]) => `${aisle},${cell}`))
    expect(tours[at]!.map(String).sort()).toEqual([...places].sort())
    let here: readonly [number, number] = home
    for (const next of [...tours[at]!.map(([aisle, cell]) => [aisle, input.endGap + cell * input.cellGap] as const), home]) {
      const [aisles, sum] = [Math.abs(next[0] - here[0]), next[1] + here[1]]
      length += aisles === 0 ? Math.abs(next[1] - here[1]) : aisles * input.aisleGap + Math.min(sum, 2 * top - sum)
      here = next
    }
  })
  return length
}

function* partitions(count: number): Generator<number[][]> {
  if (count === 0) return yield []
  for (const smaller of partitions(count - 1)) {
    yield [...smaller, [count - 1]]
    for (let at = 0; at < smaller.length; at++) yield smaller.map((batch, index) => (index === at ? [...batch, count - 1] : batch))
  }
}
function shortestOfAll(input: BatchInput): number {
  const block = newBlock(input)
  const known = new Map<string, number>()
  const lengthOf = (batch: number[]) => {
    const lines = batch.flatMap(order => input.orders[order]!)
    if (lines.reduce((sum, [, , qty]) => sum + qty, 0) > input.capacity) return Number.POSITIVE_INFINITY
    const visits = newVisits(block)
    for (const [aisle, cell] of lines) addVisit(block, visits, aisle, cell + 1)
    return tourLength(block, visits)
  }
  const remembered = (batch: number[]) => {
    const name = batch.join()
    if (!known.has(name)) known.set(name, lengthOf(batch))
    return known.get(name)!
  }
  let best = Number.POSITIVE_INFINITY
  for (const parted of partitions(input.orders.length))
    best = Math.min(
      best,
      parted.reduce((sum, batch) => sum + remembered(batch), 0),
    )
  return best
}

const inputs = (fewest: number, most: number): fc.Arbitrary<BatchInput> =>
  fc.record({
    aisles: fc.constant(5),
    cells: fc.constant(12),
    aisleGap: fc.integer({ min: 1, max: 6 }),
    cellGap: fc.constantFrom(1, 0.5),
    endGap: fc.integer({ min: 0, max: 2 }),
    depot: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom('bottom' as const, 'top' as const)),
    capacity: fc.integer({ min: 12, max: 30 }),
    orders: fc.array(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 3 })), { maxLength: 4 }),
      { minLength: fewest, maxLength: most },
    ),
    seed: fc.integer(),
  })

describe('batches of orders', () => {
  it('are the best of all partitions of up to eight orders', () => {
    fc.assert(
      fc.property(inputs(0, 8), input => {
        const answer = batchOrders(input)
        expect(answer.length).toBeCloseTo(shortestOfAll(input), 6)
        expect(walked(input, answer)).toBeCloseTo(answer.length, 6)
      }),
      { numRuns: 60 },
    )
  })

  it('contain every order once, within the capacity, and have the stated length', () => {
    fc.assert(
      fc.property(inputs(15, 40), input => {
        const answer = batchOrders({ ...input, limit_ms: 10 })
        expect(walked(input, answer)).toBeCloseTo(answer.length, 6)
      }),
      { numRuns: 40 },
    )
  })

  it('are found by the search as by the proof, on as many orders as can be proven', () => {
    let found = 0
    for (let seed = 1; seed <= 4; seed++) {
      const input = drawn(seed, 14, { capacity: 60 })
      const block = newBlock(input)
      const orders = input.orders.map(lines => {
        const visits = new Int32Array(block.aisles * block.words)
        for (const [aisle, cell] of lines) addVisit(block, visits, aisle, cell + 1)
        return { visits, weight: lines.length }
      })
      const length = searchBatches({ block, orders, capacity: 60 }, { seed: 1, until: null }).reduce((sum, batch) => {
        const visits = newVisits(block)
        for (const order of batch) for (const [aisle, cell] of input.orders[order]!) addVisit(block, visits, aisle, cell + 1)
        return sum + tourLength(block, visits)
      }, 0)
      if (length < batchOrders(input).length + 1e-6) found++
    }
    expect(found).toBe(4)
  })

  // Retried: a busy machine may leave a search no time within its limit.
  it('are a tenth shorter than orders filled in as they come', { retry: 3 }, () => {
    const input = drawn(3, 60, { capacity: 60, limit_ms: 400 })
    const answer = batchOrders(input)
    expect(walked(input, answer)).toBeCloseTo(answer.length, 6)
    let asTheyCome = 0
    const block = newBlock(input)
    let [visits, weight] = [newVisits(block), 0]
    for (const lines of input.orders) {
      if (weight + lines.length > input.capacity) {
        asTheyCome += tourLength(block, visits)
        ;[visits, weight] = [newVisits(block), 0]
      }
      weight += lines.length
      for (const [aisle, cell] of lines) addVisit(block, visits, aisle, cell + 1)
    }
    expect(answer.length).toBeLessThan(0.9 * (asTheyCome + tourLength(block, visits)))
  })

  it('are the same for the same input and seed', () => {
    const input = drawn(5, 25, { fewest: 2, most: 10, cells: 10 })
    expect(batchOrders(input)).toEqual(batchOrders(input))
  })

  it('are ready before the limit', () => {
    const input = drawn(6, 200, { fewest: 2, most: 10, cells: 10, limit_ms: 500 })
    const effort = measureCpu()
    batchOrders(input)
    expect(effort()).toBeLessThan(550)
  })

  it('reject an order that no batch can carry, by its number', () => {
    const input = drawn(7, 3)
    expect(() =>
      batchOrders({
        ...input,
        capacity: 4,
        orders: [
          [[0, 0, 1]],
          [
            [0, 0, 2],
            [1, 1, 3],
          ],
        ],
      }),
    ).toThrow('Order 1 weighs 5, and a batch carries 4 at most')
    expect(() => batchOrders({ ...input, orders: [[[10, 0, 1]]] })).toThrow('Order 0 lies outside the block: aisle 10, cell 0')
  })
})
