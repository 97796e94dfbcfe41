/** Reads companies and their settings. */
import { orNotFound } from '#contract/errors.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import { CompanySettings } from './companies.schemas.ts'

/** The settings of one company in scope, with defaults for absent ones. */
export async function companySettings(db: Db, company_id: number): Promise<CompanySettings> {
  const row = await db.selectFrom('companies').select('settings').where('id', '=', company_id).executeTakeFirst()
  return CompanySettings.parse(row?.settings ?? {})
}

/** Settings that one page holds together. */
export type SettingGroup = 'exceptions' | 'hours' | 'returns' | 'schedule' | 'video'

/** A group of settings with its version: the number of its last change. Changes of other settings leave it as it is. */
export async function settingGroup<G extends SettingGroup>(
  db: Db,
  company_id: number,
  group: G,
): Promise<CompanySettings[G] & { version: number }> {
  const settings = await companySettings(db, company_id)
  const { version } = await db
    .selectFrom('setting_changes')
    .select(eb => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('version'))
    .where('company_id', '=', company_id)
    .where('name', 'like', beginning(`${group}.`))
    .executeTakeFirstOrThrow()
  return { ...settings[group], version }
}

export async function isClosed(db: Db, company_id: number): Promise<boolean> {
  const row = await db.selectFrom('companies').select('closed_at').where('id', '=', company_id).executeTakeFirst()
  return Boolean(row?.closed_at)
}

/** Settings of an operator's main company, which decide for its shops; a shop cannot read them itself. */
export async function mainCompanySettings(database: Database, operator_id: number): Promise<CompanySettings> {
  const row = await database.systemRead('the main company decides what its shops see', db =>
    db.selectFrom('companies').select('settings').where('operator_id', '=', operator_id).where('is_main', '=', true).executeTakeFirst(),
  )
  return CompanySettings.parse(row?.settings ?? {})
}

export const companyRow = (db: Db, company_id: number) =>
  db
    .selectFrom('companies')
    .select(['id', 'code', 'name', 'is_main', 'settings', 'version', 'changed_at', 'changed_by', 'own_settings'])
    .where('id', '=', company_id)

export interface CompanyRow {
  id: number
  code: string
  name: string
  is_main: boolean
  settings: CompanySettings
  version: number
  changed_at: string | null
  changed_by: string | null
  own_settings: string[] | null
}

export async function companyById(db: Db, company_id: number): Promise<CompanyRow> {
  const row = orNotFound(await companyRow(db, company_id).executeTakeFirst(), 'company_not_found', 'Company not found')
  return { ...row, settings: CompanySettings.parse(row.settings) }
}

/** What the operator has set for all its companies. */
export async function operatorDefaults(db: Db): Promise<Partial<CompanySettings>> {
  const rows = await db.selectFrom('operator_defaults').select(['name', 'value']).execute()
  const product: Readonly<Record<string, unknown>> = CompanySettings.parse({})
  return Object.fromEntries(rows.filter(({ name }) => name in product).map(({ name, value }) => [name, value]))
}

/** The value that a company without one of its own follows. */
export const followedSettings = async (db: Db): Promise<CompanySettings> => CompanySettings.parse(await operatorDefaults(db))

export interface NamedCompany {
  id: number
  code: string
}

/** The company with this code among those in reach; without a code the caller's own. */
export async function companyNamed(
  { db, principal }: { db: Db; principal: { company: NamedCompany } },
  code?: string,
): Promise<NamedCompany> {
  if (code === undefined || code === principal.company.code) return principal.company
  const company = await db.selectFrom('companies').select(['id', 'code']).where('code', '=', code).executeTakeFirst()
  return orNotFound(company, 'company_not_at_address', 'There is no such company at this address')
}
