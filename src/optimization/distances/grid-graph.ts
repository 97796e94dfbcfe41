/** The floor as a graph of walkable cells, and the shortest-path search from one cell to all others. */
import type { Cell, Floor } from './floor.ts'
import { isWalkable } from './floor.ts'

export interface Walks {
  /** Node of a cell (y × width + x), −1 for a cell that is not walkable. */
  readonly nodeOf: Int32Array
  readonly cellOf: Int32Array
  /** Steps of node n: `to[first[n]]` to `to[first[n + 1] - 1]`. */
  readonly first: Int32Array
  readonly to: Int32Array
  /** Units per step, beside `to`; null where every step is one unit. */
  readonly costs: Int32Array | null
  /** Millimetres of one unit. */
  readonly unit_mm: number
}

/** A step is counted in fortieths of a cell: costs in twentieths are exact, and distances stay integers. */
const finest = 40
const kept = new WeakMap<Floor, Walks>()

export function walksOf(floor: Floor): Walks {
  const known = kept.get(floor)
  if (known) return known
  const made = drawWalks(floor)
  kept.set(floor, made)
  return made
}

/** Node of a cell, −1 for a cell that is not walkable. */
export const nodeAt = ({ nodeOf }: Walks, { width, height }: Floor, { x, y }: Cell) =>
  x >= 0 && y >= 0 && x < width && y < height ? (nodeOf[y * width + x] ?? 0) : -1

function drawWalks(floor: Floor): Walks {
  const { width, height, cells, cell_mm } = floor
  const nodeOf = new Int32Array(width * height).fill(-1)
  const walkable: number[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (isWalkable(floor, { x, y })) nodeOf[y * width + x] = walkable.push(y * width + x) - 1
  const cellOf = Int32Array.from(walkable)

  const dearness = costsOf(floor)
  const jumps = new Map<number, { to: number; units: number }[]>()
  const jump = (from: Cell, to: Cell, metres: number) => {
    if (!isWalkable(floor, from) || !isWalkable(floor, to)) return
    const [here, there] = [nodeOf[from.y * width + from.x] ?? 0, nodeOf[to.y * width + to.x] ?? 0]
    const units = Math.round((metres * 1000 * finest) / cell_mm)
    jumps.set(here, [...(jumps.get(here) ?? []), { to: there, units }])
  }
  for (const { from, to, metres, one_way } of floor.stairs) {
    jump(from, to, metres)
    if (!one_way) jump(to, from, metres)
  }

  const first = new Int32Array(cellOf.length + 1)
  const to: number[] = []
  const costs: number[] = []
  for (let node = 0; node < cellOf.length; node++) {
    const cell = cellOf[node] ?? 0
    const x = cell % width
    const y = (cell - x) / width
    const sign = cells[y]![x]!
    const step = (direction: string, nextX: number, nextY: number) => {
      if (sign !== '.' && sign !== direction) return
      if (nextX < 0 || nextY < 0 || nextX >= width || nextY >= height) return
      const next = nodeOf[nextY * width + nextX] ?? 0
      if (next < 0) return
      to.push(next)
      costs.push(Math.round((((dearness[cell] ?? 0) + (dearness[nextY * width + nextX] ?? 0)) * finest) / 2))
    }
    step('^', x, y - 1)
    step('<', x - 1, y)
    step('>', x + 1, y)
    step('v', x, y + 1)
    for (const { to: there, units } of jumps.get(node) ?? []) {
      to.push(there)
      costs.push(units)
    }
    first[node + 1] = to.length
  }

  // Most floors have steps of one length or a few: then the unit is their greatest common divisor.
  const measure = costs.reduce(commonMeasure, 0) || finest
  return {
    nodeOf,
    cellOf,
    first,
    to: Int32Array.from(to),
    costs: costs.every(cost => cost === measure) ? null : Int32Array.from(costs, cost => cost / measure),
    unit_mm: (cell_mm * measure) / finest,
  }
}

function costsOf({ width, height, zones }: Floor): Float64Array {
  const costs = new Float64Array(width * height).fill(1)
  for (const zone of zones)
    for (let y = Math.max(0, zone.y); y < Math.min(height, zone.y + zone.height); y++)
      for (let x = Math.max(0, zone.x); x < Math.min(width, zone.x + zone.width); x++)
        costs[y * width + x] = Math.max(costs[y * width + x] ?? 0, zone.cost)
  return costs
}

function commonMeasure(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b]
  return a
}

