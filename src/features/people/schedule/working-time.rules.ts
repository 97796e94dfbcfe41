/** What the law and the rules of the company say of a plan: rest, days off, averages, breaks and the protection of minors, each with the sum behind it. */
import { addDays, clockAt, dayAt, instantAt, mondayOf, weekdayOf } from '#domain/local-time.ts'
import type { WorkingTimeCountry } from '../employees/employees.codes.ts'
import { isOfMinors, type OwnRule, rulesHere } from './own-rules.rules.ts'
import type { WorkingTimeRule } from './schedule.codes.ts'
import { paidSeconds } from './shifts.rules.ts'
import type { CountryRules, YoungRules } from './working-time.codes.ts'

const hour = 3_600_000

/** Work of one person, in instants of milliseconds. */
export interface Span {
  id: number
  start: number
  end: number
  break_s: number
}

interface RuledPerson {
  country: WorkingTimeCountry
  zone: string
  /** Whether the person is a minor on this local day. */
  isMinor: (day: string) => boolean
  compulsory_school: boolean
  /** Of the company, for the law of this country. */
  own_rules: readonly OwnRule[]
}

interface Warning {
  rule: WorkingTimeRule
  /** The shift that breaks it. */
  entry_id: number
  day: string
  /** What there is and what there has to be, in seconds. */
  have_s: number
  need_s: number
  /** For rest: the instant since which it counts. */
  since: number | null
  /** The day from which the company's own rule holds; null: the law. */
  own_since: string | null
  /** Minors are protected: their shifts cannot be published. */
  refused: boolean
}

/** The longest time without work between two instants, and since when. `spans` are in order. */
function longestRest(spans: readonly Span[], from: number, to: number): { length: number; since: number } {
  let longest = { length: 0, since: from }
  let free = from
  for (const { start, end } of spans) {
    if (end <= from || start >= to) continue
    if (start - free > longest.length) longest = { length: start - free, since: free }
    free = Math.max(free, end)
  }
  if (to - free > longest.length) longest = { length: to - free, since: free }
  return longest
}

/** The rest that holds the last of these hours before an end, and since when; none where work touches them. `spans` are in order. */
function restOver(
  spans: readonly Span[],
  hours: { from: string; to: string },
  end: number,
  zone: string,
): { length: number; since: number } {
  const day = dayAt(end - 1, zone)
  const [from, to] = [instantAt(day, hours.from, zone), instantAt(day, hours.to, zone)]
  if (spans.some(span => span.start < to && span.end > from)) return { length: 0, since: from }
  const since = Math.max(to - 24 * hour, ...spans.filter(span => span.end <= from).map(span => span.end))
  return { length: Math.min(...spans.filter(span => span.start >= to).map(span => span.start)) - since, since }
}

const dueBreak = (rules: { breaks: CountryRules['breaks'] }, length: number) =>
  rules.breaks.find(one => length > one.over_h * hour || (one.from && length === one.over_h * hour))

/** Milliseconds of a span between two hours of the clock, which may lie on both sides of midnight. */
function nightOf(span: Span, { night_from, night_to }: Pick<YoungRules, 'night_from' | 'night_to'>, zone: string): number {
  const clock = (hours: number) => `${String(hours).padStart(2, '0')}:00`
  let sum = 0
  for (let day = addDays(dayAt(span.start, zone), -1); day <= dayAt(span.end, zone); day = addDays(day, 1)) {
    const from = instantAt(day, clock(night_from), zone)
    const to = instantAt(addDays(day, 1), clock(night_to), zone)
    sum += Math.max(0, Math.min(to, span.end) - Math.max(from, span.start))
  }
  return sum
}

/**
 * Warnings of the shifts of one person that lie between two local days. `all` are the shifts of at least eight days before and after in
 * any order, so that rest is counted beyond the days that are shown.
 */
