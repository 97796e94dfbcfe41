/** The pay of everyone in a span of days or a period: lines, what they correct, and what has to be solved before an export. */
import { AppError } from '#contract/errors.ts'
import { mondayOf } from '#domain/local-time.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { openDays } from '#features/people/timesheet/timesheet.queries.ts'
import { countDays, daysToCount, figuresOfToday } from '#features/people/work-figures/work-figures.commands.ts'
import type { DayFigures } from '#features/people/work-figures/work-figures.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { differences, type Pay, type PayLine, type PayPart, payBy, termOn, totalOf } from './pay.rules.ts'
import { comparedPeriods, isBlocking, longWeek_s, type ProblemKind } from './salary.codes.ts'
import {
  type FrozenLine,
  frozenLines,
  payPeriods,
  rulesOf,
  type Span,
  type Worker,
  type WorkOfAll,
  workOf,
  workOfAll,
} from './salary.queries.ts'
import type { PayPeriod, PersonPay } from './salary.schemas.ts'

type Progress = (done: number, total: number) => Promise<void>

/** Counts the days that tariffs need; answers today's figures, which are not stored. Stops when the caller goes. */
export async function figuresFor(context: ExternalContext, { from, to }: Span, progress?: Progress): Promise<DayFigures[]> {
  const { company_id } = context.scope
  const { isNeeded, today } = await context.transaction(async ({ db, now }) => {
    const { time_zone } = await companySettings(db, company_id)
    const { tariffs, pilot } = await rulesOf(db, company_id, { from, to })
    return { isNeeded: tariffs.length > 0 || pilot !== null, today: localDay(now(), time_zone) }
  })
  if (!isNeeded) return []
  return countedFigures(context, { from, to }, today, progress)
}

export async function countedFigures(
  context: ExternalContext,
  { from, to }: Span,
  today: string,
  progress?: Progress,
): Promise<DayFigures[]> {
  await countDays(context, await daysToCount(context, { from, to }), async (done, total) => {
    if (context.signal.aborted) throw new AppError(408, 'request_abandoned', 'No one waits for this answer any more')
    await progress?.(done, total)
  })
  return from <= today && today <= to ? figuresOfToday(context) : []
}

/** A line that is due, and the earlier period that it corrects. */
interface DueLine extends PayLine {
  origin: PayPeriod | null
}

export interface DuePay {
  worker: Worker
  pay: Pay
  lines: DueLine[]
  salary_type: 'hourly' | 'commission' | null
  problems: { kind: ProblemKind; count: number }[]
}

interface Asked {
  company_id: number
  user_id?: number | undefined
  today: readonly DayFigures[]
}

const byUser = (lines: readonly FrozenLine[]): Map<number, FrozenLine[]> => {
  const all = new Map<number, FrozenLine[]>()
  for (const line of lines) all.set(line.user_id, [...(all.get(line.user_id) ?? []), line])
  return all
}

/** Employee numbers that more than one person has. */
function sharedNumbers({ people }: WorkOfAll): Set<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { employee_no } of people.values())
    if (employee_no !== '') {
      if (seen.has(employee_no)) twice.add(employee_no)
      seen.add(employee_no)
    }
  return twice
}

function longWeeks(all: WorkOfAll, user_id: number, span: Span): number {
  const weeks = new Map<string, number>()
  for (const { work_date, intervals } of workOf(all, user_id, span).days) {
    const week = mondayOf(work_date)
    weeks.set(week, (weeks.get(week) ?? 0) + intervals.reduce((sum, one) => sum + (one.to - one.from) / 1_000, 0))
  }
  return [...weeks.values()].filter(seconds => seconds > longWeek_s).length
}

const isMoved = ({ amount, units_c }: Pick<PayLine, 'amount' | 'units_c'>): boolean => amount !== 0 || Boolean(units_c)

interface Known {
  open: number
  twice: ReadonlySet<string>
  /** Minor units by which what was exported differs from what is known now. */
  changed: number | null
  long: number
}

function problemsOf(worker: Worker, pay: Pay, lines: readonly DueLine[], { open, twice, changed, long }: Known): DuePay['problems'] {
  const problems: DuePay['problems'] = []
  const add = (kind: ProblemKind, count: number) => count > 0 && problems.push({ kind, count })
  if (lines.length > 0) {
    add('no_employee_no', worker.employee_no === '' ? 1 : 0)
    add('employee_no_form', worker.employee_no !== '' && !/^\d{1,10}$/.test(worker.employee_no) ? 1 : 0)
    add('employee_no_twice', twice.has(worker.employee_no) ? 1 : 0)
  }
  add('days_open', open)
  add('no_rate', pay.without_rate.length)
  add('no_week_hours', pay.without_hours.length)
  add('no_code', lines.filter(line => line.pay_code === '').length)
  add('negative', totalOf(lines) < 0 ? 1 : 0)
  if (changed !== null) problems.push({ kind: 'changed', count: changed })
  add('long_week', long)
  return problems
}

async function openByUser(db: Db, company_id: number, { from, to }: Span, user_id?: number): Promise<Map<number, number>> {
  const open = new Map<number, number>()
  for (const day of await openDays(db, company_id, { from, to, user_id })) open.set(day.user_id, (open.get(day.user_id) ?? 0) + 1)
  return open
}

const inOrder = (people: DuePay[]): DuePay[] =>
  people.toSorted((one, other) => one.worker.name.localeCompare(other.worker.name) || one.worker.id - other.worker.id)

