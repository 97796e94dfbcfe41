/** Assigns orders to wagons: the urgent ones first, then those that add least to a wagon's tour. */

import { elementAt } from '#optimization/arrays/element-at.ts'
import type { Between } from '../distances/between.ts'
import { type Near, nearCells } from '../distances/neighbours.ts'
import { lengthenedBy } from '../routes/insertion.ts'
import { shortestTour } from '../routes/tour.ts'
import { annealWagons, type SearchedWagon } from './wagon-search.ts'
import { type Load, type Misfit, type Slots, slotsOf, type WagonShape } from './wagon-slots.ts'

export interface WagonOrder extends Load {
  readonly id: number
  /** Cells where the picker stands for this order, without repeats. */
  readonly stops: readonly number[]
  readonly pinned: boolean
  /** Milliseconds; null comes last. */
  readonly deadline: number | null
}

export interface WagonsInput {
  readonly orders: readonly WagonOrder[]
  readonly wagon: WagonShape
  /** Distance from one cell to another; may differ by direction, Infinity where there is none. */
  readonly between: Between
  readonly start: number
  readonly end: number
  readonly seed: number
  readonly most_wagons?: number | undefined
}

interface Wagon {
  /** Slots count from 0, as the wagon's shape lists them. */
  orders: { id: number; slot: number }[]
  /** Every cell once, in walking order, without start and end. */
  tour: number[]
  /** From the start over the tour to the end; 0 for an empty tour. */
  length: number
}

export interface WagonPlan {
  /** The most urgent first: no order is on a later wagon than a less urgent one. */
  wagons: Wagon[]
  left: { id: number; reason: Misfit | 'no_slot' | 'no_way' }[]
}

/** Orders considered per cell: the busiest may have hundreds. */
const mostHere = 64
/** Orders whose added length is measured before one is chosen: the likely ones, and the next by urgency. */
const mostLikely = 24
const nextByUrgency = 4
/** A wagon that could not carry this many orders counts as full. */
const mostRefused = 100
/** Search effort per tour: a list of 2,000 orders has some 170 of them. */
const instant_ms = 1

/** Order of urgency: pinned before not, then by deadline. */
function urgencies(orders: readonly WagonOrder[]): { sorted: number[]; urgency: Int32Array } {
  const deadline = (index: number) => elementAt(orders, index).deadline ?? Number.POSITIVE_INFINITY
  const isFree = (index: number) => (elementAt(orders, index).pinned ? 0 : 1)
  const later = (a: number, b: number) => (deadline(a) === deadline(b) ? 0 : deadline(a) - deadline(b))
  const sorted = orders.map((_, index) => index).sort((a, b) => isFree(a) - isFree(b) || later(a, b) || a - b)
  const urgency = new Int32Array(orders.length)
  sorted.forEach((index, at) => {
    const before = sorted[at - 1]
    const same = before !== undefined && isFree(before) === isFree(index) && later(before, index) === 0
    urgency[index] = before === undefined ? 0 : (urgency[before] ?? 0) + (same ? 0 : 1)
  })
  return { sorted, urgency }
}

/**
 * A greedy plan, near-linear in orders. A wagon starts with the most urgent order left and takes, as long as one fits, the order of
 * the same urgency that adds the least length for its stops; the last wagon of an urgency is filled up with the next.
 * An order that cannot be carried or reached is left out with the reason; `no_slot` if `most_wagons` are full.
 */
export function fillWagons({ orders, wagon, between, start, end, seed, most_wagons }: WagonsInput): WagonPlan {
  const slots = slotsOf(wagon)
  const { sorted, urgency } = urgencies(orders)
  const left: WagonPlan['left'] = []
  const wanted: number[] = []
  for (const index of sorted) {
    const order = elementAt(orders, index)
    const misfit = slots.misfit(order)
    const reason = misfit ?? (lengthenedBy([], order.stops, between, start, end).added < Number.POSITIVE_INFINITY ? null : 'no_way')
    if (reason) left.push({ id: order.id, reason })
    else wanted.push(index)
  }

  const filling = newFilling(orders, wanted, urgency, between)
  const groups: { members: number[]; tour: number[] }[] = []
  while (groups.length < (most_wagons ?? Number.POSITIVE_INFINITY)) {
    const group = fillOne(filling, slots, start, end)
    if (!group) break
    groups.push(group)
  }
  for (const index of wanted) if (!filling.taken[index]) left.push({ id: elementAt(orders, index).id, reason: 'no_slot' })
  return {
    wagons: groups.map(({ members }) =>
      finished(
        members.map(index => elementAt(orders, index)),
        slots,
        { between, start, end, seed },
      ),
    ),
    left,
  }
}

