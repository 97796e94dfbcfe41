/** Stages of the alarm of a pickup, and who is mailed of which. */
import type { Alarm } from './deadline-board.codes.ts'

const minute = 60_000

/** So long after a missed pickup its board stays red. */
export const missedFor = 30 * minute

/** The stage by the time that is left; null while there is more than an hour, and after the pickup. */
export function stageAt(left: number): Exclude<Alarm, 'missed'> | null {
  if (left <= 0) return null
  return left <= 15 * minute ? 'urgent' : left <= 30 * minute ? 'soon' : left <= 60 * minute ? 'watch' : null
}

type Step = 'rise' | 'end' | 'keep'

/**
 * What two looks in a row at the forecast do to the alarm: both with late orders raise it, both without end it, and one of each changes
 * nothing, so that a forecast that swings does not sound again and again. A look is null without a forecast.
 */
export function alarmStep(before: number | null | undefined, now: number | null): Step {
  const [earlier, later] = [before ?? 0, now ?? 0]
  if (earlier > 0 && later > 0) return 'rise'
  return earlier === 0 && later === 0 ? 'end' : 'keep'
}

/** Clock times as `22:00`; a span may run over midnight. */
export function isQuiet(clock: string, from: string | null, until: string | null): boolean {
  if (from === null || until === null || from === until) return false
  return from < until ? clock >= from && clock < until : clock >= from || clock < until
}

/** Whether recipients are mailed at once; what was missed is gathered until the day ends. */
export function isMailed(stage: Alarm, quiet: boolean): boolean {
  return stage === 'urgent' || (stage === 'soon' && !quiet)
}

/** The hour of the warehouse's clock from which the missed pickups of a day are mailed. */
export const digestHour = 20
