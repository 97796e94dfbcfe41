/** From plan and punches to the hours that are proposed for a day. Instants are milliseconds; durations come from instants only. */
import type { PunchState, PunchType } from '#features/people/punch-clock/punch.codes.ts'
import type { DayFlag } from './timesheet.codes.ts'

export interface Shift {
  start: number
  end: number
  break_s: number
}

export interface DayPunch {
  type: PunchType
  state: PunchState
  start: number | null
  end: number | null
}

export interface DayRules {
  tolerance_s: number
  rounding_min: number
  early: 'from_plan' | 'from_punch'
}

export interface Interval {
  from: number
  to: number
  type: PunchType
  paid: boolean
}

export interface Proposal {
  intervals: Interval[]
  paid_s: number
  break_s: number
  flags: DayFlag[]
  /** Seconds before the shift that are not paid, and of break that is missing. */
  early_s: number
  short_s: number
  /** Inside the tolerance: it needs no one's eyes. */
  auto: boolean
}

const second = 1_000
/** A clock-in so long before a shift still belongs to it. */
const nearShift = 60 * 60_000

const lengthOf = ({ from, to }: Pick<Interval, 'from' | 'to'>): number => Math.round((to - from) / second)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** To the nearest step of the clock; half a step goes up. */
export function rounded(at: number, minutes: number): number {
  if (minutes === 0) return at
  const step = minutes * 60_000
  return Math.floor((at + step / 2) / step) * step
}

/** Seconds as hundredths of an hour: whole seconds are added up first and rounded once. */
export const hundredths = (seconds: number): number => (seconds < 0 ? -hundredths(-seconds) : Math.floor((seconds * 100 + 1_800) / 3_600))

const flagOf: Partial<Record<PunchState, DayFlag>> = {
  open: 'open',
  missing_out: 'missing_out',
  time_unverified: 'unverified',
  correction_requested: 'correction',
}

interface Known extends DayPunch {
  start: number
  end: number
}
const isKnown = (punch: DayPunch): punch is Known => punch.start !== null && punch.end !== null

/** The shift that a punch lies in or near; null where there is none. */
function shiftOf(punch: Known, shifts: readonly Shift[]): Shift | null {
  let best: Shift | null = null
  let most = 0
  for (const shift of shifts) {
    const shared = Math.min(punch.end, shift.end + nearShift) - Math.max(punch.start, shift.start - nearShift)
    if (shared > most) [best, most] = [shift, shared]
  }
  return best
}

export function proposeDay(shifts: readonly Shift[], punches: readonly DayPunch[], rules: DayRules): Proposal {
  const counted = punches.filter(punch => punch.state !== 'deleted')
  const flags = new Set<DayFlag>()
  for (const { state } of counted) {
    const flag = flagOf[state]
    if (flag) flags.add(flag)
  }
  const known = counted
    .filter(isKnown)
    .filter(punch => punch.state !== 'correction_requested')
    .toSorted((a, b) => a.start - b.start)
  if (counted.length === 0 && shifts.length > 0) flags.add('no_punch')
  const groups = new Map<Shift | null, Known[]>()
  for (const punch of known) {
    const shift = shiftOf(punch, shifts)
    groups.set(shift, [...(groups.get(shift) ?? []), punch])
  }
  const parts = [...groups].map(([shift, group]) => (shift ? partOfShift(shift, group, rules) : freePart(group, rules)))
  for (const part of parts) for (const flag of part.flags) flags.add(flag)
  const intervals = parts.flatMap(part => part.intervals).toSorted((a, b) => a.from - b.from)
  return {
    intervals,
    paid_s: sum(intervals.filter(one => one.paid).map(lengthOf)),
    break_s: sum(parts.map(part => part.break_s)),
    flags: [...flags],
    early_s: sum(parts.map(part => part.early_s)),
    short_s: sum(parts.map(part => part.short_s)),
    auto: parts.length > 0 && [...flags].every(flag => flag === 'break_planned') && shifts.length === groups.size,
  }
}

type Part = Omit<Proposal, 'paid_s' | 'auto'>

/** The punches as they are, with the first begun and the last ended at these times. */
function clipped(group: readonly Known[], from: number, to: number): Interval[] {
  const last = group.length - 1
  return group.flatMap(({ type, start, end }, place) => {
    const interval = {
      from: place === 0 ? from : Math.max(start, from),
      to: place === last ? to : Math.min(end, to),
      type,
      paid: type !== 'break',
    }
    return interval.to > interval.from ? [interval] : []
  })
}

/** Seconds on break: those that were clocked as such, and those between a clock-out and the next clock-in. */
function breakOf(intervals: readonly Interval[]): number {
  const gaps = intervals.map((one, place) => Math.max(0, one.from - (intervals[place - 1]?.to ?? one.from)) / second)
  return Math.round(sum(gaps)) + sum(intervals.filter(one => !one.paid).map(lengthOf))
}

function freePart(group: readonly Known[], rules: DayRules): Part {
  const first = Math.min(...group.map(punch => punch.start))
  const last = Math.max(...group.map(punch => punch.end))
  const intervals = clipped(group, rounded(first, rules.rounding_min), rounded(last, rules.rounding_min))
  return { intervals, break_s: breakOf(intervals), flags: ['no_shift'], early_s: 0, short_s: 0 }
}

function partOfShift(shift: Shift, group: readonly Known[], rules: DayRules): Part {
  const { tolerance_s, rounding_min, early } = rules
  const first = Math.min(...group.map(punch => punch.start))
  const last = Math.max(...group.map(punch => punch.end))
  const inside = (at: number, planned: number) => Math.abs(at - planned) <= tolerance_s * second
  const isEarly = !inside(first, shift.start) && first < shift.start && early === 'from_plan'
  const from = inside(first, shift.start) || isEarly ? shift.start : rounded(first, rounding_min)
  const to = inside(last, shift.end) ? shift.end : rounded(last, rounding_min)
  const flags = new Set<DayFlag>()
  if (!inside(first, shift.start) || !inside(last, shift.end)) flags.add('differs')
  const early_s = isEarly ? Math.round((shift.start - first) / second) : 0
  if (isEarly) flags.add('early_unpaid')

  let intervals = clipped(group, from, to)
  let break_s = breakOf(intervals)
  let short_s = 0
  if (break_s === 0 && shift.break_s > 0) {
    const withBreak = withoutBreak(intervals, shift.break_s)
    if (withBreak) {
      intervals = withBreak
      break_s = shift.break_s
      flags.add('break_planned')
    }
  } else if (break_s < shift.break_s) {
    short_s = shift.break_s - break_s
    flags.add('break_short').add('differs')
  } else if (break_s > shift.break_s) flags.add('differs')
  return { intervals, break_s, flags: [...flags], early_s, short_s }
}

/** Takes a break off in the middle of the longest paid interval; null where none is long enough. */
function withoutBreak(intervals: readonly Interval[], break_s: number): Interval[] | null {
  const longest = intervals.reduce<Interval | null>(
    (best, one) => (one.paid && (best === null || lengthOf(one) > lengthOf(best)) ? one : best),
    null,
  )
  if (!longest || lengthOf(longest) <= break_s) return null
  const start = longest.from + Math.floor((longest.to - longest.from - break_s * second) / 2 / second) * second
  const end = start + break_s * second
  return intervals.flatMap(one =>
    one === longest
      ? [
          { ...one, to: start },
          { from: start, to: end, type: 'break' as const, paid: false },
          { ...one, from: end },
        ]
      : [one],
  )
}
