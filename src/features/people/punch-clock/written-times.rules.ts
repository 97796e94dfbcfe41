/** Times that a person writes on the clock of a company: what instants they mean, also where the clock changes. */
import { addDays, instantAt, instantsAt } from '#domain/local-time.ts'

/** Which of the two instants is meant by a time that the clock shows twice: in autumn the first is summer time. */
export type Pass = '' | 'summer' | 'winter'

export interface WrittenTimes {
  /** `06:00`. */
  from: string
  from_pass: Pass
  until: string
  until_pass: Pass
}

const isClock = (text: string): boolean => /^\d\d:\d\d$/.test(text)

/** The day on which an entry ends: the next one where its end is not after its start. */
const endDay = (day: string, { from, until }: Pick<WrittenTimes, 'from' | 'until'>): string => (until > from ? day : addDays(day, 1))

/** True where the clock shows the time twice on its day, so that the person has to say which is meant. */
export function comesTwice(day: string, times: Pick<WrittenTimes, 'from' | 'until'>, zone: string): { from: boolean; until: boolean } {
  const twice = (at: string, clock: string) => isClock(clock) && instantsAt(at, clock, zone).length > 1
  return { from: twice(day, times.from), until: twice(endDay(day, times), times.until) }
}

/** The instant in milliseconds; null where it is no time, or one of two that was not chosen. A time that is left out is an hour later. */
function instantOf(day: string, clock: string, pass: Pass, zone: string): number | null {
  if (!isClock(clock)) return null
  const found = instantsAt(day, clock, zone)
  if (found.length < 2) return instantAt(day, clock, zone)
  return pass === '' ? null : (found[pass === 'summer' ? 0 : 1] ?? null)
}

/** The instants of an entry in milliseconds, each null while it is not known. */
export function writtenSpan(day: string, times: WrittenTimes, zone: string): { from: number | null; until: number | null } {
  return {
    from: instantOf(day, times.from, times.from_pass, zone),
    until: instantOf(endDay(day, times), times.until, times.until_pass, zone),
  }
}
