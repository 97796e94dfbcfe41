/** Rules of punches: how long they last, which tap repeats another, when a kept tap happened, and which changes make sense. */
import {
  aheadTolerance,
  clockTolerance,
  doubleTap,
  forgottenAfterHours,
  longestEntryHours,
  longestGapHours,
  type PunchState,
  type PunchType,
} from './punch.codes.ts'

const hour = 3_600_000

/** What counts of a punch; instants are ISO texts. */
export interface PunchTimes {
  type: PunchType
  state: PunchState
  started_at: string | null
  ended_at: string | null
}

/** True where no end is known yet. */
export const isOpen = ({ state, ended_at }: Pick<PunchTimes, 'state' | 'ended_at'>): boolean =>
  ended_at === null && (state === 'open' || state === 'time_unverified')

/** Seconds of one punch until its end, or until `now` while it is open; 0 where a time is not known: nothing is guessed. */
export function secondsOf(punch: PunchTimes, now: number): number {
  if (punch.state === 'deleted' || punch.started_at === null) return 0
  const end = punch.ended_at === null ? (punch.state === 'open' ? now : null) : Date.parse(punch.ended_at)
  return end === null ? 0 : Math.max(0, Math.round((end - Date.parse(punch.started_at)) / 1_000))
}

/** Seconds worked and on break. */
export function sumsOf(punches: readonly PunchTimes[], now: number): { worked_s: number; break_s: number } {
  const sums = { worked_s: 0, break_s: 0 }
  for (const punch of punches) sums[punch.type === 'break' ? 'break_s' : 'worked_s'] += secondsOf(punch, now)
  return sums
}

/** True where the earlier tap was the same one, a moment ago. */
export const repeats = (earlier: string | null, at: number): boolean => earlier !== null && Math.abs(at - Date.parse(earlier)) < doubleTap

/** True for a clock-in that is so old that its clock-out was forgotten. */
export const isForgotten = (began: string | null, at: number): boolean =>
  began !== null && at - Date.parse(began) >= forgottenAfterHours * hour

/** True for a clock-out so long before the end of the shift that it is asked about; 0 minutes ask about none. Milliseconds. */
export const isEarlyOut = (at: number, shift_end: number | null, minutes: number): boolean =>
  minutes > 0 && shift_end !== null && shift_end - at >= minutes * 60_000

/** A tap that a device kept: the last time that the server said, and what the device measured since. Milliseconds. */
export interface KeptTap {
  /** What the server said, signed. */
  mark_at: number
  /** False where the signature is wrong or belongs to another device. */
  signed: boolean
  /** True where the page is still the one that got the mark: the monotonic clock has run on. */
  same_boot: boolean
  elapsed_ms: number
  /** The same by the device's own clock, to find out that it slept. */
  device_elapsed_ms: number
  received_at: number
  /** The tap of this device before it. */
  previous_at: number | null
}

export type TapTime =
  | { kind: 'exact'; at: number }
  /** It happened between the two. */
  | { kind: 'between'; from: number; to: number }
  | { kind: 'rejected'; why: 'too_old' | 'unsealed'; estimate: number | null }

/** When a kept tap happened. The device's own clock decides nothing: where the measure is in doubt, a person does. */
export function timeOfTap(tap: KeptTap): TapTime {
  if (!tap.signed) return { kind: 'rejected', why: 'unsealed', estimate: null }
  const at = tap.mark_at + tap.elapsed_ms
  if (tap.received_at - tap.mark_at > longestGapHours * hour)
    return { kind: 'rejected', why: 'too_old', estimate: tap.same_boot ? at : null }
  const measured = tap.same_boot && tap.elapsed_ms >= 0 && Math.abs(tap.elapsed_ms - tap.device_elapsed_ms) <= clockTolerance
  if (measured && at > tap.received_at + aheadTolerance) return { kind: 'rejected', why: 'unsealed', estimate: at }
  if (!measured || (tap.previous_at !== null && at < tap.previous_at))
    return { kind: 'between', from: Math.max(tap.mark_at, tap.previous_at ?? 0), to: tap.received_at }
  return { kind: 'exact', at: Math.min(at, tap.received_at) }
}

export type TimesProblem = 'punch_order' | 'punch_future' | 'punch_too_long'

/** What is wrong with written times; null where they make sense. */
export function problemOf({ started_at, ended_at }: { started_at: string; ended_at: string }, now: number): TimesProblem | null {
  const [start, end] = [Date.parse(started_at), Date.parse(ended_at)]
  if (end <= start) return 'punch_order'
  if (end > now) return 'punch_future'
  return end - start > longestEntryHours * hour ? 'punch_too_long' : null
}

/** The first name, which is all that a kiosk and a board show. */
export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? ''