/** Pay of any span of days, as if nothing had been exported. */
export async function payOfSpan(db: Db, span: Span, { company_id, user_id, today }: Asked): Promise<DuePay[]> {
  const rules = await rulesOf(db, company_id, span)
  const all = await workOfAll(db, company_id, { ...span, user_id }, rules.holidays, today)
  const open = await openByUser(db, company_id, span, user_id)
  const pay = payBy(rules)
  const twice = sharedNumbers(all)
  const people: DuePay[] = []
  for (const worker of all.people.values()) {
    const made = pay(workOf(all, worker.id, span))
    const lines = made.lines.filter(isMoved).map(line => ({ ...line, origin: null }))
    const known = { open: open.get(worker.id) ?? 0, twice, changed: null, long: longWeeks(all, worker.id, span) }
    const problems = problemsOf(worker, made, lines, known)
    if (lines.length > 0 || made.seconds > 0 || problems.length > 0)
      people.push({ worker, pay: made, lines, problems, salary_type: termOn(all.terms.get(worker.id) ?? [], span.to)?.salary_type ?? null })
  }
  return inOrder(people)
}

/**
 * What an export of the period would hold: what was not exported of it, and how earlier exported periods have changed. Of a period
 * that is exported: what was.
 */
export async function payOfPeriod(db: Db, period: PayPeriod, { company_id, user_id, today }: Asked): Promise<DuePay[]> {
  const isFrozen = period.state === 'exported'
  const earlier = isFrozen
    ? []
    : (await payPeriods(db, company_id)).filter(one => one.state === 'exported' && one.to_day < period.from_day).slice(0, comparedPeriods)
  const compared = [period, ...earlier]
  const span = { from: period.from_day, to: period.to_day }
  const whole = { from: compared.map(one => one.from_day).toSorted()[0] ?? span.from, to: span.to }
  const rules = await rulesOf(db, company_id, whole)
  const all = await workOfAll(db, company_id, { ...whole, user_id }, rules.holidays, today)
  const about = byUser(await frozenLines(db, company_id, { about: compared.map(one => one.id), user_id, with_parts: false }))
  const shown = isFrozen
    ? byUser(await frozenLines(db, company_id, { exported_in: period.id, user_id, with_parts: user_id !== undefined }))
    : null
  const open = isFrozen ? new Map<number, number>() : await openByUser(db, company_id, span, user_id)
  const origins = shown ? new Map((await payPeriods(db, company_id)).map(one => [one.id, one])) : null
  const pay = payBy(rules)
  const twice = sharedNumbers(all)
  const people: DuePay[] = []
  for (const worker of all.people.values()) {
    const made = pay(workOf(all, worker.id, span))
    const before = about.get(worker.id) ?? []
    const due = compared.flatMap(one => {
      const frozen = before.filter(line => line.origin_period_id === one.id)
      const { lines } = one.id === period.id ? made : pay(workOf(all, worker.id, { from: one.from_day, to: one.to_day }))
      const origin = one.id !== period.id || one.exports.length > 0 ? one : null
      return differences(lines, frozen)
        .filter(isMoved)
        .map((line): DueLine => ({ ...line, origin }))
    })
    const lines = shown ? (shown.get(worker.id) ?? []).map((line): DueLine => ({ ...line, origin: originOf(line, period, origins) })) : due
    const changed = isFrozen && due.length > 0 ? totalOf(due) : null
    const known = { open: open.get(worker.id) ?? 0, twice, changed, long: longWeeks(all, worker.id, span) }
    // Of what was exported only a change since then is news.
    const problems = problemsOf(worker, made, lines, known).filter(one => !isFrozen || one.kind === 'changed')
    if (lines.length > 0 || problems.length > 0 || (made.seconds > 0 && !isFrozen))
      people.push({ worker, pay: made, lines, problems, salary_type: termOn(all.terms.get(worker.id) ?? [], span.to)?.salary_type ?? null })
  }
  return inOrder(people)
}

const originOf = (line: FrozenLine, period: PayPeriod, periods: ReadonlyMap<number, PayPeriod> | null): PayPeriod | null =>
  line.origin_period_id === period.id ? null : (periods?.get(line.origin_period_id) ?? null)

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const shownPart = ({ from, to, ...part }: PayPart) => ({ ...part, from: isoOf(from), to: isoOf(to) })

/** As calls answer it. Lists leave out what sums to each line. */
export function shownPay({ worker, pay, lines, salary_type, problems }: DuePay, with_parts: boolean): PersonPay {
  return {
    user_id: worker.id,
    user_name: worker.name,
    employee_no: worker.employee_no,
    salary_type,
    paid_s: pay.seconds,
    lines: lines.map(({ key, kind, name, pay_code, units_c, rate, amount, origin, parts }) => ({
      ...{ key, kind, name, pay_code, units_c, rate, amount },
      origin: origin && { from: origin.from_day, to: origin.to_day },
      parts: with_parts ? parts.map(shownPart) : [],
    })),
    total: totalOf(lines),
    corrections: totalOf(lines.filter(line => line.origin !== null)),
    floor: totalOf(lines.filter(line => line.kind === 'floor')),
    pilot_total: pay.pilot_total,
    scans: pay.scans,
    wrong: pay.wrong,
    factor: pay.factor,
    problems: problems.map(one => ({ ...one, blocks: isBlocking(one.kind) })),
  }
}
