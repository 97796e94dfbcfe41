/** Many pieces: crates are filled one after the other in many orders, then emptied into cheaper ones, and the best of all is kept. */
import { newChance } from '#optimization/random/seeded-random.ts'
import { rules } from './crate-fill.ts'
import { type Covers, newCovers } from './crate-lower-bounds.ts'
import { type Counts, type Crate, inOrder, isBetter, type Packer, sumOf, worthOf } from './crate-packer.ts'

/** Placements that the search may try without a limit of time: in all, and for each piece. */
const mostPlacements = 20_000
const placementsEach = 100

/** `quick`: only what takes no search, so that an answer that was found otherwise is never dearer than that. */
export function packMany(packer: Packer, counts: Counts, quick = false): Crate[] {
  const { rooms, orders } = packer
  const pieces = sumOf(counts)
  const most = Math.min(mostPlacements, placementsEach * pieces)
  let spent = 0
  let best: Crate[] | null = null
  const offer = (crates: Crate[] | null) => {
    if (crates && (!best || isBetter(worthOf(crates), worthOf(best)))) best = crates
  }

  let covers: Covers | null = null
  /** Nothing better can come of crates that cost so much and hold all but what is left. */
  const hopeless = (begun: readonly Crate[], left: Counts): boolean => {
    if (!best || !covers) return false
    const known = worthOf(best)
    const least = worthOf(begun).cost + covers.leastFor(packer.volumeOf(left), packer.weightOf(left))
    const slack = 1e-9 * (1 + Math.abs(known.cost))
    return least > known.cost + slack || (least > known.cost - slack && begun.length + 1 >= known.crates)
  }

  const cheapestFirst = rooms.map((_, room) => room)

  /** Crates in turn; `choose` says which of the boxes that take something is taken. */
  function oneByOne(order: readonly number[], rule: (typeof rules)[number], worth: (room: number, filled: number) => number) {
    let left = [...order]
    const crates: Crate[] = []
    while (left.length > 0) {
      let chosen: Crate | null = null
      let least = Number.POSITIVE_INFINITY
      const counted = countsOf(left)
      const wanted = packer.volumeOf(counted)
      // Where the time is up, the first that takes something is taken.
      if (best && (packer.late() || hopeless(crates, counted))) return null
      const spentOn = worthOf(crates).cost
      // The most that a box can take is its volume: from the most promising on, until none can be worth more than what is found.
      const promising = cheapestFirst
        .map(room => ({ room, bound: worth(room, Math.min(1, rooms[room]!.volume / wanted)) }))
        .sort((a, b) => a.bound - b.bound)
      for (const { room, bound } of packer.late()
        ? promising.toSorted((a, b) => rooms[b.room]!.volume - rooms[a.room]!.volume)
        : promising) {
        if (chosen && (packer.late() || bound >= least)) break
        if (best && spentOn + rooms[room]!.cost > worthOf(best).cost) continue
        const placed = packer.fill(room, left, rule)
        spent += left.length
        if (placed.length === 0) continue
        const filled = placed.reduce((sum, { kind }) => sum + packer.kinds[kind]!.volume, 0) / wanted
        const worthIt = worth(room, filled)
        if (worthIt < least) {
          least = worthIt
          chosen = { room: rooms[room]!, placed }
        }
      }
      if (!chosen) return null
      crates.push(chosen)
      left = without(left, chosen)
    }
    return crates
  }

  const byPrice = (room: number, filled: number) => rooms[room]!.cost / filled + rooms[room]!.volume * 1e-15
  const byCount = (room: number, filled: number) => -filled + room * 1e-12

  // The simplest first: whatever comes later can only be better.
  offer(oneByOne(inOrder(orders[0]!, counts), 'low', byCount))
  if (quick) {
    offer(oneByOne(inOrder(orders[0]!, counts), 'low', byPrice))
    return best!
  }
  for (let room = 0; room < rooms.length; room++) {
    if (packer.late()) break
    if (!packer.mayHold(room, counts)) continue
    const placed = packer.pack(room, counts)
    if (!placed) continue
    offer([{ room: rooms[room]!, placed }])
    break
  }
  covers = newCovers(rooms, worthOf(best!).cost)
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
    const order = orders[chance.below(orders.length)]!
    const turn = new Map(order.map((kind, index) => [kind, index + (chance.next() - 0.5) * order.length * chance.next()]))
    return inOrder(
      order.toSorted((a, b) => turn.get(a)! - turn.get(b)!),
      counts,
    )
  }
  for (let round = 0; round < 200 && spent < most && !packer.late() && !hopeless([], counts); round++) {
    const bent = 0.7 + chance.next() * 0.6
    const crates = oneByOne(scatter(), rules[chance.below(rules.length)]!, (room, filled) => rooms[room]!.cost / filled ** bent)
    if (crates) offer(improved(crates))
  }
  return best!

  /** Each crate's pieces in the cheapest box that holds them, and two crates' pieces in one where that is cheaper. */
  function improved(crates: Crate[]): Crate[] {
    let now = crates.map(crate => cheaper(countsOf(crate.placed.map(({ kind }) => kind)), worthOf([crate]).cost) ?? crate)
    for (let a = 0; a < now.length; a++)
      for (let b = a + 1; b < now.length; b++) {
        if (packer.late()) return now
        const both = [now[a]!, now[b]!]
        const joined = cheaper(countsOf(both.flatMap(({ placed }) => placed.map(({ kind }) => kind))), worthOf(both).cost)
        if (!joined) continue
        now = now.flatMap((crate, index) => (index === a ? [joined] : index === b ? [] : [crate]))
        b = a
      }
    return now
  }

  function cheaper(some: number[], price: number): Crate | null {
    for (let room = 0; room < rooms.length && rooms[room]!.cost <= price; room++) {
      if (packer.late()) return null
      if (!packer.mayHold(room, some)) continue
      spent += sumOf(some)
      const placed = packer.pack(room, some)
      if (placed) return { room: rooms[room]!, placed }
    }
    return null
  }

  function countsOf(order: readonly number[]): number[] {
    const counted = packer.kinds.map(() => 0)
    for (const kind of order) counted[kind]!++
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
