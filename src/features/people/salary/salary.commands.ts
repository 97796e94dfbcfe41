/** Writes how a company pays, its periods, and what is exported of them. Changes of one company's payroll wait for each other. */
import { createHash } from 'node:crypto'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { addDays, dayAt } from '#domain/local-time.ts'
import { decimalsOf } from '#domain/money.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { notValid, type OwnedValues, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { lockDays, unlockDays } from '#features/people/timesheet/timesheet.commands.ts'
import type { DayFigures } from '#features/people/work-figures/work-figures.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { minorOf, totalOf } from './pay.rules.ts'
import { csvText, danlonText, type FileLine } from './pay-file.rules.ts'
import { type DuePay, payOfPeriod } from './period-pay.server.ts'
import { type ExportFormat, isBlocking, keptListDays, type LineKind, mostPayDays, type ProblemKind } from './salary.codes.ts'
import { payPeriods, payRules, paySettingsOf, periodById } from './salary.queries.ts'
import {
  type NewPayRule,
  type PayList,
  type PayPeriod,
  type PayRule,
  type PayRuleChange,
  type PaySettings,
  PaySettingsFields,
} from './salary.schemas.ts'

const lockPayroll = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forNoKeyUpdate().execute()

export const todayOf = async ({ db, principal, now }: Context): Promise<string> =>
  dayAt(now().getTime(), (await companySettings(db, principal.company.id)).time_zone)

const changedMeanwhile = (current: object) =>
  conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })

/** As the history of settings keeps them: what is read together changes together. */
function historyOf(settings: PaySettingsFields) {
  const { hours_code, commission_code, floor_code, sick_code, child_code, holiday_code, unpaid_code, ...rest } = settings
  const { sick_unit, child_unit, holiday_unit, unpaid_unit, quality_steps, quality_below, ...plain } = rest
  return {
    ...plain,
    codes: [hours_code, commission_code, floor_code],
    leave: [sick_code, sick_unit, child_code, child_unit, holiday_code, holiday_unit, unpaid_code, unpaid_unit],
    quality: [...quality_steps.flatMap(({ accuracy, factor }) => [accuracy, factor]), quality_below],
  }
}

/** The other way. */
function settingsOf({ codes, leave, quality, ...plain }: OwnedValues): unknown {
  const [hours_code, commission_code, floor_code] = listOf(codes)
  const [sick_code, sick_unit, child_code, child_unit, holiday_code, holiday_unit, unpaid_code, unpaid_unit] = listOf(leave)
  const numbers = listOf(quality)
  const quality_steps = Array.from({ length: Math.floor(numbers.length / 2) }, (_, step) => ({
    accuracy: numbers[2 * step],
    factor: numbers[2 * step + 1],
  }))
  return {
    ...{ ...plain, hours_code, commission_code, floor_code, sick_code, sick_unit, child_code, child_unit },
    ...{ holiday_code, holiday_unit, unpaid_code, unpaid_unit, quality_steps, quality_below: numbers.at(-1) },
  }
}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const paySettingsOwner: SettingOwner = {
  name: 'pay',
  async read(context) {
    await lockPayroll(context)
    const { currency: _currency, time_zone: _zone, version, ...fields } = await paySettingsOf(context.db, context.principal.company.id)
    return { ...historyOf(fields), version }
  },
  async save(context, _place, { version, ...values }) {
    const read = PaySettingsFields.safeParse(settingsOf(values))
    if (!read.success) throw notValid()
    return setPaySettings(context, { ...read.data, version: Number(version) })
  },
}

export async function setPaySettings(
  context: Context,
  { version, ...fields }: PaySettingsFields & { version: number },
): Promise<PaySettings> {
  const { db, principal, recordEvent, notify } = context
  await lockPayroll(context)
  const current = await paySettingsOf(db, principal.company.id)
  if (current.version !== version) throw changedMeanwhile(current)
  const settings = JSON.stringify(fields)
  await db
    .insertInto('pay_settings')
    .values({ settings })
    .onConflict(row =>
      row.columns(['operator_id', 'company_id']).doUpdateSet(eb => ({ settings, version: eb('pay_settings.version', '+', 1) })),
    )
    .execute()
  const { currency: _currency, time_zone: _zone, version: _version, ...before } = current
  await recordOwnedChanges(context, 'pay', historyOf(before), historyOf(fields))
  await recordEvent({ kind: 'pay.settings_changed', subject: 'company', subject_id: principal.company.id })
  notify('payroll')
  return paySettingsOf(db, principal.company.id)
}

