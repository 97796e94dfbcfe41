/** Words of the schedule: leave, states, and what a rule of working time misses. */

import { day as dayWord, time } from '#ui/kit/format.ts'
import type { Tone } from '#ui/kit/StateBadge.tsx'
import type { useT } from '#ui/kit/translate.ts'
import { hours as hoursOf } from './hours.client.ts'
import type { EntryState, LeavePart, OwnableRule, WorkingTimeRule } from './schedule.codes.ts'
import type { BatchResult, ScheduleWarning } from './schedule.schemas.ts'

type Translate = ReturnType<typeof useT>
type T = (sentence: string, values?: Record<string, string | number>) => string

/** One sentence of all shifts that were not planned: one each would hide whatever is said next. */
export function leftOut(t: Translate, skipped: BatchResult['skipped']): string | null {
  const [first] = skipped
  if (!first) return null
  const reason = t(first.key, first.values)
  return skipped.length === 1 ? reason : t('{{count}} shifts were left out. The first: {{reason}}', { count: skipped.length, reason })
}

export const leaveWords: Readonly<Record<number, string>> = {
  1: 'Sick day',
  2: 'Child’s first sick day',
  3: 'Holiday with pay',
  4: 'Holiday without pay',
}

export const partWords: Readonly<Record<LeavePart, string>> = {
  full: 'Whole day',
  morning: 'Morning',
  afternoon: 'Afternoon',
  rest: 'Went home',
}

type DayPart = 'morning' | 'afternoon' | 'night'

/** The part of the day in which a shift begins: mornings from 04:00, afternoons from 12:00, nights from 20:00. */
export const dayPart = (start: string): DayPart =>
  start < '04:00' || start >= '20:00' ? 'night' : start < '12:00' ? 'morning' : 'afternoon'

/** The first letter stands in overviews. */
export const dayPartWords: Readonly<Record<DayPart, string>> = { morning: 'M (morning)', afternoon: 'A (afternoon)', night: 'N (night)' }

export const leaveStates: Readonly<Partial<Record<EntryState, { word: string; tone: Tone }>>> = {
  requested: { word: 'Requested', tone: 'soon' },
  approved: { word: 'Approved', tone: 'done' },
  rejected: { word: 'Rejected', tone: 'stop' },
  withdrawn: { word: 'Withdrawn', tone: 'quiet' },
  cancel_requested: { word: 'Cancellation requested', tone: 'soon' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
  registered: { word: 'Reported', tone: 'soon' },
  seen: { word: 'Seen', tone: 'done' },
}

const sentences: Readonly<Record<WorkingTimeRule, string>> = {
  rest: 'Rest {{have}} – needs {{need}}',
  night_rest: 'Rest with the hours from 00 to 05: {{have}} – needs {{need}}',
  weekly_rest: 'Longest rest in seven days {{have}} – needs {{need}}',
  average: '{{have}} a week on average – at most {{need}}',
  night_average: 'Night work: {{have}} in 24 hours on average – at most {{need}}',
  break: 'Break {{have}} – a break is needed',
  long_day: '{{have}} on one day – at most {{need}}',
  sunday: 'Work on a Sunday',
  young_day: 'Under 18: {{have}} on one day – at most {{need}}',
  young_week: 'Under 18: {{have}} in this week – at most {{need}}',
  young_rest: 'Under 18: rest {{have}} – needs {{need}}',
  young_weekly_rest: 'Under 18: longest rest in seven days {{have}} – needs {{need}}',
  young_night: 'Under 18: {{have}} at night',
  young_span: 'Under 18: {{have}} from start to end – at most {{need}}',
  young_weekend: 'Under 18: work on a Saturday or Sunday',
  young_break: 'Under 18: break {{have}} – needs {{need}}',
}

/** Rules that a company may set itself. */
export const ownRuleWords: Readonly<Record<OwnableRule, string>> = {
  rest: 'Rest between shifts',
  weekly_rest: 'Longest rest in seven days',
  average: 'Hours a week on average',
  break: 'Break',
  long_day: 'Hours on one day',
  young_day: 'Under 18: hours on one day',
  young_week: 'Under 18: hours in a week',
  young_rest: 'Under 18: rest',
  young_weekly_rest: 'Under 18: weekly rest',
  young_break: 'Under 18: break',
}

/** `Rest 10 h – needs 11 h · since 22.00 · by law`. */
export function warningSentence(t: T, warning: ScheduleWarning): string {
  const asked = warning.rule === 'break' && warning.need_s > 0 ? 'Break {{have}} – needs {{need}}' : sentences[warning.rule]
  return [
    t(asked, { have: hoursOf(warning.have_s), need: hoursOf(warning.need_s) }),
    warning.since === null ? '' : t('since {{time}}', { time: time(warning.since) }),
    warning.own_since === null ? t('by law') : t('by the company’s rule of {{day}}', { day: dayWord(warning.own_since) }),
  ]
    .filter(part => part !== '')
    .join(' · ')
}

/** `Tue 24 Nov 2026`, or both days. */
export const daysWord = (from: string, to: string | null): string =>
  to === null || to === from ? dayWord(from) : `${dayWord(from)} – ${dayWord(to)}`
