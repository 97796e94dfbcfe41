/** Rows of the work that was done: by day, or all days of a person together. */
import type { WorkView } from './punch.codes.ts'
import type { WorkDay } from './punch-clock.schemas.ts'

export interface WorkRow {
  user_id: number
  user_name: string
  /** Null: all days of the person. */
  work_date: string | null
  days: number
  /** At the main kind of time; meetings, cleaning and other time stand apart. */
  work_s: number
  meeting_s: number
  cleaning_s: number
  other_s: number
  break_s: number
  /** All of them but breaks. */
  worked_s: number
  orders: number
  lines: number
  pieces: number
  /** Days on which a time is missing, and on which someone worked without clocking in. */
  unfinished: number
  unclocked: number
  source: string
}

function rowOf(one: WorkDay): WorkRow {
  const { user_id, user_name, work_date, worked_s, meeting_s, cleaning_s, other_s, break_s, orders, lines, pieces, source } = one
  return {
    ...{ user_id, user_name, work_date, days: 1, worked_s, meeting_s, cleaning_s, other_s, break_s, orders, lines, pieces, source },
    work_s: worked_s - meeting_s - cleaning_s - other_s,
    unfinished: one.unfinished ? 1 : 0,
    unclocked: source === '' ? 1 : 0,
  }
}

const summed = [
  ...(['days', 'work_s', 'meeting_s', 'cleaning_s', 'other_s', 'break_s', 'worked_s'] as const),
  ...(['orders', 'lines', 'pieces', 'unfinished', 'unclocked'] as const),
]

/** Which rows a view shows: those with a missing time, or of work without a clock-in. */
export const inView: Readonly<Record<WorkView, (row: WorkRow) => boolean>> = {
  all: () => true,
  unfinished: row => row.unfinished > 0,
  unclocked: row => row.unclocked > 0,
}

export function groupedWork(days: readonly WorkDay[], by: 'person' | 'day'): WorkRow[] {
  const rows = days.map(rowOf)
  if (by === 'day') return rows
  const people = new Map<number, WorkRow>()
  for (const row of rows) {
    const known = people.get(row.user_id)
    if (!known) people.set(row.user_id, { ...row, work_date: null })
    else {
      for (const key of summed) known[key] += row[key]
      known.source = [...new Set([...known.source.split(', '), ...row.source.split(', ')])].filter(one => one !== '').join(', ')
    }
  }
  return [...people.values()]
}
