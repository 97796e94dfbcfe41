/**
 * Simulated days against the forecast: 60 minutes before each pickup, what is forecast to be packed by then against what really is. The
 * forecast sees only what the product records: scans, who is punched in or on a break, and planned shifts.
 */
import { type PaceFacts, peopleAtWork, ratesOf } from '#features/insight/deadline-board/people-at-work.rules.ts'
import { forecast, workOf } from '#optimization/forecast/forecast.ts'
import { type Chance, newChance } from '#optimization/random/seeded-random.ts'
import type { Row } from '../measure.ts'

const seeds = 100
const minute = 60_000
const hour = 60 * minute

/** Orders of a day by the hour in which they come in, of 469: the mean weekday of an online shop (UCI Online Retail, December 2010). */
const byHour = new Map([
  [7, 2],
  [8, 12],
  [9, 29],
  [10, 40],
  [11, 50],
  [12, 76],
  [13, 47],
  [14, 53],
  [15, 88],
  [16, 42],
  [17, 18],
  [18, 10],
  [19, 2],
])
const ordersOfDay = 400
const pickups = [
  { share: 0.75, cutOff: 14 * hour, due: 16 * hour },
  { share: 0.25, cutOff: 16 * hour, due: 18 * hour },
]
/** Of fewer parcels no error is counted. */
const leastDue = 40

interface Order {
  pickup: number
  /** The pickup of the same day, or after its cut-off that of the next one. */
  due: number
  arrived: number
  pieces: number
  packed: number | null
}
interface Packer {
  user_id: number
  from: number
  until: number
  pace: number
}
interface Scan {
  user_id: number
  at: number
}
interface Day {
  orders: Order[]
  scans: Scan[]
  finished: { user_id: number; at: number; work: number }[]
}

const normal = (chance: Chance): number => Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

/** Mostly single pieces, few large orders. */
const piecesOf = (chance: Chance): number => 1 + Math.floor(-Math.log(1 - chance.next()) * 1.5)

function arrivals(chance: Chance): Order[] {
  const count = Math.round(ordersOfDay * (0.85 + 0.3 * chance.next()))
  const all = [...byHour.values()].reduce((sum, n) => sum + n, 0)
  const made = (): Order => {
    let drawn = chance.next() * all
    let at = 19
    for (const [of, n] of byHour) {
      at = of
      if (drawn < n) break
      drawn -= n
    }
    const pickup = chance.next() < pickups[0]!.share ? 0 : 1
    const arrived = at * hour + chance.next() * hour
    const { cutOff, due } = pickups[pickup]!
    return { pickup, arrived, due: arrived <= cutOff ? due : due + 24 * hour, pieces: piecesOf(chance), packed: null }
  }
  return Array.from({ length: count }, made)
}

const lunch = { from: 12 * hour, until: 12.5 * hour }

/** Three packers, of whom one leaves at noon; each ±20 % fast. They can just do the work, so that a part of the pickups is late. */
const teamOf = (chance: Chance): Packer[] =>
  [0, 1, 2].map(place => ({
    user_id: place + 1,
    from: 10 * hour,
    until: place === 2 ? 12 * hour : 18 * hour,
    pace: 0.8 + 0.4 * chance.next(),
  }))

/** Runs the day: who is free takes the order of the next pickup that came first. No one works at lunch and in the outage. */
function work(chance: Chance, packers: readonly Packer[], orders: Order[], outage: { from: number; until: number }): Day {
  const day: Day = { orders, scans: [], finished: [] }
  const stops = [lunch, outage].toSorted((a, b) => a.from - b.from)
  /** The time after `span` of work from `at`, without the stops. */
  const after = (at: number, span: number): number => {
    let [now, left] = [at, span]
    for (const stop of stops) {
      if (now >= stop.until) continue
      if (now < stop.from && now + left <= stop.from) break
      left -= Math.max(0, stop.from - now)
      now = stop.until
    }
    return now + left
  }
  const free = packers.map(packer => ({ packer, at: packer.from }))
  const waiting = orders.toSorted((a, b) => a.due - b.due || a.arrived - b.arrived)
  while (free.length > 0) {
    free.sort((a, b) => a.at - b.at)
    const next = free[0]!
    const now = after(next.at, 0)
    if (now >= next.packer.until) {
      free.shift()
      continue
    }
    const place = waiting.findIndex(order => order.arrived <= now)
    if (place < 0) {
      const soon = waiting.reduce((first, order) => Math.min(first, order.arrived), Number.POSITIVE_INFINITY)
      if (soon === Number.POSITIVE_INFINITY) break
      next.at = soon
      continue
    }
    const [order] = waiting.splice(place, 1)
    if (!order) break
    const size = workOf(order.pieces)
    const span = (2 * minute * size * Math.exp(0.5 * normal(chance))) / next.packer.pace
    for (let piece = 0; piece <= order.pieces; piece++)
      day.scans.push({ user_id: next.packer.user_id, at: after(now, (span * (piece + 0.2)) / (order.pieces + 0.2)) })
    next.at = after(now, span)
    order.packed = next.at
    day.finished.push({ user_id: next.packer.user_id, at: next.at, work: size })
  }
  return day
}

