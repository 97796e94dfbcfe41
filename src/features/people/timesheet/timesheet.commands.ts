/** Approves, opens, locks and unlocks days; what a day held before is kept as a version. */
import { conflict } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { Interval } from './day.rules.ts'
import { autoAfterHours, type DayFlag, unfinishedFlags } from './timesheet.codes.ts'
import { openDays, type TimesheetDay, timesheetDays, versionsOf } from './timesheet.queries.ts'
import type { ChosenToApprove, Results } from './timesheet.schemas.ts'

interface Chosen {
  user_id: number
  work_date: string
}

const keyOf = ({ user_id, work_date }: Chosen): string => `${user_id} ${work_date}`

const isUnfinished = (flags: readonly DayFlag[]): boolean => flags.some(flag => unfinishedFlags.includes(flag))

/** Keeps changes of hours of one company in line. */
const lockHours = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forNoKeyUpdate().execute()

async function daysBy(context: Context, chosen: readonly Chosen[]): Promise<Map<string, TimesheetDay>> {
  const dates = chosen.map(one => one.work_date).toSorted()
  const [from = '', to = ''] = [dates[0], dates.at(-1)]
  const only = new Set(chosen.map(one => one.user_id)).size === 1 ? chosen[0]?.user_id : undefined
  const days = await timesheetDays(context.db, context.principal.company.id, { from, to, user_id: only })
  return new Map(days.map(day => [keyOf(day), day]))
}

type Approver = { user_id: number | null; name: string; auto: boolean }

interface Decided {
  day: TimesheetDay
  intervals: Interval[]
  own: boolean
}

const paidOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, one) => sum + (one.paid ? Math.round((one.to - one.from) / 1_000) : 0), 0)

async function store({ db, now }: Context, decided: readonly Decided[], by: Approver): Promise<void> {
  const at = now().toISOString()
  for (let place = 0; place < decided.length; place += 500) {
    const some = decided.slice(place, place + 500)
    await db
      .insertInto('timesheet_days')
      .values(
        some.map(({ day, intervals, own }) => ({
          user_id: day.user_id,
          work_date: day.work_date,
          state: 'approved' as const,
          intervals: JSON.stringify(intervals),
          paid_s: paidOf(intervals),
          from_versions: JSON.stringify(versionsOf(day.punches)),
          approved_by: by.user_id,
          approved_by_name: by.name,
          approved_at: at,
          auto: by.auto,
          own,
        })),
      )
      .onConflict(c =>
        c.columns(['operator_id', 'company_id', 'user_id', 'work_date']).doUpdateSet(eb => ({
          state: 'approved' as const,
          intervals: eb.ref('excluded.intervals'),
          paid_s: eb.ref('excluded.paid_s'),
          from_versions: eb.ref('excluded.from_versions'),
          approved_by: eb.ref('excluded.approved_by'),
          approved_by_name: eb.ref('excluded.approved_by_name'),
          approved_at: eb.ref('excluded.approved_at'),
          auto: eb.ref('excluded.auto'),
          own: eb.ref('excluded.own'),
          version: eb('timesheet_days.version', '+', 1),
        })),
      )
      .execute()
    await db
      .insertInto('timesheet_versions')
      .values(
        some.map(({ day, intervals }) => ({
          user_id: day.user_id,
          work_date: day.work_date,
          why: 'approved' as const,
          intervals: JSON.stringify(intervals),
          paid_s: paidOf(intervals),
          by_name: by.name,
          at,
        })),
      )
      .execute()
  }
}

type Refused = Results['refused'][number]

/** Why a day cannot be approved; null where it can. */
function refusalOf(day: TimesheetDay | undefined, given: boolean): Pick<Refused, 'key' | 'values'> | null {
  if (!day) return { key: 'Nothing was clocked or planned on this day.', values: {} }
  if (day.approved?.state === 'locked')
    return {
      key: '{{from}}–{{to}} is locked. Corrections go into the next pay period.',
      values: { from: day.work_date, to: day.work_date },
    }
  if (isUnfinished(day.proposal.flags)) return { key: 'The day has no clock-out or an unverified time.', values: {} }
  if (day.punches.length === 0 && !given) return { key: 'Nothing was clocked on this day.', values: {} }
  return null
}

/** Approves each of the days for itself: what one refuses leaves the others approved. */
export async function approveDays(context: Context, chosen: readonly ChosenToApprove[]): Promise<Results> {
  const { db, principal, recordEvent, notify } = context
  await lockHours(context)
  const { hours } = await companySettings(db, principal.company.id)
  const days = await daysBy(context, chosen)
  const refused: Refused[] = []
  const decided = new Map<string, Decided>()
  for (const { intervals: given, ...one } of chosen) {
    const day = days.get(keyOf(one))
    const own = one.user_id === principal.id
    const refusal =
      own && !hours.sole_approver ? { key: 'Someone else must approve your own times.', values: {} } : refusalOf(day, given !== undefined)
    const written = given?.map(({ from, to, ...rest }) => ({ ...rest, from: Date.parse(from), to: Date.parse(to) }))
    const wrong = written && problemIn(written)
    if (refusal || wrong || !day) refused.push({ ...one, ...(refusal ?? { key: wrong ?? '', values: {} }) })
    else decided.set(keyOf(one), { day, own, intervals: written ?? day.proposal.intervals })
  }
  await store(context, [...decided.values()], { user_id: principal.id, name: principal.name, auto: false })
  if (decided.size > 0) await recordEvent({ kind: 'timesheet.approved', data: { days: decided.size } })
  notify('timesheet')
  return { done: decided.size, refused }
}

