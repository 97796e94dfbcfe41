/** Whether the work of each pickup is done in time at the present pace, and what would help: a fluid model in steps of five minutes. */
import { elementAt } from '../arrays/element-at.ts'

const stages = ['pack', 'pick', 'out'] as const
export type Stage = (typeof stages)[number]

/** Work of each stage, in units of one small order. */
export interface PickupQueue {
  /** When the pickup is, in milliseconds. */
  due: number
  /** Whether the work ends packed, or scanned out to the courier. */
  target: 'packed' | 'handed_over'
  ready: number
  picked: number
  packed: number
  /** Mean work of an order, to convert back. */
  unit: number
  /** Work that still comes in, each amount until a time. */
  arrivals?: readonly { from: number; until: number; work: number }[]
}

/** Someone at work at a stage from a time until another one. */
export interface Shift {
  stage: Stage
  from: number
  until: number
}

export interface Situation {
  now: number
  /** In any order. */
  queues: readonly PickupQueue[]
  people: readonly Shift[]
  /** Work that a person does in an hour. */
  rates: Readonly<Record<Stage, number>>
  /** Orders are packed without a pick list. */
  packs_unpicked?: boolean
}

export interface PickupForecast {
  /** Orders that miss the pickup. */
  missed: number
  /** When nothing of it is left; null where that takes more than a day. */
  finish_at: number | null
}

const step = 300_000
const longest = 86_400_000
const nearly = 1e-9

interface Queue {
  ready: number
  picked: number
  packed: number
}

const leftOf = ({ ready, picked, packed }: Queue, { target }: PickupQueue): number =>
  ready + picked + (target === 'handed_over' ? packed : 0)

/** Person-hours of a stage between two times. */
const hoursOf = (people: readonly Shift[], stage: Stage, from: number, until: number): number => {
  let sum = 0
  for (const shift of people) if (shift.stage === stage) sum += Math.max(0, Math.min(until, shift.until) - Math.max(from, shift.from))
  return sum / 3_600_000
}

/** Takes up to `capacity` from `field` of the queues in their order, and answers what is left of it. */
function take(queues: readonly Queue[], field: keyof Queue, to: keyof Queue | null, capacity: number): number {
  let left = capacity
  for (const queue of queues) {
    if (left <= nearly) return 0
    const some = Math.min(left, queue[field])
    queue[field] -= some
    if (to) queue[to] += some
    left -= some
  }
  return left
}

/** What is left of a queue, in orders, at a time. */
type Trace = (place: number, at: number, left: number) => void

/** Runs until all is done, or until `end`. */
function run({ now, queues, people, rates, packs_unpicked = false }: Situation, end: number, trace?: Trace): PickupForecast[] {
  const order = queues.map((_queue, place) => place).sort((a, b) => elementAt(queues, a).due - elementAt(queues, b).due || a - b)
  const stock: Queue[] = order.map(place => {
    const { ready, picked, packed } = elementAt(queues, place)
    return { ready, picked, packed }
  })
  const leaving = stock.filter((_queue, place) => elementAt(queues, order[place] ?? 0).target === 'handed_over')
  const dues = [...new Set(queues.map(queue => queue.due))].filter(due => due > now).sort((a, b) => a - b)
  const results: PickupForecast[] = queues.map(() => ({ missed: 0, finish_at: null }))
  const judge = (at: number) => {
    for (const [place, queue] of stock.entries()) {
      const which = order[place] ?? 0
      const { due, unit } = elementAt(queues, which)
      const left = leftOf(queue, elementAt(queues, which))
      if (due === at || (at === now && due < now)) elementAt(results, which).missed = Math.max(0, Math.ceil(left / unit - nearly))
    }
  }
  const finish = (at: number): boolean => {
    let open = false
    for (const [place, queue] of stock.entries()) {
      const which = order[place] ?? 0
      const coming = elementAt(queues, which).arrivals?.some(arrival => arrival.until > at) ?? false
      const left = leftOf(queue, elementAt(queues, which))
      trace?.(which, at, left / elementAt(queues, which).unit)
      if (left > nearly || coming) {
        elementAt(results, which).finish_at = null
        open = true
      } else elementAt(results, which).finish_at ??= at
    }
    return open
  }
  judge(now)
  let open = finish(now)
  let from = now
  while (from < end && (open || dues.length > 0)) {
    const mark = (Math.floor(from / step) + 1) * step
    const until = Math.min(mark, dues[0] ?? mark, end)
    for (const [place, queue] of stock.entries())
      for (const arrival of elementAt(queues, order[place] ?? 0).arrivals ?? []) {
        const share = Math.max(0, Math.min(until, arrival.until) - Math.max(from, arrival.from)) / (arrival.until - arrival.from)
        queue.ready += arrival.work * share
      }
    take(leaving, 'packed', null, rates.out * hoursOf(people, 'out', from, until))
    const spare = take(stock, 'picked', 'packed', rates.pack * hoursOf(people, 'pack', from, until))
    if (packs_unpicked) take(stock, 'ready', 'packed', spare)
    take(stock, 'ready', 'picked', rates.pick * hoursOf(people, 'pick', from, until))
    open = finish(until)
    if (dues[0] === until) {
      judge(until)
      dues.shift()
    }
    from = until
  }
  return results
}

