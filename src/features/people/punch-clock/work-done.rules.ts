/** The report of time and work: one row for each person and day. */

import { unfinishedStates } from './punch.codes.ts'
import { sumsOf } from './punch.rules.ts'
import type { Punch, WorkDay } from './punch-clock.schemas.ts'

interface DayOfWork {
  user_id: number
  day: string
  pieces: number
  orders: number
}

const least = (times: readonly (string | null)[]): string | null =>
  times.reduce((a, b) => (a === null ? b : b === null || a < b ? a : b), null)
const most = (times: readonly (string | null)[]): string | null =>
  times.reduce((a, b) => (a === null ? b : b === null || a > b ? a : b), null)

export function workDaysOf(punches: readonly Punch[], figures: readonly DayOfWork[], now: number): WorkDay[] {
  const days = new Map<string, Punch[]>()
  for (const punch of punches) {
    const key = `${punch.user_id} ${punch.work_date}`
    const known = days.get(key)
    if (known) known.push(punch)
    else days.set(key, [punch])
  }
  const work = new Map<string, { pieces: number; orders: number }>()
  for (const { user_id, day, pieces, orders } of figures) {
    const key = `${user_id} ${day}`
    const known = work.get(key) ?? { pieces: 0, orders: 0 }
    work.set(key, { pieces: known.pieces + pieces, orders: known.orders + orders })
  }
  return [...days].flatMap(([key, group]) => {
    const [first] = group
    if (!first) return []
    return [
      {
        user_id: first.user_id,
        user_name: first.user_name,
        work_date: first.work_date,
        started_at: least(group.map(punch => punch.started_at)),
        ended_at: most(group.map(punch => punch.ended_at)),
        ...sumsOf(group, now),
        unfinished: group.some(punch => unfinishedStates.some(state => state === punch.state)),
        ...(work.get(key) ?? { pieces: 0, orders: 0 }),
        source: [...new Set(group.map(punch => sourceOf(punch)))].join(', '),
      },
    ]
  })
}

/** Where the times come from, as the export for the authorities names it. */
const sourceOf = ({ source, state }: Punch): string => (state === 'corrected' ? `${source}, corrected` : source)
