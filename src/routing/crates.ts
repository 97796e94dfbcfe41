/** The crates of a parcel: which boxes hold all pieces at the least cost, and where each piece lies, so that people can repeat it. */
import { fillCrate, type Piece, turnsOf } from './crate-fill.ts'

export type Size = readonly [w: number, l: number, d: number]

export interface CrateBox {
  readonly name: string
  readonly inner: Size
  readonly max_weight: number
  readonly tare: number
  readonly cost: number
}

export interface CrateItem {
  readonly id: string | number
  readonly size: Size
  readonly weight: number
  readonly qty: number
  readonly keep_flat?: boolean | undefined
}

export interface CratesInput {
  readonly boxes: readonly CrateBox[]
  readonly items: readonly CrateItem[]
  /** Milliseconds until the answer is there. */
  readonly limit_ms?: number | undefined
}

export interface PackedItem {
  id: string | number
  at: [x: number, y: number, z: number]
  size: [w: number, l: number, d: number]
}

export interface PackedCrates {
  crates: { box: string; items: PackedItem[] }[]
  cost: number
}

/** Sizes in mm, weights in g. Throws a sentence that names an item which no box can hold. */
export function packCrates(input: CratesInput): PackedCrates {
  const boxes = input.boxes.toSorted((a, b) => a.cost - b.cost || volumeOf(a.inner) - volumeOf(b.inner))
  const pieces = input.items
    .flatMap(item =>
      Array.from(
        { length: item.qty },
        (): Piece => ({ weight: item.weight, turns: turnsOf(item.size, item.keep_flat ?? false), of: item.id }),
      ),
    )
    .toSorted((a, b) => volumeOf(b.turns[0]!) - volumeOf(a.turns[0]!))
  const crates: PackedCrates['crates'] = []
  let cost = 0
  let left = pieces
  while (left.length > 0) {
    let best: { box: CrateBox; packed: PackedItem[]; rest: Piece[] } | undefined
    for (const box of boxes) {
      const { placed, rest } = fillCrate(box.inner, box.max_weight, left)
      if (placed.length === 0) continue
      const packed = placed.map(({ piece, at, size }): PackedItem => ({ id: piece.of, at, size }))
      if (!best || rest.length < best.rest.length) best = { box, packed, rest }
    }
    if (!best) throw new Error(`Item ${left[0]!.of} fits in no box`)
    crates.push({ box: best.box.name, items: best.packed })
    cost += best.box.cost
    left = best.rest
  }
  return { crates, cost }
}

function volumeOf([w, l, d]: Size): number {
  return w * l * d
}
