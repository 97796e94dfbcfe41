/** Timesheets: plan, punches and approved hours of a period, each read once and joined in memory. */
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod'
import { isRecord } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { type otherWhys, punchTypes } from '#features/people/punch-clock/punch.codes.ts'
import { noAverage, type WeeklyAverage } from '#features/people/schedule/approved-average.queries.ts'
import { paidSeconds } from '#features/people/schedule/shifts.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { type DayPunch, type Interval, type Proposal, proposeDay, type Shift } from './day.rules.ts'
import type { TimesheetRow } from './timesheet.schemas.ts'

export interface Period {
  from: string
  to: string
  user_id?: number | undefined
}

type EarlyOut = (typeof otherWhys)[number]

interface StoredPunch extends DayPunch {
  id: number
  version: number
}

interface Approved {
  /** First and last instant of the approved hours. */
  from: number | null
  to: number | null
  /** As they are stored: read for one person alone. */
  stored: unknown
  paid_s: number
  state: 'approved' | 'locked'
  by: string
  at: number
  auto: boolean
  own: boolean
  /** By punch. */
  versions: Record<string, unknown>
}

/** One person on one day, with everything that is known of it. */
export interface TimesheetDay {
  user_id: number
  user_name: string
  work_date: string
  shifts: Shift[]
  punches: StoredPunch[]
  away: boolean
  went_home: { start: number; end: number; break_s: number } | null
  early_out: EarlyOut | null
  proposal: Proposal
  approved: Approved | null
  changed: boolean
}

const StoredIntervals = z.array(z.object({ from: z.number(), to: z.number(), type: z.enum(punchTypes), paid: z.boolean() }))

export const isoOf = (at: number): string => new Date(at).toISOString()

/** Milliseconds of an instant: numbers cost a tenth of texts that are parsed again, and rows less than a JSON text of a day. */
const at = (column: string) => sql<number | null>`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`

const nothing: Proposal = { intervals: [], paid_s: 0, break_s: 0, flags: [], early_s: 0, short_s: 0, auto: false }

