/** Writes leave: asked for, decided about, cancelled; what approved leave does to shifts and to the account. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isAllowed } from '#contract/access.ts'
import { conflict, forbidden, unprocessable } from '#contract/errors.ts'
import { addDays, clockAt, dayAt } from '#domain/local-time.ts'
import { isOneOf } from '#domain/objects.ts'
import { peopleWith } from '#features/company/users/credentials.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { costOf, leaveAccount, personOf } from './leave.queries.ts'
import { spend } from './leave-account.rules.ts'
import { isSickness, leaveReasons, settledLeave } from './schedule.codes.ts'
import { blockReason, entryById, leaveBetween, type Rules } from './schedule.queries.ts'
import type { EntryChange, NewEntry, ScheduleEntry } from './schedule.schemas.ts'
import { keepChange, nameOf, planInLine, rowOf, showToStaff } from './shifts.commands.ts'
import { cutShift, remainingHalf } from './shifts.rules.ts'

const isPlanner = ({ principal }: Context): boolean => isAllowed(principal.permissions, ['schedule_admin'])

type LeaveEvent =
  | 'leave.requested'
  | 'leave.registered'
  | 'leave.moved'
  | 'leave.approved'
  | 'leave.rejected'
  | 'leave.withdrawn'
  | 'leave.cancel_requested'
  | 'leave.cancelled'
  | 'leave.seen'

/** Events name neither the kind of leave nor the words: both are health data. */
export async function record(
  { recordEvent, notify }: Context,
  kind: LeaveEvent,
  entry: { id: number; user_id: number | null },
): Promise<void> {
  await recordEvent({ kind, subject: 'user', subject_id: entry.user_id ?? 0, data: { entry_id: entry.id } })
  notify('schedule')
}

/** Two leaves of one day are two halves of it, of which each is taken once. */
export async function mustBeOpen(
  { db }: Context,
  user_id: number,
  leave: { from: string; to: string; part: string },
  except = 0,
): Promise<void> {
  for (const other of await leaveBetween(db, { from: leave.from, to: leave.to, user_id })) {
    // Who went home is away for what was left of the day: no half of it can be taken after that.
    const isOther = other.part !== 'full' && other.part !== 'rest' && leave.part !== 'full' && other.part !== leave.part
    if (other.id === except || isOther) continue
    const day = [other.work_date, leave.from].sort().at(-1) ?? leave.from
    throw conflict(
      'leave_taken',
      'There is leave on {{day}} already.',
      { day },
      { fields: { work_date: 'There is leave on this day already' } },
    )
  }
}

function checkDates({ work_date, date_to, part }: { work_date: string; date_to: string; part: string }): void {
  if (date_to < work_date)
    throw unprocessable(
      'leave_dates',
      'The last day lies before the first',
      {},
      { fields: { date_to: 'The last day lies before the first' } },
    )
  if (part !== 'full' && date_to !== work_date)
    throw unprocessable('leave_half', 'Half a day of leave is on one day', {}, { fields: { date_to: 'Half a day of leave is on one day' } })
  if (Date.parse(date_to) - Date.parse(work_date) > 366 * 86_400_000)
    throw unprocessable('range_too_long', 'Choose at most {{days}} days.', { days: 366 }, { fields: { date_to: 'Choose fewer days' } })
}

