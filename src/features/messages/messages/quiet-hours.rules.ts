/** Quiet hours: text messages wait until it is day wherever the recipient can be. */

export interface QuietHours {
  /** `21:00`. Equal times: there are none. */
  quiet_from: string
  quiet_to: string
}

/** Time zones of a country; the company's where the country names none. */
export function zonesOf(country: string | null, fallback: string): readonly string[] {
  if (country === null || !/^[A-Z]{2}$/.test(country)) return [fallback]
  const zones = new Intl.Locale(`und-${country}`).getTimeZones?.()
  return zones && zones.length > 0 ? zones : [fallback]
}

const isQuiet = (time: string, { quiet_from, quiet_to }: QuietHours): boolean =>
  quiet_from < quiet_to ? time >= quiet_from && time < quiet_to : time >= quiet_from || time < quiet_to

/** The first moment from `now` on at which it is quiet in none of the zones. */
export function firstLoudMoment(now: Date, hours: QuietHours, zones: readonly string[]): Date {
  if (hours.quiet_from === hours.quiet_to) return now
  const wake = Temporal.PlainTime.from(hours.quiet_to)
  let at = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  // Zones further west wake later: a few steps reach the last one. Where hours and zones leave no moment, the last one decides.
  for (let step = 0; step < 8; step++) {
    const before = at
    for (const zone of zones) {
      const local = at.toZonedDateTimeISO(zone)
      if (!isQuiet(local.toPlainTime().toString({ smallestUnit: 'minute' }), hours)) continue
      const today = local.toPlainDate().toZonedDateTime({ timeZone: zone, plainTime: wake })
      const next = Temporal.ZonedDateTime.compare(today, local) > 0 ? today : today.add({ days: 1 })
      at = next.toInstant()
    }
    if (at.equals(before)) break
  }
  return new Date(at.epochMilliseconds)
}
