/** Heuristic for many pieces: crates are filled one after the other in many orders, then repacked into cheaper ones, and the best is kept. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import { rules } from './crate-fill.ts'
import { type Covers, newCovers } from './crate-lower-bounds.ts'
import { type Counts, type Crate, inOrder, isBetter, type Packer, sumOf, worthOf } from './crate-packer.ts'

/** Placements that the search may try without a time limit: in total, and per piece. */
const mostPlacements = 20_000
const placementsEach = 100

/** `quick`: only what takes no search, so that an answer of the other method is never more expensive than that. */
export function packMany(packer: Packer, counts: Counts, quick = false): Crate[] {
  const { containers, orders } = packer
  const pieces = sumOf(counts)
  const most = Math.min(mostPlacements, placementsEach * pieces)
  let spent = 0
  let best: Crate[] | null = null
  const offer = (crates: Crate[] | null) => {
    if (crates && (!best || isBetter(worthOf(crates), worthOf(best)))) best = crates
  }

  let covers: Covers | null = null
  /** True when no improvement is possible from crates that cost this much and hold all but what is left. */
  const hopeless = (begun: readonly Crate[], left: Counts): boolean => {
    if (!best || !covers) return false
    const known = worthOf(best)
    const least = worthOf(begun).cost + covers.leastFor(packer.volumeOf(left), packer.weightOf(left))
    const slack = 1e-9 * (1 + Math.abs(known.cost))
    return least > known.cost + slack || (least > known.cost - slack && begun.length + 1 >= known.crates)
  }

  const cheapestFirst = containers.map((_, container) => container)

  /** Fills crates in turn; `worth` ranks the boxes. */
  function oneByOne(order: readonly number[], rule: (typeof rules)[number], worth: (container: number, filled: number) => number) {
    let left = [...order]
    const crates: Crate[] = []
    while (left.length > 0) {
      let chosen: Crate | null = null
      let least = Number.POSITIVE_INFINITY
      const counted = countsOf(left)
      const wanted = packer.volumeOf(counted)
      // When the time is up, the first box that takes something is chosen.
      if (best && (packer.late() || hopeless(crates, counted))) return null
      const spentOn = worthOf(crates).cost
      // The upper bound of a box is its volume: the most promising first, until none can be better than the best found.
      const promising = cheapestFirst
        .map(container => ({ container, bound: worth(container, Math.min(1, elementAt(containers, container).volume / wanted)) }))
        .sort((a, b) => a.bound - b.bound)
      for (const { container, bound } of packer.late()
        ? promising.toSorted((a, b) => {
            const [one, other] = [elementAt(containers, a.container), elementAt(containers, b.container)]
            // Of boxes that differ in their greatest weight alone, the strongest: it leaves the fewest pieces.
            return other.volume - one.volume || other.carries - one.carries
          })
        : promising) {
        if (chosen && (packer.late() || bound >= least)) break
        if (best && spentOn + elementAt(containers, container).cost > worthOf(best).cost) continue
        const placed = packer.fill(container, left, rule)
        spent += left.length
        if (placed.length === 0) continue
        const filled = placed.reduce((sum, { kind }) => sum + elementAt(packer.kinds, kind).volume, 0) / wanted
        const worthIt = worth(container, filled)
        if (worthIt < least) {
          least = worthIt
          chosen = { container: elementAt(containers, container), placed }
        }
      }
      if (!chosen) return null
      crates.push(chosen)
      left = without(left, chosen)
    }
    return crates
  }

  const byPrice = (container: number, filled: number) =>
    elementAt(containers, container).cost / filled + elementAt(containers, container).volume * 1e-15
  const byCount = (container: number, filled: number) => -filled + container * 1e-12

  // The simplest first: each later method only improves the result.
  offer(oneByOne(inOrder(elementAt(orders, 0), counts), 'low', byCount))
  if (quick) {
    offer(oneByOne(inOrder(elementAt(orders, 0), counts), 'low', byPrice))
    return best!
  }
  for (let container = 0; container < containers.length; container++) {
    if (packer.late()) break
    if (!packer.mayHold(container, counts)) continue
    const placed = packer.pack(container, counts)
    if (!placed) continue
    offer([{ container: elementAt(containers, container), placed }])
    break
  }
  covers = newCovers(containers, worthOf(best!).cost)
  if (hopeless([], counts)) return best!
  for (const rule of rules)
    for (const order of orders)
      for (const worth of [byPrice, byCount]) {
        if (packer.late() || spent > most) break
        offer(oneByOne(inOrder(order, counts), rule, worth))
      }
  offer(improved(best!))

  const chance = newChance(pieces)
  const scatter = () => {
    const order = elementAt(orders, chance.below(orders.length))
    const turn = new Map(order.map((kind, index) => [kind, index + (chance.next() - 0.5) * order.length * chance.next()]))
    return inOrder(
      order.toSorted((a, b) => turn.get(a)! - turn.get(b)!),
      counts,
    )
  }
  for (let pass = 0; pass < 200 && spent < most && !packer.late() && !hopeless([], counts); pass++) {
    const bent = 0.7 + chance.next() * 0.6
    const crates = oneByOne(
      scatter(),
      rules[chance.below(rules.length)]!,
      (container, filled) => elementAt(containers, container).cost / filled ** bent,
    )
    if (crates) offer(improved(crates))
  }
  return best!

  /** Moves each crate's pieces to the cheapest box that holds them, and the pieces of two crates to one where that is cheaper. */
  function improved(crates: Crate[]): Crate[] {
    let now = crates.map(crate => cheaper(countsOf(crate.placed.map(({ kind }) => kind)), worthOf([crate]).cost) ?? crate)
    for (let a = 0; a < now.length; a++)
      for (let b = a + 1; b < now.length; b++) {
        if (packer.late()) return now
        const both = [elementAt(now, a), elementAt(now, b)]
        const joined = cheaper(countsOf(both.flatMap(({ placed }) => placed.map(({ kind }) => kind))), worthOf(both).cost)
        if (!joined) continue
        now = now.flatMap((crate, index) => (index === a ? [joined] : index === b ? [] : [crate]))
        b = a
      }
    return now
  }

  function cheaper(some: number[], price: number): Crate | null {
    for (let container = 0; container < containers.length && elementAt(containers, container).cost <= price; container++) {
      if (packer.late()) return null
      if (!packer.mayHold(container, some)) continue
      spent += sumOf(some)
      const placed = packer.pack(container, some)
      if (placed) return { container: elementAt(containers, container), placed }
    }
    return null
  }

  function countsOf(order: readonly number[]): number[] {
    const counted = packer.kinds.map(() => 0)
    for (const kind of order) counted[kind] = (counted[kind] ?? 0) + 1
    return counted
  }
}

function without(order: readonly number[], { placed }: Crate): number[] {
  const gone = new Map<number, number>()
  for (const { kind } of placed) gone.set(kind, (gone.get(kind) ?? 0) + 1)
  return order.filter(kind => {
    const count = gone.get(kind) ?? 0
    if (count > 0) gone.set(kind, count - 1)
    return count === 0
  })
}
