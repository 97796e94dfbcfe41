/**
 * Batches for too many orders to enumerate: simulated annealing over orders that move to another batch or are exchanged, one for one or one
 * for two. Every batch is measured by its exact tour, and measurements are cached by the batch's members. On instances of the size found in
 * the literature this came closer to the best known answers, ten times sooner, than large neighbourhood search: capacities are tight, so
 * few orders fit anywhere else, and an exchange is cheap to evaluate.
 */

import { elementAt } from '#optimization/arrays/element-at.ts'
import { newChance } from '#optimization/random/seeded-random.ts'
import { type Block, newVisits, tourLength } from '../routes/ratliff-rosenthal.ts'

export interface BatchQuestion {
  readonly block: Block
  readonly orders: readonly { readonly visits: Int32Array; readonly weight: number }[]
  readonly capacity: number
}

/** Temperatures as shares of the mean tour. */
const hottest = 0.02
const coldest = 0.001
/** At high temperature, full and nearly empty batches are preferred to half full ones, by this share of a tour: free capacity is useful in one batch. */
const unevenness = 0.1
/** From this share of the effort on there is one more empty batch, in case that more batches have shorter tours. */
const extraBatchFrom = 0.7
/** Shares of moves and of exchanges one for one; the rest are exchanges one for two. */
const moves = 0.2
const exchanges = 0.5
/** Effort of trying a move, of a cached tour, and of each word of visits that is joined to measure one. */
const effortOfTry = 1
const effortOfTour = 3
const effortOfWord = 0.2
/** Effort planned per millisecond. A common machine does half as much again, so that its clock does not decide the answer. */
const effortPerMs = 20_000
/** Default without a limit: about a second. */
const usualEffort = 8_000_000
const remembered = 1 << 17
/** Weights are sums of quantities, which may have decimals. */
export const hair = 1e-9

/** Indices of orders of each batch. The limit counts from `began` (`performance.now()`). */
export function searchBatches(
  question: BatchQuestion,
  { seed, until }: { seed: number; until: { began: number; limit_ms: number } | null },
): number[][] {
  const { orders, capacity } = question
  const chance = newChance(seed)
  const search = newSearch(question)
  const { weight, length, members, placeOf } = search
  const budget = until ? until.limit_ms * effortPerMs : usualEffort
  const mean = length.reduce((sum, length) => sum + length, 0) / members.length
  const fullness = (load: number) => (load / capacity) * (load / capacity)

  let total = mean * members.length
  let best = total
  const kept = placeOf.slice()
  let warmth = 0
  let liking = 0
  let hasExtraBatch = false
  for (let step = 0; ; step++) {
    if ((step & 255) === 0) {
      // On a machine slower than planned, the elapsed time sets the temperature.
      const spent = until ? (performance.now() - until.began) / until.limit_ms : 0
      const progress = Math.max(search.effort / budget, spent)
      if (progress >= 1) break
      warmth = mean * hottest * (coldest / hottest) ** progress
      liking = mean * unevenness * Math.max(0, 1 - progress / 0.8)
      if (!hasExtraBatch && progress > extraBatchFrom) {
        hasExtraBatch = true
        openBatch(search)
      }
    }

    search.effort += effortOfTry
    const order = chance.below(orders.length)
    const from = placeOf[order] ?? 0
    const kind = chance.next()
    const back = kind < moves ? -1 : chance.below(orders.length)
    const to = back < 0 ? chance.below(members.length) : (placeOf[back] ?? 0)
    let second = -1
    if (kind >= moves + exchanges) {
      second = elementAt(members, to)[chance.below(elementAt(members, to).length)] ?? 0
      if (second === back) second = -1
    }
    if (to === from) continue
    const shift = weightOf(search, order) - weightOf(search, back) - weightOf(search, second)
    const fromWeight = (weight[from] ?? 0) - shift
    const toWeight = (weight[to] ?? 0) + shift
    if (fromWeight > capacity + hair || toWeight > capacity + hair) continue

    const fromLength = tourOf(search, from, order, -1, back, second)
    const toLength = tourOf(search, to, back, second, order, -1)
    const added = fromLength + toLength - (length[from] ?? 0) - (length[to] ?? 0)
    const loss = added - liking * (fullness(fromWeight) + fullness(toWeight) - fullness(weight[from] ?? 0) - fullness(weight[to] ?? 0))
    if (loss > 0 && loss >= -warmth * Math.log(chance.next())) continue

    change(search, order, to)
    if (back >= 0) change(search, back, from)
    if (second >= 0) change(search, second, from)
    length[from] = fromLength
    length[to] = toLength
    total += added
    if (total < best - hair) {
      best = total
      kept.set(placeOf)
    }
  }

  const batches: number[][] = members.map(() => [])
  for (let order = 0; order < orders.length; order++) elementAt(batches, kept[order] ?? 0).push(order)
  return batches.filter(batch => batch.length > 0).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
}

