/** Reading and changing a company's settings. */
import type { Db } from '#server/database.ts'
import { CompanySettings } from './company.contract.ts'

/** The settings of one company in scope, every absent one at its default. */
export async function companySettings(db: Db, company_id: number): Promise<CompanySettings> {
  const row = await db.selectFrom('companies').select('settings').where('id', '=', company_id).executeTakeFirst()
  return CompanySettings.parse(row?.settings ?? {})
}

/** Changes some settings and keeps the others; answers all of them as they are now. */
export async function changeSettings(db: Db, company_id: number, change: Partial<CompanySettings>): Promise<CompanySettings> {
  const row = await db.selectFrom('companies').select('settings').where('id', '=', company_id).forUpdate().executeTakeFirstOrThrow()
  const next = CompanySettings.parse({ ...(row.settings as object), ...change })
  await db
    .updateTable('companies')
    .set(eb => ({ settings: JSON.stringify(next), version: eb('version', '+', 1) }))
    .where('id', '=', company_id)
    .execute()
  return next
}
