/** The exact shortest tour through one block of parallel aisles between two cross-aisles (Ratliff and Rosenthal 1983). */

import { elementAt } from '#optimization/arrays/element-at.ts'

export interface BlockShape {
  readonly aisles: number
  readonly cells: number
  /** Metres, or the unit of the answer, from one aisle to the next along a cross-aisle. */
  readonly aisleGap: number
  readonly cellGap: number
  /** From the bottom cross-aisle to the first cell, and from the last cell to the top one. */
  readonly endGap: number
  /** Where every tour begins and ends. */
  readonly depot: readonly [aisle: number, end: 'bottom' | 'top']
}

/**
 * A block prepared for many tours. Places of an aisle are numbered upwards: 0 is its bottom end, 1 its first cell, `places - 1` its top
 * end. A set of places to visit is a bit pattern of `words` 32-bit words per aisle, so that two sets are joined by "or".
 */
export interface Block {
  readonly aisles: number
  readonly places: number
  readonly words: number
  readonly aisleGap: number
  /** Length of an aisle from one cross-aisle to the other. */
  readonly length: number
  /** Metres from the bottom cross-aisle to each place. */
  readonly height: Float64Array
  /** The depot's place alone: the start of every set. */
  readonly depot: { readonly aisle: number; readonly place: number }
}

export function newBlock({ aisles, cells, aisleGap, cellGap, endGap, depot: [aisle, end] }: BlockShape): Block {
  const places = cells + 2
  const length = (cells - 1) * cellGap + 2 * endGap
  const height = new Float64Array(places)
  for (let cell = 0; cell < cells; cell++) height[cell + 1] = endGap + cell * cellGap
  height[places - 1] = length
  return {
    aisles,
    places,
    words: Math.ceil(places / 32),
    aisleGap,
    length,
    height,
    depot: { aisle, place: end === 'bottom' ? 0 : places - 1 },
  }
}

/** A set in which only the depot is visited. */
export function newVisits(block: Block): Int32Array {
  const visits = new Int32Array(block.aisles * block.words)
  addVisit(block, visits, block.depot.aisle, block.depot.place)
  return visits
}

export function addVisit({ words }: Block, visits: Int32Array, aisle: number, place: number) {
  visits[aisle * words + (place >> 5)] = (visits[aisle * words + (place >> 5)] ?? 0) | (1 << (place & 31))
}

/**
 * Length of the shortest closed tour over the depot and a set of places; linear in aisles and visits.
 *
 * Every aisle is walked through once, entered from the top or from the bottom up to its last visit and back, or entered from both ends with
 * the largest gap between two visits left out. From left to right only five facts of a partial tour matter: whether its top and bottom
 * end have an odd (u), even (e) or no (0) number of edges, and whether it is connected (1) or in two parts (2).
 */
export function tourLength({ aisles, words, aisleGap, length, height }: Block, visits: Int32Array): number {
  let uu = Number.POSITIVE_INFINITY
  let e0 = uu
  let oe = uu
  let e1 = uu
  let e2 = uu
  let previous = -1
  for (let aisle = 0; aisle < aisles; aisle++) {
    let lowest = -1
    let highest = 0
    let gap = 0
    for (let word = 0; word < words; word++) {
      let bits = visits[aisle * words + word] ?? 0
      while (bits !== 0) {
        const lowestBit = bits & -bits
        bits ^= lowestBit
        const at = height[(word << 5) + 31 - Math.clz32(lowestBit)] ?? 0
        if (lowest < 0) lowest = at
        else if (at - highest > gap) gap = at - highest
        highest = at
      }
    }
    if (lowest < 0) continue

    const fromTop = 2 * (length - lowest)
    const fromBottom = 2 * highest
    const fromBoth = 2 * (length - gap)
    if (previous < 0) {
      uu = length
      e0 = fromTop
      oe = fromBottom
      e1 = 2 * length
      e2 = fromBoth
    } else {
      const along = 2 * aisleGap * (aisle - previous)
      uu += along
      e2 = Math.min(e2, e0, oe) + 2 * along
      e0 = Math.min(e0, e1) + along
      oe = Math.min(oe, e1) + along
      e1 += 2 * along

      const apart = Math.min(fromBoth, fromTop, fromBottom)
      const even = Math.min(e0, oe, e1, e2) + length
      const split = Math.min(e0 + Math.min(fromBottom, fromBoth), oe + Math.min(fromTop, fromBoth), e2 + apart)
      const whole = Math.min(uu + length, e1 + apart, Math.min(e0, oe, e2) + 2 * length)
      uu = Math.min(uu + apart, even)
      e0 += fromTop
      oe += fromBottom
      e1 = whole
      e2 = split
    }
    previous = aisle
  }
  return previous < 0 ? 0 : Math.min(e0, oe, e1)
}

