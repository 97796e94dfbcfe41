/**
 * Few pieces parted exactly: dynamic programming over all sets of pieces finds the cheapest way to part them that nothing speaks against,
 * its crates are packed, and where one cannot be packed, the next cheapest way is sought with that knowledge.
 */
import { type Crate, isBetter, type Packer, worthOf } from './crate-packer.ts'

/** Each pair of a set and a set within it, or more than `most`. */
export function waysToPart(counts: readonly number[], most: number): number {
  let ways = 1
  for (const count of counts) {
    ways *= ((count + 1) * (count + 2)) / 2
    if (ways > most) break
  }
  return ways
}

/** So many proposals, and then the other way to pack has its turn. */
const mostProposals = 60

export function partFew(packer: Packer, counts: readonly number[], otherwise: (quick: boolean) => Crate[]): Crate[] {
  const { rooms } = packer
  // A set is a number with a digit for each kind.
  const steps: number[] = []
  let all = 1
  for (const count of counts) {
    steps.push(all)
    all *= count + 1
  }
  const digits = Array.from({ length: all }, (_, set) => counts.map((count, kind) => Math.floor(set / steps[kind]!) % (count + 1)))
  const within = (a: number, b: number) => digits[a]!.every((count, kind) => count <= digits[b]![kind]!)

  const cheapest = new Int32Array(all)
  const next = (set: number) => {
    while (cheapest[set]! < rooms.length && !packer.mayHold(cheapest[set]!, digits[set]!)) cheapest[set]!++
  }
  for (let set = 1; set < all; set++) next(set)
  const noRoom = rooms.map((): number[] => [])

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
      const first = digits[set]!.findIndex(count => count > 0)
      const visit = (kind: number, chosen: number) => {
        if (kind === counts.length) {
          const room = rooms[cheapest[chosen]!]
          const rest = set - chosen
          if (!room || !Number.isFinite(cost[rest]!)) return
          const sum = room.cost + cost[rest]!
          const slack = 1e-9 * (1 + Math.abs(sum))
          if (sum > least + slack) return
          const many = 1 + crates[rest]!
          const large = room.volume + volume[rest]!
          if (sum >= least - slack && (many > fewest || (many === fewest && large >= smallest))) return
          least = sum
          fewest = many
          smallest = large
          part = chosen
          return
        }
        for (let count = digits[set]![kind]!; count >= (kind === first ? 1 : 0); count--) visit(kind + 1, chosen + count * steps[kind]!)
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
    if (!Number.isFinite(cost[all - 1]!)) break
    if (proposal === 0) bound = cost[all - 1]!
    const found: Crate[] = []
    let refuted = false
    const plan: { part: number; index: number }[] = []
    for (let set = all - 1; set > 0; set -= taken[set]!) plan.push({ part: taken[set]!, index: cheapest[taken[set]!]! })
    for (const { part, index } of plan) {
      const placed = packer.pack(index, digits[part]!)
      if (placed) {
        found.push({ room: rooms[index]!, placed })
        continue
      }
      refuted = true
      // What holds these pieces and more in the same box has no place either.
      noRoom[index]!.push(part)
      for (let other = part; other < all; other++) {
        if (cheapest[other] !== index || !within(part, other)) continue
        do {
          cheapest[other]!++
          next(other)
        } while (cheapest[other]! < rooms.length && noRoom[cheapest[other]!]!.some(smaller => within(smaller, other)))
      }
    }
    if (refuted) continue
    // A set that was taken for too much because a smaller one was may have fitted.
    if (worthOf(found).cost <= bound) return found
    const others = otherwise(true)
    return isBetter(worthOf(others), worthOf(found)) ? others : found
  }
  return otherwise(false)
}
