/** Writes how shifts and leave are handled, and the public holidays of a company's own. */
import { createHash } from 'node:crypto'
import { conflict, unprocessable } from '#contract/errors.ts'
import { changeSettingGroup } from '#features/company/companies/companies.commands.ts'
import { companySettings, settingGroup } from '#features/company/companies/companies.queries.ts'
import { setHolidayOverrides } from '#features/company/holidays/holidays.commands.ts'
import { holidayOverrides, knowsRegion } from '#features/company/holidays/public-holidays.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { blockDates, holidaysBetween, rulesOf } from './schedule.queries.ts'
import type { ChangedScheduleSettings } from './schedule.schemas.ts'
import { planInLine } from './shifts.commands.ts'

/** The days of which the settings show public holidays. */
const shownDays = (today: string) => ({ from: `${today.slice(0, 4)}-01-01`, to: `${Number(today.slice(0, 4)) + 1}-12-31` })

/** A number that differs where the days do. */
const versionOf = (days: object): number => createHash('sha256').update(JSON.stringify(days)).digest().readUIntBE(0, 6)

export async function settingsOf(context: Context) {
  const { db } = context
  const rules = await rulesOf(context)
  const { from, to } = shownDays(rules.today)
  const own = await holidayOverrides(db, from, to)
  const overrides = new Map(own.map(one => [one.day, one]))
  const shown = (await holidaysBetween(db, rules, from, to)).map(one => ({ ...one, own: overrides.has(one.day), free: true }))
  const working = own.filter(one => !one.free).map(({ day, name }) => ({ day, name, own: true, free: false }))
  return {
    settings: rules.settings,
    version: (await settingGroup(db, context.principal.company.id, 'schedule')).version,
    holidays_version: versionOf(own),
    country: rules.country,
    blocks: await blockDates(db, rules.today),
    holidays: [...shown, ...working].sort((one, other) => (one.day < other.day ? -1 : 1)),
  }
}

export async function setSettings(context: Context, { settings, overrides, version, holidays_version }: ChangedScheduleSettings) {
  const { db, principal, recordEvent, notify } = context
  const { sender } = await companySettings(db, principal.company.id)
  if (!knowsRegion(sender.country, settings.region))
    throw unprocessable(
      'region_unknown',
      'There is no such region in this country',
      {},
      { fields: { region: 'There is no such region in this country' } },
    )
  await planInLine(context)
  const current = await settingsOf(context)
  if (overrides && holidays_version !== undefined && holidays_version !== current.holidays_version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  const by = { name: principal.name, at: context.now() }
  await changeSettingGroup(db, principal.company.id, 'schedule', { ...settings, version }, by)
  if (overrides) await setHolidayOverrides(db, shownDays((await rulesOf(context)).today), overrides)
  await recordEvent({ kind: 'company.changed', subject: 'company', subject_id: principal.company.id })
  notify('schedule')
  notify('company', principal.company.id)
  return settingsOf(context)
}
