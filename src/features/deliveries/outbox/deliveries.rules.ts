/** When a delivery is tried again, and which deliveries go first. */
import { elementAt } from '#domain/objects.ts'

const minute = 60
const hour = 60 * minute
/** Seconds between one attempt and the next: 72 hours in all with the last. */
const pauses = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour]
const jitter = 0.1
const mostRetryAfter = 24 * hour

/** A shop that is down for a day loses nothing, and learns of a parcel within an hour of its return: hourly after the first for seven days. */
const shopPauses = [minute, 5 * minute, 15 * minute, ...Array.from({ length: 168 }, () => hour)]
const pausesOf = (kind: string) => (kind === 'shop' ? shopPauses : pauses)

/** Seconds until the next attempt; undefined after the last. `random` lies in 0…1, so that receivers are not hit by all at once. */
export function pauseAfter(attempts: number, random: number, retry_after_s?: number, kind = 'webhook'): number | undefined {
  const pause = pausesOf(kind)[attempts - 1]
  if (pause === undefined) return undefined
  if (retry_after_s !== undefined) return Math.min(mostRetryAfter, Math.max(1, retry_after_s))
  return pause * (1 + jitter * (2 * random - 1))
}

/** Failures in a row after which a destination gets one delivery at a time. */
const failuresBeforeProbes = 5
const longestProbePause = 15 * minute

/** Seconds for which a destination is left alone after its latest failure; undefined while it may get more. */
export const probePause = (failures: number): number | undefined =>
  failures < failuresBeforeProbes ? undefined : Math.min(longestProbePause, 30 * 2 ** (failures - failuresBeforeProbes))

/** Hours without a success after which a destination is paused. */
export const hoursUntilPause = (kind: string): number => (kind === 'shop' ? 8 * 24 : 72)

/** Deliveries at once: in one server, of one company, and to one destination. */
export const most = { all: 64, company: 16, destination: 8 } as const

export interface Candidate {
  company_id: number
  destination_id: number
  /** Failures of the destination in a row. */
  failures: number
}

/**
 * The deliveries that start now. Companies take turns and so do the destinations of one company, so that neither a flood nor a slow
 * receiver keeps others waiting. Candidates of one destination keep their order.
 */
export function chooseFairly<C extends Candidate>(candidates: readonly C[], running: readonly Candidate[]): C[] {
  const chosen: C[] = []
  const companies = countBy(running, one => one.company_id)
  const destinations = countBy(running, one => one.destination_id)
  const queues = [...Map.groupBy(candidates, one => one.destination_id).values()].map(queue => ({ queue, at: 0 }))
  while (running.length + chosen.length < most.all) {
    const open = queues.filter(({ queue, at }) => {
      const next = queue[at]
      if (!next) return false
      const limit = probePause(next.failures) === undefined ? most.destination : 1
      return destinations.of(next.destination_id) < limit && companies.of(next.company_id) < most.company
    })
    const [first] = open.toSorted(
      (a, b) =>
        companies.of(elementAt(a.queue, 0).company_id) - companies.of(elementAt(b.queue, 0).company_id) ||
        destinations.of(elementAt(a.queue, 0).destination_id) - destinations.of(elementAt(b.queue, 0).destination_id),
    )
    if (!first) break
    const next = elementAt(first.queue, first.at++)
    companies.add(next.company_id)
    destinations.add(next.destination_id)
    chosen.push(next)
  }
  return chosen
}

function countBy<T>(some: readonly T[], key: (one: T) => number) {
  const counts = new Map<number, number>()
  const of = (id: number) => counts.get(id) ?? 0
  const add = (id: number) => void counts.set(id, of(id) + 1)
  for (const one of some) add(key(one))
  return { of, add }
}