function finished(
  members: readonly WagonOrder[],
  slots: Slots,
  { between, start, end, seed }: Omit<WagonsInput, 'orders' | 'wagon'>,
  patience_ms = instant_ms,
): Wagon {
  const stops = [...new Set(members.flatMap(order => order.stops))]
  const { order: tour, length } = shortestTour(between, { start, end, stops, seed, patience_ms })
  const placed = slots.placed(members)
  return { orders: members.map(({ id }, at) => ({ id, slot: placed[at] ?? 0 })), tour, length: stops.length === 0 ? 0 : length }
}

interface Filling {
  readonly orders: readonly WagonOrder[]
  /** By urgency; those before `next` are assigned. */
  readonly wanted: readonly number[]
  readonly urgency: Int32Array
  readonly between: Between
  readonly taken: Uint8Array
  next: number
  /** Orders of each cell by urgency; assigned ones are removed when they are met. */
  readonly here: Map<number, number[]>
  readonly near: (cell: number) => Near
}

function newFilling(orders: readonly WagonOrder[], wanted: readonly number[], urgency: Int32Array, between: Between): Filling {
  const here = new Map<number, number[]>()
  for (const index of wanted) {
    for (const cell of elementAt(orders, index).stops) {
      const others = here.get(cell)
      if (others) others.push(index)
      else here.set(cell, [index])
    }
  }
  return {
    orders,
    wanted,
    urgency,
    between,
    taken: new Uint8Array(orders.length),
    next: 0,
    here,
    near: nearCells([...here.keys()], between),
  }
}

function fillOne(filling: Filling, slots: Slots, start: number, end: number): { members: number[]; tour: number[] } | null {
  const { orders, wanted, urgency, between, taken } = filling
  while (filling.next < wanted.length && taken[wanted[filling.next] ?? 0]) filling.next++
  const seed = wanted[filling.next]
  if (seed === undefined) return null

  const members: number[] = []
  const loads: Load[] = []
  let tour: number[] = []
  const inTour = new Set<number>()
  /** Distance to the nearest stop of the tour, of each cell nearby. */
  const ways = new Map<number, number>()
  /** Orders nearby, and how much of their distance each saves: shares from 0 to its number of stops. */
  const spared = new Map<number, number>()
  const refused = new Set<number>()

  const take = (index: number, walked: number[]) => {
    taken[index] = 1
    members.push(index)
    loads.push(elementAt(orders, index))
    tour = walked
    spared.delete(index)
    for (const stop of elementAt(orders, index).stops) {
      if (inTour.has(stop)) continue
      inTour.add(stop)
      nearer(stop)
    }
  }
  const nearer = (stop: number) => {
    const { cells, ways: reach } = filling.near(stop)
    const farthest = (reach[reach.length - 1] ?? 0) || 1
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] ?? 0
      const share = 1 - (reach[at] ?? 0) / farthest
      const known = ways.get(cell) ?? 0
      if (share <= known) continue
      ways.set(cell, share)
      const others = filling.here.get(cell)!
      let kept = 0
      let looked = 0
      let from = 0
      for (; from < others.length && looked < mostHere; from++) {
        const index = others[from] ?? 0
        if (taken[index]) continue
        others[kept++] = index
        looked++
        if (!refused.has(index)) spared.set(index, (spared.get(index) ?? 0) + share - known)
      }
      if (kept < from) others.splice(kept, from - kept)
    }
  }

  take(seed, lengthenedBy([], elementAt(orders, seed).stops, between, start, end).tour)
  while (members.length < slots.count && refused.size < mostRefused) {
    while (filling.next < wanted.length && taken[wanted[filling.next] ?? 0]) filling.next++
    const mostUrgent = wanted[filling.next]
    if (mostUrgent === undefined) break
    const isAsUrgent = (index: number) => urgency[index] === urgency[mostUrgent]

    const likely = mostSpared(spared, orders, isAsUrgent)
    for (let at = filling.next, looked = 0; at < wanted.length && looked < nextByUrgency && isAsUrgent(wanted[at] ?? 0); at++) {
      const index = wanted[at] ?? 0
      if (taken[index] || refused.has(index)) continue
      looked++
      if (!likely.includes(index)) likely.push(index)
    }
    // The rest of this urgency does not fit, and nothing less urgent may be picked before it.
    if (likely.length === 0) break

    let chosen = -1
    let least = Number.POSITIVE_INFINITY
    let walked: number[] = []
    for (const index of likely) {
      const { stops } = elementAt(orders, index)
      const { added, tour: longer } = slots.carries([...loads, elementAt(orders, index)])
        ? lengthenedBy(tour, stops, between, start, end, least * (stops.length || 1))
        : { added: Number.POSITIVE_INFINITY, tour }
      if (added === Number.POSITIVE_INFINITY) {
        refused.add(index)
        spared.delete(index)
      } else if (added / (stops.length || 1) < least) {
        least = added / (stops.length || 1)
        chosen = index
        walked = longer
      }
    }
    if (chosen >= 0) take(chosen, walked)
  }
  return { members, tour }
}

