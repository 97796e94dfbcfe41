/** Days on a company's clock. */

/** The instants between which a local day (2026-11-21) lies: `from` belongs to it, `to` to the next. */
export function boundsOfDay(day: string, time_zone: string): { from: string; to: string } {
  const date = Temporal.PlainDate.from(day)
  const start = (of: Temporal.PlainDate) => new Date(of.toZonedDateTime(time_zone).epochMilliseconds).toISOString()
  return { from: start(date), to: start(date.add({ days: 1 })) }
}