async function ruleById({ db, principal }: Context, id: number, today: string): Promise<PayRule> {
  const rules = await payRules(db, principal.company.id, today)
  return orNotFound(
    rules.find(rule => rule.id === id),
    'pay_rule_not_found',
    'This rule does not exist any more.',
  )
}

/** Payroll systems take rates of an hour in hundredths. */
async function checkRate({ db, principal }: Context, { kind, rate_micro }: Pick<NewPayRule, 'kind' | 'rate_micro'>): Promise<void> {
  const { currency } = await companySettings(db, principal.company.id)
  if (kind === 'supplement' && minorOf(rate_micro, decimalsOf(currency)) === null)
    throw unprocessable(
      'pay_rate_form',
      'A rate of an hour has two decimals.',
      {},
      { fields: { rate_micro: 'A rate of an hour has two decimals.' } },
    )
}

async function ruleChanged({ recordEvent, notify }: Context, rule: { id: number; name: string }, change: string): Promise<void> {
  await recordEvent({ kind: 'pay.rule_changed', subject: 'pay_rule', subject_id: rule.id, data: { name: rule.name, change } })
  notify('payroll')
}

const valuesOf = ({ client_id, ...fields }: NewPayRule, { principal, now }: Context) => ({
  ...fields,
  client_id,
  weekdays: [...new Set(fields.weekdays)].toSorted(),
  made_by: principal.name,
  made_at: now().toISOString(),
})

export async function addRule(context: Context, fields: NewPayRule): Promise<PayRule> {
  const { db, principal } = context
  await lockPayroll(context)
  await checkRate(context, fields)
  const known = await db
    .selectFrom('pay_rules')
    .select('id')
    .where('company_id', '=', principal.company.id)
    .where('client_id', '=', fields.client_id)
    .executeTakeFirst()
  const today = await todayOf(context)
  if (known) return ruleById(context, known.id, today)
  const { id } = await db.insertInto('pay_rules').values(valuesOf(fields, context)).returning('id').executeTakeFirstOrThrow()
  await ruleChanged(context, { id, name: fields.name }, 'added')
  return ruleById(context, id, today)
}

/** Ends a rule on the day before; one that would never hold is removed. */
async function endBefore({ db }: Context, rule: PayRule, day: string): Promise<void> {
  if (rule.valid_from >= day) await db.deleteFrom('pay_rules').where('id', '=', rule.id).execute()
  else
    await db
      .updateTable('pay_rules')
      .set(eb => ({ valid_to: addDays(day, -1), version: eb('version', '+', 1) }))
      .where('id', '=', rule.id)
      .execute()
}

async function currentRule(context: Context, id: number, version: number): Promise<PayRule> {
  const rule = await ruleById(context, id, await todayOf(context))
  if (rule.version !== version) throw changedMeanwhile(rule)
  if (rule.when === 'past') throw conflict('pay_rule_ended', 'This rule has ended. Add another one.')
  return rule
}

export async function changeRule(context: Context, id: number, { version, ...fields }: PayRuleChange): Promise<PayRule> {
  await lockPayroll(context)
  await checkRate(context, fields)
  const rule = await currentRule(context, id, version)
  if (fields.valid_from < rule.valid_from)
    throw unprocessable(
      'pay_rule_not_begun',
      'The change lies before the first day of the rule.',
      {},
      { fields: { valid_from: 'The change lies before the first day of the rule.' } },
    )
  await endBefore(context, rule, fields.valid_from)
  const { id: next } = await context.db
    .insertInto('pay_rules')
    .values({ ...valuesOf({ ...fields, client_id: crypto.randomUUID() }, context), valid_to: rule.valid_to })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ruleChanged(context, { id: next, name: fields.name }, 'changed')
  return ruleById(context, next, await todayOf(context))
}

export async function endRule(
  context: Context,
  id: number,
  { version, valid_to }: { version: number; valid_to: string },
): Promise<PayRule[]> {
  await lockPayroll(context)
  const rule = await currentRule(context, id, version)
  await endBefore(context, rule, addDays(valid_to, 1))
  await ruleChanged(context, rule, 'ended')
  return payRules(context.db, context.principal.company.id, await todayOf(context))
}

