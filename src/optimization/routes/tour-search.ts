/**
 * Local search for tours with too many stops to prove: 2-opt and Or-opt on directed distances, perturbed at each local optimum by swapping
 * two neighbouring stretches (the double bridge of Martin, Otto and Felten 1991, kept local as Bentley and Johnson advise).
 */
import { newChance } from '#optimization/random/seeded-random.ts'

interface Search {
  readonly far: Float64Array
  readonly size: number
  /** Nodes in walking order: 0 is the start, the last is the end; both are fixed. */
  readonly order: Int32Array
  readonly place: Int32Array
  /** Length from the start to each position, and of the same path in reverse: the cost of a reversed stretch follows from them in both directions. */
  readonly forth: Float64Array
  readonly back: Float64Array
  /** Nearest stops of each node, counting the shorter direction, `near` of them. */
  readonly neighbours: Int32Array
  readonly near: number
  /** Nodes whose neighbourhood has changed and must be checked again. */
  readonly waiting: Int32Array
  readonly isWaiting: Uint8Array
  first: number
  count: number
}

const mostNeighbours = 8
const longestMove = 3
const longestKick = 30
/** Effort per millisecond: a perturbation of a tour of n stops costs about `200 + 2n`. */
const effortPerMs = 14_000
const kickEffort = (stops: number) => 200 + 2 * stops
/** Milliseconds up to 60 stops; more stops get more time, since each perturbation changes a smaller part of them. */
const usualPatience = (stops: number) => 8 * Math.max(1, stops / 60) ** 1.5
/** Smaller improvements are floating-point noise and could make the search cycle. */
const hair = 1e-7

/** Nodes of `far`: 0 is the start, 1 to `count` the stops, `count + 1` the end. Returns the stops' nodes in walking order. */
export function improveTour(
  far: Float64Array,
  count: number,
  {
    seed,
    limit_ms,
    patience_ms = limit_ms ?? usualPatience(count),
  }: { seed: number; limit_ms?: number | undefined; patience_ms?: number | undefined },
): number[] {
  const size = count + 2
  const deadline = limit_ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + limit_ms
  const chance = newChance(seed)
  const search = newSearch(far, size)
  for (let node = 1; node <= count; node++) lookAgain(search, node)
  settle(search)

  let best = search.forth[size - 1] ?? 0
  const kept = search.order.slice()
  let kicks = Math.ceil((patience_ms * effortPerMs) / kickEffort(count))
  const longest = Math.min(longestKick, Math.floor(count / 2))
  for (; kicks > 0; kicks--) {
    if ((kicks & 15) === 0 && performance.now() > deadline) break
    const from = 1 + chance.below(count - 1)
    const middle = Math.min(from + 1 + chance.below(longest), count)
    const until = Math.min(middle + chance.below(longest), count)
    swapStretches(search, from, middle, until)
    settle(search)
    const length = search.forth[size - 1] ?? 0
    if (length <= best + hair) {
      best = length
      kept.set(search.order)
    } else {
      search.order.set(kept)
      remeasure(search, 1, count)
    }
  }
  return [...kept.subarray(1, size - 1)]
}

function newSearch(far: Float64Array, size: number): Search {
  const stops = size - 2
  const near = Math.min(mostNeighbours, stops - 1)
  const neighbours = new Int32Array(size * near)
  const others = Array.from({ length: stops }, (_, index) => index + 1)
  for (let node = 1; node <= stops; node++) {
    const nearness = (other: number) => Math.min(far[node * size + other] ?? 0, far[other * size + node] ?? 0)
    const ranked = others.filter(other => other !== node).sort((a, b) => nearness(a) - nearness(b) || a - b)
    for (let rank = 0; rank < near; rank++) neighbours[node * near + rank] = ranked[rank] ?? 0
  }
  const search: Search = {
    far,
    size,
    order: cheapestInsertion(far, size),
    place: new Int32Array(size),
    forth: new Float64Array(size),
    back: new Float64Array(size),
    neighbours,
    near,
    waiting: new Int32Array(size),
    isWaiting: new Uint8Array(size),
    first: 0,
    count: 0,
  }
  search.place[size - 1] = size - 1
  remeasure(search, 1, stops)
  return search
}

