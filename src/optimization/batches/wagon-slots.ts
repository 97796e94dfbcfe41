/** Capacity of wagons: which orders a wagon can carry, and which slot each gets. */

import { elementAt } from '#optimization/arrays/element-at.ts'

interface WagonSlot {
  /** Null means no limit. */
  readonly max_weight_g: number | null
  readonly max_volume_ml: number | null
  /** Counted from the top: the greatest row is the lowest level. */
  readonly row: number
}

export interface WagonShape {
  readonly slots: readonly WagonSlot[]
  /** Limit of all slots together; null means no limit. */
  readonly max_weight_g: number | null
}

export interface Load {
  readonly weight_g: number
  readonly volume_ml: number
  /** Weight of the heaviest piece. */
  readonly heaviest_g: number
}

export type Misfit = 'too_heavy' | 'too_large'

export interface Slots {
  readonly count: number
  /** The reason why no slot of an empty wagon takes this order; null where one does. */
  misfit(load: Load): Misfit | null
  /** Whether a wagon can carry all of these, each in a slot of its own. */
  carries(loads: readonly Load[]): boolean
  /** A slot for each of these, counted from 0: heavy ones low. They must be ones that the wagon can carry. */
  placed(loads: readonly Load[]): number[]
}

const mayHold = (slot: WagonSlot, { weight_g, volume_ml }: Load) =>
  (slot.max_weight_g === null || weight_g <= slot.max_weight_g) && (slot.max_volume_ml === null || volume_ml <= slot.max_volume_ml)

export function slotsOf({ slots, max_weight_g }: WagonShape): Slots {
  const most = max_weight_g ?? Number.POSITIVE_INFINITY
  const first = slots[0]
  const alike = slots.every(slot => slot.max_weight_g === first?.max_weight_g && slot.max_volume_ml === first?.max_volume_ml)
  const lowestFirst = slots.map((_, index) => index).sort((a, b) => elementAt(slots, b).row - elementAt(slots, a).row || a - b)

  const holds = (slot: number, load: Load) => mayHold(elementAt(slots, slot), load)
  /** Kuhn's augmenting paths: whether each load finds a slot among the free ones. */
  const match = (loads: readonly Load[], taken: ReadonlySet<number>): boolean => {
    const owner = new Int32Array(slots.length).fill(-1)
    const place = (load: number, seen: Uint8Array): boolean => {
      for (let slot = 0; slot < slots.length; slot++) {
        if (seen[slot] || taken.has(slot) || !holds(slot, elementAt(loads, load))) continue
        seen[slot] = 1
        if ((owner[slot] ?? 0) < 0 || place(owner[slot] ?? 0, seen)) {
          owner[slot] = load
          return true
        }
      }
      return false
    }
    return loads.every((_, load) => place(load, new Uint8Array(slots.length)))
  }

  return {
    count: slots.length,
    misfit(load) {
      if (load.weight_g > most || !slots.some(slot => slot.max_weight_g === null || load.weight_g <= slot.max_weight_g)) return 'too_heavy'
      return slots.some(slot => mayHold(slot, load)) ? null : 'too_large'
    },
    carries(loads) {
      if (loads.length > slots.length) return false
      let weight = 0
      for (const load of loads) weight += load.weight_g
      if (weight > most) return false
      return alike ? loads.every(load => holds(0, load)) : match(loads, new Set())
    },
    placed(loads) {
      const heaviestFirst = loads
        .map((_, index) => index)
        .sort(
          (a, b) =>
            elementAt(loads, b).weight_g - elementAt(loads, a).weight_g ||
            elementAt(loads, b).heaviest_g - elementAt(loads, a).heaviest_g ||
            a - b,
        )
      const placed: number[] = loads.map(() => -1)
      const taken = new Set<number>()
      heaviestFirst.forEach((load, at) => {
        const rest = heaviestFirst.slice(at + 1).map(index => elementAt(loads, index))
        const slot = lowestFirst.find(slot => {
          if (taken.has(slot) || !holds(slot, elementAt(loads, load))) return false
          if (alike) return true
          taken.add(slot)
          const possible = match(rest, taken)
          taken.delete(slot)
          return possible
        })
        if (slot === undefined) throw new RangeError('These orders do not fit on one wagon')
        taken.add(slot)
        placed[load] = slot
      })
      return placed
    },
  }
}