export function checkWorkingTime(person: RuledPerson, all: readonly Span[], from: string, to: string): Warning[] {
  const { zone, isMinor } = person
  const spans = all.toSorted((one, other) => one.start - other.start)
  const warnings: Warning[] = []
  for (const span of spans) {
    const day = dayAt(span.start, zone)
    if (day < from || day > to) continue
    const rules = rulesHere(person.country, day, person.own_rules)
    if (!rules) continue
    const minor = isMinor(day)
    const strict = minor ? ((person.compulsory_school ? rules.school : null) ?? rules.young) : null
    const warn = (rule: WorkingTimeRule, have: number, need: number, since: number | null = null) =>
      warnings.push({
        rule,
        entry_id: span.id,
        day,
        have_s: Math.round(have / 1000),
        need_s: Math.round(need / 1000),
        since,
        own_since: rules.ownSince(rule),
        refused: isOfMinors(rule),
      })

    const rest_h = strict?.rest_h ?? rules.rest_h
    const rest = longestRest(spans, span.end - 24 * hour, span.end)
    if (rest.length < rest_h * hour) warn(strict ? 'young_rest' : 'rest', rest.length, rest_h * hour, rest.since)
    else if (!strict && rules.rest_includes) {
      const night = restOver(spans, rules.rest_includes, span.end, zone)
      if (night.length < rest_h * hour) warn('night_rest', night.length, rest_h * hour, night.length > 0 ? night.since : null)
    }

    const weekly_h = strict?.weekly_rest_h ?? rules.weekly_rest_h
    const weekly = longestRest(spans, span.end - 7 * 24 * hour, span.end)
    if (weekly.length < weekly_h * hour) warn(strict ? 'young_weekly_rest' : 'weekly_rest', weekly.length, weekly_h * hour, weekly.since)

    const length = span.end - span.start
    const due = dueBreak(strict ?? rules, length)
    if (due && span.break_s < (due.minutes === null ? 1 : due.minutes * 60))
      warn(strict ? 'young_break' : 'break', span.break_s * 1000, (due.minutes ?? 0) * 60_000)

    const sameDay = spans.filter(one => dayAt(one.start, zone) === day)
    const worked = sum(sameDay) * 1000
    if (strict) {
      // A day without school is as long as for other minors.
      const day_h = person.compulsory_school && weekdayOf(day) > 5 ? rules.young.day_h : strict.day_h
      if (worked > day_h * hour) warn('young_day', worked, day_h * hour)
      const monday = mondayOf(day)
      const week = sum(spans.filter(one => mondayOf(dayAt(one.start, zone)) === monday)) * 1000
      if (week > strict.week_h * hour) warn('young_week', week, strict.week_h * hour)
      const night = nightOf(span, strict, zone)
      if (night > 0) warn('young_night', night, 0)
      const whole = Math.max(...sameDay.map(one => one.end)) - Math.min(...sameDay.map(one => one.start))
      if (strict.span_h !== null && whole > strict.span_h * hour) warn('young_span', whole, strict.span_h * hour)
      if (strict.weekend_free && (weekdayOf(day) > 5 || touchesSaturday(span, zone))) warn('young_weekend', length, 0)
    } else {
      if (rules.day_h !== null && worked > rules.day_h * hour) warn('long_day', worked, rules.day_h * hour)
      if (rules.sunday_free && touchesSunday(span, zone)) warn('sunday', length, 0)
    }
  }
  return warnings
}

const sum = (spans: readonly Span[]): number => spans.reduce((seconds, span) => seconds + paidSeconds(span), 0)

function touchesSunday({ start, end }: Span, zone: string): boolean {
  const [first, last] = [dayAt(start, zone), dayAt(end - 1, zone)]
  return weekdayOf(first) === 7 || (last > first && weekdayOf(last) === 7 && clockAt(end, zone) !== '00:00')
}

const touchesSaturday = ({ end }: Span, zone: string): boolean => weekdayOf(dayAt(end - 1, zone)) === 6

/** Of the period over which the average is counted, in seconds and days. */
export interface AverageSums {
  worked_s: number
  days: number
  neutral_days: number
  /** By agreement with the person the average is not judged. */
  opted_out: boolean
  /** Null where the law knows no night workers. */
  night: NightSums | null
}

