/** Whether pieces lie in a box together: proofs first, then the usual orders, then a search; every answer is kept. */
import { leastVolumes, surelyTooMuch } from './crate-bounds.ts'
import { fitsAlone, type Kind, newFiller, type Placed, type Room, type Rule, rules } from './crate-fill.ts'

export interface PricedRoom extends Room {
  readonly cost: number
  readonly volume: number
  /** Index of the box. */
  readonly box: number
}

export interface Crate {
  readonly room: PricedRoom
  readonly placed: readonly Placed[]
}

export type Counts = ArrayLike<number>

export interface Packer {
  readonly kinds: readonly Kind[]
  /** From the cheapest; the smaller first where two cost the same. */
  readonly rooms: readonly PricedRoom[]
  /** Ways to put kinds in order, the usual ones. A kind's place in it is its turn. */
  readonly orders: readonly (readonly number[])[]
  volumeOf(counts: Counts): number
  weightOf(counts: Counts): number
  /** False where the pieces can lie in the room by no means, as far as sums tell. */
  mayHold(room: number, counts: Counts): boolean
  /** All pieces in the room, or null where no way was found. */
  pack(room: number, counts: Counts): readonly Placed[] | null
  fill(room: number, order: ArrayLike<number>, rule: Rule): Placed[]
  late(): boolean
}

/** Steps of all searches. Each takes a share of what is left, so that no set of pieces that comes late has none. */
const stepsInAll = 6_000
const stepsShare = 1 / 8
/** Beyond so many pieces a search through all places does not get far. */
const mostSearched = 8

const hair = 1e-9

export function newPacker(kinds: readonly Kind[], rooms: readonly PricedRoom[], all: Counts, until: number): Packer {
  const pieces = sumOf(all)
  const filler = newFiller(kinds, pieces)
  const indices = kinds.map((_, kind) => kind)
  const by = (measure: (kind: Kind) => number) => indices.toSorted((a, b) => measure(kinds[b]!) - measure(kinds[a]!) || a - b)
  const orders = [
    by(({ volume }) => volume),
    by(({ turns }) => Math.max(...turns[0]!)),
    by(({ turns }) => Math.max(...turns.map(([w, l]) => w * l))),
    by(({ turns }) => Math.min(...turns[0]!)),
    by(({ weight }) => weight),
  ].filter((order, index, others) => others.findIndex(other => other.every((kind, turn) => kind === order[turn])) === index)
  const volumes = rooms.map(() => kinds.map((): Float64Array | null => null))
  const alone = rooms.map(room => kinds.map(kind => fitsAlone(room, kind)))
  const known = new Map<string, readonly Placed[] | null>()
  let stepsLeft = stepsInAll

  const volumeOf = (counts: Counts) => kinds.reduce((sum, { volume }, kind) => sum + volume * counts[kind]!, 0)
  const weightOf = (counts: Counts) => kinds.reduce((sum, { weight }, kind) => sum + weight * counts[kind]!, 0)

  function mayHold(room: number, counts: Counts): boolean {
    let weight = 0
    let volume = 0
    for (let kind = 0; kind < kinds.length; kind++) {
      if (!counts[kind]) continue
      if (!alone[room]![kind]) return false
      weight += counts[kind]! * kinds[kind]!.weight
      volume += counts[kind]! * kinds[kind]!.volume
    }
    return weight <= rooms[room]!.carries + hair && volume <= rooms[room]!.volume * (1 + hair)
  }

  function pack(room: number, counts: Counts): readonly Placed[] | null {
    if (!mayHold(room, counts)) return null
    const key = `${room} ${Array.from(counts).join(' ')}`
    let answer = known.get(key)
    if (answer === undefined) {
      answer = find(room, counts)
      known.set(key, answer)
    }
    return answer
  }

  function find(room: number, counts: Counts): readonly Placed[] | null {
    const table = volumes[room]!
    for (let kind = 0; kind < kinds.length; kind++) if (counts[kind]) table[kind] ??= leastVolumes(rooms[room]!, kinds[kind]!)
    if (surelyTooMuch(table as Float64Array[], counts)) return null
    const wanted = sumOf(counts)
    for (const rule of rules)
      for (const order of orders) {
        if (late() && (rule !== rules[0] || order !== orders[0])) return null
        const placed = filler.fill(rooms[room]!, inOrder(order, counts), rule)
        if (placed.length === wanted) return placed
      }
    if (wanted > mostSearched || late()) return null
    const steps = Math.ceil(stepsLeft * stepsShare)
    stepsLeft -= steps
    return filler.search(rooms[room]!, counts, steps)
  }

  const late = () => performance.now() > until
  return {
    kinds,
    rooms,
    orders,
    volumeOf,
    weightOf,
    mayHold,
    pack,
    fill: (room, order, rule) => filler.fill(rooms[room]!, order, rule),
    late,
  }
}

/** Every piece of the counts, kind by kind. */
export function inOrder(order: readonly number[], counts: Counts): number[] {
  const pieces: number[] = []
  for (const kind of order) for (let piece = 0; piece < counts[kind]!; piece++) pieces.push(kind)
  return pieces
}

export function sumOf(counts: Counts): number {
  let sum = 0
  for (let index = 0; index < counts.length; index++) sum += counts[index]!
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
  for (const { room } of crates) {
    cost += room.cost
    volume += room.volume
  }
  return { cost, crates: crates.length, volume }
}

/** Cheaper, or as cheap with fewer crates, or with smaller ones. */
export function isBetter(a: Worth, b: Worth): boolean {
  const slack = hair * (1 + Math.abs(b.cost))
  if (Math.abs(a.cost - b.cost) > slack) return a.cost < b.cost
  return a.crates - b.crates < 0 || (a.crates === b.crates && a.volume < b.volume * (1 - hair))
}
