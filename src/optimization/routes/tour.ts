/** The shortest order in which to visit stops: optimal for few of them, close to it for many. */
import type { Between } from '../distances/between.ts'
import { improveTour } from './tour-search.ts'

export interface Visits {
  readonly start: number
  /** The same as `start` for a closed tour. */
  readonly end: number
  /** Places to visit; a repeated one is visited once and listed twice. */
  readonly stops: readonly number[]
  readonly seed?: number
  /**
   * More effort than the default (60 stops in under 20 ms). Effort is counted in steps, so that the same question has the same
   * answer on any machine that is fast enough; on a slower one the clock ends the search.
   */
  readonly limit_ms?: number
  /** More or less effort than the default, in milliseconds of a common machine, without a clock: the answer never depends on the machine. */
  readonly patience_ms?: number
}

export interface Tour {
  /** The stops in walking order. */
  readonly order: number[]
  /** From start over all stops to the end, in the unit of the distances; Infinity if a stop is unreachable. */
  readonly length: number
  readonly proven: boolean
}

/** Up to this many stops the optimum is computed: 2^13 × 13 partial tours take about 2 ms, and each further stop doubles that. */
export const mostProven = 13

/** Represents "no path" during the search: longer than any tour, and sums of it stay exact. */
const noWay = 1e12

export function shortestTour(between: Between, { start, end, stops, seed = 1, limit_ms, patience_ms }: Visits): Tour {
  const places = [...new Set(stops)]
  const count = places.length
  const size = count + 2
  const nodes = [start, ...places, end]
  const far = new Float64Array(size * size)
  for (let from = 0; from < size; from++)
    for (let to = 0; to < size; to++) {
      const length = from === to ? 0 : between(nodes[from] ?? 0, nodes[to] ?? 0)
      far[from * size + to] = Number.isFinite(length) ? length : noWay
    }

  const proven = count <= mostProven
  const visited = proven ? exactOrder(far, count) : improveTour(far, count, { seed, limit_ms, patience_ms })

  let length = 0
  for (let at = 0, from = 0; at <= count; at++) {
    const to = at < count ? (visited[at] ?? 0) : count + 1
    const step = far[from * size + to] ?? 0
    length += step === noWay ? Number.POSITIVE_INFINITY : step
    from = to
  }
  const order: number[] = []
  const times = new Map<number, number>()
  for (const stop of stops) times.set(stop, (times.get(stop) ?? 0) + 1)
  for (const at of visited) for (let time = 0; time < times.get(nodes[at] ?? 0)!; time++) order.push(nodes[at] ?? 0)
  return { order, length, proven: proven && length < Number.POSITIVE_INFINITY }
}

const shortestTo = new Float64Array(mostProven << mostProven)
const cameFrom = new Uint8Array(mostProven << mostProven)

/**
 * Held and Karp 1962: the shortest path over each set of stops to each of its members. Nodes of `far`: 0 is the start, 1 to `count` the
 * stops, the last one the end. Returns nodes.
 */
function exactOrder(far: Float64Array, count: number): number[] {
  const size = count + 2
  if (count === 0) return []
  const all = (1 << count) - 1
  shortestTo.fill(Number.POSITIVE_INFINITY, 0, (all + 1) * count)
  for (let stop = 0; stop < count; stop++) shortestTo[(1 << stop) * count + stop] = far[stop + 1] ?? 0
  for (let set = 1; set < all; set++)
    for (let last = 0; last < count; last++) {
      if (!(set & (1 << last))) continue
      const walked = shortestTo[set * count + last] ?? 0
      const row = (last + 1) * size + 1
      for (let next = 0; next < count; next++) {
        if (set & (1 << next)) continue
        const entry = (set | (1 << next)) * count + next
        const length = walked + (far[row + next] ?? 0)
        if (length >= (shortestTo[entry] ?? 0)) continue
        shortestTo[entry] = length
        cameFrom[entry] = last
      }
    }
  let last = 0
  let best = Number.POSITIVE_INFINITY
  for (let stop = 0; stop < count; stop++) {
    const length = (shortestTo[all * count + stop] ?? 0) + (far[(stop + 1) * size + count + 1] ?? 0)
    if (length < best) {
      best = length
      last = stop
    }
  }
  const order: number[] = []
  for (let set = all; order.length < count; ) {
    order.push(last + 1)
    const previous = cameFrom[set * count + last] ?? 0
    set ^= 1 << last
    last = previous
  }
  return order.reverse()
}