/** The tariffs of the pilot take the place of those that are paid. */
export async function startPilot(context: Context, from: string): Promise<PayRule[]> {
  const { db, principal } = context
  await lockPayroll(context)
  const today = await todayOf(context)
  const rules = (await payRules(db, principal.company.id, today)).filter(rule => rule.kind === 'tariff' && (rule.valid_to ?? from) >= from)
  const pilot = rules.filter(rule => rule.pilot)
  if (pilot.length === 0) throw conflict('pay_pilot_empty', 'There is no tariff in a pilot.')
  for (const rule of rules.filter(one => !one.pilot)) await endBefore(context, rule, from)
  await db
    .updateTable('pay_rules')
    .set(eb => ({ pilot: false, valid_from: from, version: eb('version', '+', 1) }))
    .where(
      'id',
      'in',
      pilot.map(rule => rule.id),
    )
    .execute()
  for (const rule of pilot) await ruleChanged(context, rule, 'pilot started')
  return payRules(db, principal.company.id, today)
}

export async function addPeriod(context: Context, { from_day, to_day }: { from_day: string; to_day: string }): Promise<PayPeriod> {
  const { db, principal, recordEvent, notify } = context
  await lockPayroll(context)
  if ((Date.parse(to_day) - Date.parse(from_day)) / 86_400_000 >= mostPayDays)
    throw unprocessable(
      'period_too_long',
      'A period has at most {{count}} days',
      { count: mostPayDays },
      { fields: { to_day: `A period has at most ${mostPayDays} days` } },
    )
  const periods = await payPeriods(db, principal.company.id)
  const same = periods.find(one => one.from_day === from_day && one.to_day === to_day)
  if (same) return same
  const other = periods.find(one => one.from_day <= to_day && one.to_day >= from_day)
  if (other)
    throw conflict(
      'pay_period_overlaps',
      'The period {{from}} to {{to}} has days in common with it.',
      { from: other.from_day, to: other.to_day },
      { fields: { from_day: 'Another period has days in common with it' } },
    )
  const { id } = await db.insertInto('pay_periods').values({ from_day, to_day }).returning('id').executeTakeFirstOrThrow()
  await recordEvent({ kind: 'pay.period_added', subject: 'pay_period', subject_id: id, data: { from: from_day, to: to_day } })
  notify('payroll')
  return periodById(db, principal.company.id, id)
}

export async function removePeriod(context: Context, id: number): Promise<PayPeriod[]> {
  const { db, principal, recordEvent, notify } = context
  await lockPayroll(context)
  const period = await periodById(db, principal.company.id, id)
  if (period.exports.length > 0) throw conflict('pay_period_exported', 'This period was exported and stays.')
  await db.deleteFrom('pay_periods').where('id', '=', id).execute()
  await recordEvent({
    kind: 'pay.period_removed',
    subject: 'pay_period',
    subject_id: id,
    data: { from: period.from_day, to: period.to_day },
  })
  notify('payroll')
  return payPeriods(db, principal.company.id)
}

/** Problems that only concern some formats, and those that a reason passes. */
function blocks(kind: ProblemKind, format: ExportFormat, reason: string): boolean {
  if (kind === 'employee_no_form') return format === 'danlon'
  if (kind === 'negative') return reason === ''
  return isBlocking(kind)
}

/** Kinds of lines, as the file names them in the company's language. */
const lineNames: Readonly<Record<LineKind, string>> = {
  hours: 'Hours',
  supplement: 'Supplement',
  commission: 'Commission',
  floor: 'Floor',
  leave: 'Leave',
}

async function fileOf(context: Context, period: PayPeriod, people: readonly DuePay[], format: ExportFormat) {
  const { db, principal } = context
  const settings = await paySettingsOf(db, principal.company.id)
  const { locale } = await companySettings(db, principal.company.id)
  const t = await translatorFor(locale)
  if (format === 'danlon' && settings.employer_no === '')
    throw conflict('pay_employer_missing', 'Write the CVR number in the settings of the payroll first.')
  const lines = people.flatMap(({ worker, lines: due }) =>
    due.map(
      ({ kind, name, pay_code, units_c, rate, amount, origin }): FileLine => ({
        ...{ employee_no: worker.employee_no, name: worker.name, pay_code, units_c, rate, amount },
        text: kind === 'supplement' ? name : t(lineNames[kind]),
        from: origin?.from_day ?? period.from_day,
        to: origin?.to_day ?? period.to_day,
        origin: origin?.id ?? 0,
      }),
    ),
  )
  const text = format === 'danlon' ? danlonText(settings.employer_no, lines) : csvText(settings.employer_no, lines, settings)
  const isLatin = format === 'csv' && settings.encoding === 'windows-1252'
  const mark = format === 'csv' && settings.encoding === 'utf-8' ? '\ufeff' : ''
  // Letters that the code page has no place for become a question mark.
  const content = isLatin
    ? Buffer.from(Array.from(text, letter => (letter <= '\u00ff' ? letter : '?')).join(''), 'latin1')
    : Buffer.from(mark + text, 'utf8')
  return {
    lines,
    content,
    currency: settings.currency,
    name: `${format === 'danlon' ? 'danlon' : 'payroll'}-${principal.company.code}-${period.to_day}.csv`,
  }
}

