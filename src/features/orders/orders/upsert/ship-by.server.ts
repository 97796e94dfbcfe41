/** When an order has to leave: counted from the company's clock, its cut-off and its working days. */

export interface Clockwork {
  /** IANA name. */
  time_zone: string
  /** `16:00`. */
  cut_off: string
  /** ISO days of the week: 1 is Monday. */
  working_days: readonly number[]
}

/** An order older than this came with a move from another system: what was once promised is past, so its time counts from now. */
const oldest = 14 * 86_400_000

/**
 * The next cut-off of a working day at or after the instant; never before the day that the customer asked for.
 * A company without working days promises nothing: null.
 */
export function shipBy(
  clockwork: Clockwork,
  { ordered_at, now, not_before }: { ordered_at: string; now: Date; not_before?: string | null },
): string | null {
  if (clockwork.working_days.length === 0) return null
  const given = Date.parse(ordered_at)
  const from = now.getTime() - given > oldest || given > now.getTime() ? now.getTime() : given
  const zone = clockwork.time_zone
  const cutOff = Temporal.PlainTime.from(clockwork.cut_off)
  let day = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate()
  if (not_before) {
    const wished = Temporal.PlainDate.from(not_before)
    if (Temporal.PlainDate.compare(wished, day) > 0) day = wished
  }
  for (;;) {
    const leaves = day.toZonedDateTime({ timeZone: zone, plainTime: cutOff }).epochMilliseconds
    if (leaves >= from && clockwork.working_days.includes(day.dayOfWeek)) return new Date(leaves).toISOString()
    day = day.add({ days: 1 })
  }
}

/** The same for many orders of one company: between two cut-offs the answer does not change, so it is worked out once. */
export function shipByOf(clockwork: Clockwork): (order: { ordered_at: string; now: Date; not_before?: string | null }) => string | null {
  let from = 0
  let until = -1
  let answer: string | null = null
  return order => {
    if (order.not_before) return shipBy(clockwork, order)
    const given = Date.parse(order.ordered_at)
    const now = order.now.getTime()
    // As `shipBy` counts: of many old orders of a file, all from now.
    const at = now - given > oldest || given > now ? now : given
    if (at < from || at > until) {
      answer = shipBy(clockwork, order)
      from = at
      until = answer === null ? Number.POSITIVE_INFINITY : Date.parse(answer)
    }
    return answer
  }
}
