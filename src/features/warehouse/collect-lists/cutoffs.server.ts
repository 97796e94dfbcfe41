/** When a courier comes, by the clock of the warehouse. */

/** The last time that has passed and the next one, as instants; null where there is none. */
export function cutOffs(
  { cut_off, days }: { cut_off: string | null; days: readonly number[] },
  now: Date,
  time_zone: string,
): { last: string | null; next: string | null } {
  if (cut_off === null || days.length === 0) return { last: null, next: null }
  const clock = Temporal.PlainTime.from(cut_off)
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time_zone).toPlainDate()
  let last: number | null = null
  // Two weeks around today hold every weekday on both sides.
  for (let offset = -7; offset <= 7; offset++) {
    const day = today.add({ days: offset })
    if (!days.includes(day.dayOfWeek)) continue
    const at = day.toZonedDateTime({ timeZone: time_zone, plainTime: clock }).epochMilliseconds
    if (at > now.getTime()) return { last: last === null ? null : new Date(last).toISOString(), next: new Date(at).toISOString() }
    last = at
  }
  return { last: last === null ? null : new Date(last).toISOString(), next: null }
}

/**
 * The instant that lies so many hours of working days before another: what happens on other days, by the clock of the warehouse, takes no
 * time. A warehouse without working days counts every hour.
 */
export function workingHoursBefore(
  now: Date,
  hours: number,
  { time_zone, working_days }: { time_zone: string; working_days: readonly number[] },
): Date {
  let left = hours * 3_600_000
  let cursor = now.getTime()
  while (left > 0) {
    // The day that ends at the cursor, where it stands at midnight.
    const day = Temporal.Instant.fromEpochMilliseconds(cursor - 1)
      .toZonedDateTimeISO(time_zone)
      .toPlainDate()
    const start = day.toZonedDateTime(time_zone).epochMilliseconds
    if (working_days.length > 0 && !working_days.includes(day.dayOfWeek)) {
      cursor = start
      continue
    }
    const some = Math.min(left, cursor - start)
    cursor -= some
    left -= some
  }
  return new Date(cursor)
}
