/** How long the customer of an order may send it back. */

/** Days that a parcel is taken to travel where no one saw it arrive. */
const travelDays = 5

/** The day of an instant on the shop's clock. */
const dayAt = (at: string, time_zone: string): Temporal.PlainDate => Temporal.Instant.from(at).toZonedDateTimeISO(time_zone).toPlainDate()

/** The day on which the last parcel arrived, or is taken to have; null while nothing was sent. */
export function arrivalDay(
  { delivered_at, handed_over_at }: { delivered_at: string | null; handed_over_at: string | null },
  time_zone: string,
): string | null {
  if (delivered_at !== null) return dayAt(delivered_at, time_zone).toString()
  return handed_over_at === null ? null : dayAt(handed_over_at, time_zone).add({ days: travelDays }).toString()
}

export interface ReturnWindow {
  /** The last day, which belongs to it. */
  last_day: string
  /** The instant at which it is over. */
  ends_at: string
}

const windowTo = (last: Temporal.PlainDate, time_zone: string): ReturnWindow => ({
  last_day: last.toString(),
  ends_at: last.add({ days: 1 }).toZonedDateTime(time_zone).toInstant().toString({ smallestUnit: 'second' }),
})

/** The shop's own window: so many days after the day of the last delivery. */
export const shopWindow = (arrived_on: string, days: number, time_zone: string): ReturnWindow =>
  windowTo(Temporal.PlainDate.from(arrived_on).add({ days }), time_zone)

/** Days of the withdrawal that the law gives at least (Directive 2011/83/EU, Article 9). */
const legalWithdrawalDays = 14

/**
 * The period of withdrawal. One that ends on a Saturday, a Sunday or a public holiday of the shop's country ends with the next
 * working day (Regulation 1182/71, Article 3).
 */
export function withdrawalWindow(arrived_on: string, days: number, time_zone: string, holidays: ReadonlySet<string>): ReturnWindow {
  let last = Temporal.PlainDate.from(arrived_on).add({ days: Math.max(days, legalWithdrawalDays) })
  while (last.dayOfWeek > 5 || holidays.has(last.toString())) last = last.add({ days: 1 })
  return windowTo(last, time_zone)
}

/** The day by which the money of a withdrawal is due: 14 days after its notice. */
export const refundDueAt = (noticed_at: string, time_zone: string): string =>
  windowTo(dayAt(noticed_at, time_zone).add({ days: legalWithdrawalDays }), time_zone).ends_at
