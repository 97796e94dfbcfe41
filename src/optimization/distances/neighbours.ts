/** The nearest cells of each cell. */
import type { Between } from './between.ts'

export interface Near {
  /** The nearest first, the cell itself before them. */
  readonly cells: Int32Array
  readonly ways: Float64Array
}

/** Number of neighbours listed for each cell. */
const mostNear = 40

/** The nearest of the cells, itself first, computed at first use. */
export function nearCells(cells: readonly number[], between: Between): (cell: number) => Near {
  const known = new Map<number, Near>()
  const most = Math.min(mostNear, cells.length)
  return cell => {
    const found = known.get(cell)
    if (found) return found
    const nearest = new Int32Array(most)
    const ways = new Float64Array(most)
    let count = 0
    for (const other of cells) {
      const way = other === cell ? 0 : between(cell, other)
      if ((count === most && way >= (ways[count - 1] ?? 0)) || way === Number.POSITIVE_INFINITY) continue
      let at = count < most ? count++ : count - 1
      for (; at > 0 && (ways[at - 1] ?? 0) > way; at--) {
        ways[at] = ways[at - 1] ?? 0
        nearest[at] = nearest[at - 1] ?? 0
      }
      ways[at] = way
      nearest[at] = other
    }
    const list = { cells: nearest.subarray(0, count), ways: ways.subarray(0, count) }
    known.set(cell, list)
    return list
  }
}