/** Inserts each stop where it lengthens the tour least, the one that lengthens it most first. */
function cheapestInsertion(far: Float64Array, size: number): Int32Array {
  const next = new Int32Array(size).fill(-1)
  next[0] = size - 1
  const cost = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
  const after = new Int32Array(size)
  const offer = (stop: number, from: number, to: number) => {
    const added = (far[from * size + stop] ?? 0) + (far[stop * size + to] ?? 0) - (far[from * size + to] ?? 0)
    if (added < (cost[stop] ?? 0)) {
      cost[stop] = added
      after[stop] = from
    }
  }
  const left = new Set<number>()
  for (let stop = 1; stop < size - 1; stop++) {
    left.add(stop)
    offer(stop, 0, size - 1)
  }
  while (left.size > 0) {
    let chosen = -1
    for (const stop of left) if (chosen < 0 || (cost[stop] ?? 0) > (cost[chosen] ?? 0)) chosen = stop
    left.delete(chosen)
    const from = after[chosen] ?? 0
    const to = next[from] ?? 0
    next[from] = chosen
    next[chosen] = to
    for (const stop of left) {
      if (after[stop] === from) {
        // Its position was taken: check all others again.
        cost[stop] = Number.POSITIVE_INFINITY
        for (let node = 0; node !== size - 1; node = next[node] ?? 0) offer(stop, node, next[node] ?? 0)
      } else {
        offer(stop, from, chosen)
        offer(stop, chosen, to)
      }
    }
  }
  const order = new Int32Array(size)
  for (let at = 0, node = 0; at < size; at++, node = next[node] ?? 0) order[at] = node
  return order
}

function lookAgain(search: Search, node: number) {
  const { size, waiting, isWaiting } = search
  if (node <= 0 || node >= size - 1 || isWaiting[node]) return
  isWaiting[node] = 1
  waiting[(search.first + search.count++) % size] = node
}

function settle(search: Search) {
  const { size, waiting, isWaiting } = search
  while (search.count > 0) {
    const node = waiting[search.first] ?? 0
    search.first = (search.first + 1) % size
    search.count--
    isWaiting[node] = 0
    while (improveAt(search, node));
  }
}

/** Updates positions, and lengths up to them, from `first` to `last`; beyond that the lengths shift by the change. */
function remeasure({ far, size, order, place, forth, back }: Search, first: number, last: number) {
  for (let at = first; at <= last; at++) place[order[at] ?? 0] = at
  for (let at = first; at < size; at++) {
    const from = order[at - 1] ?? 0
    const to = order[at] ?? 0
    forth[at] = (forth[at - 1] ?? 0) + (far[from * size + to] ?? 0)
    back[at] = (back[at - 1] ?? 0) + (far[to * size + from] ?? 0)
  }
}

