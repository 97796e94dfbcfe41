/** Until when a person keeps photos and videos of packing beyond their days. */
import { unprocessable } from '#contract/errors.ts'

export const mostHoldDays = 365

const dayOf = (now: Date, later = 0): string => new Date(now.getTime() + later * 86_400_000).toISOString().slice(0, 10)

export function checkHoldDay(until: string, now: Date): void {
  if (until < dayOf(now) || until > dayOf(now, mostHoldDays))
    throw unprocessable(
      'hold_too_long',
      'Choose a day from today to a year from now',
      {},
      { fields: { until: 'Choose a day from today to a year from now' } },
    )
}

/** Whether a person keeps it today. */
export const isHeld = (held_until: string | null, now: Date): boolean => held_until !== null && held_until >= dayOf(now)
