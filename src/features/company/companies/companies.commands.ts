/** Creates and changes companies. */
import { permissionId } from '#contract/access.ts'
import { conflict, unprocessable } from '#contract/errors.ts'
import { insertUser } from '#features/company/users/users.commands.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import type { CompanyLimits } from '#platform/limits/company-limits.ts'
import {
  type CompanyRow,
  companyRow,
  companySettings,
  followedSettings,
  operatorDefaults,
  type SettingGroup,
  settingGroup,
} from './companies.queries.ts'
import { CompanySettings, type SettingsChange } from './companies.schemas.ts'
import { differingSettings, type InheritedSetting, ownSettings } from './operator-defaults.rules.ts'
import { recordSettingChanges } from './setting-changes.commands.ts'

/** Who changes a setting, and when. */
export interface ChangedBy {
  name: string
  at: Date
}

interface NewCompany {
  operator_id: number
  code: string
  name: string
  is_main?: boolean
  settings: CompanySettings
  own_settings?: string[]
  changed_at?: string
  changed_by?: string
}

/** Creates a company and answers its id, or `undefined` where its code is taken. */
export async function insertCompany(db: Db, { settings, ...company }: NewCompany): Promise<number | undefined> {
  const row = await db
    .insertInto('companies')
    .values({ ...company, settings: JSON.stringify(settings) })
    .onConflict(taken => taken.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/**
 * Creates a company of an operator with its first admin, and answers its id. It is outside the tenant of the company that creates it, so the
 * system role writes it. @throws {AppError} 422 where the code is taken
 */
export async function addCompany(
  { transaction, services }: Pick<ExternalContext, 'transaction' | 'services'>,
  company: {
    operator_id: number
    main_id: number
    code: string
    name: string
    admin: { name: string; user_name: string; email: string | null; password_hash: string }
    at: Date
    by: string
  },
): Promise<number> {
  const { operator_id, code, name } = company
  // The warehouse packs for the new company too: its language, currency, time zone and network are the defaults.
  const { locale, currency, time_zone, packing_ip_pattern } = await transaction(({ db }) => companySettings(db, company.main_id))
  const given = { locale, currency, time_zone, packing_ip_pattern }
  const settings = CompanySettings.parse({ ...(await transaction(({ db }) => operatorDefaults(db))), ...given })
  const id = await services.database.systemTransaction('a company is founded before anybody stands in it', async db => {
    const made = await insertCompany(db, {
      operator_id,
      code,
      name,
      settings,
      own_settings: Object.keys(given),
      changed_at: company.at.toISOString(),
      changed_by: company.by,
    })
    if (made === undefined) throw unprocessable('company_code_taken', 'This code is taken', {}, { fields: { code: 'This code is taken' } })
    await insertUser(db, { operator_id, company_id: made, ...company.admin, permission: [permissionId('admin')], password_given: true })
    return made
  })
  await transaction(({ recordEvent, notify }) => {
    notify('people')
    return recordEvent({ kind: 'company.created', subject: 'company', subject_id: id, data: { code, name } })
  })
  return id
}

/**
 * Changes name and settings and keeps who did it; what is absent or undefined stays. With the `version` of a form, an older version is
 * refused with 409 and `current` made by `shown`. What changes is the company's own from then on, but for what it `follows`.
 */
export async function changeCompany(
  db: Db,
  company_id: number,
  change: { name?: string | undefined; settings?: SettingsChange & Partial<CompanySettings> },
  by: ChangedBy & { version?: number; follows?: readonly string[]; shown?: (row: CompanyRow) => unknown },
): Promise<CompanyRow> {
  const row = await companyRow(db, company_id).forUpdate().executeTakeFirstOrThrow()
  const before = { ...row, settings: CompanySettings.parse(row.settings) }
  if (by.version !== undefined && by.version !== row.version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: by.shown?.(before) })
  const given = Object.fromEntries(Object.entries(change.settings ?? {}).filter(([, value]) => value !== undefined))
  const settings = CompanySettings.parse({ ...before.settings, ...given })
  const own = new Set([...ownSettings(before, CompanySettings.parse({})), ...differingSettings(settings, before.settings)])
  const own_settings = [...own].filter(name => !by.follows?.includes(name))
  const after = {
    name: change.name ?? row.name,
    changed_at: by.at.toISOString(),
    changed_by: by.name,
  }
  const saved = await db
    .updateTable('companies')
    .set(eb => ({ ...after, settings: JSON.stringify(settings), own_settings, version: eb('version', '+', 1) }))
    .where('id', '=', company_id)
    .returning(['name', 'changed_at', 'changed_by', 'version'])
    .executeTakeFirstOrThrow()
  await recordSettingChanges(
    db,
    company_id,
    [
      { ...before.settings, name: before.name },
      { ...settings, name: saved.name },
    ],
    by,
  )
  return { ...before, ...saved, settings, own_settings }
}

/** Closes a company in scope from now on; its data end after `erase_from`. */
export async function closeCompany(db: Db, id: number, { name, at, reason, erase_from }: ChangedBy & { reason: string; erase_from: Date }) {
  await db
    .updateTable('companies')
    .set(eb => ({
      closed_at: at.toISOString(),
      closed_by: name.slice(0, 200),
      close_reason: reason,
      erase_from: erase_from.toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

/** Sets how much a company in scope may have. */
export async function setCompanyLimits(db: Db, id: number, limits: CompanyLimits): Promise<void> {
  await db
    .updateTable('companies')
    .set(eb => ({ limits: JSON.stringify(limits), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function reopenCompany(db: Db, id: number): Promise<void> {
  await db
    .updateTable('companies')
    .set(eb => ({ closed_at: null, closed_by: null, close_reason: null, erase_from: null, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** What is left of a closed company whose data have ended: its name, which stands on what the law keeps. In the system role. */
export async function markCompanyErased(db: Db, { operator_id, id, at }: { operator_id: number; id: number; at: Date }): Promise<void> {
  await db
    .updateTable('companies')
    .set({ settings: '{}', own_settings: null, close_reason: null, changed_by: null, erased_at: at.toISOString() })
    .where('operator_id', '=', operator_id)
    .where('id', '=', id)
    .where('closed_at', 'is not', null)
    .execute()
}

/** Changes some settings and keeps the others; returns all of them. */
export async function changeSettings(
  db: Db,
  company_id: number,
  change: Partial<CompanySettings>,
  by: ChangedBy,
): Promise<CompanySettings> {
  return (await changeCompany(db, company_id, { settings: change }, by)).settings
}

/**
 * Changes a group of settings in the version that was read; without one whatever others have changed.
 * @throws {AppError} 409 with the present ones where someone else has changed them since
 */
export async function changeSettingGroup<G extends SettingGroup>(
  db: Db,
  company_id: number,
  group: G,
  { version, ...values }: CompanySettings[G] & { version?: number | undefined },
  by: ChangedBy,
): Promise<CompanySettings[G] & { version: number }> {
  await companyRow(db, company_id).forUpdate().executeTakeFirstOrThrow()
  const current = await settingGroup(db, company_id, group)
  if (version !== undefined && version !== current.version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await changeSettings(db, company_id, { [group]: values }, by)
  return settingGroup(db, company_id, group)
}

/** Gives one company the value that it follows; answers whether that changes something. */
export async function followSetting(context: Context, company_id: number, name: InheritedSetting): Promise<boolean> {
  const { db, principal, now, recordEvent, notify } = context
  const row = await companyRow(db, company_id).forUpdate().executeTakeFirstOrThrow()
  const before = CompanySettings.parse(row.settings)
  const value = (await followedSettings(db))[name]
  await changeCompany(db, company_id, { settings: { [name]: value } }, { name: principal.name, at: now(), follows: [name] })
  if (value === before[name]) return false
  await recordEvent({
    kind: 'company.changed',
    subject: 'company',
    subject_id: company_id,
    company_id,
    data: { [name]: { from: before[name], to: value } },
  })
  notify('company', company_id, company_id)
  return true
}

/** Sets or forgets the operator's value of a setting; companies without a value of their own follow. Answers how many do. */
export async function setOperatorDefault(context: Context, name: InheritedSetting, value: unknown): Promise<number> {
  const { db, principal, recordEvent } = context
  const product = CompanySettings.parse({})
  // Who follows is asked before the value changes.
  const rows = await db.selectFrom('companies').select(['id', 'settings', 'own_settings']).orderBy('id').forUpdate().execute()
  const following = rows.filter(row => !ownSettings({ ...row, settings: CompanySettings.parse(row.settings) }, product).includes(name))
  if (value === null) await db.deleteFrom('operator_defaults').where('name', '=', name).execute()
  else
    await db
      .insertInto('operator_defaults')
      .values({ name, value: JSON.stringify(value) })
      .onConflict(known => known.columns(['operator_id', 'name']).doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
  let changed = 0
  for (const { id } of following) if (await followSetting(context, id, name)) changed++
  await recordEvent({
    kind: 'operator_default.set',
    subject: 'company',
    subject_id: principal.company.id,
    company_id: principal.company.id,
    data: { name, companies: changed },
  })
  return changed
}
