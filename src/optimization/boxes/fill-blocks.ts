/**
 * Blocks of pieces for the filling of one box: piles of one kind, and piles joined without gaps (Fanslau and Bortfeldt 2010). All lengths
 * are whole numbers. Blocks lie in typed arrays, largest volume first.
 */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { leafFields, type StandRules, Tops } from './block-support.ts'
import type { Size } from './crate-fill.ts'

export interface BlockKind {
  /** The allowed rotations, without repeats. */
  readonly turns: readonly Size[]
  readonly count: number
  readonly volume: number
  readonly weight: number
  /** The heaviest piece that may stand on one of these. Below zero: nothing may. */
  readonly bears: number
}

export interface Blocks {
  readonly count: number
  /** Three sides of each block. */
  readonly sides: Int32Array
  readonly volume: Float64Array
  readonly weight: Float64Array
  readonly pieces: Int32Array
  /** Kinds and counts of block b: `parts[2·i]`, `parts[2·i + 1]` for i from `partsFrom[b]` to `partsFrom[b + 1]`. */
  readonly partsFrom: Int32Array
  readonly parts: Int32Array
  readonly leavesFrom: Int32Array
  readonly leaves: Int32Array
}

export interface BlockRules {
  /** Share of a joined block that is filled. */
  readonly leastFilled: number
  readonly stand: StandRules
  readonly late: () => boolean
}

const mostBlocks = 3_000
/** Joins may not replace all piles. */
const mostPiles = 2_400
const mostPartners = 400
const joinPasses = 3

interface Block {
  readonly sides: Size
  readonly volume: number
  readonly weight: number
  readonly pieces: number
  /** Kind and count in turn, kinds rising. */
  readonly parts: readonly number[]
  readonly leaves: readonly number[]
}

export function blocksOf(inner: Size, kinds: readonly BlockKind[], carries: number, rules: BlockRules): Blocks {
  const singles: Block[] = []
  const piles: Block[] = []
  for (const [kind, { turns, count, volume, weight, bears }] of kinds.entries())
    for (const turn of turns) {
      const [w, l, d] = turn
      const most = weight > 0 ? Math.min(count, Math.floor(carries / weight)) : count
      const high = weight <= bears ? Math.min(most, Math.floor(inner[2] / d)) : Math.min(1, Math.floor(inner[2] / d))
      for (let c = 1; c <= high; c++)
        for (let b = 1; b * c <= most && b * l <= inner[1]; b++)
          for (let a = 1; a * b * c <= most && a * w <= inner[0]; a++) {
            const pieces = a * b * c
            const pile = {
              sides: [a * w, b * l, c * d] as const,
              volume: volume * pieces,
              weight: weight * pieces,
              pieces,
              parts: [kind, pieces],
              leaves: [kind, w, l, d, a, b, c, 0, 0, 0],
            }
            if (pieces === 1) singles.push(pile)
            else piles.push(pile)
          }
    }
  piles.sort(largestFirst)
  const all = [...singles, ...piles.slice(0, Math.max(0, mostPiles - singles.length))]
  joinAll(all, inner, kinds, carries, rules)
  return packed(all.sort(largestFirst))
}

function largestFirst(a: Block, b: Block): number {
  return b.volume - a.volume || a.pieces - b.pieces
}