/** States of a partial tour at the right of an aisle, as above. */
const states = ['uu', 'e0', '0e', 'e1', 'e2'] as const
type State = (typeof states)[number]
type Within = 'through' | 'top' | 'bottom' | 'both' | 'twice'

/** Ratliff and Rosenthal's first table: the effect of an aisle on each state. */
const walkedAisle: Record<State, Record<Within, State>> = {
  uu: { through: 'e1', top: 'uu', bottom: 'uu', both: 'uu', twice: 'uu' },
  e0: { through: 'uu', top: 'e0', bottom: 'e2', both: 'e2', twice: 'e1' },
  '0e': { through: 'uu', top: 'e2', bottom: '0e', both: 'e2', twice: 'e1' },
  e1: { through: 'uu', top: 'e1', bottom: 'e1', both: 'e1', twice: 'e1' },
  e2: { through: 'uu', top: 'e2', bottom: 'e2', both: 'e2', twice: 'e1' },
}
const firstAisle: Record<Within, State> = { through: 'uu', top: 'e0', bottom: '0e', both: 'e2', twice: 'e1' }
/** Their second table: edges along the bottom and along the top to the next aisle. */
const crossings: readonly { from: State; to: State; bottom: number; top: number }[] = [
  { from: 'uu', to: 'uu', bottom: 1, top: 1 },
  { from: 'e0', to: 'e0', bottom: 0, top: 2 },
  { from: 'e0', to: 'e2', bottom: 2, top: 2 },
  { from: '0e', to: '0e', bottom: 2, top: 0 },
  { from: '0e', to: 'e2', bottom: 2, top: 2 },
  { from: 'e1', to: 'e0', bottom: 0, top: 2 },
  { from: 'e1', to: '0e', bottom: 2, top: 0 },
  { from: 'e1', to: 'e1', bottom: 2, top: 2 },
  { from: 'e2', to: 'e2', bottom: 2, top: 2 },
]
const withins: readonly Within[] = ['through', 'top', 'bottom', 'both', 'twice']

interface Step {
  readonly length: number
  readonly within: Within
  readonly crossing: { readonly bottom: number; readonly top: number } | null
  readonly before: Step | null
}

/** The visits of a shortest closed tour in walking order, without the depot. Its length is `tourLength`. */
export function tourThrough(block: Block, visits: Int32Array): { aisle: number; place: number }[] {
  const visited: { aisle: number; heights: number[]; places: number[] }[] = []
  for (let aisle = 0; aisle < block.aisles; aisle++) {
    const places = placesIn(block, visits, aisle)
    if (places.length > 0) visited.push({ aisle, places, heights: places.map(place => block.height[place] ?? 0) })
  }

  let reached = new Map<State, Step>()
  visited.forEach(({ aisle, heights }, at) => {
    const next = new Map<State, Step>()
    const offer = (state: State, step: Step) => {
      const known = next.get(state)
      if (!known || step.length < known.length) next.set(state, step)
    }
    const lengthOf: Record<Within, number> = {
      through: block.length,
      top: 2 * (block.length - (heights[0] ?? 0)),
      bottom: 2 * heights.at(-1)!,
      both: 2 * (block.length - largestGap(heights).gap),
      twice: 2 * block.length,
    }
    for (const within of withins) {
      if (at === 0) offer(firstAisle[within], { length: lengthOf[within], within, crossing: null, before: null })
      else
        for (const crossing of crossings) {
          const before = reached.get(crossing.from)
          if (!before) continue
          const along = (crossing.bottom + crossing.top) * block.aisleGap * (aisle - elementAt(visited, at - 1).aisle)
          offer(walkedAisle[crossing.to][within], { length: before.length + along + lengthOf[within], within, crossing, before })
        }
    }
    reached = next
  })

  let last: Step | null = null
  for (const state of ['e0', '0e', 'e1'] as const) {
    const step = reached.get(state)
    if (step && (!last || step.length < last.length)) last = step
  }
  return walk(block, visited, last)
}

