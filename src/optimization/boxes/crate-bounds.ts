/**
 * Proofs that pieces do not fit a container together. Fekete and Schepers (2004): dual feasible functions lengthen or shorten sides in a
 * way that keeps every packing possible, so when the changed volumes exceed the container, there is no packing.
 */
import { elementAt } from '#optimization/arrays/element-at.ts'
import type { Container, Kind } from './crate-fill.ts'

/** Tolerance for sums of fractions of one. */
const hair = 1e-9

const changes: readonly ((part: number) => number)[] = [
  part => part,
  part => wide(part, 1 / 2),
  part => wide(part, 1 / 3),
  part => wide(part, 1 / 4),
  part => stepped(part, 2),
  part => stepped(part, 3),
]

/** Sides that leave less than `rest` count whole, sides below it count nothing. */
function wide(part: number, rest: number): number {
  return part > 1 - rest + hair ? 1 : part < rest - hair ? 0 : part
}

function stepped(part: number, steps: number): number {
  const whole = part * (steps + 1)
  return Math.abs(whole - Math.round(whole)) < hair ? part : Math.floor(whole) / steps
}

const size = changes.length
const boundsSize = size ** 3

/** For each combination of functions on the three axes, the least volume of such a piece in the container, in any rotation. */
export function leastVolumes({ inner }: Container, { turns }: Kind): Float64Array {
  const least = new Float64Array(boundsSize).fill(Number.POSITIVE_INFINITY)
  for (const turn of turns) {
    if (!turn.every((side, axis) => side <= (inner[axis] ?? 0))) continue
    const [w, l, d] = turn.map((side, axis) => changes.map(change => change(side / (inner[axis] ?? 0))))
    for (let a = 0, index = 0; a < size; a++)
      for (let b = 0; b < size; b++) {
        const base = (w![a] ?? 0) * (l![b] ?? 0)
        for (let c = 0; c < size; c++, index++) least[index] = Math.min(least[index] ?? 0, base * (d![c] ?? 0))
      }
  }
  return least
}

export function surelyTooMuch(volumes: readonly Float64Array[], counts: ArrayLike<number>): boolean {
  for (let index = 0; index < boundsSize; index++) {
    let sum = 0
    for (let kind = 0; kind < counts.length; kind++) if (counts[kind]) sum += (counts[kind] ?? 0) * (elementAt(volumes, kind)[index] ?? 0)
    if (sum > 1 + hair) return true
  }
  return false
}
