/** Exact dynamic programming over a rectangular warehouse, aisle by aisle: which stretches the shortest tour walks, and how often. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import type { Place } from './block-network.ts'
import { apart, type BlockStates, impossible, type StretchKind, statesOf, stretchKinds, through } from './block-states.ts'

/** A point of an aisle that the tour must visit; `odd` where it starts or ends there without doing both. */
export interface Stop {
  readonly place: Place
  readonly odd: boolean
}

/** A stretch of the network that the tour walks. */
export interface Walked {
  readonly from: Place
  readonly to: Place
  /** Once or twice: a third time is never needed, because the rest is still connected and even. */
  readonly times: 1 | 2
}

/** How a stretch of aisle is walked: each piece between its stops not at all, once or twice. */
interface Manner {
  readonly kind: StretchKind
  readonly length: number
  readonly times: readonly (0 | 1 | 2)[]
}

/**
 * One step of the sweep. `touch`: the tour must visit a crossing. `stretch`: one stretch of aisle between two crossings is walked in one
 * of its manners. `leave`: the tour continues along a cross-aisle to the next aisle, or does not.
 */
type Step =
  | { readonly does: 'touch'; readonly crossing: number; readonly odd: number; readonly length: number }
  | { readonly does: 'stretch'; readonly crossing: number; readonly ys: readonly number[]; readonly manners: readonly Manner[] }
  | { readonly does: 'leave'; readonly crossing: number; readonly gap: number }

interface Column {
  readonly aisle: number
  readonly steps: readonly Step[]
  /** Dead ends beyond the outermost cross-aisles: no choice there. */
  readonly deadEnds: readonly Walked[]
}

/**
 * The stretches of the shortest tour over all stops. The stops are in at least two aisles, and `crossings` (sorted) is not empty.
 *
 * Aisles without stops are only crossed along the cross-aisles: a walk along such an aisle can be moved to the next one on the side
 * towards which the tour crosses fewer times, without a longer tour. For the same reason no tour goes beyond the outermost stops.
 */
export function sweep(stops: readonly Stop[], crossings: readonly number[], aisleGap: number): Walked[] {
  const states = statesOf(crossings.length)
  const columns = columnsOf(stops, crossings, aisleGap)

  // The forward pass keeps only lengths, at the entry of each aisle; predecessors are computed again backwards, one aisle at a time.
  const aisleEntries: { states: Int32Array; lengths: Float64Array }[] = []
  let layer = newLayer(states)
  reach(layer, 0, 0, 0, 0)
  for (const { steps } of columns) {
    aisleEntries.push({
      states: layer.active.slice(0, layer.count),
      lengths: Float64Array.from(layer.active.subarray(0, layer.count), state => layer.lengths[state] ?? 0),
    })
    for (const step of steps) layer = takeStep(states, step, layer)
  }

  let state = impossible
  for (let index = 0; index < layer.count; index++) {
    const candidate = layer.active[index] ?? 0
    if (!states.isWhole(candidate)) continue
    if (state === impossible || (layer.lengths[candidate] ?? 0) < (layer.lengths[state] ?? 0)) state = candidate
  }

  const walked: Walked[] = []
  for (let index = columns.length - 1; index >= 0; index--) {
    const { steps, aisle, deadEnds } = elementAt(columns, index)
    const entry = elementAt(aisleEntries, index)
    const layers = [newLayer(states)]
    for (const [at, start] of entry.states.entries()) reach(elementAt(layers, 0), start, entry.lengths[at] ?? 0, 0, 0)
    for (const step of steps) layers.push(takeStep(states, step, layers.at(-1)!))
    walked.push(...deadEnds)
    for (let at = steps.length - 1; at >= 0; at--) {
      const { before, choices } = elementAt(layers, at + 1)
      const choice = choices[state] ?? 0
      const step = elementAt(steps, at)
      if (step.does === 'stretch') walked.push(...piecesOf(aisle, step.ys, elementAt(step.manners, choice)))
      if (step.does === 'leave' && choice > 0) {
        const y = crossings[step.crossing] ?? 0
        walked.push({ from: [aisle, y], to: [elementAt(columns, index + 1).aisle, y], times: choice as 1 | 2 })
      }
      state = before[state] ?? 0
    }
  }
  return walked
}

