/**
 * A queue that shares the places of a server between companies and classes of work: self-clocked fair queueing
 * (S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications", INFOCOM 1994).
 *
 * What one company wants of one class is a flow, first in, first out. The head of a flow has a tag: the tag that was last served when it
 * came to the head, plus the cost of its class. The smallest tag is served first. So a flow gets turns in inverse proportion to its cost,
 * a long queue of one company does not delay another one, and everything that waits is served in the end.
 */
import { type WorkClass, workClasses } from '#contract/work-classes.ts'

/** What a turn of a class costs: its weight is the inverse. */
export const turnCosts: Readonly<Record<WorkClass, number>> = { scan: 1, change: 2, read: 4, search: 8, bulk: 16 }

export interface FairQueueLimits {
  /** How much of a class, and of all classes behind it, runs at once: the classes before it find free places. */
  running: Readonly<Record<WorkClass, number>>
  /** How much of a class runs at once for one company, unless it is alone. */
  runningOfCompany: Readonly<Record<WorkClass, number>>
  /** Milliseconds without anything of another company, after which a company is alone. */
  aloneAfter: number
  /** How much of a class waits for one company. */
  waitingOfCompany: Readonly<Record<WorkClass, number>>
  /** How much waits in all. */
  waiting: number
}

/** Thrown where no more may wait. */
export class QueueFullError extends Error {
  override name = 'QueueFull'
  readonly full: 'company' | 'server'
  constructor(full: QueueFullError['full']) {
    super(`The queue of the ${full} is full`)
    this.full = full
  }
}

export interface FairQueue {
  /**
   * Calls `begin` when its turn comes, which is at once where a place is free. The returned function ends it, and `begin` gets the same:
   * it takes back what still waits and frees the place of what runs; called again it does nothing. Throws a QueueFullError, except for
   * what is `promised`: a part of something that has begun and cannot be refused.
   */
  enter(company: string, work: WorkClass, begin: (end: () => void) => void, options?: { promised?: boolean }): () => void
  waiting(work: WorkClass): number
  running(work: WorkClass): number
}

interface Waiting {
  begin(): void
  since: number
  /** The order of arrival, between equal tags. */
  arrival: number
}

interface Flow {
  company: string
  work: WorkClass
  tag: number
  running: number
  waiting: Waiting[]
}

/** `onBegin` gets the milliseconds that something has waited. */
export function createFairQueue(
  limits: FairQueueLimits,
  { clock = () => performance.now(), onBegin }: { clock?: () => number; onBegin?: (work: WorkClass, waited: number) => void } = {},
): FairQueue {
  const flows = new Map<string, Flow>()
  const running: Record<WorkClass, number> = { scan: 0, change: 0, read: 0, search: 0, bulk: 0 }
  const waiting: Record<WorkClass, number> = { scan: 0, change: 0, read: 0, search: 0, bulk: 0 }
  let served = 0
  let arrivals = 0
  let serving = false
  /** The company of the newest arrival, and when the last one of another company came. */
  let newest = ''
  let otherAt = Number.NEGATIVE_INFINITY

  const hasPlace = ({ company, work, running: own }: Flow): boolean => {
    const alone = company === newest && clock() - otherAt >= limits.aloneAfter
    if (!alone && own >= limits.runningOfCompany[work]) return false
    let behind = 0
    for (let at = workClasses.length - 1; at >= 0; at--) {
      const one = workClasses[at] as WorkClass
      behind += running[one]
      if (at <= workClasses.indexOf(work) && behind >= limits.running[one]) return false
    }
    return true
  }

  const nextFlow = (): Flow | undefined => {
    let next: Flow | undefined
    for (const flow of flows.values()) {
      const [head] = flow.waiting
      if (!head || !hasPlace(flow)) continue
      const first = next?.waiting[0]
      if (!next || !first || flow.tag < next.tag || (flow.tag === next.tag && head.arrival < first.arrival)) next = flow
    }
    return next
  }

  const tagHead = (flow: Flow) => {
    flow.tag = served + turnCosts[flow.work]
  }

  function serve(): void {
    // What begins may end at once, and call this again.
    if (serving) return
    serving = true
    for (let flow = nextFlow(); flow; flow = nextFlow()) {
      const { begin, since } = flow.waiting.shift() as Waiting
      waiting[flow.work]--
      running[flow.work]++
      flow.running++
      served = Math.max(served, flow.tag)
      tagHead(flow)
      onBegin?.(flow.work, clock() - since)
      begin()
    }
    serving = false
  }

  /** Which bound is reached by one more that has to wait. */
  const fullFor = (flow: Flow): QueueFullError['full'] | undefined => {
    if (flow.waiting.length >= limits.waitingOfCompany[flow.work]) return 'company'
    return workClasses.reduce((sum, work) => sum + waiting[work], 0) >= limits.waiting ? 'server' : undefined
  }

  return {
    enter(company, work, begin, { promised = false } = {}) {
      if (company !== newest) {
        if (newest !== '') otherAt = clock()
        newest = company
      }
      const key = `${work} ${company}`
      const flow = flows.get(key) ?? { company, work, tag: 0, running: 0, waiting: [] }
      const full = promised || (flow.waiting.length === 0 && hasPlace(flow)) ? undefined : fullFor(flow)
      if (full) throw new QueueFullError(full)
      flows.set(key, flow)
      let state: 'waiting' | 'running' | 'over' = 'waiting'
      const end = () => {
        if (state === 'over') return
        if (state === 'waiting') {
          flow.waiting.splice(flow.waiting.indexOf(entry), 1)
          waiting[work]--
        } else {
          flow.running--
          running[work]--
        }
        state = 'over'
        if (flow.running === 0 && flow.waiting.length === 0) flows.delete(key)
        serve()
      }
      const entry: Waiting = {
        begin() {
          state = 'running'
          begin(end)
        },
        since: clock(),
        arrival: arrivals++,
      }
      if (flow.waiting.length === 0) tagHead(flow)
      flow.waiting.push(entry)
      waiting[work]++
      serve()
      return end
    },
    waiting: work => waiting[work],
    running: work => running[work],
  }
}
