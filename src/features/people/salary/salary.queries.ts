/** Reads what pay is made of: rules, terms, approved hours, figures, leave, and what was exported. */
import { sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { daysBetween, weekdayOf } from '#domain/local-time.ts'
import { decimalsOf } from '#domain/money.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { publicHolidays } from '#features/company/holidays/public-holidays.server.ts'
import { payTermsBetween } from '#features/people/employees/employees.queries.ts'
import { settledLeave } from '#features/people/schedule/schedule.codes.ts'
import { paidSeconds } from '#features/people/schedule/shifts.rules.ts'
import { type ApprovedDay, approvedDays } from '#features/people/timesheet/timesheet.queries.ts'
import { type DayFigures, figuresBetween } from '#features/people/work-figures/work-figures.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { DayCounts, Frozen, LeaveDays, PayRules, PersonWork, Term } from './pay.rules.ts'
import { minorOf } from './pay.rules.ts'
import { lineKinds, tariffUnits } from './salary.codes.ts'
import { type PayPeriod, type PayRule, type PaySettings, PaySettingsFields } from './salary.schemas.ts'

export interface Span {
  from: string
  to: string
}

export async function paySettingsOf(db: Db, company_id: number): Promise<PaySettings> {
  const row = await db.selectFrom('pay_settings').select(['settings', 'version']).where('company_id', '=', company_id).executeTakeFirst()
  const { currency, time_zone } = await companySettings(db, company_id)
  return { ...PaySettingsFields.strip().parse(row?.settings ?? {}), version: row?.version ?? 0, currency, time_zone }
}

const ruleColumns = [
  ...([
    'id',
    'kind',
    'name',
    'valid_from',
    'valid_to',
    'weekdays',
    'public_holiday',
    'from_local',
    'to_local',
    'unit',
    'rate_micro',
  ] as const),
  ...(['rule_group', 'pay_code', 'pilot', 'made_by', 'version'] as const),
] as const

/** Rules, those that pay now first. `today` is the company's day. */
export async function payRules(db: Db, company_id: number, today: string): Promise<PayRule[]> {
  const rows = await db
    .selectFrom('pay_rules')
    .select(ruleColumns)
    .where('company_id', '=', company_id)
    .orderBy('kind')
    .orderBy('name')
    .orderBy('valid_from', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute()
  return rows.map(row => ({
    ...row,
    rate_micro: Number(row.rate_micro),
    when: row.valid_from > today ? 'future' : row.valid_to !== null && row.valid_to < today ? 'past' : 'now',
  }))
}

/** Rules of a company as pay is made by them. */
export async function rulesOf(db: Db, company_id: number, { from, to }: Span): Promise<PayRules> {
  const { time_zone, locale, sender, currency, schedule } = await companySettings(db, company_id)
  const settings = await paySettingsOf(db, company_id)
  const rows = (await payRules(db, company_id, to)).filter(rule => rule.valid_from <= to && (rule.valid_to ?? to) >= from)
  const decimals = decimalsOf(currency)
  const tariffs = rows.flatMap(rule => (rule.unit === null ? [] : [{ ...rule, unit: rule.unit }]))
  const pilot = tariffs.filter(rule => rule.pilot)
  // A night that begins on the last day reaches into the next.
  const last = Temporal.PlainDate.from(to).add({ days: 1 }).toString()
  const holidays = await publicHolidays(db, { country: sender.country, region: schedule.region, locale, from, to: last })
  return {
    zone: time_zone,
    decimals,
    holidays: new Set(holidays.map(one => one.day)),
    supplements: rows.filter(rule => rule.kind === 'supplement').map(rule => ({ ...rule, rate: minorOf(rule.rate_micro, decimals) ?? 0 })),
    tariffs: tariffs.filter(rule => !rule.pilot),
    pilot: pilot.length > 0 ? pilot : null,
    quality: { steps: settings.quality_steps, below: settings.quality_below, fewest_scans: settings.quality_fewest_scans },
    floor_scope: settings.floor_scope,
    codes: {
      hours: settings.hours_code,
      commission: settings.commission_code,
      floor: settings.floor_code,
      leave_units: { 1: settings.sick_unit, 2: settings.child_unit, 3: settings.holiday_unit, 4: settings.unpaid_unit },
      leave: { 1: settings.sick_code, 2: settings.child_code, 3: settings.holiday_code, 4: settings.unpaid_code },
    },
  }
}

export interface Worker {
  id: number
  name: string
  employee_no: string
}

/** What everyone did in a span of days, read once. */
export interface WorkOfAll {
  people: Map<number, Worker>
  terms: Map<number, Term[]>
  days: Map<number, ApprovedDay[]>
  counts: Map<number, DayCounts[]>
  leave: Map<number, LeaveDays[]>
}

function gathered<T>(rows: readonly T[], userOf: (row: T) => number): Map<number, T[]> {
  const all = new Map<number, T[]>()
  for (const row of rows) {
    const some = all.get(userOf(row))
    if (some) some.push(row)
    else all.set(userOf(row), [row])
  }
  return all
}

interface Asked extends Span {
  user_id?: number | undefined
}

/** `today` holds the figures of a day that is not stored yet. */
export async function workOfAll(
  db: Db,
  company_id: number,
  asked: Asked,
  holidays: ReadonlySet<string>,
  today: readonly DayFigures[],
): Promise<WorkOfAll> {
  const { from, to, user_id } = asked
  const people = await db
    .selectFrom('users')
    .select(['id', 'name', 'employee_no'])
    .where('company_id', '=', company_id)
    .where('kind', '=', 'person')
    .$if(user_id !== undefined, query => query.where('id', '=', user_id ?? 0))
    .execute()
  const stored = await figuresBetween(db, asked)
  const live = today.filter(one => one.day >= from && one.day <= to && (user_id === undefined || one.user_id === user_id))
  const counted = new Set(live.map(one => `${one.user_id} ${one.day} ${one.kind}`))
  return {
    people: new Map(people.map(one => [one.id, { ...one, employee_no: one.employee_no ?? '' }])),
    terms: gathered(await payTermsBetween(db, asked), one => one.user_id),
    days: gathered(await approvedDays(db, asked), one => one.user_id),
    counts: gathered([...stored.filter(one => !counted.has(`${one.user_id} ${one.day} ${one.kind}`)), ...live], one => one.user_id),
    leave: gathered(await leaveDays(db, asked, holidays), one => one.user_id),
  }
}

/** Days of settled leave: working days that are no public holidays. */
async function leaveDays(
  db: Db,
  { from, to, user_id }: Asked,
  holidays: ReadonlySet<string>,
): Promise<(LeaveDays & { user_id: number })[]> {
  const rows = await db
    .selectFrom('schedule_entries as e')
    .leftJoin('employees as p', 'p.user_id', 'e.user_id')
    .select(['e.user_id', 'e.work_date', 'e.date_to', 'e.part', 'e.reason_id', 'p.days_per_week', 'p.weekly_s'])
    .select(['e.start_at', 'e.end_at', 'e.break_s', 'e.share_c'])
    .where('e.kind', '=', 'leave')
    .where('e.state', 'in', [...settledLeave])
    .where('e.work_date', '<=', to)
    .where(sql<boolean>`coalesce(e.date_to, e.work_date) >= ${from}::date`)
    .$if(user_id !== undefined, query => query.where('e.user_id', '=', user_id ?? 0))
    .orderBy('e.work_date')
    .execute()
  return rows.flatMap((row): (LeaveDays & { user_id: number })[] => {
    const { user_id: user, reason_id } = row
    if (user === null || reason_id === null) return []
    // Of a shift from which somebody went home, whichever day it is on: it was planned.
    if (row.part === 'rest') {
      const [start, end] = [Date.parse(row.start_at ?? ''), Date.parse(row.end_at ?? '')]
      const rest = { from: start, to: end, seconds: paidSeconds({ start, end, break_s: row.break_s }) }
      return [{ user_id: user, day: row.work_date, reason_id, units_c: row.share_c ?? 100, rest, seconds: rest.seconds }]
    }
    const [first = from] = [row.work_date, from].toSorted().toReversed()
    const [last = to] = [row.date_to ?? row.work_date, to].toSorted()
    return daysBetween(first, last)
      .filter(day => weekdayOf(day) <= (row.days_per_week ?? 5) && !holidays.has(day))
      .map(day => ({
        ...{ user_id: user, day, reason_id, units_c: row.part === 'full' ? 100 : 50, rest: null },
        seconds: row.weekly_s === null ? null : Math.round(row.weekly_s / (row.days_per_week ?? 5) / (row.part === 'full' ? 1 : 2)),
      }))
  })
}

const inside = <T>(rows: readonly T[] | undefined, { from, to }: Span, dayOf: (row: T) => string): T[] =>
  (rows ?? []).filter(row => dayOf(row) >= from && dayOf(row) <= to)

/** One person's part of it in some of the days. */
export const workOf = (all: WorkOfAll, user_id: number, span: Span): PersonWork => ({
  days: inside(all.days.get(user_id), span, day => day.work_date),
  counts: inside(all.counts.get(user_id), span, one => one.day),
  leave: inside(all.leave.get(user_id), span, one => one.day),
  terms: all.terms.get(user_id) ?? [],
})

const periodColumns = ['id', 'from_day', 'to_day', 'state', 'version'] as const
const exportColumns = [
  ...(['id', 'period_id', 'format', 'file_name', 'sha256', 'rows', 'total', 'currency', 'made_by', 'made_at'] as const),
] as const

/** Periods with their exports, the latest first. */
export async function payPeriods(db: Db, company_id: number): Promise<PayPeriod[]> {
  const periods = await db
    .selectFrom('pay_periods')
    .select(periodColumns)
    .where('company_id', '=', company_id)
    .orderBy('from_day', 'desc')
    .limit(200)
    .execute()
  if (periods.length === 0) return []
  const exports = await db
    .selectFrom('pay_exports')
    .select(exportColumns)
    .where('company_id', '=', company_id)
    .where(
      'period_id',
      'in',
      periods.map(one => one.id),
    )
    .orderBy('id', 'desc')
    .execute()
  return periods.map(period => ({
    ...period,
    exports: exports
      .filter(one => one.period_id === period.id)
      .map(({ period_id: _period, ...one }) => ({ ...one, total: Number(one.total), made_at: new Date(one.made_at).toISOString() })),
  }))
}

export const periodById = async (db: Db, company_id: number, id: number): Promise<PayPeriod> =>
  orNotFound(
    (await payPeriods(db, company_id)).find(one => one.id === id),
    'pay_period_not_found',
    'This pay period does not exist any more.',
  )

const StoredParts = z.array(
  z.object({
    day: z.string(),
    from: z.number().nullable(),
    to: z.number().nullable(),
    seconds: z.number(),
    name: z.string(),
    unit: z.enum(tariffUnits).nullable(),
    units_milli: z.number(),
    rate_micro: z.number(),
  }),
)
type StoredParts = z.infer<typeof StoredParts>

export interface FrozenLine extends Frozen {
  user_id: number
  origin_period_id: number
  parts: StoredParts
}

interface FrozenOf {
  /** Lines that stand in exports of this period, whatever they correct. */
  exported_in?: number
  /** Lines about the work of these periods, wherever they were exported. */
  about?: readonly number[]
  user_id?: number | undefined
  with_parts?: boolean
}

export async function frozenLines(
  db: Db,
  company_id: number,
  { exported_in, about, user_id, with_parts }: FrozenOf,
): Promise<FrozenLine[]> {
  const rows = await db
    .selectFrom('pay_export_lines as l')
    .innerJoin('pay_exports as x', 'x.id', 'l.export_id')
    .select(['l.user_id', 'l.origin_period_id', 'l.line_key', 'l.kind', 'l.name', 'l.pay_code', 'l.units_c', 'l.rate', 'l.amount'])
    .$if(with_parts === true, query => query.select('l.explanation'))
    .where('l.company_id', '=', company_id)
    .$if(exported_in !== undefined, query => query.where('x.period_id', '=', exported_in ?? 0))
    .$if(about !== undefined, query => query.where('l.origin_period_id', 'in', about && about.length > 0 ? [...about] : [0]))
    .$if(user_id !== undefined, query => query.where('l.user_id', '=', user_id ?? 0))
    .orderBy('l.id')
    .execute()
  return rows.map(({ line_key, amount, explanation, ...row }) => ({
    ...row,
    key: line_key,
    kind: lineKinds.find(kind => kind === row.kind) ?? 'hours',
    amount: Number(amount),
    parts: explanation === undefined ? [] : StoredParts.parse(explanation),
  }))
}

export const fileOfExport = (db: Db, company_id: number, id: number) =>
  db.selectFrom('pay_exports').select(['file_name', 'content']).where('company_id', '=', company_id).where('id', '=', id).executeTakeFirst()

export const keptPayList = (db: Db, company_id: number, { from, to }: Span, id: number) =>
  db
    .selectFrom('pay_lists')
    .select(['id', 'answer', 'made_at'])
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('from_day', '=', from)
    .where('to_day', '=', to)
    .executeTakeFirst()