/** Makes the best improving move that brings the node beside one of its neighbours; false if there is none. */
function improveAt(search: Search, node: number): boolean {
  const { far, size, order, place, forth, back, neighbours, near } = search
  const at = place[node] ?? 0
  let gain = -hair
  // The move: a stretch is reversed in place, or moved before position `goal`, reversed or not.
  let from = 0
  let until = 0
  let goal = -1
  let turned = true

  for (let rank = 0; rank < near; rank++) {
    const other = neighbours[node * near + rank] ?? 0
    const there = place[other] ?? 0

    // 2-opt: reverse the stretch between, so that the two become neighbours, in either order.
    for (let side = 0; side < 2; side++) {
      // node → other first, then other → node.
      const first = side === 0 ? Math.min(at, there) + 1 : Math.min(at, there)
      const last = side === 0 ? Math.max(at, there) : Math.max(at, there) - 1
      if (first >= last) continue
      const before = (order[first - 1] ?? 0) * size
      const head = order[first] ?? 0
      const tail = order[last] ?? 0
      const after = order[last + 1] ?? 0
      const change =
        (far[before + tail] ?? 0) +
        (far[head * size + after] ?? 0) -
        (far[before + head] ?? 0) -
        (far[tail * size + after] ?? 0) +
        ((back[last] ?? 0) - (back[first] ?? 0)) -
        ((forth[last] ?? 0) - (forth[first] ?? 0))
      if (change < gain) {
        gain = change
        from = first
        until = last
        goal = -1
        turned = true
      }
    }

    // Or-opt: move up to three stops that begin or end with the node before or after the other.
    for (let length = 1; length <= longestMove; length++)
      for (let side = 0; side < 2; side++) {
        if (length === 1 && side === 1) break
        const first = side === 0 ? at : at - length + 1
        const last = side === 0 ? at + length - 1 : at
        if (first < 1 || last > size - 2 || (there >= first && there <= last)) continue
        const before = (order[first - 1] ?? 0) * size
        const head = order[first] ?? 0
        const tail = order[last] ?? 0
        const after = order[last + 1] ?? 0
        const freed = (far[before + after] ?? 0) - (far[before + head] ?? 0) - (far[tail * size + after] ?? 0)
        const turning = (back[last] ?? 0) - (back[first] ?? 0) - ((forth[last] ?? 0) - (forth[first] ?? 0))
        for (let place = there; place <= there + 1; place++) {
          // Insert between order[place - 1] and order[place].
          if (place >= first && place <= last + 1) continue
          const left = (order[place - 1] ?? 0) * size
          const right = order[place] ?? 0
          const opened = freed - (far[left + right] ?? 0)
          const straight = opened + (far[left + head] ?? 0) + (far[tail * size + right] ?? 0)
          const reversed = opened + (far[left + tail] ?? 0) + (far[head * size + right] ?? 0) + turning
          const change = Math.min(straight, reversed)
          if (change < gain) {
            gain = change
            from = first
            until = last
            goal = place
            turned = reversed < straight
          }
        }
      }
  }
  if (gain >= -hair) return false

  lookAgain(search, order[from - 1] ?? 0)
  lookAgain(search, order[from] ?? 0)
  lookAgain(search, order[until] ?? 0)
  lookAgain(search, order[until + 1] ?? 0)
  if (goal < 0) {
    turn(order, from, until)
    remeasure(search, from, until)
    return true
  }
  lookAgain(search, order[goal - 1] ?? 0)
  lookAgain(search, order[goal] ?? 0)
  if (turned) turn(order, from, until)
  if (goal > until) rotate(search, from, until + 1, goal - 1)
  else rotate(search, goal, from, until)
  return true
}

function turn(order: Int32Array, from: number, until: number) {
  for (let low = from, high = until; low < high; low++, high--) {
    const node = order[low] ?? 0
    order[low] = order[high] ?? 0
    order[high] = node
  }
}

/** Swaps `from … middle − 1` and `middle … until`: each reversed, then both together. */
function rotate(search: Search, from: number, middle: number, until: number) {
  turn(search.order, from, middle - 1)
  turn(search.order, middle, until)
  turn(search.order, from, until)
  remeasure(search, from, until)
}

function swapStretches(search: Search, from: number, middle: number, until: number) {
  const { order } = search
  if (middle > until || middle <= from) return
  lookAgain(search, order[from - 1] ?? 0)
  lookAgain(search, order[from] ?? 0)
  lookAgain(search, order[middle - 1] ?? 0)
  lookAgain(search, order[middle] ?? 0)
  lookAgain(search, order[until] ?? 0)
  lookAgain(search, order[until + 1] ?? 0)
  rotate(search, from, middle, until)
}
