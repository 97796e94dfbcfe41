/**
 * Improves a plan of wagons: simulated annealing over orders that move to another wagon or are exchanged with one there. The cost that
 * each stop adds to each wagon's tour is kept, so that the best exchange for an order is estimated among hundreds in some microseconds;
 * only that one is measured: its stops are removed from the tour and the others inserted where they add least.
 */

import { elementAt } from '#optimization/arrays/element-at.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import type { Between } from '../distances/between.ts'
import { gatherWays } from '../distances/distance-lookup.ts'
import { additions, type Draft, insert, measured, newDraft, polish, withoutStops } from '../routes/tour-builder.ts'
import type { Load, Slots } from './wagon-slots.ts'

interface SearchedOrder extends Load {
  readonly stops: readonly number[]
}

export interface WagonSearch {
  readonly orders: readonly SearchedOrder[]
  /** Only orders with the same number may be exchanged. */
  readonly urgency: Int32Array
  readonly slots: Slots
  readonly between: Between
  readonly start: number
  readonly end: number
  readonly seed: number
}

export interface SearchedWagon {
  /** Indices of orders. */
  readonly members: readonly number[]
  readonly tour: readonly number[]
}

interface Walk {
  readonly members: number[]
  readonly draft: Draft
  /** Number of orders that need each stop. */
  readonly needed: Map<number, number>
}

/** Temperatures as shares of the mean tour. */
const hottest = 0.03
const coldest = 0.001
/** Number of wagons in which an order searches for the best exchange. */
const mostLooked = 40
/** Effort planned per millisecond, in distance lookups. A common machine does about twice as many. */
const effortPerMs = 100_000
/** Effort between two checks of the clock, and milliseconds between two progress reports. */
const clockCheckEffort = 200_000
const sayEvery_ms = 100

/**
 * Orders of each wagon, with a total length that is at most as before. `onProgress` receives a share from 0 to 1 and may throw to stop.
 * Looks up all distances between stops first: 8 bytes for each pair.
 */
