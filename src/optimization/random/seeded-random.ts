/** Seeded random numbers: the same seed gives the same numbers on every machine. */

export interface Chance {
  /** From 0 to 1, without 1. */
  next(): number
  /** An integer from 0 to `limit`, without it. */
  below(limit: number): number
}

/** Marsaglia's xorshift (2003) with 32 bits; the seed is mixed first so that neighbouring seeds differ at once. */
export function newChance(seed: number): Chance {
  let state = Math.imul((seed | 0) ^ 0x9e3779b9, 0x85ebca6b) ^ 0x2545f491 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
  for (let pass = 0; pass < 8; pass++) next()
  return { next, below: limit => Math.floor(next() * limit) }
}