/** The shortest partial tour to each reachable state, and the choice of its last step. */
interface Layer {
  lengths: Float64Array
  before: Int32Array
  choices: Uint8Array
  active: Int32Array
  count: number
}

function newLayer(states: BlockStates): Layer {
  const capacity = Math.max(16, states.count())
  return {
    lengths: new Float64Array(capacity).fill(Number.POSITIVE_INFINITY),
    before: new Int32Array(capacity),
    choices: new Uint8Array(capacity),
    active: new Int32Array(capacity),
    count: 0,
  }
}

function reach(layer: Layer, state: number, length: number, before: number, choice: number) {
  if (state >= layer.lengths.length) enlarge(layer, state + 1)
  const known = layer.lengths[state] ?? 0
  if (length >= known) return
  if (known === Number.POSITIVE_INFINITY) layer.active[layer.count++] = state
  layer.lengths[state] = length
  layer.before[state] = before
  layer.choices[state] = choice
}

/** States are numbered at first use, so a state may have a number beyond the layer's size. */
function enlarge(layer: Layer, least: number) {
  const capacity = Math.max(least, layer.lengths.length * 2)
  const lengths = new Float64Array(capacity).fill(Number.POSITIVE_INFINITY)
  lengths.set(layer.lengths)
  layer.lengths = lengths
  const grown = <T extends Int32Array | Uint8Array>(larger: T, old: T) => {
    larger.set(old)
    return larger
  }
  layer.before = grown(new Int32Array(capacity), layer.before)
  layer.choices = grown(new Uint8Array(capacity), layer.choices)
  layer.active = grown(new Int32Array(capacity), layer.active)
}

function takeStep(states: BlockStates, step: Step, layer: Layer): Layer {
  const next = newLayer(states)
  const { crossing } = step
  for (let index = 0; index < layer.count; index++) {
    const state = layer.active[index] ?? 0
    const length = layer.lengths[state] ?? 0
    if (step.does === 'touch') {
      reach(next, states.touch(state, crossing, step.odd), length + step.length, state, 0)
    } else if (step.does === 'stretch') {
      const { manners } = step
      for (let choice = 0; choice < manners.length; choice++) {
        const manner = elementAt(manners, choice)
        reach(next, states.stretch(state, crossing, manner.kind), length + manner.length, state, choice)
      }
    } else {
      // Visits must be even: an odd crossing is left once, an even one twice or not at all.
      const visits = states.visits(state, crossing)
      if (visits === 0) reach(next, state, length, state, 0)
      if (visits === 1) reach(next, state, length + step.gap, state, 1)
      if (visits !== 2) continue
      reach(next, state, length + 2 * step.gap, state, 2)
      const dropped = states.drop(state, crossing)
      if (dropped !== impossible) reach(next, dropped, length, state, 0)
    }
  }
  return next
}

