/** How much of a length can be filled by sides of pieces: what is beyond is lost. */
import type { Size } from './crate-fill.ts'

/** Lengths that are distinguished. */
const mostParts = 1_024

export interface SideReach {
  /** The greatest sum of sides up to each length, by the length × `perPart`. */
  readonly sums: Int32Array
  readonly perPart: number
}

/** Each piece counts once, by any of its sides that may lie along this axis. */
export function reachOf(
  length: number,
  kinds: readonly { readonly turns: readonly Size[]; readonly count: number }[],
  axis: 0 | 1 | 2,
): SideReach {
  const perPart = 1 / Math.max(1, Math.ceil(length / mostParts))
  const last = Math.trunc(length * perPart)
  const sums = new Int32Array(last + 1)
  for (const { turns, count } of kinds) {
    const sides = [...new Set(turns.map(turn => turn[axis]))]
    const most = Math.min(count, Math.floor(length / Math.min(...sides)))
    for (let piece = 0; piece < most; piece++)
      for (let part = last; part >= 0; part--) {
        const sum = sums[part] ?? 0
        if (sum === 0 && part > 0) continue
        for (const side of sides) {
          const more = sum + side
          const at = Math.trunc(more * perPart)
          if (more <= length && more > (sums[at] ?? 0)) sums[at] = more
        }
      }
  }
  for (let part = 1; part <= last; part++) if (sums[part] === 0) sums[part] = sums[part - 1] ?? 0
  return { sums, perPart }
}
