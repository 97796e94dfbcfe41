/** Local time on a company's clock and instants, on both sides. Durations are only ever taken between instants. */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      hourCycle: 'h23',
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  return format
}

/** The wall time of an instant in milliseconds, `2026-11-20T14:05:00`. */
function wallTime(at: number, zone: string): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(part => [part.type, part.value]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}

/** The offsets in milliseconds before and after any change of the clock that may be near a local time, the earlier first. */
function offsetsNear(asUtc: number, zone: string): { before: number; right: number[] } {
  const offsetAt = (at: number) => Date.parse(`${wallTime(at, zone)}Z`) - at
  const before = offsetAt(asUtc - 86_400_000)
  const after = offsetAt(asUtc + 86_400_000)
  return { before, right: [...new Set([before, after])].filter(offset => offsetAt(asUtc - offset) === offset) }
}

const clockAsUtc = (day: string, clock: string): number => Date.parse(`${day}T${clock}:00Z`)

/**
 * The instants that a clock shows as this local time, in milliseconds, the earlier first: two for a time that comes twice in autumn,
 * none for one that is left out in spring.
 */
export function instantsAt(day: string, clock: string, zone: string): number[] {
  const asUtc = clockAsUtc(day, clock)
  return offsetsNear(asUtc, zone).right.map(offset => asUtc - offset)
}

/**
 * The instant of a wall time, in milliseconds. A time that the clock leaves out in spring is one hour later; of one that comes twice
 * in autumn the first is meant.
 */
export function instantAt(day: string, clock: string, zone: string): number {
  const asUtc = clockAsUtc(day, clock)
  const { before, right } = offsetsNear(asUtc, zone)
  return asUtc - (right[0] ?? before)
}

/** The local day of an instant. */
export const dayAt = (at: number, zone: string): string => wallTime(at, zone).slice(0, 10)

/** The wall time of an instant, `14:05`. */
export const clockAt = (at: number, zone: string): string => wallTime(at, zone).slice(11, 16)

/** A calendar day so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** From 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

export const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day))

/** Every day from the first to the last. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}