function placesIn({ words }: Block, visits: Int32Array, aisle: number): number[] {
  const places: number[] = []
  for (let word = 0; word < words; word++)
    for (let bits = visits[aisle * words + word] ?? 0; bits !== 0; bits &= bits - 1)
      places.push((word << 5) + 31 - Math.clz32(bits & -bits))
  return places
}

/** The largest distance between two neighbouring visits, and the index of the lower one. */
function largestGap(heights: readonly number[]): { gap: number; below: number } {
  let [gap, below] = [0, 0]
  for (let at = 1; at < heights.length; at++)
    if ((heights[at] ?? 0) - (heights[at - 1] ?? 0) > gap) {
      gap = (heights[at] ?? 0) - (heights[at - 1] ?? 0)
      below = at - 1
    }
  return { gap, below }
}

/** Builds the chosen edges and walks each of them once (an Euler tour, by Hierholzer 1873), listing places at their first visit. */
function walk(block: Block, visited: readonly { aisle: number; places: number[]; heights: number[] }[], last: Step | null) {
  const ways = new Map<number, number[]>()
  const connect = (from: number, to: number, times: number) => {
    for (let time = 0; time < times; time++) {
      if (!ways.get(from)?.push(to)) ways.set(from, [to])
      if (!ways.get(to)?.push(from)) ways.set(to, [from])
    }
  }
  const top = block.places - 1
  const node = (aisle: number, place: number) => aisle * block.places + place
  for (let at = visited.length - 1, step = last; step; at--, step = step.before) {
    const { aisle, places, heights } = elementAt(visited, at)
    const inside = places.filter(place => place > 0 && place < top)
    const chain = [0, ...inside, top]
    const { below } = largestGap(heights)
    for (let link = 0; link + 1 < chain.length; link++) {
      const [low, high] = [chain[link] ?? 0, chain[link + 1] ?? 0]
      let times = 0
      if (step.within === 'through') times = 1
      else if (step.within === 'twice') times = 2
      else if (step.within === 'top') times = low >= (places[0] ?? 0) ? 2 : 0
      else if (step.within === 'bottom') times = high <= places.at(-1)! ? 2 : 0
      else times = places.length > 1 && low >= (places[below] ?? 0) && high <= (places[below + 1] ?? 0) ? 0 : 2
      connect(node(aisle, low), node(aisle, high), times)
    }
    if (step.crossing) {
      const left = elementAt(visited, at - 1).aisle
      connect(node(left, 0), node(aisle, 0), step.crossing.bottom)
      connect(node(left, top), node(aisle, top), step.crossing.top)
    }
  }

  const circuit: number[] = []
  const path = [node(block.depot.aisle, block.depot.place)]
  while (path.length > 0) {
    const here = path.at(-1)!
    const next = ways.get(here)?.pop()
    if (next === undefined) circuit.push(path.pop()!)
    else {
      const back = ways.get(next)!
      back.splice(back.indexOf(here), 1)
      path.push(next)
    }
  }

  const wanted = new Set(visited.flatMap(({ aisle, places }) => places.map(place => node(aisle, place))))
  wanted.delete(node(block.depot.aisle, block.depot.place))
  const order: { aisle: number; place: number }[] = []
  for (const here of circuit) if (wanted.delete(here)) order.push({ aisle: Math.floor(here / block.places), place: here % block.places })
  return order
}
