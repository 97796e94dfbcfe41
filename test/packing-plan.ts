/** An independent check of how a box is packed. */

import type { ItemToFill } from '#optimization/boxes/fill.ts'

type Size = readonly [number, number, number]

export interface PlanPiece {
  readonly id: string | number
  readonly at: Size
  readonly size: Size
}

/** Lengths that differ less are the same. */
const hair = 1e-6

/** Each fault as a sentence. Pieces are listed from the floor up: what a piece stands on is before it. */
export function planFaults(
  { inner, carries }: { inner: Size; carries: number },
  items: readonly ItemToFill[],
  packed: readonly PlanPiece[],
  support: number,
): string[] {
  const faults: string[] = []
  const left = new Map(items.map(item => [item.id, item.qty]))
  const byId = new Map(items.map(item => [item.id, item]))
  let weight = 0
  for (const [index, { id, at, size }] of packed.entries()) {
    const item = byId.get(id)
    if (!item) return [`no item ${id}`]
    left.set(id, left.get(id)! - 1)
    weight += item.weight ?? 0
    if (at.some((from, axis) => from < 0 || from + size[axis]! > inner[axis]! + hair)) faults.push(`${id} sticks out`)
    if (size.toSorted((a, b) => a - b).join() !== item.size.toSorted((a, b) => a - b).join()) faults.push(`${id} has another size`)
    if (item.keep_flat && size[2] !== item.size[2]) faults.push(`${id} is not flat`)
    if (item.upright && !item.size.some((side, axis) => item.upright?.[axis] && side === size[2])) faults.push(`${id} may not stand so`)
    let area = at[2] === 0 ? size[0] * size[1] : 0
    for (const [place, other] of packed.entries()) {
      if (place === index) continue
      const shared = at.map(
        (from, axis) => Math.min(from + size[axis]!, other.at[axis]! + other.size[axis]!) - Math.max(from, other.at[axis]!),
      )
      if (shared.every(length => length > hair)) faults.push(`${id} and ${other.id} overlap`)
      if (Math.abs(other.at[2] + other.size[2] - at[2]) > hair || !(shared[0]! > hair && shared[1]! > hair)) continue
      if (place < index) area += shared[0]! * shared[1]!
      const under = byId.get(other.id)
      if (under?.fragile_top || (item.weight ?? 0) > (under?.bears ?? Number.POSITIVE_INFINITY)) faults.push(`${other.id} carries ${id}`)
    }
    if (area < support * size[0] * size[1] * (1 - hair)) faults.push(`${id} hangs in the air`)
  }
  if (packed.length > 0 && weight > carries) faults.push('too heavy')
  if ([...left.values()].some(qty => qty < 0)) faults.push('a piece is packed twice')
  return faults
}
