/** Definitions of the figures: sums over people and days, rates, and the parts of a wagon's time. */
import type { WagonTime } from './statistics.schemas.ts'

/** A gap of five minutes is a break; one of four hours is the end of a shift. */
export const breakGap_s = 300
export const shiftGap_s = 14_400
/** Maximum days of one query. */
export const mostDays = 400

export interface Work {
  pieces: number
  lines: number
  orders: number
  scans: number
  wrong: number
  active_s: number
  break_s: number
}

/** The sum of every number of `rows`; text comes from the first row. */
export function summed<R extends object>(rows: readonly R[]): R | undefined {
  const [first, ...rest] = rows
  if (!first) return undefined
  const sum = { ...first } as Record<string, unknown>
  for (const row of rest)
    for (const [name, value] of Object.entries(row))
      if (typeof value === 'number' && name !== 'user_id') sum[name] = (sum[name] as number) + value
  return sum as R
}

/** What a person sees: `people` the figures of each person, `everyone` only their sums, `orders` sums without the staff's time and mistakes. */
export type View = 'people' | 'everyone' | 'orders'

/** Figures of the staff, which a shop does not see. */
const staffFigures = ['scans', 'wrong', 'active_s', 'break_s', 'pack_s', 'skips', 'walk_dm']

/** Days of persons as they are shown: with names, or one row for each day without a person. */
export function rowsForView<R extends { user_id: number; user_name: string; day: string }>(rows: readonly R[], view: View): R[] {
  if (view === 'people') return [...rows]
  return groupedBy(rows, row => row.day).flatMap(group => {
    const sum = summed(group)
    if (!sum) return []
    const shown = { ...sum, user_id: 0, user_name: '' }
    const hidden = view === 'orders' ? staffFigures.filter(name => name in shown) : []
    return [{ ...shown, ...Object.fromEntries(hidden.map(name => [name, 0])) }]
  })
}

export function groupedBy<R>(rows: readonly R[], key: (row: R) => string | number): R[][] {
  const groups = new Map<string | number, R[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return [...groups.values()]
}

/** Pieces per hour of active time; null where the active time is too short. */
export const perHour = (n: number, active_s: number): number | null => (active_s >= 60 ? (n * 3_600) / active_s : null)
/** The share of correct scans; null without scans. */
export const accuracy = ({ scans, wrong }: Pick<Work, 'scans' | 'wrong'>): number | null => (scans > 0 ? 1 - wrong / scans : null)
export const ratio = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

/** The period of the same length just before, as days. */
export function periodBefore(from: string, to: string): { from: string; to: string } {
  const day = 86_400_000
  const first = Date.parse(from)
  const days = Math.round((Date.parse(to) - first) / day) + 1
  const iso = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { from: iso(first - days * day), to: iso(first - day) }
}

/** Every day from the first to the last. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to) && days.length <= mostDays; at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

export interface WagonEvent {
  at: string
  kind: string
  bin: string | null
}

/**
 * A wagon's time from its first event to its last. The time to the first scan at another bin is walking, scans at one bin are
 * picking, a gap of `gap_s` is a break, and the time between pause and resume is a pause.
 */
export function segmentsOf(events: readonly WagonEvent[], gap_s: number): Pick<WagonTime, 'segments' | 'totals'> {
  const segments: WagonTime['segments'] = []
  const totals = { walking: 0, picking: 0, break: 0, paused: 0 }
  let paused = false
  let here: string | null = null
  for (const [place, event] of events.entries()) {
    const before = events[place - 1]
    const seconds = before ? (Date.parse(event.at) - Date.parse(before.at)) / 1_000 : 0
    if (before?.kind === 'pause') paused = true
    if (before && seconds > 0) {
      const moved: boolean = event.bin !== null && event.bin !== here
      const kind = paused ? 'paused' : seconds >= gap_s ? 'break' : moved ? 'walking' : 'picking'
      totals[kind] += seconds
      const last = segments.at(-1)
      const bin = kind === 'walking' || kind === 'picking' ? (event.bin ?? here) : null
      if (last && last.kind === kind && last.bin === bin) last.to = event.at
      else segments.push({ kind, from: before.at, to: event.at, bin })
    }
    if (event.kind === 'resume' || event.kind === 'claim') paused = false
    if (event.bin !== null) here = event.bin
  }
  for (const kind of ['walking', 'picking', 'break', 'paused'] as const) totals[kind] = Math.round(totals[kind])
  return { segments, totals }
}
