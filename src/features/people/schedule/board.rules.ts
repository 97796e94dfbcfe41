/** The board of the schedule: rows and cells, and what moving, stretching and copying a shift makes of it. */
import { addDays } from '#domain/local-time.ts'
import type { BoardPerson, NewShift, ScheduleEntry, ScheduleWarning } from './schedule.schemas.ts'
import { paidSeconds, spanOf } from './shifts.rules.ts'
import { checkAverage, checkNightAverage, checkWorkingTime, type Span } from './working-time.rules.ts'

/** A row: a person, a station, or the open shifts. */
export interface BoardRow {
  key: string
  name: string
  user_id: number | null
  station: string | null
}

export const openRow = 'open'

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
const day_min = 1_440

/** A clock so many minutes later, `23:45` and 30 → `00:15`. */
function clockLater(clock: string, minutes: number): string {
  const at = (((minutesOf(clock) + minutes) % day_min) + day_min) % day_min
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
}

/** Minutes between two clocks, over midnight where the second is not later. */
export const minutesBetween = (start: string, end: string): number => ((minutesOf(end) - minutesOf(start) + day_min - 1) % day_min) + 1

/** Shortest and longest shift that dragging makes. */
const least = 15
const most = 16 * 60

/** A shift whose beginning or end moves by so many minutes. */
export function stretched(
  shift: { start_local: string; end_local: string },
  edge: 'start' | 'end',
  minutes: number,
): { start_local: string; end_local: string } {
  const length = minutesBetween(shift.start_local, shift.end_local)
  const next = Math.min(most, Math.max(least, edge === 'end' ? length + minutes : length - minutes))
  return edge === 'end'
    ? { start_local: shift.start_local, end_local: clockLater(shift.start_local, next) }
    : { start_local: clockLater(shift.end_local, -next), end_local: shift.end_local }
}

/** The times of a shift so many minutes later. */
export const movedBy = (
  shift: { start_local: string; end_local: string },
  minutes: number,
): { start_local: string; end_local: string } => ({
  start_local: clockLater(shift.start_local, minutes),
  end_local: clockLater(shift.end_local, minutes),
})

/** What a shift gets in another place: the person or the station of the row, and the day. */
export const placed = (
  row: BoardRow,
  by: 'people' | 'stations',
  day: string,
): { work_date: string; user_id?: number | null; station?: string | null } =>
  by === 'people' ? { work_date: day, user_id: row.user_id } : { work_date: day, station: row.station }

/** A shift as a new one, to copy it. */
export const copyOf = (entry: ScheduleEntry, change: Partial<NewShift>): NewShift => ({
  user_id: entry.user_id,
  work_date: entry.work_date,
  start_local: entry.start_local ?? '06:00',
  end_local: entry.end_local ?? '14:00',
  break_s: entry.break_s,
  station: entry.station,
  skill: entry.skill,
  ...change,
})

/** Order of a cell: what covers several days stands above the shift on each of them. */
const kindOrder: Readonly<Record<ScheduleEntry['kind'], number>> = { leave: 0, availability: 1, shift: 2 }

export const stationRow = (station: string | null): string => (station === null ? 's' : `s ${station}`)

/** The key of the row in which an entry stands; null where the board does not show it. */
function rowOf({ kind, user_id, station }: ScheduleEntry, by: 'people' | 'stations'): string | null {
  if (kind !== 'shift') return by === 'people' && user_id !== null ? String(user_id) : null
  if (user_id === null) return openRow
  return by === 'people' ? String(user_id) : stationRow(station)
}

export type EntriesByRow = ReadonlyMap<string, readonly ScheduleEntry[]>

export function entriesByRow(entries: readonly ScheduleEntry[], by: 'people' | 'stations'): EntriesByRow {
  const rows = new Map<string, ScheduleEntry[]>()
  for (const entry of entries) {
    const key = rowOf(entry, by)
    if (key === null) continue
    const known = rows.get(key)
    if (known) known.push(entry)
    else rows.set(key, [entry])
  }
  return rows
}

/** The rows with an entry as it would become: rows that it does not touch stay the same objects. */
export function withEntryMoved(rows: EntriesByRow, by: 'people' | 'stations', before: ScheduleEntry, after: ScheduleEntry): EntriesByRow {
  const moved = new Map(rows)
  const [from, to] = [rowOf(before, by), rowOf(after, by)]
  const others = (key: string) => (moved.get(key) ?? []).filter(entry => entry.id !== before.id)
  if (from !== null && from !== to) moved.set(from, others(from))
  if (to !== null)
    moved.set(to, from === to ? (moved.get(to) ?? []).map(entry => (entry.id === before.id ? after : entry)) : [...others(to), after])
  return moved
}

/** Entries of a cell among those of its row: leave and availability that cover the day, then shifts that begin on it. */
export function entriesOfCell(entries: readonly ScheduleEntry[], day: string): ScheduleEntry[] {
  return entries
    .filter(
      entry => entry.work_date <= day && (entry.kind === 'shift' ? entry.work_date === day : (entry.date_to ?? entry.work_date) >= day),
    )
    .sort((one, other) => kindOrder[one.kind] - kindOrder[other.kind])
}

/** An entry with a change that is not saved yet, with the instants that it gets. */
export function withChange(entry: ScheduleEntry, change: Partial<NewShift>, zone: string): ScheduleEntry {
  const shift = copyOf(entry, change)
  const { start, end } = spanOf(shift, zone)
  return { ...entry, ...shift, start_at: new Date(start).toISOString(), end_at: new Date(end).toISOString() }
}

const spanOfEntry = ({ id, start_at, end_at, break_s }: ScheduleEntry): Span[] =>
  start_at && end_at ? [{ id, start: Date.parse(start_at), end: Date.parse(end_at), break_s }] : []

/** Warnings of the shown plan of one person, with the work around it. */
export function warningsOnBoard(
  person: BoardPerson,
  entries: readonly ScheduleEntry[],
  range: { from: string; to: string; zone: string },
): ScheduleWarning[] {
  const minors = new Set(person.minor_days)
  const spans = entries.filter(entry => entry.kind === 'shift' && entry.user_id === person.user_id).flatMap(spanOfEntry)
  const ruled = {
    country: person.country,
    zone: range.zone,
    isMinor: (day: string) => minors.has(day),
    compulsory_school: person.compulsory_school,
    own_rules: person.own_rules,
  }
  return [
    ...checkWorkingTime(ruled, [...person.around, ...spans], range.from, range.to),
    ...checkAverage(ruled, spans, person.average, range.from, range.to),
    ...checkNightAverage(ruled, spans, person.average, range.from, range.to),
  ].map(warning => ({ ...warning, user_id: person.user_id, since: warning.since === null ? null : new Date(warning.since).toISOString() }))
}

/** Paid seconds of the shown shifts of a row. */
export const rowSeconds = (entries: readonly ScheduleEntry[]): number =>
  entries
    .filter(entry => entry.kind === 'shift')
    .flatMap(spanOfEntry)
    .reduce((sum, span) => sum + paidSeconds(span), 0)

/** The seven days of a week. */
export const weekDays = (monday: string): string[] => Array.from({ length: 7 }, (_, day) => addDays(monday, day))
