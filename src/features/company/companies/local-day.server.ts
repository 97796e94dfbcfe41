/** The calendar day in a company's time zone. */

/** The local day as YYYY-MM-DD. */
export const localDay = (at: Date, time_zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(time_zone).toPlainDate().toString()
