/** Words of deadlines. */
import { localeTag } from '#ui/kit/translate.ts'
import { type DeadlineTarget, weekdays } from './deadlines.codes.ts'

export const targetLabels: Record<DeadlineTarget, string> = { packed: 'Packed', handed_over: 'Handed over to the courier' }

/** The 5th of January 2026 is a Monday. */
const weekdayName = (day: number): string =>
  new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day))

/** `Mon–Fri, Sun`. */
export function weekdayWords(days: readonly number[]): string {
  const parts: string[] = []
  for (let first = 1; first <= 7; first++) {
    if (!days.includes(first)) continue
    let last = first
    while (days.includes(last + 1)) last++
    parts.push(
      last === first
        ? weekdayName(first)
        : last === first + 1
          ? `${weekdayName(first)}, ${weekdayName(last)}`
          : `${weekdayName(first)}–${weekdayName(last)}`,
    )
    first = last
  }
  return parts.join(', ')
}

export const weekdayOptions = () => weekdays.map(day => ({ value: String(day), label: weekdayName(day) }))
