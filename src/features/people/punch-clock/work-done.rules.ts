/** The report of time and work: one row for each person and day. */

import { type PunchType, unfinishedStates } from './punch.codes.ts'
import { sumsOf } from './punch.rules.ts'
import type { Punch, WorkDay } from './punch-clock.schemas.ts'

interface DayOfWork {
  user_id: number
  day: string
  pieces: number
  lines: number
  orders: number
}

const least = (times: readonly (string | null)[]): string | null =>
  times.reduce((a, b) => (a === null ? b : b === null || a < b ? a : b), null)
const most = (times: readonly (string | null)[]): string | null =>
  times.reduce((a, b) => (a === null ? b : b === null || a > b ? a : b), null)

type Work = Pick<DayOfWork, 'pieces' | 'lines' | 'orders'>
const noWork: Work = { pieces: 0, lines: 0, orders: 0 }

/** Seconds of each kind of time. */
function secondsByType(punches: readonly Punch[], now: number) {
  const of = (type: PunchType) =>
    sumsOf(
      punches.filter(punch => punch.type === type),
      now,
    ).worked_s
  return { meeting_s: of('meeting'), cleaning_s: of('cleaning'), other_s: of('other') }
}

/** By name and day. Who worked without clocking in has a row too; `names` are those of the company's staff. */
export function workDaysOf(
  punches: readonly Punch[],
  figures: readonly DayOfWork[],
  names: ReadonlyMap<number, string>,
  now: number,
): WorkDay[] {
  const days = new Map<string, { user_id: number; work_date: string; punches: Punch[] }>()
  const dayOf = (user_id: number, work_date: string) => {
    const key = `${user_id} ${work_date}`
    const known = days.get(key) ?? { user_id, work_date, punches: [] }
    days.set(key, known)
    return known
  }
  for (const punch of punches) dayOf(punch.user_id, punch.work_date).punches.push(punch)
  const work = new Map<string, Work>()
  for (const { user_id, day, pieces, lines, orders } of figures) {
    if (!names.has(user_id) || pieces + lines + orders === 0) continue
    dayOf(user_id, day)
    const key = `${user_id} ${day}`
    const known = work.get(key) ?? noWork
    work.set(key, { pieces: known.pieces + pieces, lines: known.lines + lines, orders: known.orders + orders })
  }
  return [...days]
    .map(([key, { user_id, work_date, punches: group }]) => ({
      user_id,
      user_name: group[0]?.user_name ?? names.get(user_id) ?? '',
      work_date,
      started_at: least(group.map(punch => punch.started_at)),
      ended_at: most(group.map(punch => punch.ended_at)),
      ...sumsOf(group, now),
      ...secondsByType(group, now),
      unfinished: group.some(punch => unfinishedStates.some(state => state === punch.state)),
      ...(work.get(key) ?? noWork),
      source: [...new Set(group.map(punch => sourceOf(punch)))].join(', '),
    }))
    .toSorted((a, b) => a.work_date.localeCompare(b.work_date) || a.user_name.localeCompare(b.user_name) || a.user_id - b.user_id)
}

/** Where the times come from, as the export for the authorities names it. */
const sourceOf = ({ source, state }: Punch): string => (state === 'corrected' ? `${source}, corrected` : source)
