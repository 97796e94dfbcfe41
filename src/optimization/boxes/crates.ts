/** The crates of a parcel: which boxes hold all pieces at the least cost, and the position of each piece. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { fitsAlone, type Kind, type Placed, type Size, turnsOf } from './crate-fill.ts'
import { type Crate, newPacker, type PricedContainer, worthOf } from './crate-packer.ts'
import { partFew, waysToPart } from './crate-partition-dp.ts'
import { packMany } from './crate-search.ts'
import { evenWeights } from './even-weights.ts'

export interface CrateBox {
  readonly name: string
  readonly inner: Size
  /** Maximum weight of the packed box, including the empty box: as stated by a courier or a carton's maker. */
  readonly max_weight: number
  readonly tare: number
  readonly cost: number
}

export interface CrateItem {
  readonly id: string | number
  readonly size: Size
  readonly weight: number
  readonly qty: number
  /** May be turned around the vertical axis, but not laid on another side. */
  readonly keep_flat?: boolean | undefined
}

export interface CratesInput {
  readonly boxes: readonly CrateBox[]
  readonly items: readonly CrateItem[]
  /** Time limit in milliseconds. Without it the search has a fixed number of steps instead. */
  readonly limit_ms?: number | undefined
}

interface PackedItem {
  id: string | number
  /** The corner next to the box's origin; the last is the height above the floor. */
  at: [x: number, y: number, z: number]
  /** In its rotation; the last is its height. */
  size: [w: number, l: number, d: number]
}

export interface PackedCrates {
  /** Pieces are listed from the floor up: each stands on earlier ones. */
  crates: { box: string; items: PackedItem[] }[]
  cost: number
}

/** Maximum partitions that are enumerated: 8 different pieces have 3^8. */
const mostWays = 20_000

/**
 * Crates of the least cost, then the fewest, then the smallest. Sizes in mm, weights in g, costs in any currency. At least 60 % of every
 * piece's base is on the floor or on other pieces. `max_weight` limits the packed box, its tare included. Several crates weigh about the
 * same where that costs nothing. The same input gives the same answer; with `limit_ms` only where the machine is fast enough to take all
 * steps before it. Throws a sentence that names an item that no box can hold.
 */
export function packCrates({ boxes, items, limit_ms }: CratesInput): PackedCrates {
  // A crate that was started is finished.
  const pieces = items.reduce((sum, { qty }) => sum + qty, 0)
  const until = limit_ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + Math.max(0, limit_ms * 0.95 - 2 - pieces / 12)
  const containers = boxes
    .map(
      (box, index): PricedContainer => ({
        inner: box.inner,
        carries: box.max_weight - box.tare,
        cost: box.cost,
        volume: volumeOf(box.inner),
        box: index,
      }),
    )
    .toSorted((a, b) => a.cost - b.cost || a.volume - b.volume || a.box - b.box)

  const alike = new Map<string, { kind: Kind; ids: (string | number)[] }>()
  for (const { id, size, weight, qty, keep_flat } of items) {
    if (qty === 0) continue
    const turns = turnsOf(size, keep_flat ?? false)
    const kind = { turns, weight, volume: volumeOf(size) }
    if (!containers.some(container => fitsAlone(container, kind)))
      throw new Error(`No box holds item ${id} (${size.join(' × ')} mm, ${weight} g)`)
    const key = `${turns.map(String).sort().join(' ')} ${weight}`
    const entry = alike.get(key) ?? { kind, ids: [] }
    for (let piece = 0; piece < qty; piece++) entry.ids.push(id)
    alike.set(key, entry)
  }
  const entries = [...alike.values()].toSorted((a, b) => b.kind.volume - a.kind.volume)
  const kinds = entries.map(({ kind }) => kind)
  const counts = entries.map(({ ids }) => ids.length)
  if (kinds.length === 0) return { crates: [], cost: 0 }

  const packer = newPacker(kinds, containers, counts, until)
  const cheapest = waysToPart(counts, mostWays) <= mostWays ? few() : packMany(packer, counts)
  const crates = evenWeights(packer, cheapest, ({ container }) => elementAt(boxes, container.box).tare)
  const given = entries.map(() => 0)
  return {
    crates: crates.map(({ container, placed }) => ({
      box: elementAt(boxes, container.box).name,
      items: placed
        .toSorted(fromTheFloor)
        .map(({ kind, at, size }) => ({ id: elementAt(entries, kind).ids[given[kind]!++]!, at: [...at], size: [...size] })),
    })),
    cost: worthOf(crates).cost,
  }

  function few(): Crate[] {
    return partFew(packer, counts, quick => packMany(packer, counts, quick))
  }
}

function fromTheFloor({ at: a }: Placed, { at: b }: Placed): number {
  return a[2] - b[2] || a[1] - b[1] || a[0] - b[0]
}

function volumeOf([w, l, d]: Size): number {
  return w * l * d
}