/** Asks for a holiday, or tells of sickness, which needs no approval. */
export async function createLeave(context: Context, rules: Rules, user_id: number, asked: NewEntry): Promise<number> {
  const { db, principal, now } = context
  await planInLine(context)
  await personOf(db, rules, user_id)
  const { reason_id, part, work_date, date_to = work_date, ill_since, note, client_id } = asked
  if (reason_id === undefined)
    throw unprocessable('leave_reason', 'Choose a kind of leave', {}, { fields: { reason_id: 'Choose a kind of leave' } })
  checkDates({ work_date, date_to, part })
  const sick = isSickness(reason_id)
  if (reason_id === leaveReasons.childs_first_sick_day) {
    const since = (await calledHomeOn(context, user_id, addDays(work_date, -1))) ?? ill_since
    const latest = rules.settings.child_day_next && since ? addDays(since, 1) : (since ?? work_date)
    if (date_to !== work_date || work_date > latest)
      throw conflict('not_first_day', 'The first sick day was {{day}}. Choose another kind of leave.', { day: since ?? work_date })
  }
  if (!sick && part !== 'full' && !rules.settings.half_holidays)
    throw unprocessable('half_not_offered', 'Holiday is taken by whole days here', {}, { fields: { part: 'Choose the whole day' } })
  if (!sick && work_date < rules.today && !isPlanner(context))
    throw unprocessable('leave_past', 'Holiday is asked for before it begins', {}, { fields: { work_date: 'Choose a day from today on' } })
  await mustBeOpen(context, user_id, { from: work_date, to: date_to, part })
  const block = sick ? null : await blockReason(db, work_date, date_to)
  if (block && !isPlanner(context))
    throw conflict('block_date', 'No holiday can be taken on {{day}}: {{reason}}', block, {
      fields: { work_date: 'No holiday can be taken then' },
    })
  const { id } = await db
    .insertInto('schedule_entries')
    .values({
      kind: 'leave',
      client_id,
      user_id,
      work_date,
      date_to,
      reason_id,
      part,
      state: sick ? 'registered' : 'requested',
      changed_by: principal.name,
      changed_at: now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setNote(context, id, note)
  const entry = await entryById(db, id)
  if (sick) await freeShifts(context, rules, entry)
  await record(context, sick ? 'leave.registered' : 'leave.requested', entry)
  return id
}

/** The day, where the person went home on it because a child is ill: that was the child's first day. */
async function calledHomeOn({ db }: Context, user_id: number, day: string): Promise<string | null> {
  const leave = await leaveBetween(db, { from: day, to: day, user_id })
  return leave.some(one => one.part === 'rest' && one.reason_id === leaveReasons.childs_first_sick_day) ? day : null
}

export async function setNote({ db }: Context, entry_id: number, note: string): Promise<void> {
  if (note === '') await db.deleteFrom('schedule_notes').where('entry_id', '=', entry_id).execute()
  else
    await db
      .insertInto('schedule_notes')
      .values({ entry_id, note })
      .onConflict(row => row.columns(['operator_id', 'entry_id']).doUpdateSet({ note }))
      .execute()
}

/** A request is changed by its person until somebody has decided. */
export async function changeRequest(context: Context, entry: ScheduleEntry, change: EntryChange): Promise<void> {
  const { db, principal, now } = context
  await planInLine(context)
  mustBeCurrent(entry, change.version)
  if (entry.state !== 'requested') throw conflict('wrong_state', 'This is already {{state}}.', { state: entry.state })
  const work_date = change.work_date ?? entry.work_date
  const part = change.part ?? entry.part ?? 'full'
  const date_to = part === 'full' ? (change.date_to ?? entry.date_to ?? work_date) : work_date
  checkDates({ work_date, date_to, part })
  await mustBeOpen(context, entry.user_id ?? 0, { from: work_date, to: date_to, part }, entry.id)
  const block = await blockReason(db, work_date, date_to)
  if (block && !isPlanner(context)) throw conflict('block_date', 'No holiday can be taken on {{day}}: {{reason}}', block)
  await db
    .updateTable('schedule_entries')
    .set(eb => ({ work_date, date_to, part, changed_by: principal.name, changed_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', entry.id)
    .execute()
  if (change.note !== undefined) await setNote(context, entry.id, change.note)
  await record(context, 'leave.requested', entry)
}

const mustBeCurrent = (entry: ScheduleEntry, version: number | undefined) => {
  if (version !== undefined && entry.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: entry })
}

/** Others decide about one's own leave, unless the company has one lead alone and has said so. True where the own one is decided. */
async function mayDecide({ db, principal }: Context, rules: Rules, entry: ScheduleEntry): Promise<boolean> {
  if (entry.user_id !== principal.id) return false
  const leads = rules.settings.sole_approver ? await peopleWith(db, principal.company.id, ['schedule_admin']) : []
  if (leads.length !== 1 || leads[0]?.id !== principal.id)
    throw forbidden('own_decision', 'Someone else must decide about your own request.')
  return true
}

type Decision = { state: 'approved' | 'rejected' | 'cancelled' | 'seen'; words: string; own: boolean }

const settle = async ({ db, principal, now }: Context, entry: ScheduleEntry, { state, words, own }: Decision) =>
  db
    .updateTable('schedule_entries')
    .set(eb => ({
      state,
      decided_by: principal.name,
      decided_at: now().toISOString(),
      decision: words || null,
      own_decision: own,
      changed_by: principal.name,
      changed_at: now().toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', entry.id)
    .execute()

/** Approves a request: its shifts become open ones, and the days are taken from the account. Answers the ids of the open shifts. */
async function approveLeave(
  context: Context,
  rules: Rules,
  entry: ScheduleEntry,
  { version, reason = '' }: { version?: number | undefined; reason?: string | undefined },
): Promise<number[]> {
  const { db } = context
  await planInLine(context)
  mustBeCurrent(entry, version)
  if (entry.state !== 'requested') throw conflict('wrong_state', 'This is already {{state}}.', { state: entry.state })
  const own = await mayDecide(context, rules, entry)
  const block = await blockReason(db, entry.work_date, entry.date_to ?? entry.work_date)
  if (block && reason === '')
    throw conflict('block_date', 'No holiday can be taken on {{day}}: {{reason}}', block, {
      fields: { reason: 'Write why it can be taken' },
    })
  await settle(context, entry, { state: 'approved', words: reason, own })
  await book(context, rules, entry, -1)
  const freed = await freeShifts(context, rules, entry)
  await record(context, 'leave.approved', entry)
  return freed
}

/** Takes the cost of a leave from the account, or gives back what it took. */
async function book({ db, principal, now }: Context, rules: Rules, entry: ScheduleEntry, sign: 1 | -1): Promise<void> {
  if (entry.user_id === null || entry.reason_id !== leaveReasons.vacation_with_pay) return
  const made = { user_id: entry.user_id, day: entry.work_date, entry_id: entry.id, made_by: principal.name, made_at: now().toISOString() }
  if (sign === 1) {
    const rows = await db
      .selectFrom('leave_ledger')
      .select(eb => ['year_start', eb.fn.sum<number>('days_milli').as('days_milli')])
      .where('entry_id', '=', entry.id)
      .groupBy('year_start')
      .execute()
    const back = rows.map(row => ({ ...made, year_start: row.year_start, kind: 'returned' as const, days_milli: -Number(row.days_milli) }))
    if (back.length > 0) await db.insertInto('leave_ledger').values(back).execute()
    return
  }
  const person = await personOf(db, rules, entry.user_id)
  const to = entry.date_to ?? entry.work_date
  const cost = await costOf(db, rules, person, { reason_id: entry.reason_id, from: entry.work_date, to, part: entry.part })
  const { years } = await leaveAccount(db, rules, entry.user_id)
  const parts = spend(
    cost,
    entry.work_date,
    years.map(({ year_start, left_milli }) => ({ year_start, left: left_milli })),
  )
  if (parts.length > 0)
    await db
      .insertInto('leave_ledger')
      .values(parts.map(part => ({ ...made, year_start: part.year_start, kind: 'taken' as const, days_milli: -part.days_milli })))
      .execute()
}

interface Piece {
  work_date: string
  start: number
  end: number
  break_s: number
}

/** What stays of a shift beside a leave, null for nothing, and what falls free. */
function piecesOf(shift: Piece, leave: ScheduleEntry, zone: string): { stays: Piece | null; free: Piece } {
  if (leave.part === 'rest' && leave.start_at) {
    const { worked, rest } = cutShift(shift, Date.parse(leave.start_at))
    return {
      stays: worked && { ...worked, work_date: shift.work_date },
      free: { ...rest, work_date: worked ? dayAt(rest.start, zone) : shift.work_date },
    }
  }
  if (leave.part !== 'morning' && leave.part !== 'afternoon') return { stays: null, free: shift }
  const half = remainingHalf(shift, leave.part, zone)
  const stays = { start: half.start, end: half.end, break_s: half.break_s, work_date: dayAt(half.start, zone) }
  const free =
    leave.part === 'morning'
      ? { work_date: shift.work_date, start: shift.start, end: half.start, break_s: 0 }
      : { work_date: dayAt(half.end, zone), start: half.end, end: shift.end, break_s: 0 }
  return { stays, free }
}

/** As the table holds it. */
const pieceValues = ({ work_date, start, end, break_s }: Piece, zone: string) => ({
  work_date,
  start_local: clockAt(start, zone),
  end_local: clockAt(end, zone),
  start_at: new Date(start).toISOString(),
  end_at: new Date(end).toISOString(),
  break_s,
})

/**
 * The shifts of somebody who is away: of a whole day they are removed, of half a day the other half stays, and of a shift from which its
 * person went home what was worked. What falls free is an open shift, which staff see where they saw the shift.
 */
export async function freeShifts(context: Context, rules: Rules, leave: ScheduleEntry): Promise<number[]> {
  const { db, principal, now } = context
  const shifts = await db
    .selectFrom('schedule_entries')
    .select(['id', 'work_date', 'start_at', 'end_at', 'break_s', 'station', 'skill', 'published_start_at'])
    .where('kind', '=', 'shift')
    .where('state', '<>', 'removed')
    .where('user_id', '=', leave.user_id)
    .where('work_date', '>=', leave.work_date)
    .where('work_date', '<=', leave.date_to ?? leave.work_date)
    .$if(leave.part === 'rest', rows => rows.where('start_at', '<', leave.end_at).where('end_at', '>', leave.start_at))
    .orderBy('id')
    .execute()
  const change_id = randomUUID()
  const changed = { changed_by: principal.name, changed_at: now().toISOString() }
  const freed: number[] = []
  const shown: number[] = []
  for (const shift of shifts) {
    const { start_at, end_at, work_date, break_s } = shift
    if (!start_at || !end_at) continue
    const { stays, free } = piecesOf({ work_date, start: Date.parse(start_at), end: Date.parse(end_at), break_s }, leave, rules.time_zone)
    const before = await rowOf(db, shift.id)
    await db
      .updateTable('schedule_entries')
      .set(eb => ({
        leave_id: leave.id,
        unpublished: true,
        ...(stays ? pieceValues(stays, rules.time_zone) : { state: 'removed' as const }),
        ...changed,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', shift.id)
      .execute()
    await keepChange(context, change_id, shift.id, before)
    const { id } = await db
      .insertInto('schedule_entries')
      .values({
        ...pieceValues(free, rules.time_zone),
        user_id: null,
        station: shift.station,
        skill: shift.skill,
        kind: 'shift',
        state: 'draft',
        unpublished: true,
        replaces_id: shift.id,
        leave_id: leave.id,
        ...changed,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await keepChange(context, change_id, id, null)
    freed.push(id)
    if (shift.published_start_at !== null) shown.push(shift.id, id)
  }
  await showToStaff(db, shown)
  return freed
}

/** Shifts that a leave freed go back to their person as long as no one else has them. */
export async function returnShifts(context: Context, leave: ScheduleEntry): Promise<void> {
  const { db, principal, now } = context
  const open = await db
    .selectFrom('schedule_entries')
    .select(['id', 'replaces_id', 'published_start_at'])
    .where('leave_id', '=', leave.id)
    .where('replaces_id', 'is not', null)
    .where('user_id', 'is', null)
    .where('state', '<>', 'removed')
    .execute()
  const at = now().toISOString()
  for (const { id, replaces_id, published_start_at } of open) {
    if (replaces_id === null) continue
    await sql`update schedule_entries set state = 'removed', unpublished = false, published_user_id = null, published_date = null, published_start_at = null,
        published_end_at = null, published_break_s = null, published_station = null, version = version + 1
      where operator_id = current_operator_id() and company_id = current_company_id() and id = ${id}`.execute(db)
    await sql`update schedule_entries e set start_local = r.start_local, end_local = r.end_local, start_at = r.start_at, end_at = r.end_at, break_s = r.break_s,
        work_date = r.work_date, state = r.state, leave_id = null, unpublished = true, version = e.version + 1, changed_by = ${principal.name},
        changed_at = ${at}::timestamptz
      from schedule_changes c, jsonb_populate_record(null::schedule_entries, c.before) r
      where c.operator_id = current_operator_id() and c.entry_id = ${replaces_id} and (c.after ->> 'leave_id')::bigint = ${leave.id}
        and e.operator_id = c.operator_id and e.company_id = current_company_id() and e.id = c.entry_id`.execute(db)
    if (published_start_at !== null) await showToStaff(db, [replaces_id])
  }
}

/** With this much notice an approved leave is cancelled without asking. */
const freeCancel = 24 * 3_600_000

/** Ends a leave: the own is withdrawn or cancelled; of somebody else a request, also one to cancel, is rejected, and a leave cancelled, with words. */
export async function endLeave(
  context: Context,
  rules: Rules,
  entry: ScheduleEntry,
  { version, reason }: { version?: number; reason: string },
): Promise<void> {
  await planInLine(context)
  mustBeCurrent(entry, version)
  const own = entry.user_id === context.principal.id
  if (!own && !isPlanner(context))
    throw forbidden('permission_missing', 'You do not have permission for this. Ask an administrator.', { codes: 'schedule_admin' })
  if (isOneOf(['withdrawn', 'rejected', 'cancelled'] as const, entry.state)) return
  if (own && entry.state === 'requested') {
    await close(context, entry, 'withdrawn')
    return record(context, 'leave.withdrawn', entry)
  }
  if (own && !isPlanner(context)) {
    const early = Date.parse(`${entry.work_date}T00:00:00Z`) - context.now().getTime() > freeCancel
    if (entry.state === 'approved' && !early) {
      await close(context, entry, 'cancel_requested')
      return record(context, 'leave.cancel_requested', entry)
    }
    if (entry.state === 'cancel_requested') return
    await cancelLeave(context, rules, entry)
    return
  }
  if (!own && reason === '') throw unprocessable('reason_needed', 'Write a reason.', {}, { fields: { reason: 'Write a reason.' } })
  const byself = own ? await mayDecide(context, rules, entry) : false
  if (entry.state === 'cancel_requested') {
    // The leave stays as it was approved: no shift and no account moves.
    await settle(context, entry, { state: 'approved', words: reason, own: byself })
    return record(context, 'leave.approved', entry)
  }
  const rejects = entry.state === 'requested'
  await settle(context, entry, { state: rejects ? 'rejected' : 'cancelled', words: reason, own: byself })
  if (!rejects) {
    await book(context, rules, entry, 1)
    await returnShifts(context, entry)
  }
  await record(context, rejects ? 'leave.rejected' : 'leave.cancelled', entry)
}

const close = ({ db, principal, now }: Context, entry: ScheduleEntry, state: 'withdrawn' | 'cancel_requested' | 'cancelled') =>
  db
    .updateTable('schedule_entries')
    .set(eb => ({ state, changed_by: principal.name, changed_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', entry.id)
    .execute()

export async function cancelLeave(context: Context, rules: Rules, entry: ScheduleEntry): Promise<void> {
  await close(context, entry, 'cancelled')
  await book(context, rules, entry, 1)
  await returnShifts(context, entry)
  await record(context, 'leave.cancelled', entry)
}

/** Decides what waits: sickness is seen, a wish to cancel is granted. */
export async function decideLeave(context: Context, rules: Rules, entry: ScheduleEntry, change: EntryChange): Promise<number[]> {
  if (change.state === 'approved') return approveLeave(context, rules, entry, change)
  await planInLine(context)
  mustBeCurrent(entry, change.version)
  if (change.state === 'seen') {
    if (entry.state === 'seen') return []
    if (entry.state !== 'registered') throw conflict('wrong_state', 'This is already {{state}}.', { state: entry.state })
    await settle(context, entry, { state: 'seen', words: '', own: await mayDecide(context, rules, entry) })
    await record(context, 'leave.seen', entry)
    return []
  }
  if (!isOneOf(settledLeave, entry.state)) throw conflict('wrong_state', 'This is already {{state}}.', { state: entry.state })
  await settle(context, entry, { state: 'cancelled', words: change.reason ?? '', own: await mayDecide(context, rules, entry) })
  await book(context, rules, entry, 1)
  await returnShifts(context, entry)
  await record(context, 'leave.cancelled', entry)
  return []
}

/** Says when somebody can or cannot work. */
export async function createAvailability(context: Context, rules: Rules, user_id: number, asked: NewEntry): Promise<number> {
  const { db, principal, now, notify } = context
  const { work_date, date_to = work_date, start_local, end_local, available, note, client_id } = asked
  checkDates({ work_date, date_to, part: 'full' })
  if (work_date < rules.today)
    throw unprocessable('day_past', 'Choose a day from today on', {}, { fields: { work_date: 'Choose a day from today on' } })
  await nameOf(db, user_id)
  const { id } = await db
    .insertInto('schedule_entries')
    .values({
      kind: 'availability',
      client_id,
      user_id,
      work_date,
      date_to,
      start_local: start_local ?? null,
      end_local: end_local ?? null,
      state: available ? 'available' : 'unavailable',
      changed_by: principal.name,
      changed_at: now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setNote(context, id, note)
  notify('schedule')
  return id
}

export async function removeAvailability(context: Context, entry: ScheduleEntry): Promise<void> {
  await close(context, entry, 'cancelled')
  context.notify('schedule')
}

export async function adjustAccount(
  { db, principal, now, recordEvent, notify }: Context,
  user_id: number,
  row: { year_start: string; kind: 'start' | 'carry_over' | 'advance' | 'adjust' | 'paid_out'; days_milli: number; explanation: string },
  day: string,
): Promise<void> {
  if (!/-09-01$/.test(row.year_start))
    throw unprocessable(
      'holiday_year',
      'A holiday year begins on 1 September',
      {},
      { fields: { year_start: 'A holiday year begins on 1 September' } },
    )
  await nameOf(db, user_id)
  await db
    .insertInto('leave_ledger')
    .values({ user_id, ...row, day, made_by: principal.name, made_at: now().toISOString() })
    .execute()
  await recordEvent({
    kind: 'leave.account_adjusted',
    subject: 'user',
    subject_id: user_id,
    data: { days_milli: row.days_milli, account: row.kind },
  })
  notify('schedule')
}
