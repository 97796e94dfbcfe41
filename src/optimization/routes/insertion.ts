/** Cheapest insertion: adds stops to a tour, each where it lengthens the tour least. */
import type { Between } from '../distances/between.ts'

/**
 * The tour with these stops added, and its increase in length; Infinity if one of them cannot be reached. Stops that it has are free.
 * Stops measuring when the increase reaches `enough`.
 */
export function lengthenedBy(
  tour: readonly number[],
  stops: readonly number[],
  between: Between,
  start: number,
  end: number,
  enough = Number.POSITIVE_INFINITY,
): { added: number; tour: number[] } {
  const walk = tour.slice()
  let added = 0
  // From each position of the tour to the next, with the start before the first.
  const steps: number[] = []
  for (let at = 0, from = start; at <= walk.length; at++) {
    const to = at < walk.length ? (walk[at] ?? 0) : end
    // The empty tour has no link from start to end.
    steps.push(walk.length === 0 || from === to ? 0 : between(from, to))
    from = to
  }
  for (const stop of stops) {
    if (walk.includes(stop)) continue
    let least = Number.POSITIVE_INFINITY
    let place = 0
    let [there, on] = [0, 0]
    for (let at = 0, from = start; at <= walk.length; at++) {
      const to = at < walk.length ? (walk[at] ?? 0) : end
      const first = from === stop ? 0 : between(from, stop)
      const second = stop === to ? 0 : between(stop, to)
      if (first + second - (steps[at] ?? 0) < least) {
        least = first + second - (steps[at] ?? 0)
        place = at
        there = first
        on = second
      }
      from = to
    }
    added += least
    if (added >= enough || added === Number.POSITIVE_INFINITY) break
    walk.splice(place, 0, stop)
    steps.splice(place, 1, there, on)
  }
  return { added, tour: walk }
}
