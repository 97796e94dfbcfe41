/** A matrix of all distances between the cells of some tours, looked up once. */
import type { Between } from './between.ts'

export interface Ways {
  readonly size: number
  readonly nodeOf: ReadonlyMap<number, number>
  readonly start: number
  readonly end: number
  /** `out[node * size + other]` is from the node, `into[node * size + other]` to it: each is read along its row. The same array for symmetric distances. */
  readonly out: Float32Array
  readonly into: Float32Array
}

/** Start and end are nodes of their own, even where they are cells of a tour too. */
export function gatherWays(cells: readonly number[], { between, start, end }: { between: Between; start: number; end: number }): Ways {
  const nodeOf = new Map<number, number>()
  const nodes: number[] = []
  for (const cell of cells)
    if (!nodeOf.has(cell)) {
      nodeOf.set(cell, nodes.length)
      nodes.push(cell)
    }
  nodes.push(start, end)
  const size = nodes.length
  const out = new Float32Array(size * size)
  let both = true
  for (let node = 0; node < size; node++)
    for (let other = 0; other < size; other++)
      out[node * size + other] = nodes[node] === nodes[other] ? 0 : between(nodes[node] ?? 0, nodes[other] ?? 0)
  for (let node = 0; both && node < size; node++)
    for (let other = 0; other < node; other++) if (out[node * size + other] !== out[other * size + node]) both = false
  const into = both ? out : new Float32Array(size * size)
  if (!both)
    for (let node = 0; node < size; node++)
      for (let other = 0; other < size; other++) into[node * size + other] = out[other * size + node] ?? 0
  return { size, nodeOf, start: size - 2, end: size - 1, out, into }
}
