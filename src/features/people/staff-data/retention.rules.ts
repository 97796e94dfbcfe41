/** How long data of staff are kept. */

/**
 * Hours are kept for five years after the four months over which working time is averaged (section 9 a of the Danish working-time act,
 * LBK 896 of 2004 as changed by act 59 of 2024); of any day that is five years and four months.
 */
const hourYears = 5
const averageMonths = 4
/** Pay is bookkeeping: five years after the end of its financial year (section 12 of the Danish bookkeeping act). */
const payYears = 5
const availabilityDays = 90
const rejectDays = 90

const monthsEarlier = (day: string, months: number): string => Temporal.PlainDate.from(day).subtract({ months }).toString()
const daysEarlier = (day: string, days: number): string => Temporal.PlainDate.from(day).subtract({ days }).toString()

/** The first days that are still kept on a day. */
export function keptFrom(today: string) {
  return {
    hours: monthsEarlier(today, hourYears * 12 + averageMonths),
    pay: `${Number(today.slice(0, 4)) - payYears}-01-01`,
    leavers: monthsEarlier(today, hourYears * 12),
    availability: daysEarlier(today, availabilityDays),
    rejects: daysEarlier(today, rejectDays),
    offers: monthsEarlier(today, 12),
  }
}

/** Until when what is kept of somebody erased on a day may still be there. */
export function keptUntil(today: string): { what: 'hours' | 'pay' | 'agreements'; until: string }[] {
  const later = Temporal.PlainDate.from(today)
  return [
    { what: 'hours', until: later.add({ months: hourYears * 12 + averageMonths }).toString() },
    { what: 'pay', until: `${later.year + payYears}-12-31` },
    { what: 'agreements', until: later.add({ years: 5 }).toString() },
  ]
}