export interface Wave {
  /** Units from the last source to each node, −1 for an unreachable node (or one that was no longer needed). */
  readonly distance: Int32Array
  /** The predecessor of each node, −1 for the source. Only with `trace`. */
  readonly before: Int32Array
  /** Searches from `source` until all nodes marked in `wanted` (`count` of them) are reached, or everything is. */
  spread(source: number, wanted: Uint8Array, count: number): void
}

/** Reuses its memory, so that thousands of sources allocate nothing. */
export function newWave(walks: Walks, { trace = false } = {}): Wave {
  return walks.costs ? weightedWave(walks, walks.costs, trace) : evenWave(walks, trace)
}

/** Breadth-first search, for steps of equal length. */
function evenWave({ cellOf, first, to }: Walks, trace: boolean): Wave {
  const size = cellOf.length
  const distance = new Int32Array(size)
  const before = new Int32Array(trace ? size : 0)
  const queue = new Int32Array(size)
  return {
    distance,
    before,
    spread(source, wanted, count) {
      distance.fill(-1)
      if (trace) before.fill(-1)
      distance[source] = 0
      queue[0] = source
      let left = count - (wanted[source] ?? 0)
      let end = 1
      for (let at = 0; at < end && left > 0; at++) {
        const node = queue[at] ?? 0
        const further = (distance[node] ?? 0) + 1
        for (let edge = first[node] ?? 0, last = first[node + 1] ?? 0; edge < last; edge++) {
          const next = to[edge] ?? 0
          if (distance[next] !== -1) continue
          distance[next] = further
          if (trace) before[next] = node
          left -= wanted[next] ?? 0
          queue[end++] = next
        }
      }
    },
  }
}

/**
 * Dijkstra with a bucket for every distance (Dial 1969). The buckets form a ring longer than the longest step, since no entry can be
 * further away; each is a chain of entries, and an outdated entry is skipped.
 */
function weightedWave({ cellOf, first, to }: Walks, costs: Int32Array, trace: boolean): Wave {
  const size = cellOf.length
  const distance = new Int32Array(size)
  const before = new Int32Array(trace ? size : 0)
  const mask = 2 ** Math.ceil(Math.log2(costs.reduce((most, cost) => Math.max(most, cost), 1) + 1)) - 1
  const heads = new Int32Array(mask + 1)
  const nodes = new Int32Array(to.length + 1)
  const nexts = new Int32Array(to.length + 1)
  return {
    distance,
    before,
    spread(source, wanted, count) {
      distance.fill(-1)
      if (trace) before.fill(-1)
      heads.fill(-1)
      distance[source] = 0
      nodes[0] = source
      nexts[0] = -1
      heads[0] = 0
      let entries = 1
      let waiting = 1
      let left = count
      let now = 0
      for (; waiting > 0 && left > 0; now++) {
        const slot = now & mask
        // A stair of length 0 puts entries into the bucket that is being emptied.
        for (let entry = heads[slot] ?? 0; entry !== -1; entry = heads[slot] ?? 0) {
          heads[slot] = nexts[entry] ?? 0
          waiting--
          const node = nodes[entry] ?? 0
          if (distance[node] !== now) continue
          left -= wanted[node] ?? 0
          for (let edge = first[node] ?? 0, last = first[node + 1] ?? 0; edge < last; edge++) {
            const next = to[edge] ?? 0
            const length = now + (costs[edge] ?? 0)
            const known = distance[next] ?? 0
            if (known !== -1 && known <= length) continue
            distance[next] = length
            if (trace) before[next] = node
            const bucket = length & mask
            nodes[entries] = next
            nexts[entries] = heads[bucket] ?? 0
            heads[bucket] = entries++
            waiting++
          }
        }
      }
      // Waiting entries may have shorter paths than those found so far.
      if (waiting > 0) for (let node = 0; node < size; node++) if ((distance[node] ?? 0) >= now) distance[node] = -1
    },
  }
}
