/** A range of calendar days in few words. */
import { localeTag } from './translate.ts'

/** `2026-11-23` and `2026-11-29` → `23.–29. Nov. 2026`; the same day twice is that day. */
export const dayRange = (from: string, to: string): string =>
  new Intl.DateTimeFormat(localeTag(), { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).formatRange(
    new Date(`${from}T00:00:00Z`),
    new Date(`${to}T00:00:00Z`),
  )
