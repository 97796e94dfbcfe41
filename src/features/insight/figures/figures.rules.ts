/** Spans of time behind figures: whole days of the warehouse's clock, today only as far as it has come. */
import { boundsOfDay } from '#domain/local-days.ts'
import { daysBetween } from '#features/insight/statistics/statistics.rules.ts'
import type { Comparison } from './figures.codes.ts'

/** Instants in ms since 1970; `to` is the first that does not belong. */
export interface Span {
  from: number
  to: number
}

/** The days from `from` to `to`, up to now. */
export function spanOf(from: string, to: string, time_zone: string, now: number): Span {
  const start = Date.parse(boundsOfDay(from, time_zone).from)
  return { from: start, to: Math.max(start, Math.min(now, Date.parse(boundsOfDay(to, time_zone).to))) }
}

/** The days that a period is compared with. */
export function comparedDays(from: string, to: string, comparison: Exclude<Comparison, 'none'>): { from: string; to: string } {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const back = comparison === 'last_year' ? 364 : first.until(last).days + 1
  return { from: first.subtract({ days: back }).toString(), to: last.subtract({ days: back }).toString() }
}

/** The span of the compared days. Where the last day of the period has not ended, its counterpart ends at the same time of day. */
export function comparedSpan(from: string, to: string, comparison: Exclude<Comparison, 'none'>, time_zone: string, now: number): Span {
  const before = comparedDays(from, to, comparison)
  const whole = spanOf(before.from, before.to, time_zone, now)
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(time_zone)
  const left = local.toPlainDate().until(Temporal.PlainDate.from(to)).days
  if (left < 0) return whole
  // The counterpart of now lies as many days before the end of the compared days.
  const counterpart = Temporal.PlainDate.from(before.to)
    .subtract({ days: left })
    .toZonedDateTime({ timeZone: time_zone, plainTime: local.toPlainTime() })
  return { from: whole.from, to: Math.max(whole.from, Math.min(whole.to, counterpart.epochMilliseconds)) }
}

/** The start of the hour on the warehouse's clock in which an instant lies. */
const startOfHour = (at: number, time_zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time_zone).round({ smallestUnit: 'hour', roundingMode: 'floor' })
    .epochMilliseconds

const quarter = 15 * 60_000

export const startOfQuarter = (at: number): number => at - (at % quarter)

/**
 * Which parts of a span are stored, and which have to be counted. Neighbours of a kind are one part.
 *
 * @param until the instant in ms up to which a day is stored; a day that is missing is not stored
 */
export function partsOf(span: Span, until: ReadonlyMap<string, number>, time_zone: string): { stored: Span[]; live: Span[] } {
  const parts: { stored: Span[]; live: Span[] } = { stored: [], live: [] }
  const add = (kind: 'stored' | 'live', from: number, to: number) => {
    if (to <= from) return
    const last = parts[kind].at(-1)
    if (last?.to === from) last.to = to
    else parts[kind].push({ from, to })
  }
  const dayOf = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(time_zone)
  if (span.to <= span.from) return parts
  for (const day of daysBetween(
    dayOf(span.from).toPlainDate().toString(),
    dayOf(span.to - 1)
      .toPlainDate()
      .toString(),
  )) {
    const bounds = boundsOfDay(day, time_zone)
    const from = Math.max(span.from, Date.parse(bounds.from))
    const to = Math.min(span.to, Date.parse(bounds.to))
    const last = until.get(day) ?? from
    // An ended day is stored by whole hours: a begun one is counted.
    const stored = last <= to ? last : to === Date.parse(bounds.to) ? to : startOfHour(to, time_zone)
    add('stored', from, stored)
    add('live', Math.max(from, stored), to)
  }
  return parts
}

/** Fewer than this many are not published. */
const leastPublished = 5
export const published = (n: number, behind = n): number | null => (behind < leastPublished ? null : n)
