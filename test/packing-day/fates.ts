/** What becomes of the orders of a packing day. */
import type { Chance } from '#optimization/random/seeded-random.ts'

const fates = [
  ['plain', 0.6],
  ['parcels', 0.12],
  ['partial', 0.06],
  ['cancel_rest', 0.04],
  ['hold', 0.04],
  ['cancel', 0.04],
  ['label_error', 0.04],
  ['take_over', 0.03],
  ['undo', 0.03],
] as const
export type Fate = (typeof fates)[number][0]

function fateOf(chance: Chance): Fate {
  let at = chance.next()
  for (const [fate, share] of fates) {
    if (at < share) return fate
    at -= share
  }
  return 'plain'
}

/** Each fate is there also in a short day. */
export const planFates = (count: number, chance: Chance): Fate[] =>
  Array.from({ length: count }, (_, at) => fates[at]?.[0] ?? fateOf(chance))
