/**
 * Leave accounts by the Danish holiday act (ferieloven, LBK 152 of 2024): 2.08 days are earned in each month from September to August
 * and taken until the end of the following December. Days are thousandths, so that nothing is rounded twice.
 */
import { addDays, daysBetween, weekdayOf } from '#domain/local-time.ts'

const month_milli = 2_080
const day_milli = 70
const year_milli = 25_000

/** The first day of the holiday year in which a day lies. */
export const holidayYearOf = (day: string): string => {
  const year = Number(day.slice(0, 4))
  return `${day.slice(5, 7) >= '09' ? year : year - 1}-09-01`
}
const yearsLater = (day: string, years: number): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`
/** The last day on which days of a holiday year are taken. */
export const takenUntil = (year_start: string): string => `${Number(year_start.slice(0, 4)) + 1}-12-31`

const monthStart = (day: string): string => `${day.slice(0, 7)}-01`
const nextMonth = (day: string): string => monthStart(addDays(`${day.slice(0, 7)}-28`, 5))

interface Employed {
  /** Without it nothing is earned. */
  employed_from: string | null
  employed_to: string | null
}

/** Thousandths of a day that one month earns: `unpaid` holds days without pay, which earn nothing. */
export function earnedInMonth({ employed_from, employed_to }: Employed, month: string, unpaid: ReadonlySet<string>): number {
  if (employed_from === null) return 0
  const first = monthStart(month)
  const days = daysBetween(first, addDays(nextMonth(first), -1))
  const earning = days.filter(day => day >= employed_from && (employed_to === null || day <= employed_to) && !unpaid.has(day)).length
  return earning === days.length ? month_milli : Math.min(month_milli, earning * day_milli)
}

/** What was earned of a holiday year until the end of the month before `day`; a whole year gives 25 days. */
export function earnedUntil(person: Employed, year_start: string, day: string, unpaid: ReadonlySet<string>): number {
  const end = yearsLater(year_start, 1)
  const months: number[] = []
  for (let month = year_start; month < end && nextMonth(month) <= monthStart(day); month = nextMonth(month))
    months.push(earnedInMonth(person, month, unpaid))
  const sum = months.reduce((one, other) => one + other, 0)
  return months.length === 12 && months.every(one => one === month_milli) ? year_milli : sum
}

/** Working days of somebody who works so many days a week: the first ones from Monday. */
const works = (days_per_week: number, day: string): boolean => weekdayOf(day) <= days_per_week

/** Thousandths of a day that a leave costs: public holidays and days off cost nothing, and a week always costs five days. */
export function leaveCost(
  leave: { from: string; to: string; half: boolean },
  days_per_week: number,
  publicHolidays: ReadonlySet<string>,
): number {
  const days = daysBetween(leave.from, leave.to).filter(day => works(days_per_week, day) && !publicHolidays.has(day)).length
  return Math.round((days * (leave.half ? 0.5 : 1) * 5_000) / days_per_week)
}

interface YearBalance {
  year_start: string
  left: number
}

/** Which years a leave is taken from: the oldest that still can be taken first; what no year holds is owed by the running one. */
export function spend(cost: number, day: string, years: readonly YearBalance[]): { year_start: string; days_milli: number }[] {
  const running = holidayYearOf(day)
  const parts: { year_start: string; days_milli: number }[] = []
  let due = cost
  for (const { year_start, left } of years.toSorted((one, other) => (one.year_start < other.year_start ? -1 : 1))) {
    if (due === 0 || year_start > running || takenUntil(year_start) < day) continue
    const taken = year_start === running ? due : Math.min(due, Math.max(0, left))
    if (taken > 0) parts.push({ year_start, days_milli: taken })
    due -= taken
  }
  if (due > 0) parts.push({ year_start: running, days_milli: due })
  return parts
}