export async function annealWagons(
  { orders, urgency, slots, between, start, end, seed }: WagonSearch,
  wagons: readonly SearchedWagon[],
  { limit_ms, onProgress }: { limit_ms: number; onProgress?: ((share: number) => void | Promise<void>) | undefined },
): Promise<number[][]> {
  const began = performance.now()
  const chance = newChance(seed)
  const ways = gatherWays(
    wagons.flatMap(({ tour }) => tour),
    { between, start, end },
  )
  const stopsOf = orders.map((): number[] => [])
  const placeOf = new Int32Array(orders.length).fill(-1)
  const wanted: number[] = []
  const firstOf = new Map<number, number>()
  const lastOf = new Map<number, number>()
  const needs = wagons.map(() => new Map<number, number>())
  wagons.forEach(({ members }, wagon) => {
    for (const index of members) {
      placeOf[index] = wagon
      wanted.push(index)
      if (!firstOf.has(urgency[index] ?? 0)) firstOf.set(urgency[index] ?? 0, wagon)
      lastOf.set(urgency[index] ?? 0, wagon)
      for (const cell of elementAt(orders, index).stops) {
        const stop = ways.nodeOf.get(cell)!
        elementAt(stopsOf, index).push(stop)
        elementAt(needs, wagon).set(stop, (elementAt(needs, wagon).get(stop) ?? 0) + 1)
      }
    }
  })
  if (wanted.length < 2 || wagons.length < 2) return wagons.map(({ members }) => [...members])

  const mostStops = stopsOf.reduce((most, stops) => Math.max(most, stops.length), 0)
  const capacity = mostStops * (slots.count + 1)
  const walks = wagons.map(({ members, tour }, wagon): Walk => {
    const draft = newDraft(capacity)
    return {
      members: [...members],
      draft: measured(
        draft,
        ways,
        tour.map(cell => ways.nodeOf.get(cell)!),
      ),
      needed: elementAt(needs, wagon),
    }
  })
  const [fromDraft, toDraft] = [newDraft(capacity), newDraft(capacity)]
  const { size } = ways
  /** The cost that each stop would add to each tour, and that each order saves in its own. */
  const adds = new Float32Array(walks.length * size)
  const spares = new Float64Array(orders.length)
  const learn = (wagon: number) => {
    const { draft, members, needed } = elementAt(walks, wagon)
    effort += additions(draft, ways, adds.subarray(wagon * size, (wagon + 1) * size))
    for (const index of members) {
      withoutStops(draft, ways, stop => needed.get(stop) === 1 && elementAt(stopsOf, index).includes(stop), fromDraft)
      spares[index] = draft.length - fromDraft.length
    }
  }
  const addedTo = (wagon: number, order: number) => {
    let added = 0
    for (const stop of elementAt(stopsOf, order)) added += adds[wagon * size + stop] ?? 0
    return added
  }

  let effort = 0
  for (let wagon = 0; wagon < walks.length; wagon++) learn(wagon)
  effort = 0
  let total = walks.reduce((sum, { draft }) => sum + draft.length, 0)
  let best = total
  const kept = placeOf.slice()
  const mean = total / walks.length
  const budget = limit_ms * effortPerMs
  let nextLook = 0
  let said = began
  let warmth = 0
  for (;;) {
    if (effort >= nextLook) {
      nextLook = effort + clockCheckEffort
      const now = performance.now()
      // On a machine slower than planned, the elapsed time sets the temperature.
      const progress = Math.max(effort / budget, (now - began) / limit_ms)
      if (progress >= 1) break
      if (onProgress && now - said >= sayEvery_ms) {
        said = now
        await onProgress(progress)
      }
      warmth = mean * hottest * (coldest / hottest) ** progress
    }

    // The best candidate for an order: a move or an exchange, estimated from what each of the stops adds alone.
    const order = wanted[chance.below(wanted.length)] ?? 0
    const from = placeOf[order] ?? 0
    const walkFrom = elementAt(walks, from)
    const stops = elementAt(stopsOf, order)
    const kind = urgency[order] ?? 0
    const first = firstOf.get(kind)!
    const others = lastOf.get(kind)! - first + 1
    const skip = chance.below(others)
    let least = Number.POSITIVE_INFINITY
    let to = -1
    let back = -1
    for (let looked = 0; looked < others && looked < mostLooked; looked++) {
      const wagon = first + ((skip + looked) % others)
      if (wagon === from) continue
      const { members } = elementAt(walks, wagon)
      const added = addedTo(wagon, order) - (spares[order] ?? 0)
      effort += stops.length + 2
      if (members.length < slots.count && added < least && carries(slots, elementAt(walks, wagon), orders, -1, order)) {
        least = added
        to = wagon
        back = -1
      }
      for (const other of members) {
        if (urgency[other] !== kind || added - (spares[other] ?? 0) >= least) continue
        effort += elementAt(stopsOf, other).length + 2
        const guess = added - (spares[other] ?? 0) + addedTo(from, other)
        if (guess >= least) continue
        if (!carries(slots, walkFrom, orders, order, other) || !carries(slots, elementAt(walks, wagon), orders, other, order)) continue
        least = guess
        to = wagon
        back = other
      }
    }
    effort += 20
    if (to < 0) continue

    // The acceptable increase is drawn first, so that most measurements end after a stop or two.
    const walkTo = elementAt(walks, to)
    const backStops = back < 0 ? [] : elementAt(stopsOf, back)
    withoutStops(
      walkFrom.draft,
      ways,
      stop => walkFrom.needed.get(stop) === 1 && stops.includes(stop) && !backStops.includes(stop),
      fromDraft,
    )
    withoutStops(walkTo.draft, ways, stop => walkTo.needed.get(stop) === 1 && backStops.includes(stop) && !stops.includes(stop), toDraft)
    const before = walkFrom.draft.length + walkTo.draft.length
    const most = before - warmth * Math.log(chance.next())
    effort += walkFrom.draft.count + walkTo.draft.count
    let possible = fromDraft.length + toDraft.length <= most
    for (let at = 0; possible && at < stops.length; at++)
      if (!walkTo.needed.has(stops[at] ?? 0)) {
        effort += toDraft.count
        insert(toDraft, ways, stops[at] ?? 0)
        possible = fromDraft.length + toDraft.length <= most
      }
    for (let at = 0; possible && at < backStops.length; at++)
      if (!walkFrom.needed.has(backStops[at] ?? 0)) {
        effort += fromDraft.count
        insert(fromDraft, ways, backStops[at] ?? 0)
        possible = fromDraft.length + toDraft.length <= most
      }
    if (!possible) continue

    exchange(walkFrom, order, stops, back, backStops)
    exchange(walkTo, back, backStops, order, stops)
    placeOf[order] = to
    if (back >= 0) placeOf[back] = from
    effort += fromDraft.count ** 2 + toDraft.count ** 2
    polish(fromDraft, ways, walkFrom.draft)
    polish(toDraft, ways, walkTo.draft)
    learn(from)
    learn(to)
    total += walkFrom.draft.length + walkTo.draft.length - before
    if (total < best - 1e-6) {
      best = total
      kept.set(placeOf)
    }
  }

  const groups: number[][] = walks.map(() => [])
  for (const index of wanted) elementAt(groups, kept[index] ?? 0).push(index)
  return groups
}

/** Whether a wagon can carry its orders without one and with another; -1 is none. */
function carries(slots: Slots, { members }: Walk, orders: readonly SearchedOrder[], without: number, added: number): boolean {
  if (added < 0) return true
  const loads: Load[] = [elementAt(orders, added)]
  for (const index of members) if (index !== without) loads.push(elementAt(orders, index))
  return slots.carries(loads)
}

function exchange({ members, needed }: Walk, without: number, leaving: readonly number[], added: number, coming: readonly number[]) {
  if (without >= 0) members.splice(members.indexOf(without), 1)
  if (added >= 0) members.push(added)
  for (const stop of leaving) {
    const left = needed.get(stop)! - 1
    if (left > 0) needed.set(stop, left)
    else needed.delete(stop)
  }
  for (const stop of coming) needed.set(stop, (needed.get(stop) ?? 0) + 1)
}
