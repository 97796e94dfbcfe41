/** Orders into batches: few orders against an exact method, many against the usual first heuristic. */
import { type BatchInput, type Batching, batchOrders } from '#optimization/batches/batches.ts'
import { type Chance, newChance } from '#optimization/random/seeded-random.ts'
import { type Place, routeBlocks } from '#optimization/routes/blocks.ts'
import { more, ms, percentiles, type Row, timed } from '../measure.ts'

const hair = 1e-6

function question(chance: Chance, orders: number, more: Partial<BatchInput> = {}): BatchInput {
  const shape = { aisles: 10, cells: 45, aisleGap: 5, cellGap: 1, endGap: 1, depot: [0, 'bottom'] as const }
  const line = () => [chance.below(shape.aisles), chance.below(shape.cells), 1 + chance.below(2)] as const
  return {
    ...shape,
    capacity: [24, 36, 48][chance.below(3)]!,
    orders: Array.from({ length: orders }, () => Array.from({ length: 2 + chance.below(9) }, line)),
    ...more,
  }
}

const weightOf = ({ orders }: BatchInput, batch: readonly number[]) =>
  batch.reduce((sum, order) => sum + orders[order]!.reduce((all, [, , qty]) => all + qty, 0), 0)

const placesOf = ({ orders }: BatchInput, batch: readonly number[]) => [
  ...new Map(batch.flatMap(order => orders[order]!.map(([aisle, cell]) => [`${aisle} ${cell}`, [aisle, cell] as const]))).values(),
]

/** The shortest tour of a batch for any number of cross-aisles. It shares no code with the method that makes the batches. */
function tourLength(input: BatchInput, batch: readonly number[]): number {
  const { aisles, cells, aisleGap, cellGap, endGap } = input
  const picks = placesOf(input, batch).map(([aisle, cell]): Place => [aisle, endGap + cell * cellGap])
  return routeBlocks({ aisles, aisleGap, crossAisleY: [0, (cells - 1) * cellGap + 2 * endGap], depot: [0, 0], picks }).length
}

/** Measures every tour of an answer. Throws where an order is missing, a batch too heavy, or a place not visited. */
function remeasured(input: BatchInput, { batches, tours, length }: Batching): number {
  const { cells, aisleGap, cellGap, endGap, orders, capacity } = input
  if (JSON.stringify(batches.flat().sort((a, b) => a - b)) !== JSON.stringify([...orders.keys()]))
    throw new Error('Not every order is in one batch')
  const last = (cells - 1) * cellGap + 2 * endGap
  const sum = batches.reduce((all, batch, i) => {
    if (weightOf(input, batch) > capacity) throw new Error('A batch is too heavy')
    const tour = tours[i]!
    if (tour.map(String).sort().join(' ') !== placesOf(input, batch).map(String).sort().join(' '))
      throw new Error('A tour does not visit its places')
    const way: Place[] = [[0, 0], ...tour.map(([aisle, cell]): Place => [aisle, endGap + cell * cellGap]), [0, 0]]
    return way.slice(1).reduce((length, [aisle, y], k) => {
      const [from, at] = way[k]!
      if (from === aisle) return length + Math.abs(at - y)
      return length + Math.abs(from - aisle) * aisleGap + Math.min(at + y, 2 * last - at - y)
    }, all)
  }, 0)
  if (Math.abs(sum - length) > hair) throw new Error(`Tours of ${sum} say that they are ${length} long`)
  return sum
}

/** The best way to part the orders, over all subsets that a batch can carry. */
function optimum(input: BatchInput): number {
  const all = 2 ** input.orders.length
  const members = (set: number) => input.orders.flatMap((_, order) => (set & (1 << order) ? [order] : []))
  const tours = new Float64Array(all).fill(Number.POSITIVE_INFINITY)
  for (let set = 1; set < all; set++) if (weightOf(input, members(set)) <= input.capacity) tours[set] = tourLength(input, members(set))
  const best = new Float64Array(all).fill(Number.POSITIVE_INFINITY)
  best[0] = 0
  for (let set = 1; set < all; set++) {
    const first = set & -set
    for (let batch = set; batch > 0; batch = (batch - 1) & set)
      if (batch & first && tours[batch]! < Number.POSITIVE_INFINITY) best[set] = Math.min(best[set]!, tours[batch]! + best[set ^ batch]!)
  }
  return best[all - 1]!
}

/** Filled up in the order in which they came. */
function firstCome(input: BatchInput): number {
  const batches: number[][] = []
  for (const order of input.orders.keys()) {
    const open = batches.at(-1)
    if (open && weightOf(input, [...open, order]) <= input.capacity) open.push(order)
    else batches.push([order])
  }
  return batches.reduce((sum, batch) => sum + tourLength(input, batch), 0)
}

/** Clarke and Wright 1964: the two batches are joined that save most, by the savings of their orders alone. */
function bySavings(input: BatchInput): number {
  const alone = input.orders.map((_, order) => tourLength(input, [order]))
  const pairs = alone.flatMap((one, a) =>
    alone.slice(a + 1).map((other, i) => ({ a, b: a + 1 + i, saves: one + other - tourLength(input, [a, a + 1 + i]) })),
  )
  const batchOf = input.orders.map((_, order) => [order])
  for (const { a, b } of pairs.sort((one, other) => other.saves - one.saves)) {
    const [one, other] = [batchOf[a]!, batchOf[b]!]
    if (one === other || weightOf(input, [...one, ...other]) > input.capacity) continue
    const joined = [...one, ...other]
    for (const order of joined) batchOf[order] = joined
  }
  return [...new Set(batchOf)].reduce((sum, batch) => sum + tourLength(input, batch), 0)
}

export async function batches(): Promise<Row[]> {
  const chance = newChance(11)
  const spent: number[] = []
  const clock: number[] = []
  const instances = 64
  let optima = 0
  for (let n = 0; n < instances; n++) {
    const input = question(chance, 5 + (n % 10), { limit_ms: 100 })
    const { took, used, answer } = timed(() => batchOrders(input))
    spent.push(used)
    clock.push(took)
    if (remeasured(input, answer) <= optimum(input) + hair) optima++
  }
  const { p50, p95 } = percentiles(spent)
  const rows: Row[] = [
    {
      name: 'batches',
      what: 'up to 14 orders: the optimum of',
      ours: `${optima} of ${instances}`,
      limit: 'set partitioning by another method',
      ratio: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
      goal: '≥ 62 of 64, 100 ms each',
      ok: optima >= 62 && p95 <= 100,
    },
  ]
  for (const orders of [30, 100, 500]) {
    const input = question(chance, orders, { capacity: 36, limit_ms: 5_000 })
    const { took, answer } = timed(() => batchOrders(input))
    const length = remeasured(input, answer)
    const savings = bySavings(input)
    rows.push({
      name: 'batches',
      what: `${orders} orders in ${(took / 1_000).toFixed(1)} s`,
      ours: Math.round(length).toLocaleString('en'),
      limit: `savings ${more(savings / length)}, first come ${more(firstCome(input) / length)}`,
      ratio: `${answer.batches.length} batches`,
      goal: 'in 5 s, shorter (published bounds are not here)',
      ok: took <= 5_050 && length <= savings + hair,
    })
  }
  return rows
}
