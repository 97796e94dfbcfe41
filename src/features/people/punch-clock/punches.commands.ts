/** Writes punches: each change is one version, one event, and the row as it counts now. */
import { type Insertable, sql, type Updateable } from 'kysely'
import { isAllowed } from '#contract/access.ts'
import { conflict, forbidden, unprocessable } from '#contract/errors.ts'
import { addDays } from '#domain/local-time.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { peopleWith } from '#features/company/users/credentials.queries.ts'
import { followClockOut, goHome, stayAfterAll } from '#features/people/schedule/go-home.commands.ts'
import { publishedShifts } from '#features/people/schedule/schedule.queries.ts'
import { shiftAt } from '#features/people/schedule/shifts.rules.ts'
import type { DB } from '#platform/database/schema.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { changeableStates, type EarlyWhy, type PunchType, type PunchWay, type RejectReason, type versionReasons } from './punch.codes.ts'
import { isEarlyOut, isForgotten, isOpen, problemOf, repeats, type TimesProblem } from './punch.rules.ts'
import { punchLeads } from './punch-clock.contract.ts'
import type { Correction, Punch } from './punch-clock.schemas.ts'
import {
  askedVersion,
  clockOutTap,
  latestPunch,
  lockedPunch,
  openPunch,
  overlapping,
  punchById,
  shiftEndOf,
  versionBefore,
  versionOfTap,
} from './punches.queries.ts'

/** Who is clocked in or out, and how that is known. */
export interface Person {
  user_id: number
  name: string
  way: PunchWay
}

/** When a tap happened: at a moment, or between two. */
export type Tap = { at: string } | { from: string; to: string }
const earliest = (tap: Tap): string => ('at' in tap ? tap.at : tap.from)

interface TapInput {
  person: Person
  tap: Tap
  client_id: string
  source: 'kiosk' | 'self' | 'offline'
}

export interface TapResult {
  punch: Punch
  duplicate: boolean
}

/** Keeps all taps of a person in line, whichever kiosk they come from. */
const lockPerson = ({ db }: Context, user_id: number) =>
  db.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst()

type Change = Updateable<DB['punches']>

interface Version {
  why: (typeof versionReasons)[number]
  action?: 'in' | 'out'
  client_id?: string | null
  note?: string
  by?: { user_id: number | null; name: string }
  /** What is asked for, where the row keeps what it has. */
  asked?: { work_date: string; type: PunchType; started_at: string | null; ended_at: string | null; removal: boolean }
}

