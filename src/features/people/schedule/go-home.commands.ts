/** Writes leave for the rest of a shift: its person clocked out before the end, because somebody is ill. */
import { conflict } from '#contract/errors.ts'
import { clockAt } from '#domain/local-time.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { cancelLeave, freeShifts, mustBeOpen, record, returnShifts } from './leave.commands.ts'
import { leaveReasons, settledLeave } from './schedule.codes.ts'
import { entryById, entryOfClient, type Rules, rulesOf } from './schedule.queries.ts'
import type { ScheduleEntry } from './schedule.schemas.ts'
import { planInLine } from './shifts.commands.ts'
import { cutShift, type PartOfShift, paidSeconds, wholeMinute } from './shifts.rules.ts'

interface GoingHome {
  user_id: number
  name: string
  why: 'sick' | 'child'
  /** When the person left. */
  at: string
  shift_id: number
  /** Of the clock-out: one leave for each. */
  client_id: string
}

/** Registers the leave, as any sickness: it needs no approval. Answers its paid seconds. */
export async function goHome(context: Context, { user_id, name, why, at, shift_id, client_id }: GoingHome): Promise<{ leave_s: number }> {
  const { db, now } = context
  await planInLine(context)
  const known = await entryOfClient(db, client_id)
  if (known) return { leave_s: secondsOf(known) }
  const rules = await rulesOf(context)
  const shift = await entryById(db, shift_id)
  const [start, end] = [Date.parse(shift.start_at ?? ''), Date.parse(shift.end_at ?? '')]
  if (shift.state === 'removed' || shift.user_id !== user_id || !(Date.parse(at) < end))
    throw conflict('shift_over', 'This shift has ended or was changed. Ask your lead.')
  const { rest, share_c } = cutShift({ start, end, break_s: shift.break_s }, Date.parse(at))
  await mustBeOpen(context, user_id, { from: shift.work_date, to: shift.work_date, part: 'rest' })
  const { id } = await db
    .insertInto('schedule_entries')
    .values({
      kind: 'leave',
      client_id,
      user_id,
      work_date: shift.work_date,
      date_to: shift.work_date,
      ...restValues({ rest, share_c }, rules),
      reason_id: why === 'sick' ? leaveReasons.sick_day : leaveReasons.childs_first_sick_day,
      part: 'rest',
      state: 'registered',
      changed_by: name,
      changed_at: now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entry = await entryById(db, id)
  await freeShifts(context, rules, entry)
  await record(context, 'leave.registered', entry)
  return { leave_s: paidSeconds(rest) }
}

const restValues = ({ rest, share_c }: { rest: PartOfShift; share_c: number }, { time_zone }: Rules) => ({
  start_local: clockAt(rest.start, time_zone),
  end_local: clockAt(rest.end, time_zone),
  start_at: new Date(rest.start).toISOString(),
  end_at: new Date(rest.end).toISOString(),
  break_s: rest.break_s,
  share_c,
})

const secondsOf = ({ start_at, end_at, break_s }: ScheduleEntry): number =>
  start_at && end_at ? paidSeconds({ start: Date.parse(start_at), end: Date.parse(end_at), break_s }) : 0

/** The clock-out was taken back: its leave goes with it. */
export async function stayAfterAll(context: Context, client_id: string): Promise<void> {
  const entry = await entryOfClient(context.db, client_id)
  if (!entry || !settledLeave.some(state => state === entry.state)) return
  await planInLine(context)
  await cancelLeave(context, await rulesOf(context), entry)
}

interface ClockOut {
  /** Of the tap that clocked out. */
  client_id: string
  shift_id: number
  /** When the person left, as it counts now. */
  at: number
  /** A clock-out less than this before the end of the shift is none that the leave is for. */
  early_ms: number
}

/**
 * The time of the clock-out was corrected: its leave begins then, and where the clock-out is no longer early it ends, unless a lead has
 * seen it. What was freed of the shift and is taken by someone stays theirs.
 */
export async function followClockOut(context: Context, { client_id, shift_id, at, early_ms }: ClockOut): Promise<void> {
  const { db, principal, now } = context
  const known = await entryOfClient(db, client_id)
  if (known?.part !== 'rest') return
  await planInLine(context)
  const rules = await rulesOf(context)
  const entry = await entryById(db, known.id)
  if (entry.state !== 'registered' && entry.state !== 'seen') return
  const end = Date.parse(entry.end_at ?? '')
  if (at > end - Math.max(early_ms, 60_000)) {
    if (entry.state === 'registered') await cancelLeave(context, rules, entry)
    return
  }
  if (wholeMinute(at) === Date.parse(entry.start_at ?? '')) return
  await returnShifts(context, entry)
  const shift = await entryById(db, shift_id)
  const isWhole = Date.parse(shift.end_at ?? '') >= end
  const whole = { start: Date.parse(shift.start_at ?? ''), end, break_s: isWhole ? shift.break_s : shift.break_s + entry.break_s }
  await db
    .updateTable('schedule_entries')
    .set(eb => ({
      ...restValues(cutShift(whole, at), rules),
      changed_by: principal.name,
      changed_at: now().toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', entry.id)
    .execute()
  const moved = await entryById(db, entry.id)
  await freeShifts(context, rules, moved)
  await record(context, 'leave.moved', moved)
}