interface ExportAsked {
  version: number
  format: ExportFormat
  reason: string
}

/** Locks the days, freezes the lines and makes the file. A period that is exported answers as it is: no second file of the same rows. */
export async function exportPeriod(
  context: Context,
  id: number,
  { version, format, reason }: ExportAsked,
  today: readonly DayFigures[],
): Promise<PayPeriod> {
  const { db, principal, now, recordEvent, notify } = context
  const company_id = principal.company.id
  await lockPayroll(context)
  const period = await periodById(db, company_id, id)
  if (period.state === 'exported') return period
  if (period.version !== version) throw changedMeanwhile(period)
  const people = await payOfPeriod(db, period, { company_id, today })
  const problems = people.flatMap(person => person.problems.filter(one => blocks(one.kind, format, reason)))
  if (problems.length > 0)
    throw conflict('pay_export_blocked', '{{count}} rows must be solved before the export.', { count: problems.length })
  await lockDays(context, { from: period.from_day, to: period.to_day })
  const { lines, content, currency, name } = await fileOf(context, period, people, format)
  const { id: export_id } = await db
    .insertInto('pay_exports')
    .values({
      ...{
        period_id: id,
        format,
        file_name: name,
        content,
        sha256: createHash('sha256').update(content).digest('hex'),
        rows: lines.length,
      },
      ...{ total: totalOf(lines), currency, made_by: principal.name, made_at: now().toISOString() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = people.flatMap(({ worker, lines: due }) =>
    due.map(({ key, kind, name: line, pay_code, units_c, rate, amount, parts, origin }) => ({
      ...{ export_id, user_id: worker.id, origin_period_id: origin?.id ?? id, line_key: key, kind, name: line, pay_code },
      ...{ units_c, rate, amount, explanation: JSON.stringify(parts) },
    })),
  )
  for (let place = 0; place < rows.length; place += 500)
    await db
      .insertInto('pay_export_lines')
      .values(rows.slice(place, place + 500))
      .execute()
  await db
    .updateTable('pay_periods')
    .set(eb => ({ state: 'exported', version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  const data = { from: period.from_day, to: period.to_day, rows: rows.length, format, ...(reason && { passed: reason }) }
  await recordEvent({ kind: 'pay.exported', subject: 'pay_period', subject_id: id, data })
  notify('payroll')
  return periodById(db, company_id, id)
}

export async function reopenPeriod(
  context: Context,
  id: number,
  { version, reason }: { version: number; reason: string },
): Promise<PayPeriod> {
  const { db, principal, recordEvent, notify } = context
  await lockPayroll(context)
  const period = await periodById(db, principal.company.id, id)
  if (period.version !== version) throw changedMeanwhile(period)
  if (period.state !== 'exported') throw conflict('pay_period_open', 'This period is open already.')
  await unlockDays(context, { from: period.from_day, to: period.to_day, reason })
  await db
    .updateTable('pay_periods')
    .set(eb => ({ state: 'reopened', version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await recordEvent({
    kind: 'pay.reopened',
    subject: 'pay_period',
    subject_id: id,
    data: { from: period.from_day, to: period.to_day, reason },
  })
  notify('payroll')
  return periodById(db, principal.company.id, id)
}

/** Keeps a pay list for some days, and ends older ones. */
export async function keepPayList({ db, principal, now }: Context, list: Omit<PayList, 'id' | 'job_id'>): Promise<number> {
  await db
    .deleteFrom('pay_lists')
    .where('made_at', '<', new Date(now().getTime() - keptListDays * 86_400_000).toISOString())
    .execute()
  const { id } = await db
    .insertInto('pay_lists')
    .values({
      ...{ from_day: list.from, to_day: list.to, answer: JSON.stringify(list) },
      ...{ made_by: principal.id || null, made_at: list.made_at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
