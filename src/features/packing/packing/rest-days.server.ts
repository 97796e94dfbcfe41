/** The days that a packer can name for the rest of an order. */
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'

/** Calendar days from today; each becomes the working day that it is, or the next one. */
const ahead = [1, 7, 14]

/** Working days as YYYY-MM-DD, without repeats. */
export function restDays(now: Date, { time_zone, working_days }: Pick<CompanySettings, 'time_zone' | 'working_days'>): string[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time_zone).toPlainDate()
  const days = ahead.map(count => {
    let day = today.add({ days: count })
    while (working_days.length > 0 && !working_days.includes(day.dayOfWeek)) day = day.add({ days: 1 })
    return day.toString()
  })
  return [...new Set(days)]
}