/** Of the period over which the average of night workers is counted. */
export interface NightSums {
  worked_s: number
  days: number
  neutral_days: number
  /** Days with a plan, and those of them with the night hours of a night worker. */
  planned_days: number
  night_days: number
  /** Seconds at night in twelve months. */
  year_s: number
}

/**
 * Seconds a week on average. Days of paid holiday and sickness are neutral: they leave the divisor, so that an absence hides no long
 * weeks.
 */
export const weeklyAverage = ({ worked_s, days, neutral_days }: Pick<AverageSums, 'worked_s' | 'days' | 'neutral_days'>): number =>
  days > neutral_days ? (worked_s * 7) / (days - neutral_days) : 0

/** The warning of the average at the end of some days, at the last shift in them. `sums` hold the work before them. */
export function checkAverage(
  { country, zone, own_rules }: Pick<RuledPerson, 'country' | 'zone' | 'own_rules'>,
  all: readonly Span[],
  sums: AverageSums,
  from: string,
  to: string,
): Warning[] {
  const spans = all.filter(span => from <= dayAt(span.start, zone) && dayAt(span.start, zone) <= to)
  const rules = rulesHere(country, to, own_rules)
  const last = spans.toSorted((one, other) => one.start - other.start).at(-1)
  if (!rules || !last || sums.opted_out) return []
  const average = weeklyAverage({ ...sums, worked_s: sums.worked_s + sum(spans) })
  if (average <= rules.average_h * 3600) return []
  return [
    {
      rule: 'average',
      entry_id: last.id,
      day: dayAt(last.start, zone),
      have_s: Math.round(average),
      need_s: rules.average_h * 3600,
      since: null,
      own_since: rules.ownSince('average'),
      refused: false,
    },
  ]
}

/** The warning of the average of a night worker, at the last shift of some days. `sums` hold the work and the nights before them. */
export function checkNightAverage(
  { country, zone, isMinor, own_rules }: Omit<RuledPerson, 'compulsory_school'>,
  all: readonly Span[],
  { night: sums }: Pick<AverageSums, 'night'>,
  from: string,
  to: string,
): Warning[] {
  const night = rulesHere(country, to, own_rules)?.night
  const byDay = Map.groupBy(
    all.filter(span => from <= dayAt(span.start, zone) && dayAt(span.start, zone) <= to),
    span => dayAt(span.start, zone),
  )
  const spans = [...byDay.values()].flat()
  const last = spans.toSorted((one, other) => one.start - other.start).at(-1)
  if (!night || !sums || !last || isMinor(to)) return []
  const nights = [...byDay.values()].map(day => day.reduce((seconds, span) => seconds + nightOf(span, night, zone) / 1000, 0))
  const night_days = sums.night_days + nights.filter(seconds => seconds >= night.least_s).length
  const year_s = sums.year_s + nights.reduce((seconds, one) => seconds + one, 0)
  const normally = night_days > 0 && night_days * 2 >= sums.planned_days + byDay.size
  if (!normally && (night.year_h === null || year_s < night.year_h * 3600)) return []
  const periods = ((sums.days - sums.neutral_days) * (168 - night.rest_h)) / 168
  const average = periods > 0 ? (sums.worked_s + sum(spans)) / periods : 0
  if (average <= night.day_h * 3600) return []
  return [
    {
      rule: 'night_average',
      entry_id: last.id,
      day: dayAt(last.start, zone),
      have_s: Math.round(average),
      need_s: night.day_h * 3600,
      since: null,
      own_since: null,
      refused: false,
    },
  ]
}

/** The first day of the period that counts for the average on a day, which it includes. */
export function averageFrom({ average }: Pick<CountryRules, 'average'>, day: string): string {
  if ('weeks' in average) return addDays(day, 1 - average.weeks * 7)
  const date = new Date(`${addDays(day, 1)}T00:00:00Z`)
  const length = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - average.months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(length, last))
  return date.toISOString().slice(0, 10)
}
