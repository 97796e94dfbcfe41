/** Shifts: when they begin and end as instants, what of one is paid, and what is left of one beside a half day of leave. */
import { addDays, clockAt, instantAt } from '#domain/local-time.ts'
import type { AskedPart } from './schedule.codes.ts'

interface PlannedTimes {
  work_date: string
  /** `06:00`. */
  start_local: string
  end_local: string
}

/** The instants of a shift; one that ends at or before its beginning ends on the next day. */
export function spanOf({ work_date, start_local, end_local }: PlannedTimes, zone: string): { start: number; end: number } {
  const start = instantAt(work_date, start_local, zone)
  const end = instantAt(end_local > start_local ? work_date : addDays(work_date, 1), end_local, zone)
  return { start, end: Math.max(end, start + 60_000) }
}

/** A clock-in this long before a shift belongs to it. */
const earliestClockIn = 3_600_000

/**
 * The shift that a clock-in at `at` belongs to: the one that runs, or else the nearest that begins within an hour before or after.
 * Instants in milliseconds.
 */
export function shiftAt<S extends { start: number; end: number }>(at: number, shifts: readonly S[]): S | undefined {
  const runs = ({ start, end }: S) => start <= at && at <= end
  const distance = ({ start }: S) => Math.abs(start - at)
  return shifts
    .filter(shift => runs(shift) || distance(shift) <= earliestClockIn)
    .toSorted((one, other) => Number(runs(other)) - Number(runs(one)) || distance(one) - distance(other))[0]
}

/** Paid seconds: without the break. */
export const paidSeconds = ({ start, end, break_s }: { start: number; end: number; break_s: number }): number =>
  Math.max(0, Math.round((end - start) / 1000) - break_s)

/** Above so many seconds of work a break belongs to a half. */
const breakAbove = 6 * 3600

/**
 * What is worked of a shift when the other half is leave: half of the paid time, odd seconds included. The half has no break unless it
 * is longer than six hours.
 */
export function remainingHalf(
  shift: { start: number; end: number; break_s: number },
  away: Exclude<AskedPart, 'full'>,
  zone: string,
): { start: number; end: number; break_s: number; start_local: string; end_local: string } {
  const half = Math.ceil(paidSeconds(shift) / 2)
  const break_s = half > breakAbove ? shift.break_s : 0
  const length = (half + break_s) * 1000
  const start = away === 'morning' ? shift.end - length : shift.start
  const end = away === 'morning' ? shift.end : shift.start + length
  return { start, end, break_s, start_local: clockAt(start, zone), end_local: clockAt(end, zone) }
}

export interface PartOfShift {
  start: number
  end: number
  break_s: number
}

/** Leave begins with the minute. */
export const wholeMinute = (at: number): number => Math.floor(at / 60_000) * 60_000

/**
 * A shift whose person goes home at `at`: what was worked, and what is leave. The planned break belongs to the longer of the two, so that
 * both together are paid like the whole shift. Instants in milliseconds.
 */
export function cutShift(shift: PartOfShift, at: number): { worked: PartOfShift | null; rest: PartOfShift; share_c: number } {
  const cut = Math.min(Math.max(wholeMinute(at), shift.start), shift.end - 60_000)
  if (cut === shift.start) return { worked: null, rest: shift, share_c: 100 }
  const withWork = cut - shift.start >= shift.end - cut
  const worked = { start: shift.start, end: cut, break_s: withWork ? shift.break_s : 0 }
  const rest = { start: cut, end: shift.end, break_s: withWork ? 0 : shift.break_s }
  const share_c = Math.round((paidSeconds(rest) * 100) / Math.max(1, paidSeconds(shift)))
  return { worked, rest, share_c: Math.min(100, Math.max(1, share_c)) }
}