/** The orders nearby that are likely to add the least length for each stop. */
function mostSpared(spared: ReadonlyMap<number, number>, orders: readonly WagonOrder[], isWanted: (index: number) => boolean): number[] {
  const likely: number[] = []
  const shares: number[] = []
  for (const [index, sum] of spared) {
    if (!isWanted(index)) continue
    const share = sum / elementAt(orders, index).stops.length
    if (likely.length === mostLikely && share <= (shares[mostLikely - 1] ?? 0)) continue
    let at = likely.length < mostLikely ? likely.length : mostLikely - 1
    for (; at > 0 && (shares[at - 1] ?? 0) < share; at--) {
      shares[at] = shares[at - 1] ?? 0
      likely[at] = likely[at - 1] ?? 0
    }
    shares[at] = share
    likely[at] = index
  }
  return likely
}

/** Cells of one search: the distances between them take 120 MB, twice that where they differ by direction. */
const mostCells = 5_500

/** Consecutive wagons with no more cells than one search allows. */
function partsOf(wagons: readonly SearchedWagon[]): SearchedWagon[][] {
  const parts: SearchedWagon[][] = []
  const cells = new Set<number>()
  for (const wagon of wagons) {
    for (const cell of wagon.tour) cells.add(cell)
    if (cells.size > mostCells || parts.length === 0) {
      parts.push([])
      cells.clear()
      for (const cell of wagon.tour) cells.add(cell)
    }
    parts.at(-1)!.push(wagon)
  }
  return parts
}

/**
 * The same orders on at most as many wagons, in the same order of urgency, and never longer in total. Only orders of the same urgency
 * are exchanged. `onProgress` receives a share from 0 to 1 several times a second, is awaited, and may throw to stop.
 */
export async function improveWagons(
  input: WagonsInput,
  plan: WagonPlan,
  { limit_ms, seed = input.seed, onProgress }: { limit_ms: number; seed?: number; onProgress?: (share: number) => void | Promise<void> },
): Promise<WagonPlan> {
  const began = performance.now()
  const { orders, wagon, between, start, end } = input
  const slots = slotsOf(wagon)
  const indexOf = new Map(orders.map(({ id }, index) => [id, index]))
  const { urgency } = urgencies(orders)
  // The tours are optimized once more at the end, with the usual effort where there is time for it.
  const last_ms = Math.min(limit_ms / 4, plan.wagons.length * 12)
  const parts = partsOf(plan.wagons.map(({ orders, tour }) => ({ members: orders.map(({ id }) => indexOf.get(id)!), tour })))
  const groups: number[][] = []
  for (const part of parts) {
    const share = (limit_ms - last_ms) * (part.length / plan.wagons.length)
    const done = groups.length / plan.wagons.length
    const onPartProgress =
      onProgress && ((progress: number) => onProgress((done + (progress * part.length) / plan.wagons.length) * (1 - last_ms / limit_ms)))
    groups.push(
      ...(await annealWagons({ orders, urgency, slots, between, start, end, seed }, part, { limit_ms: share, onProgress: onPartProgress })),
    )
  }

  const patience_ms = Math.max(0.2, last_ms / Math.max(1, groups.length) / 2)
  const improved: Wagon[] = []
  for (const [at, group] of groups.entries()) {
    if (group.length === 0) continue
    const was = elementAt(plan.wagons, at)
    const same = group.length === was.orders.length && was.orders.every(({ id }) => group.includes(indexOf.get(id)!))
    const late = performance.now() - began > limit_ms
    if (same && late) {
      improved.push(was)
      continue
    }
    const now = finished(
      group.map(index => elementAt(orders, index)),
      slots,
      { between, start, end, seed },
      late ? 0 : patience_ms,
    )
    improved.push(same && now.length >= was.length ? was : now)
  }
  const lengthOf = (wagons: readonly Wagon[]) => wagons.reduce((sum, { length }) => sum + length, 0)
  return lengthOf(improved) < lengthOf(plan.wagons) ? { wagons: improved, left: plan.left } : plan
}
