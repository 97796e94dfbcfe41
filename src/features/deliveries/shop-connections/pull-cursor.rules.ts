/** How far the orders of a shop are read, by the clock of the shop: ours may differ by any amount. */
import * as z from 'zod'

/** Seconds that are read again: a shop may commit a change later than the time that it writes on it. */
const overlapSeconds = 120
/** Seconds by which the clock of a shop may be ahead of ours. */
const mostAheadSeconds = 86_400
/** Pairs of an order and its change that are remembered of the overlap. */
const mostSeen = 3_000

export const PullCursor = z.object({
  /** The newest change that was read. */
  watermark: z.string(),
  /** Of a reading that goes on: where it stands. */
  from: z.string().nullable().default(null),
  page: z.string().nullable().default(null),
  /** `id@time` of what the overlap holds. */
  seen: z.array(z.string()).default([]),
})
export type PullCursor = z.infer<typeof PullCursor>

interface Row {
  external_id: string
  changed_at: string
}

const pairOf = ({ external_id, changed_at }: Row): string => `${external_id}@${changed_at}`
const overlapOf = (watermark: string): string => new Date(Date.parse(watermark) - overlapSeconds * 1_000).toISOString()

/** A reading begins behind the watermark; one that was interrupted goes on where it stood. */
export const requestOf = ({ watermark, from, page }: PullCursor): { from: string; page: string | null } =>
  from === null ? { from: overlapOf(watermark), page: null } : { from, page }

/** What of a page is new. */
export function unseen<R extends Row>({ seen }: PullCursor, rows: readonly R[]): R[] {
  const known = new Set(seen)
  return rows.filter(row => !known.has(pairOf(row)))
}

/**
 * The cursor after a page. The next one begins at the last time of this one, so that orders that change meanwhile push none out of a page;
 * only among orders of one single time it goes on by the shop's own mark. A time far ahead is a mistake in the shop: it does not move the
 * watermark, which would pass over everything that changes until then.
 */
export function cursorAfter(cursor: PullCursor, rows: readonly Row[], next: string | null, now: Date): PullCursor {
  const { from } = requestOf(cursor)
  const last =
    rows
      .map(row => row.changed_at)
      .toSorted()
      .at(-1) ?? ''
  const latest = new Date(now.getTime() + mostAheadSeconds * 1_000).toISOString()
  const [known = latest] = [cursor.watermark, latest].toSorted()
  const watermark = [known, ...rows.map(row => row.changed_at).filter(at => at <= latest)].toSorted().at(-1) ?? known
  const edge = overlapOf(watermark)
  const seen = [...new Set([...cursor.seen, ...rows.map(pairOf)])].filter(pair => pair.slice(pair.lastIndexOf('@') + 1) >= edge)
  const kept = seen.slice(-mostSeen)
  if (next === null) return { watermark, from: null, page: null, seen: kept }
  return last > from ? { watermark, from: last, page: null, seen: kept } : { watermark, from, page: next, seen: kept }
}