/** Writes the row's next state as its next version. */
async function write({ db, now, principal }: Context, id: number, change: Change, version: Version): Promise<number> {
  const row = await db
    .updateTable('punches')
    .set(eb => ({ ...change, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning([
      'version',
      'work_date',
      'type',
      'started_at',
      'ended_at',
      'not_before',
      'not_after',
      'out_not_before',
      'out_not_after',
      'state',
    ])
    .executeTakeFirstOrThrow()
  const { version: no, ...values } = row
  await insertVersion({ db, now, principal }, { punch_id: id, no, ...values, ...version.asked }, version)
  return no
}

type VersionValues = Omit<Insertable<DB['punch_versions']>, 'why' | 'by_name' | 'at'>

async function insertVersion(
  { db, now, principal }: Pick<Context, 'db' | 'now' | 'principal'>,
  values: VersionValues,
  { why, action, client_id, note, by }: Version,
): Promise<void> {
  const actor = by ?? { user_id: principal.id || null, name: principal.name }
  await db
    .insertInto('punch_versions')
    .values({
      ...values,
      why,
      action: action ?? null,
      client_id: client_id ?? null,
      by_user_id: actor.user_id,
      by_name: actor.name,
      at: now().toISOString(),
    })
    .execute()
  if (note) await db.insertInto('punch_notes').values({ punch_id: values.punch_id, no: values.no, note }).execute()
}

const asPerson = ({ user_id, name }: Person) => ({ user_id, name })

/** The shift of a person that runs at `at`, and the day it is worked for; without one the day on the company's clock. */
async function shiftOf(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  user_id: number,
  at: string,
): Promise<{ work_date: string; shift_id: number | null }> {
  const { time_zone } = await companySettings(db, principal.company.id)
  const today = localDay(new Date(at), time_zone)
  const shifts = await publishedShifts(db, { from: addDays(today, -1), to: addDays(today, 1), user_id }, time_zone)
  const shift = shiftAt(
    Date.parse(at),
    shifts.flatMap(({ id, work_date, start_at, end_at }) =>
      start_at !== null && end_at !== null ? [{ id, work_date, start: Date.parse(start_at), end: Date.parse(end_at) }] : [],
    ),
  )
  return { work_date: shift?.work_date ?? today, shift_id: shift?.id ?? null }
}

/** Clocks in, or switches to another kind of time. Sent again, or within five seconds, it is the same tap. */
export async function clockIn(context: Context, type: PunchType, { person, tap, client_id, source }: TapInput): Promise<TapResult> {
  const { db, recordEvent, notify, principal, station } = context
  await lockPerson(context, person.user_id)
  const again = await versionOfTap(db, client_id)
  if (again) return { punch: await punchById(db, again.punch_id), duplicate: true }
  const at = earliest(tap)
  let open = await openPunch(db, person.user_id)
  if (open && isForgotten(open.started_at ?? open.not_before, Date.parse(at))) {
    await flagMissingOut(context, open)
    open = null
  }
  if (open?.type === type) {
    if (repeats(open.started_at, Date.parse(at))) return { punch: open, duplicate: true }
    throw conflict('already_in', 'Clocked in since {{time}}.', { time: open.started_at ?? open.not_before ?? '' })
  }
  if (open) await close(context, open, tap, { why: 'made', by: asPerson(person) })
  const { work_date, shift_id } = open ?? (await shiftOf(context, person.user_id, at))
  const times =
    'at' in tap
      ? { started_at: tap.at, not_before: null, not_after: null, state: 'open' as const }
      : { started_at: null, not_before: tap.from, not_after: tap.to, state: 'time_unverified' as const }
  const { id } = await db
    .insertInto('punches')
    .values({
      user_id: person.user_id,
      work_date,
      shift_id,
      type,
      ...times,
      source,
      way: person.way,
      device_user_id: principal.id,
      station: station || null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertVersion(
    context,
    { punch_id: id, no: 1, work_date, type, ended_at: null, out_not_before: null, out_not_after: null, ...times },
    { why: 'made', action: 'in', client_id, by: asPerson(person) },
  )
  await recordEvent({
    kind: open ? 'punch.switched' : 'punch.in',
    subject: 'punch',
    subject_id: id,
    data: { user_id: person.user_id, type, work_date, source },
  })
  notify('punch', id)
  return { punch: await punchById(db, id), duplicate: false }
}

/** Ends a punch at the tap; one whose beginning is not verified stays so. */
async function close(context: Context, open: Punch, tap: Tap, version: Version): Promise<void> {
  const end = 'at' in tap ? { ended_at: tap.at } : { out_not_before: tap.from, out_not_after: tap.to }
  // A tap that was kept on another device may lie before the one that runs.
  if ('at' in tap && open.started_at !== null && Date.parse(tap.at) <= Date.parse(open.started_at))
    throw conflict('not_in', 'Not clocked in.')
  const state = 'at' in tap && open.started_at !== null ? 'closed' : 'time_unverified'
  await write(context, open.id, { ...end, state }, version)
}

/** Clocks out. With an id, only that punch. */
export async function clockOut(context: Context, id: number, { person, tap, client_id }: TapInput): Promise<TapResult> {
  const { db, recordEvent, notify } = context
  await lockPerson(context, person.user_id)
  const again = await versionOfTap(db, client_id)
  if (again) return { punch: await punchById(db, again.punch_id), duplicate: true }
  const at = earliest(tap)
  const open = await openPunch(db, person.user_id)
  if (open && isForgotten(open.started_at ?? open.not_before, Date.parse(at)) && id === 0) {
    await flagMissingOut(context, open)
    throw conflict('not_in', 'Not clocked in.')
  }
  if (!open || (id !== 0 && open.id !== id)) {
    const latest = await latestPunch(db, person.user_id)
    if (latest && repeats(latest.ended_at, Date.parse(at))) return { punch: latest, duplicate: true }
    throw conflict('not_in', 'Not clocked in.')
  }
  await close(context, open, tap, { why: 'made', action: 'out', client_id, by: asPerson(person) })
  await recordEvent({
    kind: 'punch.out',
    subject: 'punch',
    subject_id: open.id,
    data: { user_id: person.user_id, type: open.type, work_date: open.work_date },
  })
  notify('punch', open.id)
  return { punch: await punchById(db, open.id), duplicate: false }
}

/** Mails the person about a clock-out that is missing, once for each entry, where the company wants it. */
export async function remindPerson(context: Context, id: number): Promise<void> {
  const { db, now, principal, recordEvent } = context
  const marked = await db
    .updateTable('punches')
    .set({ reminded_at: now().toISOString() })
    .where('id', '=', id)
    .where('reminded_at', 'is', null)
    .where('state', 'in', ['open', 'missing_out'])
    .where('ended_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  const { hours } = await companySettings(db, principal.company.id)
  if (marked && hours.remind_person)
    await recordEvent({ kind: 'punch.reminder_due', subject: 'user', subject_id: marked.user_id, data: { punch_id: id } })
}

/** Mails each lead once about the entries that are still without a clock-out; who forgot the own has had a mail. */
export async function remindLeads(context: Context, ids: readonly number[]): Promise<void> {
  const { db, now, principal, recordEvents } = context
  const marked = await db
    .updateTable('punches')
    .set({ leads_reminded_at: now().toISOString() })
    .where('id', 'in', [...ids])
    .where('leads_reminded_at', 'is', null)
    .returning(['user_id', 'state', 'ended_at', 'work_date'])
    .execute()
  const missing = marked.filter(row => row.ended_at === null && (row.state === 'open' || row.state === 'missing_out'))
  const { hours } = await companySettings(db, principal.company.id)
  const work_date = missing.map(row => row.work_date).toSorted()[0]
  if (work_date === undefined || !hours.remind_leads) return
  const leads = await peopleWith(db, principal.company.id, timesheetLeads)
  await recordEvents(
    leads
      .filter(({ id }) => missing.some(row => row.user_id !== id))
      .map(({ id }) => ({ kind: 'punch.lead_reminder_due', subject: 'user', subject_id: id, data: { work_date } })),
  )
}
/** Who is mailed: those who approve hours. */
const timesheetLeads = ['schedule_admin', 'punchclock_admin'] as const

const system = { user_id: null, name: 'system' }

/** A clock-out that was forgotten: its end stays unknown until a person writes it. */
export async function flagMissingOut(context: Context, punch: Pick<Punch, 'id' | 'user_id' | 'work_date'>): Promise<void> {
  await write(context, punch.id, { state: 'missing_out' }, { why: 'system', by: system })
  await remindPerson(context, punch.id)
  await context.recordEvent({
    kind: 'punch.flagged',
    subject: 'punch',
    subject_id: punch.id,
    data: { user_id: punch.user_id, work_date: punch.work_date },
  })
  context.notify('punch', punch.id)
}

/** Why somebody clocked out before the end of the shift. Who is ill, or has an ill child, is on leave for what is left; answers its seconds. */
export async function explainEarlyOut(
  context: Context,
  { user_id, name }: Pick<Person, 'user_id' | 'name'>,
  { client_id, why }: { client_id: string; why: EarlyWhy },
): Promise<{ leave_s: number | null }> {
  const { db, recordEvent, notify } = context
  await lockPerson(context, user_id)
  const tap = await versionOfTap(db, client_id)
  const punch = tap?.action === 'out' ? await lockedPunch(db, tap.punch_id) : null
  const at = punch?.ended_at ?? punch?.out_not_before ?? null
  if (!punch || punch.user_id !== user_id || at === null || (await openPunch(db, user_id)))
    throw conflict('not_clocked_out', 'This clock-out does not stand any more.')
  if (why === 'sick' || why === 'child') {
    if (punch.shift_id === null) throw conflict('shift_over', 'This shift has ended or was changed. Ask your lead.')
    return goHome(context, { user_id, name, why, at, shift_id: punch.shift_id, client_id })
  }
  await db.updateTable('punches').set({ early_out: why }).where('id', '=', punch.id).execute()
  await recordEvent({
    kind: 'punch.explained',
    subject: 'punch',
    subject_id: punch.id,
    data: { user_id, work_date: punch.work_date },
  })
  notify('punch', punch.id)
  return { leave_s: null }
}

/** The times of an entry were corrected: what was said of an early clock-out follows them. */
async function followEarlyOut(context: Context, id: number): Promise<void> {
  const { db, principal } = context
  const { shift_id, ended_at, early_out } = await punchById(db, id)
  const client_id = await clockOutTap(db, id)
  if (shift_id === null || ended_at === null || client_id === null) return
  const at = Date.parse(ended_at)
  const { hours } = await companySettings(db, principal.company.id)
  if (early_out !== null) {
    const shift_end = await shiftEndOf(db, { shift_id })
    if (shift_end !== null && !isEarlyOut(at, Date.parse(shift_end), Math.max(1, hours.early_out_min)))
      await db.updateTable('punches').set({ early_out: null }).where('id', '=', id).execute()
  }
  await followClockOut(context, { client_id, shift_id, at, early_ms: hours.early_out_min * 60_000 })
}

/** Takes the person's last tap back: what it began goes, and what it ended goes on. */
export async function undoTap(context: Context, user_id: number, client_id: string): Promise<void> {
  const { db, recordEvent, notify } = context
  await lockPerson(context, user_id)
  const tap = await versionOfTap(db, client_id)
  const punch = tap && (await lockedPunch(db, tap.punch_id))
  if (!punch || punch.user_id !== user_id || punch.version !== tap.no) throw conflict('tap_not_last', 'This can no longer be undone.')
  const reopened = { ended_at: null, out_not_before: null, out_not_after: null }
  if (tap.action === 'in') {
    await write(context, punch.id, { state: 'deleted' }, { why: 'undone' })
    const before = await db
      .selectFrom('punches')
      .select(['id', 'started_at'])
      .where('user_id', '=', user_id)
      .where('ended_at', '=', punch.started_at ?? '-infinity')
      .where('state', '=', 'closed')
      .executeTakeFirst()
    if (before) await write(context, before.id, { ...reopened, state: before.started_at ? 'open' : 'time_unverified' }, { why: 'undone' })
  } else {
    await stayAfterAll(context, client_id)
    const state = punch.started_at ? 'open' : 'time_unverified'
    await write(context, punch.id, { ...reopened, early_out: null, state }, { why: 'undone' })
  }
  await recordEvent({ kind: 'punch.undone', subject: 'punch', subject_id: punch.id, data: { user_id, work_date: punch.work_date } })
  notify('punch', punch.id)
}

function checkTimes({ started_at, ended_at }: { started_at: string; ended_at: string }, now: Date): void {
  const refusal = refusalOf(problemOf({ started_at, ended_at }, now.getTime()))
  if (refusal) throw refusal
}

function refusalOf(problem: TimesProblem | null) {
  const at = (sentence: string) => ({ fields: { ended_at: sentence } })
  if (problem === 'punch_order')
    return unprocessable('punch_order', 'The end must be after the start.', {}, at('The end must be after the start.'))
  if (problem === 'punch_future') return unprocessable('punch_future', 'This time is in the future.', {}, at('This time is in the future.'))
  if (problem === 'punch_too_long')
    return unprocessable('punch_too_long', 'One entry can last 24 hours at most.', {}, at('One entry can last 24 hours at most.'))
  return null
}

async function checkOverlap(context: Context, span: { user_id: number; from: string; to: string; except: number }): Promise<void> {
  const other = await overlapping(context.db, span)
  if (!other) return
  const { time_zone } = await companySettings(context.db, context.principal.company.id)
  const clock = (at: string | null) =>
    at === null ? '…' : new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: time_zone, hourCycle: 'h23' }).format(new Date(at))
  throw conflict('punch_overlap', 'Overlaps {{from}}–{{to}}.', { from: clock(other.started_at), to: clock(other.ended_at) })
}

function checkVersion(punch: Punch, version: number): void {
  if (punch.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: punch })
}

/** Refuses what one may not decide about oneself; a company with one lead may allow it. */
async function checkNotOwn(context: Context, user_id: number): Promise<void> {
  if (user_id !== context.principal.id) return
  const { hours } = await companySettings(context.db, context.principal.company.id)
  if (!hours.sole_approver) throw forbidden('own_punch', 'Someone else must approve your own times.')
}

const isLead = ({ principal }: Context): boolean => isAllowed(principal.permissions, punchLeads)

/** True where the caller may change it at once; false where it becomes a request. Refuses strangers. */
function changesAtOnce(context: Context, punch: Pick<Punch, 'user_id'>, acting: number): boolean {
  if (punch.user_id === acting) return false
  if (!isLead(context)) throw forbidden('not_your_times', 'You can correct only your own times.')
  return true
}

function checkChangeable(punch: Punch): void {
  if (isOpen(punch)) throw conflict('punch_running', 'This entry is still running. Clock out first.', {}, { current: punch })
  if (!changeableStates.includes(punch.state))
    throw conflict('punch_wrong_state', 'This entry waits for a decision or was deleted.', {}, { current: punch })
}

/** Corrects the times of someone else, or asks for the correction of one's own. `acting` is the person at the kiosk, or the caller. */
export async function correctPunch(
  context: Context,
  id: number,
  body: Omit<Correction, 'ticket'>,
  acting: { user_id: number; name: string },
): Promise<Punch> {
  const { db, now, recordEvent, notify } = context
  checkTimes(body, now())
  if (id === 0) return enter(context, body, acting)
  const punch = await lockedPunch(db, id)
  checkVersion(punch, body.version)
  const atOnce = changesAtOnce(context, punch, acting.user_id)
  checkChangeable(punch)
  await checkOverlap(context, { user_id: punch.user_id, from: body.started_at, to: body.ended_at, except: id })
  const values = {
    work_date: body.work_date ?? punch.work_date,
    type: body.type,
    started_at: body.started_at,
    ended_at: body.ended_at,
  }
  if (atOnce) {
    const known = { not_before: null, not_after: null, out_not_before: null, out_not_after: null }
    await write(
      context,
      id,
      { ...values, ...known, state: 'corrected' },
      { why: 'lead', note: body.note, client_id: body.client_id ?? null },
    )
    await followEarlyOut(context, id)
    await recordEvent({
      kind: 'punch.corrected',
      subject: 'punch',
      subject_id: id,
      data: { user_id: punch.user_id, work_date: values.work_date },
    })
  } else {
    await write(
      context,
      id,
      { state: 'correction_requested' },
      { why: 'request', note: body.note, by: acting, client_id: body.client_id ?? null, asked: { ...values, removal: false } },
    )
    await recordEvent({
      kind: 'punch.correction_requested',
      subject: 'punch',
      subject_id: id,
      data: { user_id: punch.user_id, work_date: values.work_date },
    })
  }
  notify('punch', id)
  return punchById(db, id)
}

/** An entry without a punch: a lead writes it for someone else, one's own waits for a decision. */
async function enter(context: Context, body: Omit<Correction, 'ticket'>, acting: { user_id: number; name: string }): Promise<Punch> {
  const { db, recordEvent, notify, principal } = context
  const again = body.client_id ? await versionOfTap(db, body.client_id) : undefined
  if (again) return punchById(db, again.punch_id)
  const user_id = body.user_id ?? acting.user_id
  const atOnce = changesAtOnce(context, { user_id }, acting.user_id)
  const known = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('company_id', '=', principal.company.id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!known) throw unprocessable('person_unknown', 'There is no such person', {}, { fields: { user_id: 'There is no such person' } })
  await checkOverlap(context, { user_id, from: body.started_at, to: body.ended_at, except: 0 })
  const shift = await shiftOf(context, user_id, body.started_at)
  const work_date = body.work_date ?? shift.work_date
  const values = {
    work_date,
    type: body.type,
    started_at: body.started_at,
    ended_at: body.ended_at,
    state: atOnce ? ('corrected' as const) : ('correction_requested' as const),
  }
  const { id } = await db
    .insertInto('punches')
    .values({
      user_id,
      ...values,
      shift_id: work_date === shift.work_date ? shift.shift_id : null,
      source: 'entry',
      way: 'session',
      device_user_id: principal.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertVersion(
    context,
    { punch_id: id, no: 1, ...values, not_before: null, not_after: null, out_not_before: null, out_not_after: null },
    { why: atOnce ? 'lead' : 'request', note: body.note, client_id: body.client_id ?? null, by: acting },
  )
  await recordEvent({
    kind: atOnce ? 'punch.corrected' : 'punch.correction_requested',
    subject: 'punch',
    subject_id: id,
    data: { user_id, work_date },
  })
  notify('punch', id)
  return punchById(db, id)
}

/** Deletes a punch of someone else, or changes its kind; of one's own it asks for that. */
export async function changePunch(
  context: Context,
  id: number,
  change: { delete: true } | { type: PunchType },
  { version, reason }: { version: number; reason: string },
): Promise<Punch> {
  const { db, recordEvent, notify, principal } = context
  const punch = await lockedPunch(db, id)
  checkVersion(punch, version)
  const atOnce = changesAtOnce(context, punch, principal.id)
  checkChangeable(punch)
  const removal = 'delete' in change
  const type = 'type' in change ? change.type : punch.type
  const about = { subject: 'punch', subject_id: id, data: { user_id: punch.user_id, work_date: punch.work_date } } as const
  if (atOnce) {
    await write(context, id, removal ? { state: 'deleted' } : { type }, { why: removal ? 'deleted' : 'lead', note: reason })
    await recordEvent({ kind: removal ? 'punch.deleted' : 'punch.corrected', ...about })
  } else {
    const { work_date, started_at, ended_at } = punch
    await write(
      context,
      id,
      { state: 'correction_requested' },
      { why: 'request', note: reason, asked: { work_date, type, started_at, ended_at, removal } },
    )
    await recordEvent({ kind: 'punch.correction_requested', ...about })
  }
  notify('punch', id)
  return punchById(db, id)
}

/** Accepts or rejects a correction that someone asked for. */
export async function decideCorrection(
  context: Context,
  id: number,
  { version, accept, reason }: { version: number; accept: boolean; reason: string },
): Promise<Punch> {
  const { db, recordEvent, notify } = context
  const punch = await lockedPunch(db, id)
  checkVersion(punch, version)
  if (punch.state !== 'correction_requested') throw conflict('punch_wrong_state', 'This entry waits for a decision or was deleted.')
  await checkNotOwn(context, punch.user_id)
  if (!accept && reason.length < 3) throw unprocessable('reason_needed', 'Write a reason.', {}, { fields: { reason: 'Write a reason.' } })
  const asked = await askedVersion(db, id)
  const about = { subject: 'punch', subject_id: id, data: { user_id: punch.user_id, work_date: punch.work_date } } as const
  if (accept) {
    const { work_date, started_at, ended_at, removal } = asked
    const type = typeOf(asked.type)
    if (started_at !== null && ended_at !== null && !removal)
      await checkOverlap(context, { user_id: punch.user_id, from: started_at, to: ended_at, except: id })
    const known = { not_before: null, not_after: null, out_not_before: null, out_not_after: null }
    const values = removal
      ? { state: 'deleted' as const }
      : { work_date, type, started_at, ended_at, ...known, state: 'corrected' as const }
    await write(context, id, values, { why: 'accepted', note: reason })
    if (!removal) await followEarlyOut(context, id)
    await recordEvent({ kind: 'punch.corrected', ...about })
  } else {
    const before = await versionBefore(db, id)
    await write(
      context,
      id,
      { state: typeof before?.state === 'string' ? knownState(before.state) : 'deleted' },
      { why: 'refused', note: reason },
    )
    await recordEvent({ kind: 'punch.refused', ...about })
  }
  notify('punch', id)
  return punchById(db, id)
}

const typeOf = (type: string): PunchType =>
  type === 'break' || type === 'meeting' || type === 'cleaning' || type === 'other' ? type : 'work'
const knownState = (state: string): Punch['state'] => changeableStates.find(one => one === state) ?? 'closed'

/** A lead has looked at the times of someone else. */
export async function validatePunch(
  context: Context,
  id: number,
  { version, started_at, ended_at }: { version: number; started_at?: string | undefined; ended_at?: string | undefined },
): Promise<Punch> {
  const { db, now, recordEvent, notify } = context
  const punch = await lockedPunch(db, id)
  if (punch.state === 'validated') return punch
  checkVersion(punch, version)
  await checkNotOwn(context, punch.user_id)
  const start = started_at ?? punch.started_at
  const end = ended_at ?? punch.ended_at
  checkChangeable(punch)
  if (start === null || end === null) {
    const field = start === null ? 'started_at' : 'ended_at'
    throw unprocessable('punch_time_missing', 'Enter the missing time.', {}, { fields: { [field]: 'Enter the missing time.' } })
  }
  checkTimes({ started_at: start, ended_at: end }, now())
  await checkOverlap(context, { user_id: punch.user_id, from: start, to: end, except: id })
  const known = { not_before: null, not_after: null, out_not_before: null, out_not_after: null }
  await write(context, id, { started_at: start, ended_at: end, ...known, state: 'validated' }, { why: 'validated' })
  await followEarlyOut(context, id)
  await recordEvent({
    kind: 'punch.validated',
    subject: 'punch',
    subject_id: id,
    data: { user_id: punch.user_id, work_date: punch.work_date },
  })
  notify('punch', id)
  return punchById(db, id)
}

/** Keeps a tap that was no clock-in, for a lead to see. */
export async function rejectTap(
  { db, now, principal, notify }: Context,
  tap: { client_id: string; why: RejectReason; estimate: number | null; employee_no: string | null },
): Promise<void> {
  await db
    .insertInto('kiosk_rejects')
    .values({
      client_id: tap.client_id,
      device_user_id: principal.id,
      received_at: now().toISOString(),
      estimate: tap.estimate === null ? null : new Date(tap.estimate).toISOString(),
      why: tap.why,
      employee_no: tap.employee_no,
    })
    .onConflict(c => c.columns(['operator_id', 'company_id', 'client_id']).doNothing())
    .execute()
  notify('punch')
}

export const markRejectSeen = ({ db, now, principal }: Context, client_id: string) =>
  db
    .updateTable('kiosk_rejects')
    .set({ seen_at: now().toISOString(), seen_by: principal.name })
    .where('client_id', '=', client_id)
    .where('seen_at', 'is', null)
    .returning(sql<number>`1`.as('one'))
    .executeTakeFirst()