/** Time between scans of one person, where it is shorter than five minutes, in hours. */
function activeHours(scans: readonly Scan[]): number {
  let sum = 0
  for (const own of Map.groupBy(scans, scan => scan.user_id).values()) {
    const times = own.map(scan => scan.at).sort((a, b) => a - b)
    for (const [place, at] of times.entries()) {
      const gap = at - (times[place - 1] ?? at)
      if (gap < 5 * minute) sum += gap
    }
  }
  return sum / hour
}

/** What the product knows at a time. */
function factsAt({ scans, finished }: Day, packers: readonly Packer[], usual: number, now: number): PaceFacts {
  const recent = scans.filter(scan => scan.at > now - 30 * minute && scan.at <= now)
  const done = finished.filter(one => one.at > now - 30 * minute && one.at <= now)
  const inNow = packers.filter(packer => packer.from <= now && packer.until > now)
  const isLunch = now >= lunch.from && now < lunch.until
  return {
    pack: {
      done: done.reduce((sum, one) => sum + one.work, 0),
      hours: activeHours(recent),
      active: [...new Set(recent.filter(scan => scan.at > now - 15 * minute).map(scan => scan.user_id))],
      usual,
    },
    pick: { done: 0, hours: 0, active: [], usual: null },
    punched: inNow.map(packer => ({ user_id: packer.user_id, type: isLunch ? 'break' : 'work' })),
    shifts: packers.map(packer => ({ user_id: packer.user_id, from: packer.from, until: packer.until })),
    stageOf: new Map(packers.map(packer => [packer.user_id, 'pack' as const])),
  }
}

/** Errors of the forecasts of one day, one for each pickup, and whether parcels were late. */
function forecastErrors(seed: number): { error: number; late: boolean }[] {
  const chance = newChance(seed)
  const packers = teamOf(chance)
  const outageAt = () => {
    const from = (8 + 9.5 * chance.next()) * hour
    return { from, until: from + 20 * minute }
  }
  const yesterday = work(chance, packers, arrivals(chance), outageAt())
  const usual = yesterday.finished.length / activeHours(yesterday.scans)
  // What came after the cut-offs of yesterday waits in the morning.
  const left = arrivals(chance)
    .filter(order => order.due > 24 * hour)
    .map(order => ({ ...order, due: order.due - 24 * hour, arrived: 0 }))
  const day = work(chance, packers, [...left, ...arrivals(chance)], outageAt())
  return pickups.flatMap(({ due }) => {
    const now = due - hour
    const here = day.orders.filter(order => order.due === due)
    if (here.length < leastDue) return []
    const facts = factsAt(day, packers, usual, now)
    const open = day.orders.filter(order => order.arrived <= now && (order.packed ?? Number.POSITIVE_INFINITY) > now)
    const workIn = (some: readonly Order[]) => some.reduce((sum, order) => sum + workOf(order.pieces), 0)
    const rates = ratesOf(facts, open.length === 0 ? 1 : workIn(open) / open.length)
    const queues = [...new Set(open.map(order => order.due))].map(one => {
      const some = open.filter(order => order.due === one)
      return { due: one, target: 'packed' as const, ready: workIn(some), picked: 0, packed: 0, unit: workIn(some) / some.length }
    })
    const results = rates ? forecast({ now, queues, people: peopleAtWork(facts, now), rates, packs_unpicked: true }) : []
    const missed = results[queues.findIndex(queue => queue.due === due)]?.missed ?? 0
    const late = here.filter(order => (order.packed ?? Number.POSITIVE_INFINITY) > due).length
    return [{ error: Math.abs(missed - late) / here.length, late: late > 0 }]
  })
}

export async function forecasts(): Promise<Row[]> {
  const found = Array.from({ length: seeds }, (_, seed) => forecastErrors(seed + 1)).flat()
  const sorted = (some: typeof found) => some.map(one => one.error).toSorted((a, b) => a - b)
  const at = (errors: readonly number[], part: number) =>
    errors[Math.min(errors.length - 1, Math.floor(errors.length * part))] ?? Number.NaN
  const all = sorted(found)
  const late = sorted(found.filter(one => one.late))
  const share = (value: number) => `${(value * 100).toFixed(1)} %`
  const row = (what: string, value: number, most: number): Row => ({
    ...{ name: 'forecast', what, ours: share(value), limit: '', ratio: '', goal: `< ${share(most)}`, ok: value < most },
  })
  return [
    row(`error 60 min before, median of ${all.length} pickups`, at(all, 0.5), 0.1),
    row('error 60 min before, 90th percentile', at(all, 0.9), 0.25),
    row(`the same of ${late.length} pickups that were late: median`, at(late, 0.5), 0.1),
    row('90th percentile of those', at(late, 0.9), 0.25),
  ]
}