/** `trace` gets what is left of each queue at the end of each step. */
export const forecast = (situation: Situation, trace?: Trace): PickupForecast[] => run(situation, situation.now + longest, trace)

export interface Advice {
  /** How many more people from now on, and where; null where more people do not help. */
  people: { stage: Stage; count: number } | null
  /** By when those who are planned for later would have to begin; null where that does not help. */
  start_by: number | null
}

const mostPeople = 10
/** Of less work nothing is advised. */
const leastWork = 5

/** The smallest number in the range for which the test holds, where it holds for all larger ones too; null for none. */
function smallest(from: number, to: number, holds: (value: number) => boolean): number | null {
  if (from > to || !holds(to)) return null
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** What would let the pickup of one queue leave with everything. */
export function advise(situation: Situation, which: number): Advice | null {
  const { now, queues, people } = situation
  const queue = queues[which]
  if (!queue || queue.due <= now || leftOf(queue, queue) < leastWork) return null
  const succeeds = (workers: readonly Shift[]): boolean =>
    run({ ...situation, people: workers }, queue.due).every((result, place) => place !== which || result.missed === 0)
  let best: Advice['people'] = null
  for (const stage of stages) {
    if (stage === 'out' && queue.target === 'packed') continue
    const most = best ? best.count - 1 : mostPeople
    const more = (count: number): Shift[] => Array.from({ length: count }, () => ({ stage, from: now, until: Number.MAX_SAFE_INTEGER }))
    const count = smallest(1, most, some => succeeds([...people, ...more(some)]))
    if (count !== null) best = { stage, count }
  }
  const last = Math.max(now, ...people.map(shift => shift.from))
  const first = Math.floor(now / step) + 1
  // Counted backwards: the later they begin, the less is done.
  const marks = Math.min(Math.ceil(last / step), Math.ceil(queue.due / step)) - first
  const startAt = (back: number): number => (first + marks - back) * step
  const back = smallest(1, marks, some =>
    succeeds(people.map(shift => (shift.from > startAt(some) ? { ...shift, from: startAt(some) } : shift))),
  )
  return { people: best, start_by: back === null ? null : startAt(back) }
}

/** Work that one person does in an hour: what was done lately, drawn towards what is usual while there is little to go by. */
export const hourlyRate = ({ done, hours, usual }: { done: number; hours: number; usual: number }): number =>
  (done + usual * 0.5) / (hours + 0.5)

/** The work of an order, in small orders. */
export const workOf = (pieces: number): number => Math.min(5, 1 + 0.15 * Math.max(0, pieces - 1))