function columnsOf(stops: readonly Stop[], crossings: readonly number[], aisleGap: number): Column[] {
  const byAisle = new Map<number, Stop[]>()
  for (const stop of stops) byAisle.set(stop.place[0], [...(byAisle.get(stop.place[0]) ?? []), stop])
  const aisles = [...byAisle.keys()].sort((a, b) => a - b)
  const top = crossings.length - 1
  return aisles.map((aisle, index) => {
    const own = byAisle.get(aisle)!.toSorted((a, b) => a.place[1] - b.place[1])
    const steps: Step[] = []
    const deadEnds: Walked[] = []
    for (const crossing of crossings.keys()) {
      const here = own.find(({ place }) => place[1] === crossings[crossing])
      if (here) steps.push({ does: 'touch', crossing, odd: Number(here.odd), length: 0 })
    }
    const below = own.filter(({ place }) => place[1] < (crossings[0] ?? 0)).reverse()
    const above = own.filter(({ place }) => place[1] > (crossings[top] ?? 0))
    for (const [crossing, beyond] of [[0, below] as const, [top, above] as const]) {
      if (beyond.length === 0) continue
      const { pieces, odd, length } = deadEnd(aisle, crossings[crossing] ?? 0, beyond)
      deadEnds.push(...pieces)
      steps.push({ does: 'touch', crossing, odd, length })
    }
    for (let crossing = 0; crossing < top; crossing++) {
      const [low, high] = [crossings[crossing] ?? 0, crossings[crossing + 1] ?? 0]
      const between = own.filter(({ place }) => place[1] > low && place[1] < high)
      const ys = [low, ...between.map(({ place }) => place[1]), high]
      steps.push({ does: 'stretch', crossing, ys, manners: mannersOf(ys, between) })
    }
    const following = aisles[index + 1]
    if (following !== undefined)
      for (const crossing of crossings.keys()) steps.push({ does: 'leave', crossing, gap: (following - aisle) * aisleGap })
    return { aisle, steps, deadEnds }
  })
}

/** Beyond the outermost cross-aisle the tour goes and comes back, or only one of both where it starts or ends out there. */
function deadEnd(aisle: number, y: number, beyond: readonly Stop[]) {
  const pieces: Walked[] = []
  let length = 0
  let odd = 0
  for (let at = beyond.length - 1; at >= 0; at--) {
    odd ^= Number(elementAt(beyond, at).odd)
    const from: Place = [aisle, at > 0 ? elementAt(beyond, at - 1).place[1] : y]
    const to = elementAt(beyond, at).place
    const times = odd ? 1 : 2
    pieces.push({ from, to, times })
    length += times * Math.abs(to[1] - from[1])
  }
  return { pieces, odd, length }
}

/**
 * The shortest walk of each kind along a stretch with stops between its two crossings. Pieces between stops are walked once or twice, and
 * change between the two only where the tour starts or ends; at most one piece can be left out, or what lies between two would be disconnected.
 */
function mannersOf(ys: readonly number[], between: readonly Stop[]): Manner[] {
  const best: (Manner | undefined)[] = new Array(stretchKinds)
  const pieces = ys.length - 1
  for (const odd of [0, 1]) {
    const oddness: number[] = [odd]
    for (const [index, stop] of between.entries()) oddness.push((oddness[index] ?? 0) ^ Number(stop.odd))
    const last = oddness[pieces - 1] ?? 0
    const lengthOf = (piece: number) => (ys[piece + 1] ?? 0) - (ys[piece] ?? 0)
    const all = oddness.reduce((sum, isOdd, piece) => sum + lengthOf(piece) * (isOdd ? 1 : 2), 0)
    const offer = (kind: StretchKind, length: number, leftOut: number) => {
      if (length >= (best[kind]?.length ?? Number.POSITIVE_INFINITY)) return
      best[kind] = { kind, length, times: oddness.map((isOdd, piece) => (piece === leftOut ? 0 : isOdd ? 1 : 2)) }
    }
    offer(through(odd, last), all, -1)
    for (let piece = 0; piece < pieces; piece++)
      if (!oddness[piece]) offer(apart(piece === 0 ? 0 : 1 + odd, piece === pieces - 1 ? 0 : 1 + last), all - 2 * lengthOf(piece), piece)
  }
  return best.filter(manner => manner !== undefined)
}

function piecesOf(aisle: number, ys: readonly number[], { times }: Manner): Walked[] {
  return times.flatMap((often, piece) =>
    often === 0 ? [] : [{ from: [aisle, ys[piece] ?? 0], to: [aisle, ys[piece + 1] ?? 0], times: often }],
  )
}