/** Written hours follow each other and fit into a day. */
function problemIn(intervals: readonly Interval[]): string | null {
  const ordered = intervals.every((one, place) => one.to > one.from && one.from >= (intervals[place - 1]?.to ?? Number.NEGATIVE_INFINITY))
  if (!ordered) return 'The end must be after the start.'
  return paidOf(intervals) > 86_400 ? 'One entry can last 24 hours at most.' : null
}

/** Days inside the tolerance, some hours after their last end: approved by the rule, in the name of the system. */
export async function approveInsideTolerance(context: Context, { from, to }: { from: string; to: string }): Promise<number> {
  const { db, scope, now, recordEvent, notify } = context
  const { hours } = await companySettings(db, scope.company_id)
  if (!hours.auto_approve) return 0
  const before = now().getTime() - autoAfterHours * 3_600_000
  const days = await timesheetDays(db, scope.company_id, { from, to })
  const ended = (day: TimesheetDay) =>
    Math.max(...day.shifts.map(shift => shift.end), ...day.punches.map(punch => punch.end ?? Number.POSITIVE_INFINITY)) <= before
  const decided = days
    .filter(day => day.proposal.auto && day.approved === null && !day.away && ended(day))
    .map(day => ({ day, own: false, intervals: day.proposal.intervals }))
  if (decided.length === 0) return 0
  await store(context, decided, { user_id: null, name: 'system', auto: true })
  await recordEvent({ kind: 'timesheet.approved', data: { days: decided.length } })
  notify('timesheet')
  return decided.length
}

async function keepVersion(
  { db, now, principal }: Context,
  rows: readonly { user_id: number; work_date: string; intervals: unknown; paid_s: number }[],
  why: 'unapproved' | 'locked' | 'unlocked',
  reason: string,
): Promise<void> {
  const at = now().toISOString()
  for (let place = 0; place < rows.length; place += 500)
    await db
      .insertInto('timesheet_versions')
      .values(
        rows
          .slice(place, place + 500)
          .map(({ intervals, ...row }) => ({ ...row, intervals: JSON.stringify(intervals), why, reason, by_name: principal.name, at })),
      )
      .execute()
}

/** Opens approved days again. */
export async function unapproveDays(context: Context, chosen: readonly Chosen[], reason: string): Promise<Results> {
  const { db, recordEvent, notify } = context
  await lockHours(context)
  const days = await daysBy(context, chosen)
  const refused: Refused[] = []
  const opened: Chosen[] = []
  for (const one of chosen) {
    const day = days.get(keyOf(one))
    if (day?.approved?.state === 'approved') opened.push(one)
    else {
      const key = day?.approved ? '{{from}}–{{to}} is locked. Corrections go into the next pay period.' : 'This day is not approved.'
      refused.push({ ...one, key, values: { from: one.work_date, to: one.work_date } })
    }
  }
  for (const { user_id, work_date } of opened) {
    const rows = await db
      .deleteFrom('timesheet_days')
      .where('user_id', '=', user_id)
      .where('work_date', '=', work_date)
      .returning(['user_id', 'work_date', 'intervals', 'paid_s'])
      .execute()
    await keepVersion(context, rows, 'unapproved', reason)
  }
  if (opened.length > 0) await recordEvent({ kind: 'timesheet.unapproved', data: { days: opened.length } })
  notify('timesheet')
  return { done: opened.length, refused }
}

/** Locks a period in which every day is approved. */
export async function lockDays(context: Context, { from, to }: { from: string; to: string }): Promise<number> {
  const { db, recordEvent, notify } = context
  await lockHours(context)
  const open = await openDays(db, context.principal.company.id, { from, to })
  if (open.length > 0) throw conflict('days_open', '{{count}} days are not approved.', { count: open.length })
  const rows = await db
    .updateTable('timesheet_days')
    .set(eb => ({ state: 'locked', version: eb('version', '+', 1) }))
    .where('work_date', '>=', from)
    .where('work_date', '<=', to)
    .where('state', '=', 'approved')
    .returning(['user_id', 'work_date', 'intervals', 'paid_s'])
    .execute()
  await keepVersion(context, rows, 'locked', '')
  if (rows.length > 0) await recordEvent({ kind: 'timesheet.locked', data: { from, to, days: rows.length } })
  notify('timesheet')
  return rows.length
}

export async function unlockDays(
  context: Context,
  { from, to, user_id, reason }: { from: string; to: string; user_id?: number | undefined; reason: string },
): Promise<number> {
  const { db, recordEvent, notify } = context
  await lockHours(context)
  const rows = await db
    .updateTable('timesheet_days')
    .set(eb => ({ state: 'approved', version: eb('version', '+', 1) }))
    .where('work_date', '>=', from)
    .where('work_date', '<=', to)
    .where('state', '=', 'locked')
    .$if(user_id !== undefined, query => query.where('user_id', '=', user_id ?? 0))
    .returning(['user_id', 'work_date', 'intervals', 'paid_s'])
    .execute()
  await keepVersion(context, rows, 'unlocked', reason)
  if (rows.length > 0) await recordEvent({ kind: 'timesheet.unlocked', data: { from, to, days: rows.length } })
  notify('timesheet')
  return rows.length
}