type Search = ReturnType<typeof newSearch>

/** Start: the heaviest order first, each into the first batch that can carry it. */
function newSearch({ block, orders, capacity }: BatchQuestion) {
  const depot = newVisits(block)
  const members: number[][] = []
  const noNumbers = (): number[] => []
  const search = {
    block,
    orders,
    depot,
    joined: new Int32Array(depot.length),
    placeOf: new Int32Array(orders.length),
    members,
    weight: noNumbers(),
    length: noNumbers(),
    /** Two hashes of each batch's members, which together identify it, and of each order. */
    name: noNumbers(),
    check: noNumbers(),
    nameOf: Int32Array.from(orders, (_, order) => stirred(order + 1)),
    checkOf: Int32Array.from(orders, (_, order) => stirred(~order)),
    effort: 0,
    memory: { name: new Int32Array(remembered), check: new Int32Array(remembered), length: new Float64Array(remembered) },
  }
  const heaviestFirst = orders.map((_, order) => order).sort((a, b) => elementAt(orders, b).weight - elementAt(orders, a).weight || a - b)
  for (const order of heaviestFirst) {
    const { weight } = elementAt(orders, order)
    let to = search.weight.findIndex(load => load + weight <= capacity + hair)
    if (to < 0) {
      to = search.members.length
      openBatch(search)
    }
    join(search, order, to)
  }
  search.length = search.members.map((_, batch) => tourOf(search, batch, -1, -1, -1, -1))
  return search
}

/**
 * The finaliser of MurmurHash3. Keys are combined by exclusive or, so they must not come from a generator that is itself made of shifts and
 * exclusive ors: some of 33 such numbers cancel each other out, and two batches would share a key.
 */
function stirred(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function openBatch({ members, weight, length, name, check }: Pick<Search, 'members' | 'weight' | 'length' | 'name' | 'check'>) {
  members.push([])
  for (const figures of [weight, length, name, check]) figures.push(0)
}

const weightOf = ({ orders }: Search, order: number): number => (order < 0 ? 0 : elementAt(orders, order).weight)

/** Length of the tour of a batch without up to two of its orders and with up to two others; -1 is none. */
function tourOf(search: Search, batch: number, without: number, withoutToo: number, added: number, addedToo: number): number {
  const { block, orders, depot, joined, nameOf, checkOf, memory } = search
  search.effort += effortOfTour
  let name = search.name[batch] ?? 0
  let check = search.check[batch] ?? 0
  for (let at = 0; at < 4; at++) {
    const order = at === 0 ? without : at === 1 ? withoutToo : at === 2 ? added : addedToo
    if (order < 0) continue
    name ^= nameOf[order] ?? 0
    check ^= checkOf[order] ?? 0
  }
  const slot = (name ^ (name >>> 15)) & (remembered - 1)
  if (memory.name[slot] === name && memory.check[slot] === check) return memory.length[slot] ?? 0

  joined.set(depot)
  const members = elementAt(search.members, batch)
  for (let at = 0; at < members.length; at++) {
    const order = members[at] ?? 0
    if (order !== without && order !== withoutToo) joinVisits(joined, elementAt(orders, order).visits)
  }
  if (added >= 0) joinVisits(joined, elementAt(orders, added).visits)
  if (addedToo >= 0) joinVisits(joined, elementAt(orders, addedToo).visits)
  search.effort += effortOfWord * joined.length * (members.length + 8)
  const length = tourLength(block, joined)
  memory.name[slot] = name
  memory.check[slot] = check
  memory.length[slot] = length
  return length
}

export function joinVisits(visits: Int32Array, others: Int32Array) {
  for (let word = 0; word < visits.length; word++) visits[word] = (visits[word] ?? 0) | (others[word] ?? 0)
}

function join(
  search: Pick<Search, 'orders' | 'members' | 'weight' | 'name' | 'check' | 'nameOf' | 'checkOf' | 'placeOf'>,
  order: number,
  to: number,
) {
  elementAt(search.members, to).push(order)
  search.weight[to] = (search.weight[to] ?? 0) + elementAt(search.orders, order).weight
  search.name[to] = (search.name[to] ?? 0) ^ (search.nameOf[order] ?? 0)
  search.check[to] = (search.check[to] ?? 0) ^ (search.checkOf[order] ?? 0)
  search.placeOf[order] = to
}

function change(search: Search, order: number, to: number) {
  const from = search.placeOf[order] ?? 0
  const members = elementAt(search.members, from)
  members[members.indexOf(order)] = members.at(-1)!
  members.pop()
  search.weight[from] = (search.weight[from] ?? 0) - elementAt(search.orders, order).weight
  search.name[from] = (search.name[from] ?? 0) ^ (search.nameOf[order] ?? 0)
  search.check[from] = (search.check[from] ?? 0) ^ (search.checkOf[order] ?? 0)
  join(search, order, to)
}