/** Adds blocks made of two others that touch with a whole face, as long as almost nothing is empty between them. */
function joinAll(all: Block[], inner: Size, kinds: readonly BlockKind[], carries: number, { leastFilled, stand, late }: BlockRules): void {
  const known = new Set(all.map(keyOf))
  let fresh = 0
  for (let pass = 0; pass < joinPasses && all.length < mostBlocks; pass++) {
    const ends = all.length
    const partners = [...all].sort(largestFirst).slice(0, mostPartners)
    const added = new Set(all.slice(fresh))
    for (const [index, one] of partners.entries()) {
      if (late()) return
      for (let next = index; next < partners.length && all.length < mostBlocks; next++) {
        const other = elementAt(partners, next)
        if (pass > 0 && !added.has(one) && !added.has(other)) continue
        const volume = one.volume + other.volume
        const weight = one.weight + other.weight
        if (weight > carries) continue
        const [aw, al, ad] = one.sides
        const [bw, bl, bd] = other.sides
        for (let axis = 0; axis < 3; axis++) {
          const w = axis === 0 ? aw + bw : Math.max(aw, bw)
          const l = axis === 1 ? al + bl : Math.max(al, bl)
          const d = axis === 2 ? ad + bd : Math.max(ad, bd)
          if (w > inner[0] || l > inner[1] || d > inner[2] || volume < leastFilled * w * l * d) continue
          const sides = [w, l, d] as const
          const parts = sumOfParts(one.parts, other.parts, kinds)
          if (!parts) break
          // The one with the larger base stands below.
          const [below, above] = axis === 2 && bw * bl > aw * al ? ([other, one] as const) : ([one, other] as const)
          if (axis === 2 && !standsOn(below, above, stand)) continue
          const joined = {
            ...{ sides, volume, weight, parts, pieces: one.pieces + other.pieces },
            leaves: [...below.leaves, ...shifted(above.leaves, axis, below.sides[axis] ?? 0)],
          }
          const key = keyOf(joined)
          if (known.has(key)) continue
          known.add(key)
          all.push(joined)
        }
      }
    }
    if (all.length === ends) return
    fresh = ends
  }
}

const keyOf = ({ sides, parts }: Block): string => `${sides.join(' ')}:${parts.join(' ')}`

/** Null where there are too few pieces. Both are sorted by kind, and so is the sum. */
function sumOfParts(one: readonly number[], other: readonly number[], kinds: readonly BlockKind[]): number[] | null {
  const sum: number[] = []
  for (let i = 0, j = 0; i < one.length || j < other.length; ) {
    const a = one[i] ?? Number.POSITIVE_INFINITY
    const b = other[j] ?? Number.POSITIVE_INFINITY
    const kind = Math.min(a, b)
    const count = (a === kind ? (one[i + 1] ?? 0) : 0) + (b === kind ? (other[j + 1] ?? 0) : 0)
    if (count > elementAt(kinds, kind).count) return null
    sum.push(kind, count)
    if (a === kind) i += 2
    if (b === kind) j += 2
  }
  return sum
}

function shifted(leaves: readonly number[], axis: number, by: number): number[] {
  return leaves.map((value, index) => (index % leafFields === 7 + axis ? value + by : value))
}

function standsOn(below: Block, above: Block, rules: StandRules): boolean {
  const tops = new Tops(below.leaves.length / leafFields)
  tops.add(below.leaves, 0, below.leaves.length / leafFields, 0, 0, 0)
  return tops.carry(above.leaves, 0, above.leaves.length / leafFields, 0, 0, below.sides[2], rules)
}

function packed(all: readonly Block[]): Blocks {
  const from = (of: (block: Block) => number) => {
    const starts = new Int32Array(all.length + 1)
    for (const [index, block] of all.entries()) starts[index + 1] = (starts[index] ?? 0) + of(block)
    return starts
  }
  return {
    count: all.length,
    sides: Int32Array.from(all.flatMap(({ sides }) => sides)),
    volume: Float64Array.from(all, ({ volume }) => volume),
    weight: Float64Array.from(all, ({ weight }) => weight),
    pieces: Int32Array.from(all, ({ pieces }) => pieces),
    partsFrom: from(({ parts }) => parts.length / 2),
    parts: Int32Array.from(all.flatMap(({ parts }) => parts)),
    leavesFrom: from(({ leaves }) => leaves.length / leafFields),
    leaves: Int32Array.from(all.flatMap(({ leaves }) => leaves)),
  }
}
