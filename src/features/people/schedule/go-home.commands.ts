/** Writes leave for the rest of a shift: its person clocked out before the end, because somebody is ill. */
import { conflict } from '#contract/errors.ts'
import { clockAt } from '#domain/local-time.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { cancelLeave, freeShifts, mustBeOpen, record } from './leave.commands.ts'
import { leaveReasons, settledLeave } from './schedule.codes.ts'
import { entryById, entryOfClient, rulesOf } from './schedule.queries.ts'
import type { ScheduleEntry } from './schedule.schemas.ts'
import { planInLine } from './shifts.commands.ts'
import { cutShift, paidSeconds } from './shifts.rules.ts'

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
      start_local: clockAt(rest.start, rules.time_zone),
      end_local: clockAt(rest.end, rules.time_zone),
      start_at: new Date(rest.start).toISOString(),
      end_at: new Date(rest.end).toISOString(),
      break_s: rest.break_s,
      share_c,
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

const secondsOf = ({ start_at, end_at, break_s }: ScheduleEntry): number =>
  start_at && end_at ? paidSeconds({ start: Date.parse(start_at), end: Date.parse(end_at), break_s }) : 0

/** The clock-out was taken back: its leave goes with it. */
export async function stayAfterAll(context: Context, client_id: string): Promise<void> {
  const entry = await entryOfClient(context.db, client_id)
  if (!entry || !settledLeave.some(state => state === entry.state)) return
  await planInLine(context)
  await cancelLeave(context, await rulesOf(context), entry)
}
