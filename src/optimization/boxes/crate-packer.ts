/** Decides whether pieces fit a container together: proofs first, then the usual orders, then blocks or a search; every answer is cached. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { fillBox, weightings } from './block-fill.ts'
import { leastVolumes, surelyTooMuch } from './crate-bounds.ts'
import { type Container, fitsAlone, type Kind, leastSupport, newFiller, type Placed, type Rule, rules } from './crate-fill.ts'

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

/** Blocks are tried where piece by piece almost all had a place, by volume, and the box need not be filled completely. */
const nearlyAll = 0.85
const fullest = 0.93
/** With more pieces a packing by blocks takes too long. */
const mostInBlocks = 60

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
  /** Blocks are made of whole numbers. */
  const inWholes = kinds.every(({ turns }) => turns.every(turn => turn.every(Number.isInteger)))
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
    const some = ordersOf(counts)
    let most = 0
    for (const rule of rules)
      for (const order of some) {
        if (late() && (rule !== rules[0] || order !== some[0])) return null
        const placed = filler.fill(elementAt(containers, container), order, rule)
        if (placed.length === wanted) return placed
        most = Math.max(
          most,
          placed.reduce((sum, { kind }) => sum + elementAt(kinds, kind).volume, 0),
        )
      }
    if (late()) return null
    if (wanted > mostSearched) return most >= nearlyAll * volumeOf(counts) ? inBlocks(container, counts) : null
    const steps = Math.ceil(stepsLeft * stepsShare)
    stepsLeft -= steps
    return filler.search(elementAt(containers, container), counts, steps)
  }

  /** The usual orders of some pieces: without the other kinds, several are the same. */
  function ordersOf(counts: Counts): number[][] {
    const present = orders.map(order => order.filter(kind => (counts[kind] ?? 0) > 0))
    return present
      .filter((order, index) => present.findIndex(other => other.every((kind, turn) => kind === order[turn])) === index)
      .map(order => inOrder(order, counts))
  }

  function inBlocks(container: number, counts: Counts): readonly Placed[] | null {
    const wanted = sumOf(counts)
    const { inner, carries, volume } = elementAt(containers, container)
    if (!inWholes || wanted > mostInBlocks || volumeOf(counts) > fullest * volume) return null
    const { placed } = fillBox({
      kinds: kinds.map((kind, index) => ({ ...kind, count: counts[index] ?? 0, bears: Number.POSITIVE_INFINITY })),
      // Each weighting once. Joining the piles of few pieces takes longer than it saves.
      inner: [Math.floor(inner[0]), Math.floor(inner[1]), Math.floor(inner[2])],
      ...{ carries, support: leastSupport, late, steps: weightings.length * wanted, enoughBlocks: () => true },
    })
    return placed.length === wanted ? placed : null
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
