/** A tour under construction: stops are removed, and inserted where they lengthen it least. */
import type { Ways } from '../distances/distance-lookup.ts'

export interface Draft {
  /** Nodes of the distances, the start before the first and the end after the last. */
  readonly tour: Int32Array
  /** `steps[at]` leads to `tour[at]`, the last one to the end. */
  readonly steps: Float64Array
  /** Stops in the tour. */
  count: number
  length: number
}

/** With capacity for this many stops. */
export const newDraft = (capacity: number): Draft => ({
  tour: new Int32Array(capacity),
  steps: new Float64Array(capacity + 1),
  count: 0,
  length: 0,
})

/** Sets the draft to this tour. */
export function measured(draft: Draft, { size, out, start, end }: Ways, tour: readonly number[]): Draft {
  draft.tour.set(tour)
  draft.count = tour.length
  draft.length = 0
  for (let at = 0, from = start; at <= tour.length; at++) {
    const to = at < tour.length ? (tour[at] ?? 0) : end
    // A wagon without stops has a tour of length 0.
    draft.steps[at] = tour.length === 0 ? 0 : (out[from * size + to] ?? 0)
    draft.length += draft.steps[at] ?? 0
    from = to
  }
  return draft
}

/** Sets `draft` to the tour without some stops. */
export function withoutStops(walk: Draft, { size, out, start, end }: Ways, leaves: (stop: number) => boolean, draft: Draft) {
  let count = 0
  let length = 0
  let from = start
  let joins = false
  for (let at = 0; at < walk.count; at++) {
    const stop = walk.tour[at] ?? 0
    if (leaves(stop)) {
      joins = true
      continue
    }
    const step = joins ? (out[from * size + stop] ?? 0) : (walk.steps[at] ?? 0)
    draft.tour[count] = stop
    draft.steps[count++] = step
    length += step
    from = stop
    joins = false
  }
  draft.steps[count] = count === 0 ? 0 : joins ? (out[from * size + end] ?? 0) : (walk.steps[walk.count] ?? 0)
  draft.count = count
  draft.length = length + (draft.steps[count] ?? 0)
}

/** Inserts a stop where it lengthens the draft least. */
export function insert(draft: Draft, { size, out, into, start, end }: Ways, stop: number) {
  const { tour, steps, count } = draft
  const row = stop * size
  let least = Number.POSITIVE_INFINITY
  let place = count
  let there = into[row + start] ?? 0
  for (let at = 0; at <= count; at++) {
    const to = at < count ? (tour[at] ?? 0) : end
    const added = there + (out[row + to] ?? 0) - (steps[at] ?? 0)
    if (added < least) {
      least = added
      place = at
    }
    there = into[row + to] ?? 0
  }
  tour.copyWithin(place + 1, place, count)
  steps.copyWithin(place + 1, place, count + 1)
  tour[place] = stop
  steps[place] = into[row + (place > 0 ? (tour[place - 1] ?? 0) : start)] ?? 0
  steps[place + 1] = out[row + (place < count ? (tour[place + 1] ?? 0) : end)] ?? 0
  draft.count++
  draft.length += least
}

/** Computes what each node alone would add to the tour. Returns the number of distances looked up. */
export function additions({ tour, steps, count }: Draft, { size, out, into, start, end }: Ways, added: Float32Array): number {
  added.fill(Number.POSITIVE_INFINITY)
  for (let at = 0; at <= count; at++) {
    const there = (at > 0 ? (tour[at - 1] ?? 0) : start) * size
    const on = (at < count ? (tour[at] ?? 0) : end) * size
    const step = steps[at] ?? 0
    for (let node = 0; node < size; node++) {
      const longer = (out[there + node] ?? 0) + (into[on + node] ?? 0) - step
      if (longer < (added[node] ?? 0)) added[node] = longer
    }
  }
  return size * (count + 1)
}

/** Removes each stop once and inserts it at its best position. The result is in `walk`; the draft is used up. */
export function polish(draft: Draft, ways: Ways, walk: Draft) {
  copy(draft, walk)
  const { size, out, start, end } = ways
  for (let at = 0; walk.count > 1 && at < walk.count; at++) {
    const { tour, steps, count } = walk
    const joined = out[(at > 0 ? (tour[at - 1] ?? 0) : start) * size + (at + 1 < count ? (tour[at + 1] ?? 0) : end)] ?? 0
    const spared = (steps[at] ?? 0) + (steps[at + 1] ?? 0) - joined
    if (spared < 1e-9) continue
    const stop = tour[at] ?? 0
    draft.tour.set(tour.subarray(0, at))
    draft.tour.set(tour.subarray(at + 1, count), at)
    draft.steps.set(steps.subarray(0, at))
    draft.steps.set(steps.subarray(at + 1, count + 1), at)
    draft.steps[at] = joined
    draft.count = count - 1
    draft.length = walk.length - spared
    insert(draft, ways, stop)
    if (draft.length < walk.length - 1e-9) copy(draft, walk)
  }
}

function copy(from: Draft, to: Draft) {
  to.tour.set(from.tour.subarray(0, from.count))
  to.steps.set(from.steps.subarray(0, from.count + 1))
  to.count = from.count
  to.length = from.length
}
