/** Reads companies and their settings. */
import { orNotFound } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { CompanySettings } from './companies.schemas.ts'

/** The settings of one company in scope, with defaults for absent ones. */
export async function companySettings(db: Db, company_id: number): Promise<CompanySettings> {
  const row = await db.selectFrom('companies').select('settings').where('id', '=', company_id).executeTakeFirst()
  return CompanySettings.parse(row?.settings ?? {})
}

export const companyRow = (db: Db, company_id: number) =>
  db
    .selectFrom('companies')
    .select(['id', 'code', 'name', 'is_main', 'settings', 'version', 'changed_at', 'changed_by'])
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
}

export async function companyById(db: Db, company_id: number): Promise<CompanyRow> {
  const row = orNotFound(await companyRow(db, company_id).executeTakeFirst(), 'company_not_found', 'This company does not exist')
  return { ...row, settings: CompanySettings.parse(row.settings) }
}