/** Days with a plan, punches or approved hours, in order of names and days. */
export async function timesheetDays(db: Db, company_id: number, { from, to, user_id }: Period): Promise<TimesheetDay[]> {
  const { hours } = await companySettings(db, company_id)
  const [punches, shifts, leave, approved, people] = await Promise.all([
    db
      .selectFrom('punches')
      .select(['user_id', 'work_date', 'id', 'type', 'state', 'version', 'early_out'])
      .select([at('started_at').as('start'), at('ended_at').as('end')])
      .where('work_date', '>=', from)
      .where('work_date', '<=', to)
      .where('state', '<>', 'deleted')
      .$if(user_id !== undefined, query => query.where('user_id', '=', user_id ?? 0))
      .execute(),
    db
      .selectFrom('schedule_entries')
      .select(['published_user_id', 'published_date', 'published_break_s'])
      .select([at('published_start_at').as('start'), at('published_end_at').as('end')])
      .where('kind', '=', 'shift')
      .where('state', '<>', 'removed')
      .where('published_user_id', 'is not', null)
      .where('published_date', '>=', from)
      .where('published_date', '<=', to)
      .$if(user_id !== undefined, query => query.where('published_user_id', '=', user_id ?? 0))
      .orderBy('published_start_at')
      .execute(),
    db
      .selectFrom('schedule_entries')
      .select(['user_id', 'work_date', 'date_to', 'part', 'break_s'])
      .select([at('start_at').as('start'), at('end_at').as('end')])
      .where('kind', '=', 'leave')
      .where('part', 'in', ['full', 'rest'])
      .where('state', 'in', ['approved', 'cancel_requested', 'registered', 'seen'])
      .where('work_date', '<=', to)
      .where(sql<boolean>`coalesce(date_to, work_date) >= ${from}::date`)
      .$if(user_id !== undefined, query => query.where('user_id', '=', user_id ?? 0))
      .execute(),
    db
      .selectFrom('timesheet_days')
      .select(['user_id', 'work_date', 'state', 'paid_s', 'from_versions', 'approved_by_name', 'auto', 'own'])
      .select([
        at('approved_at').as('approved_at'),
        sql<number | null>`(intervals -> 0 ->> 'from')::bigint`.as('first'),
        sql<number | null>`(intervals -> -1 ->> 'to')::bigint`.as('last'),
      ])
      .where('work_date', '>=', from)
      .where('work_date', '<=', to)
      .$if(user_id !== undefined, query => query.select('intervals').where('user_id', '=', user_id ?? 0))
      .execute(),
    db.selectFrom('users').select(['id', 'name']).where('company_id', '=', company_id).execute(),
  ])
  const names = new Map(people.map(person => [person.id, person.name]))

  const days: TimesheetDay[] = []
  const byUser = new Map<number, Map<string, TimesheetDay>>()
  const dayOf = (user: number, work_date: string) => {
    const known = byUser.get(user) ?? new Map<string, TimesheetDay>()
    const found = known.get(work_date)
    if (found) return found
    const day: TimesheetDay = {
      user_id: user,
      user_name: names.get(user) ?? '',
      work_date,
      shifts: [],
      punches: [],
      away: false,
      approved: null,
      went_home: null,
      early_out: null,
      proposal: nothing,
      changed: false,
    }
    byUser.set(user, known.set(work_date, day))
    days.push(day)
    return day
  }
  for (const { user_id: user, work_date, early_out, ...punch } of punches.sort((a, b) => a.id - b.id)) {
    const one = dayOf(user, work_date)
    one.punches.push(punch)
    one.early_out = early_out ?? one.early_out
  }
  for (const { published_user_id, published_date, published_break_s, start, end } of shifts)
    if (published_user_id !== null && published_date !== null && start !== null && end !== null)
      dayOf(published_user_id, published_date).shifts.push({ start, end, break_s: published_break_s ?? 0 })
  for (const row of approved)
    dayOf(row.user_id, row.work_date).approved = {
      from: row.first,
      to: row.last,
      stored: row.intervals ?? [],
      paid_s: row.paid_s,
      state: row.state,
      by: row.approved_by_name,
      at: row.approved_at ?? 0,
      auto: row.auto,
      own: row.own,
      versions: isRecord(row.from_versions) ? row.from_versions : {},
    }
  for (const { user_id: user, work_date, part, start, end, break_s } of leave) {
    if (part === 'rest' && user !== null && start !== null && end !== null) dayOf(user, work_date).went_home = { start, end, break_s }
  }
  const isAway = (user: number, day: string) =>
    leave.some(one => one.part === 'full' && one.user_id === user && one.work_date <= day && (one.date_to ?? one.work_date) >= day)
  // Names are compared once, not for each pair of days.
  const places = new Map(people.toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id).map((person, place) => [person.id, place]))
  const shown = days.filter(day => names.has(day.user_id))
  for (const [place, day] of shown.entries()) {
    // A month of many people takes longer than others should wait.
    if (place % 1_000 === 0) await breathe()
    day.away = leave.length > 0 && isAway(day.user_id, day.work_date)
    day.proposal = proposeDay(day.shifts, day.punches, hours)
    day.changed = day.approved !== null && differs(day.approved.versions, day.punches)
  }
  return shown.sort((a, b) =>
    a.work_date === b.work_date ? (places.get(a.user_id) ?? 0) - (places.get(b.user_id) ?? 0) : a.work_date < b.work_date ? -1 : 1,
  )
}

/** Days of a period on which something was clocked and that are not approved, or changed since. */
export async function openDays(db: Db, company_id: number, period: Period): Promise<TimesheetDay[]> {
  const days = await timesheetDays(db, company_id, period)
  return days.filter(day => day.punches.length > 0 && (day.approved === null || day.changed))
}

export interface ApprovedDay {
  user_id: number
  work_date: string
  /** Paid time. */
  intervals: { from: number; to: number }[]
}

/** Approved time that is paid. */
export async function approvedDays(db: Db, { from, to, user_id }: Period): Promise<ApprovedDay[]> {
  const rows = await db
    .selectFrom('timesheet_days')
    .select(['user_id', 'work_date', 'intervals'])
    .where('work_date', '>=', from)
    .where('work_date', '<=', to)
    .$if(user_id !== undefined, query => query.where('user_id', '=', user_id ?? 0))
    .orderBy('work_date')
    .execute()
  return rows.map(row => ({
    ...row,
    intervals: StoredIntervals.parse(row.intervals)
      .filter(one => one.paid)
      .map(one => ({ from: one.from, to: one.to })),
  }))
}

/** The approved hours of a day, part by part. */
export const approvedIntervals = (day: TimesheetDay | undefined): Interval[] =>
  day?.approved ? StoredIntervals.parse(day.approved.stored) : []

/** The versions of punches from which a day is approved. */
export const versionsOf = (punches: readonly StoredPunch[]): Record<string, number> =>
  Object.fromEntries(punches.map(punch => [String(punch.id), punch.version]))

