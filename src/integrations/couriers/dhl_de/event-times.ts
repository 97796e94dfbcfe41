/** Times of DHL's events: some have no zone and are German local time. */
import { clockAt, instantAt } from '#domain/local-time.ts'

const zone = 'Europe/Berlin'
const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?$/
const hour = 3_600_000

/**
 * The instants of times in the order of the events, oldest first; null where one cannot be read. A local time that comes twice in
 * autumn is the second where the first would lie before the event before it.
 */
export function instantsOf(times: readonly string[]): (number | null)[] {
  let before = Number.NEGATIVE_INFINITY
  return times.map(written => {
    const at = instantOf(written, before)
    if (at !== null) before = at
    return at
  })
}

function instantOf(written: string, before: number): number | null {
  const [, day, clock, seconds = '0'] = local.exec(written) ?? []
  if (day === undefined || clock === undefined) {
    const at = /(Z|[+-]\d{2}:?\d{2})$/.test(written) ? Date.parse(written) : Number.NaN
    return Number.isNaN(at) ? null : at
  }
  if (Number.isNaN(Date.parse(`${day}T${clock}Z`))) return null
  const first = instantAt(day, clock, zone) + Number(seconds) * 1_000
  const again = first + hour
  return first < before && again >= before && clockAt(again, zone) === clock ? again : first
}
