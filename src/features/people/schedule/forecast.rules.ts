/** The forecast of orders for planning, from what the last weeks brought. */
import { addDays } from '#domain/local-time.ts'

/** Hours that one person works on a day. */
const personDay_h = 7.5
const weeks = 8
/** With fewer such days there is no forecast. */
const least = 3

/** Orders of a day, and the people that they need at what an hour of planned work packed. */
export function forecastOf(
  day: string,
  counted: ReadonlyMap<string, { received: number; packed: number }>,
  holidays: ReadonlySet<string>,
  planned_s: number,
): { orders: number | null; people: number | null } {
  const received: number[] = []
  const known = [...counted.keys()].sort()
  const first = known[0]
  // The latest such weekday that has been, and the seven before it.
  let past = addDays(day, -7)
  while (known.length > 0 && past > (known.at(-1) ?? '')) past = addDays(past, -7)
  for (let week = 0; week < weeks; week++, past = addDays(past, -7)) {
    if (first === undefined || past < first) break
    if (!holidays.has(past)) received.push(counted.get(past)?.received ?? 0)
  }
  if (received.length < least) return { orders: null, people: null }
  const orders = Math.round(received.reduce((sum, one) => sum + one, 0) / received.length)
  const packed = [...counted.values()].reduce((sum, one) => sum + one.packed, 0)
  const hourly = planned_s > 0 ? packed / (planned_s / 3600) : 0
  return { orders, people: hourly > 0 ? Math.ceil(orders / (hourly * personDay_h)) : null }
}
