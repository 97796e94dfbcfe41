/** Orders left of a pickup against time: what was measured, what would be even, and what is forecast. */

export interface TimedCount {
  /** Milliseconds since 1970. */
  at: number
  left: number
}

export interface BurnDown {
  /** What was left, up to now. */
  line: TimedCount[]
  /** The even way from where most was left to nothing at the pickup; empty where nothing was left. */
  needed: TimedCount[]
  /** What is forecast from now on; empty without a forecast. */
  forecast: TimedCount[]
}

/** So long before a pickup the line begins. */
export const shownBefore = 12 * 3_600_000

/** Points of a forecast that are shown; more are thinned evenly. */
const mostForecast = 48

export function burnDownOf(
  measured: readonly TimedCount[],
  { now, left, due, forecast }: { now: number; left: number; due: number; forecast: readonly TimedCount[] },
): BurnDown {
  const line = [...measured.filter(point => point.at < now), { at: now, left }]
  let highest: TimedCount = { at: now, left }
  for (const point of line) if (point.left > highest.left || (point.left === highest.left && point.at >= highest.at)) highest = point
  const ahead = forecast.filter(point => point.at > now && point.at <= due)
  const each = Math.max(1, Math.ceil(ahead.length / mostForecast))
  return {
    line,
    needed: highest.left === 0 || due <= highest.at ? [] : [highest, { at: due, left: 0 }],
    // Counted from the last one, which is at the pickup.
    forecast: ahead.length === 0 ? [] : [{ at: now, left }, ...ahead.filter((_, place) => (ahead.length - 1 - place) % each === 0)],
  }
}

interface BurnDownRow {
  at: number
  left?: number
  needed?: number
  forecast?: number
}

/** The lines as rows of one table, by time; `needed` stands in each row that it reaches. */
export function burnDownRows({ line, needed, forecast }: BurnDown): BurnDownRow[] {
  const rows = new Map<number, BurnDownRow>()
  const row = (at: number) => {
    const found = rows.get(at) ?? { at }
    rows.set(at, found)
    return found
  }
  for (const point of line) row(point.at).left = point.left
  for (const point of forecast) row(point.at).forecast = point.left
  const [first, last] = needed
  for (const point of needed) row(point.at)
  if (first && last)
    for (const one of rows.values())
      if (one.at >= first.at && one.at <= last.at) one.needed = first.left * (1 - (one.at - first.at) / (last.at - first.at))
  return [...rows.values()].toSorted((a, b) => a.at - b.at)
}

/** Whether there is a line to draw: something was left, and the pickup is of these hours. */
export function isDrawn(
  { due_at, burn_down }: { due_at: string | null; burn_down: { line: readonly TimedCount[] } | null },
  { server_time }: { server_time: string },
): boolean {
  if (due_at === null || burn_down === null) return false
  return Date.parse(due_at) - Date.parse(server_time) <= shownBefore && burn_down.line.some(point => point.left > 0)
}
