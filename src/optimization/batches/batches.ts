/** Order batching and picker routing solved together: the shortest total tour length in one block of aisles. */

import { elementAt } from '#optimization/arrays/element-at.ts'
import { addVisit, type BlockShape, newBlock, newVisits, tourLength, tourThrough } from '../routes/ratliff-rosenthal.ts'
import { type BatchQuestion, hair, joinVisits, searchBatches } from './batch-search.ts'

/** One item of an order: its place and its quantity, which is also its weight. */
export type BatchLine = readonly [aisle: number, cell: number, qty: number]

export interface BatchInput extends BlockShape {
  /** Maximum weight of a batch. */
  readonly capacity: number
  /** An order is never split. */
  readonly orders: readonly (readonly BatchLine[])[]
  /** Time limit in milliseconds. Without it the search has a fixed number of steps instead. */
  readonly limit_ms?: number | undefined
  readonly seed?: number | undefined
}

export interface Batching {
  /** Indices of orders. */
  readonly batches: number[][]
  /** Each place of a batch once, in walking order. */
  readonly tours: [aisle: number, cell: number][][]
  /** Sum of the closed tours from and to the depot. */
  readonly length: number
}

/** Up to this many orders the optimum is proven: all subsets are measured, and all partitions are compared. */
const mostProvenOrders = 14

/**
 * The best batches up to 14 orders, good ones beyond. The same input and seed give the same answer where the machine is fast enough to
 * take all steps before the limit. Throws a sentence that names an order that no batch can carry, or a place outside the block.
 */
export function batchOrders(input: BatchInput): Batching {
  const began = performance.now()
  check(input)
  const block = newBlock(input)
  const orders = input.orders.map(lines => {
    const visits = new Int32Array(block.aisles * block.words)
    for (const [aisle, cell] of lines) addVisit(block, visits, aisle, cell + 1)
    return { visits, weight: lines.reduce((sum, [, , qty]) => sum + qty, 0) }
  })
  const question = { block, orders, capacity: input.capacity }
  // Reserves time for the output: about 40 µs per order.
  const until = input.limit_ms === undefined ? null : { began, limit_ms: Math.max(0, input.limit_ms * 0.97 - 2 - orders.length / 25) }
  const batches = orders.length <= mostProvenOrders ? bestBatches(question) : searchBatches(question, { seed: input.seed ?? 1, until })

  let length = 0
  const tours = batches.map(batch => {
    const visits = newVisits(block)
    for (const order of batch) joinVisits(visits, elementAt(orders, order).visits)
    length += tourLength(block, visits)
    return tourThrough(block, visits).map(({ aisle, place }): [number, number] => [aisle, place - 1])
  })
  return { batches, tours, length }
}

function check({ aisles, cells, aisleGap, cellGap, endGap, depot, capacity, orders }: BatchInput) {
  if (!(Number.isInteger(aisles) && aisles > 0 && Number.isInteger(cells) && cells > 0)) throw new Error('A block needs aisles and cells')
  if (!(aisleGap >= 0 && cellGap >= 0 && endGap >= 0)) throw new Error('Gaps must be numbers from 0')
  if (!(Number.isInteger(depot[0]) && depot[0] >= 0 && depot[0] < aisles && (depot[1] === 'bottom' || depot[1] === 'top')))
    throw new Error('The depot must be at the bottom or top of an aisle')
  orders.forEach((lines, order) => {
    let weight = 0
    for (const [aisle, cell, qty] of lines) {
      const inside = Number.isInteger(aisle) && aisle >= 0 && aisle < aisles && Number.isInteger(cell) && cell >= 0 && cell < cells
      if (!inside) throw new Error(`Order ${order} lies outside the block: aisle ${aisle}, cell ${cell}`)
      if (!(qty >= 0)) throw new Error(`Order ${order} has a quantity that is not a number from 0`)
      weight += qty
    }
    if (!(weight <= capacity + hair)) throw new Error(`Order ${order} weighs ${weight}, and a batch carries ${capacity} at most`)
  })
}

/**
 * Dynamic programming over the subsets of orders: the best partition of a set consists of a batch with the set's first order and the best
 * partition of the rest. Subsets of a batch that is too heavy are never measured.
 */
function bestBatches({ block, orders, capacity }: BatchQuestion): number[][] {
  const all = 2 ** orders.length
  const size = block.aisles * block.words
  const visits = new Int32Array(all * size)
  visits.set(newVisits(block), 0)
  const weight = new Float64Array(all)
  const length = new Float64Array(all)
  for (let set = 1; set < all; set++) {
    const order = 31 - Math.clz32(set)
    const rest = set ^ (1 << order)
    weight[set] = (weight[rest] ?? 0) + elementAt(orders, order).weight
    if ((weight[set] ?? 0) > capacity + hair) {
      length[set] = Number.POSITIVE_INFINITY
      continue
    }
    const joined = visits.subarray(set * size, (set + 1) * size)
    joined.set(visits.subarray(rest * size, (rest + 1) * size))
    joinVisits(joined, elementAt(orders, order).visits)
    length[set] = tourLength(block, joined)
  }

  const best = new Float64Array(all)
  const taken = new Int32Array(all)
  for (let set = 1; set < all; set++) {
    const first = set & -set
    const rest = set ^ first
    let shortest = Number.POSITIVE_INFINITY
    for (let others = rest; ; others = (others - 1) & rest) {
      const sum = (length[others | first] ?? 0) + (best[rest ^ others] ?? 0)
      if (sum < shortest) {
        shortest = sum
        taken[set] = others | first
      }
      if (others === 0) break
    }
    best[set] = shortest
  }

  const batches: number[][] = []
  for (let left = all - 1; left > 0; left ^= taken[left] ?? 0)
    batches.push(orders.flatMap((_, order) => ((taken[left] ?? 0) & (1 << order) ? [order] : [])))
  return batches
}
