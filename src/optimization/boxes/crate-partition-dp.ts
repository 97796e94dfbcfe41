/**
 * Exact partition of few pieces: dynamic programming over all sets of pieces finds the cheapest partition that is not excluded, its
 * crates are packed, and where one cannot be packed, the next cheapest partition is computed with that exclusion.
 */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { type Crate, isBetter, type Packer, worthOf } from './crate-packer.ts'

/** Number of pairs of a set and its subset, or more than `most`. */
export function waysToPart(counts: readonly number[], most: number): number {
  let ways = 1
  for (const count of counts) {
    ways *= ((count + 1) * (count + 2)) / 2
    if (ways > most) break
  }
  return ways
}

/** Limit of proposals, after which the heuristic search takes over. */
const mostProposals = 60

export function partFew(packer: Packer, counts: readonly number[], otherwise: (quick: boolean) => Crate[]): Crate[] {
  const { containers } = packer
  // A set is a number with a digit for each kind.
  const steps: number[] = []
  let all = 1
  for (const count of counts) {
    steps.push(all)
    all *= count + 1
  }
  const digits = Array.from({ length: all }, (_, set) => counts.map((count, kind) => Math.floor(set / (steps[kind] ?? 0)) % (count + 1)))
  const within = (a: number, b: number) => elementAt(digits, a).every((count, kind) => count <= (elementAt(digits, b)[kind] ?? 0))

  const cheapest = new Int32Array(all)
  const next = (set: number) => {
    while ((cheapest[set] ?? 0) < containers.length && !packer.mayHold(cheapest[set] ?? 0, elementAt(digits, set)))
      cheapest[set] = (cheapest[set] ?? 0) + 1
  }
  for (let set = 1; set < all; set++) next(set)
  const infeasible = containers.map((): number[] => [])

  const cost = new Float64Array(all)
  const crates = new Int32Array(all)
  const volume = new Float64Array(all)
  const taken = new Int32Array(all)

  const weigh = () => {
    for (let set = 1; set < all; set++) {
      let least = Number.POSITIVE_INFINITY
      let fewest = 0
      let smallest = 0
      let part = 0
      const first = elementAt(digits, set).findIndex(count => count > 0)
      const visit = (kind: number, chosen: number) => {
        if (kind === counts.length) {
          const container = containers[cheapest[chosen] ?? 0]
          const rest = set - chosen
          if (!container || !Number.isFinite(cost[rest] ?? 0)) return
          const sum = container.cost + (cost[rest] ?? 0)
          const slack = 1e-9 * (1 + Math.abs(sum))
          if (sum > least + slack) return
          const many = 1 + (crates[rest] ?? 0)
          const large = container.volume + (volume[rest] ?? 0)
          if (sum >= least - slack && (many > fewest || (many === fewest && large >= smallest))) return
          least = sum
          fewest = many
          smallest = large
          part = chosen
          return
        }
        for (let count = elementAt(digits, set)[kind] ?? 0; count >= (kind === first ? 1 : 0); count--)
          visit(kind + 1, chosen + count * (steps[kind] ?? 0))
      }
      visit(first, 0)
      cost[set] = least
      crates[set] = fewest
      volume[set] = smallest
      taken[set] = part
    }
  }

  let bound = Number.NEGATIVE_INFINITY
  for (let proposal = 0; proposal < mostProposals && !packer.late(); proposal++) {
    weigh()
    if (!Number.isFinite(cost[all - 1] ?? 0)) break
    if (proposal === 0) bound = cost[all - 1] ?? 0
    const found: Crate[] = []
    let refuted = false
    const plan: { part: number; index: number }[] = []
    for (let set = all - 1; set > 0; set -= taken[set] ?? 0) plan.push({ part: taken[set] ?? 0, index: cheapest[taken[set] ?? 0] ?? 0 })
    for (const { part, index } of plan) {
      const placed = packer.pack(index, elementAt(digits, part))
      if (placed) {
        found.push({ container: elementAt(containers, index), placed })
        continue
      }
      refuted = true
      // A superset of these pieces does not fit the same box either.
      elementAt(infeasible, index).push(part)
      for (let other = part; other < all; other++) {
        if (cheapest[other] !== index || !within(part, other)) continue
        do {
          cheapest[other] = (cheapest[other] ?? 0) + 1
          next(other)
        } while (
          (cheapest[other] ?? 0) < containers.length &&
          elementAt(infeasible, cheapest[other] ?? 0).some(smaller => within(smaller, other))
        )
      }
    }
    if (refuted) continue
    // A set that was excluded because of a smaller one may fit nevertheless.
    if (worthOf(found).cost <= bound) return found
    const others = otherwise(true)
    return isBetter(worthOf(others), worthOf(found)) ? others : found
  }
  return otherwise(false)
}