/** True where a punch came, went or was changed. Looking at a time alone changes nothing that is paid. */
function differs(approved: Record<string, unknown>, punches: readonly StoredPunch[]): boolean {
  const now = punches.filter(punch => punch.state !== 'validated')
  return (
    Object.keys(approved).length !== punches.length ||
    now.some(punch => approved[String(punch.id)] !== punch.version) ||
    punches.some(punch => approved[String(punch.id)] === undefined)
  )
}

/** Texts of instants, each written once: planned times are those of many people. */
function isoTexts(): (at: number) => string {
  const known = new Map<number, string>()
  return at => {
    const text = known.get(at) ?? isoOf(at)
    known.set(at, text)
    return text
  }
}

const spanOf = (intervals: readonly Interval[], iso: (at: number) => string): { from: string | null; to: string | null } => {
  const [first, last] = [intervals[0], intervals.at(-1)]
  return { from: first ? iso(first.from) : null, to: last ? iso(last.to) : null }
}

/** Monday of the week of a day. */
const mondayOf = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10)
}

/** Days as a screen shows them, with the weekly averages at their end. */
export function shownRows(
  days: readonly TimesheetDay[],
  { average, viewer }: { average: ReadonlyMap<number, WeeklyAverage>; viewer: number },
): TimesheetRow[] {
  const weeks = new Map<string, number>()
  const mondays = new Map(days.map(day => [day.work_date, '']))
  for (const day of mondays.keys()) mondays.set(day, mondayOf(day))
  const weekOf = (day: TimesheetDay) => `${day.user_id} ${mondays.get(day.work_date)}`
  for (const day of days) weeks.set(weekOf(day), (weeks.get(weekOf(day)) ?? 0) + (day.approved?.paid_s ?? day.proposal.paid_s))
  const iso = isoTexts()
  return days.map(day => {
    const { user_id, user_name, work_date, shifts, punches, proposal, approved } = day
    const [firstShift, lastShift] = [shifts[0], shifts.at(-1)]
    const starts = punches.flatMap(punch => punch.start ?? [])
    const ends = punches.flatMap(punch => punch.end ?? [])
    const week = weeks.get(weekOf(day)) ?? 0
    const mean = average.get(user_id) ?? noAverage
    return {
      user_id,
      user_name,
      work_date,
      planned:
        firstShift && lastShift
          ? {
              from: iso(firstShift.start),
              to: iso(lastShift.end),
              shifts: shifts.length,
              break_s: shifts.reduce((sum, shift) => sum + shift.break_s, 0),
            }
          : null,
      punched:
        punches.length === 0
          ? null
          : {
              from: starts.length > 0 ? iso(Math.min(...starts)) : null,
              // Without the end of the last one the day has no end.
              to: ends.length > 0 && punches.every(punch => punch.end !== null) ? iso(Math.max(...ends)) : null,
              break_s: proposal.break_s,
            },
      proposed: { ...spanOf(proposal.intervals, iso), paid_s: proposal.paid_s },
      away: day.away,
      went_home: day.went_home && {
        from: iso(day.went_home.start),
        to: iso(day.went_home.end),
        leave_s: paidSeconds(day.went_home),
      },
      early_out: day.early_out,
      flags: day.away ? proposal.flags.filter(flag => flag !== 'no_punch') : proposal.flags,
      early_s: proposal.early_s,
      short_s: proposal.short_s,
      auto: proposal.auto,
      approved: approved && {
        from: approved.from === null ? null : iso(approved.from),
        to: approved.to === null ? null : iso(approved.to),
        paid_s: approved.paid_s,
        state: approved.state,
        by: approved.by,
        at: iso(approved.at),
        auto: approved.auto,
        own: approved.own,
        changed: day.changed,
      },
      over_week_s: week > mean.limit_s ? week : null,
      over_average_s: !mean.opted_out && mean.average_s > mean.limit_s ? mean.average_s : null,
      own: user_id === viewer,
    }
  })
}

export const dayVersions = (db: Db, user_id: number, work_date: string) =>
  db
    .selectFrom('timesheet_versions')
    .select(['why', 'paid_s', 'reason', 'by_name', 'at'])
    .where('user_id', '=', user_id)
    .where('work_date', '=', work_date)
    .orderBy('id')
    .limit(100)
    .execute()

/** Companies with days that may be approved by themselves. */
export const companiesWithPunches = (db: Db, from: string) =>
  db
    .selectFrom('punches')
    .select(['operator_id', 'company_id'])
    .distinct()
    .where('work_date', '>=', from)
    .where('state', 'in', ['closed', 'validated', 'corrected'])
    .limit(10_000)
    .execute()
