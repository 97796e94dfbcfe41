/** An Euler tour: walks every chosen stretch, as often as it was chosen (Hierholzer 1873). */

import { elementAt } from '#optimization/arrays/element-at.ts'

export interface Link {
  readonly from: number
  readonly to: number
  readonly times: 1 | 2
}

/**
 * The places in walking order from `start`, `start` first. The links are connected, and every place has an even number of them, except the two
 * ends of an open walk.
 */
export function eulerWalk(places: number, links: readonly Link[], start: number): number[] {
  const edges: { readonly ends: readonly [number, number]; walked: boolean }[] = []
  const at: number[][] = Array.from({ length: places }, () => [])
  for (const { from, to, times } of links)
    for (let time = 0; time < times; time++) {
      const edge = edges.push({ ends: [from, to], walked: false }) - 1
      elementAt(at, from).push(edge)
      elementAt(at, to).push(edge)
    }
  const walk: number[] = []
  const stack = [start]
  while (stack.length > 0) {
    const here = stack.at(-1)!
    const edge = edges[elementAt(at, here).pop() ?? -1]
    if (!edge) {
      walk.push(here)
      stack.pop()
    } else if (!edge.walked) {
      edge.walked = true
      stack.push(edge.ends[0] === here ? edge.ends[1] : edge.ends[0])
    }
  }
  return walk.reverse()
}
