/**
 * Pages of a list that changes while it is read. Each next page begins at the time of the last row before it, so that an order which moves to
 * the end meanwhile makes the others skip nothing. Page numbers count only inside one equal time. Rows at a border come twice.
 */
import type { PullRequest } from './shop-connector.ts'

export interface PagePlace {
  /** Inclusive, ISO 8601 in UTC. */
  from: string
  /** Among the rows from this time on; the first is 1. */
  page: number
}

const written = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|(\d{1,6})$/

export function placeOf({ from, page }: Pick<PullRequest, 'from' | 'page'>): PagePlace {
  const parts = written.exec(page ?? '')
  return parts ? { from: parts[1]!, page: Number(parts[2]) } : { from: new Date(from).toISOString(), page: 1 }
}

/** `last` is the time of the newest row of the page, null where no row says one. A page that is not full is the last one. */
export function placeAfter(place: PagePlace, last: string | null, full: boolean): string | null {
  if (!full) return null
  return last !== null && last > place.from ? `${last}|1` : `${place.from}|${place.page + 1}`
}

/** The newest of some times; null for none. */
export const newest = (times: readonly (string | null)[]): string | null =>
  times.reduce<string | null>((found, time) => (time !== null && (found === null || time > found) ? time : found), null)

/** An instant of an answer in the form that compares as text; null for anything else. */
export function instantOf(value: unknown): string | null {
  const read = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN
  return Number.isNaN(read) ? null : new Date(read).toISOString()
}
