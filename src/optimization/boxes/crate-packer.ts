/** Decides whether pieces fit a container together: proofs first, then the usual orders, then a search; every answer is cached. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { leastVolumes, surelyTooMuch } from './crate-bounds.ts'
import { type Container, fitsAlone, type Kind, newFiller, type Placed, type Rule, rules } from './crate-fill.ts'

export interface PricedContainer extends Container {
  readonly cost: number
  readonly volume: number
  /** Index of the box. */
  readonly box: number
}

export interface Crate {
  readonly container: PricedContainer
  readonly placed: readonly Placed[]
}

export type Counts = ArrayLike<number>

export interface Packer {
  readonly kinds: readonly Kind[]
  /** Cheapest first; the smaller first at equal cost. */
  readonly containers: readonly PricedContainer[]
  /** The usual orders of kinds. A value is the kind's position in the order. */
  readonly orders: readonly (readonly number[])[]
  volumeOf(counts: Counts): number
  weightOf(counts: Counts): number
  /** False where the sums prove that the pieces do not fit. */
  mayHold(container: number, counts: Counts): boolean
  /** All pieces placed in the container, or null where no packing was found. */
  pack(container: number, counts: Counts): readonly Placed[] | null
  fill(container: number, order: ArrayLike<number>, rule: Rule): Placed[]
  late(): boolean
}

/** Steps of all searches. Each takes a share of the rest, so that later sets of pieces have steps as well. */
const stepsInAll = 6_000
const stepsShare = 1 / 8
/** With more pieces a search through all places is too slow. */
const mostSearched = 8

const hair = 1e-9

export function newPacker(kinds: readonly Kind[], containers: readonly PricedContainer[], all: Counts, until: number): Packer {
  const pieces = sumOf(all)
  const filler = newFiller(kinds, pieces)
  const indices = kinds.map((_, kind) => kind)
  const by = (measure: (kind: Kind) => number) =>
    indices.toSorted((a, b) => measure(elementAt(kinds, b)) - measure(elementAt(kinds, a)) || a - b)
  const orders = [
    by(({ volume }) => volume),
    by(({ turns }) => Math.max(...elementAt(turns, 0))),
    by(({ turns }) => Math.max(...turns.map(([w, l]) => w * l))),
    by(({ turns }) => Math.min(...elementAt(turns, 0))),
    by(({ weight }) => weight),
  ].filter((order, index, others) => others.findIndex(other => other.every((kind, turn) => kind === order[turn])) === index)
  const volumes = containers.map(() => kinds.map((): Float64Array | null => null))
  const alone = containers.map(container => kinds.map(kind => fitsAlone(container, kind)))
  const known = new Map<string, readonly Placed[] | null>()
  let stepsLeft = stepsInAll

  const volumeOf = (counts: Counts) => kinds.reduce((sum, { volume }, kind) => sum + volume * (counts[kind] ?? 0), 0)
  const weightOf = (counts: Counts) => kinds.reduce((sum, { weight }, kind) => sum + weight * (counts[kind] ?? 0), 0)

  function mayHold(container: number, counts: Counts): boolean {
    let weight = 0
    let volume = 0
    for (let kind = 0; kind < kinds.length; kind++) {
      if (!counts[kind]) continue
      if (!elementAt(alone, container)[kind]) return false
      weight += (counts[kind] ?? 0) * elementAt(kinds, kind).weight
      volume += (counts[kind] ?? 0) * elementAt(kinds, kind).volume
    }
    return weight <= elementAt(containers, container).carries + hair && volume <= elementAt(containers, container).volume * (1 + hair)
  }

  function pack(container: number, counts: Counts): readonly Placed[] | null {
    if (!mayHold(container, counts)) return null
    const key = `${container} ${Array.from(counts).join(' ')}`
    let answer = known.get(key)
    if (answer === undefined) {
      answer = find(container, counts)
      known.set(key, answer)
    }
    return answer
  }

  function find(container: number, counts: Counts): readonly Placed[] | null {
    const table = elementAt(volumes, container)
    for (let kind = 0; kind < kinds.length; kind++)
      if (counts[kind]) table[kind] ??= leastVolumes(elementAt(containers, container), elementAt(kinds, kind))
    if (surelyTooMuch(table as Float64Array[], counts)) return null
    const wanted = sumOf(counts)
    for (const rule of rules)
      for (const order of orders) {
        if (late() && (rule !== rules[0] || order !== orders[0])) return null
        const placed = filler.fill(elementAt(containers, container), inOrder(order, counts), rule)
        if (placed.length === wanted) return placed
      }
    if (wanted > mostSearched || late()) return null
    const steps = Math.ceil(stepsLeft * stepsShare)
    stepsLeft -= steps
    return filler.search(elementAt(containers, container), counts, steps)
  }

  const late = () => performance.now() > until
  return {
    kinds,
    containers,
    orders,
    volumeOf,
    weightOf,
    mayHold,
    pack,
    fill: (container, order, rule) => filler.fill(elementAt(containers, container), order, rule),
    late,
  }
}

/** Every piece of the counts, kind by kind. */
export function inOrder(order: readonly number[], counts: Counts): number[] {
  const pieces: number[] = []
  for (const kind of order) for (let piece = 0; piece < (counts[kind] ?? 0); piece++) pieces.push(kind)
  return pieces
}

export function sumOf(counts: Counts): number {
  let sum = 0
  for (let index = 0; index < counts.length; index++) sum += counts[index] ?? 0
  return sum
}

export interface Worth {
  readonly cost: number
  readonly crates: number
  readonly volume: number
}

export function worthOf(crates: readonly Crate[]): Worth {
  let cost = 0
  let volume = 0
  for (const { container } of crates) {
    cost += container.cost
    volume += container.volume
  }
  return { cost, crates: crates.length, volume }
}

/** Cheaper, or as cheap with fewer crates, or with smaller ones. */
export function isBetter(a: Worth, b: Worth): boolean {
  const slack = hair * (1 + Math.abs(b.cost))
  if (Math.abs(a.cost - b.cost) > slack) return a.cost < b.cost
  return a.crates - b.crates < 0 || (a.crates === b.crates && a.volume < b.volume * (1 - hair))
}
