/** Setup: the first rows of an installation, written with the system role because no tenant exists yet. */
import { sql } from 'kysely'
import { permissionId } from '#contract/access.ts'
import { conflict } from '#contract/errors.ts'
import { insertCompany } from '#features/company/companies/companies.commands.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { insertUser } from '#features/company/users/users.commands.ts'
import type { Database } from '#platform/database/database.ts'
import { insertEvent } from '#platform/database/events.ts'

/** An arbitrary lock id that is the same on every server. */
const turnstile = 732_421

export const hasCompanies = (database: Database): Promise<boolean> =>
  database.systemTransaction(
    'before there is any tenant',
    async db => (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined,
  )

export const setUpAlready = 'This installation is set up already. Sign in at your company’s address.'

/** Creates operator, main company and admin in one transaction, one caller at a time. Throws 409 when a company exists. */
export const foundOperator = (
  database: Database,
  founding: {
    operator: string
    company: { code: string; name: string; settings: CompanySettings }
    admin: { name: string; user_name: string; email: string | null; password_hash: string }
  },
): Promise<void> =>
  database.systemTransaction('before there is any tenant', async db => {
    await sql`select pg_advisory_xact_lock(${turnstile})`.execute(db)
    if (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) throw conflict('already_set_up', setUpAlready)
    const { operator, company, admin } = founding
    const { id: operator_id } = await db.insertInto('operators').values({ name: operator }).returning('id').executeTakeFirstOrThrow()
    const company_id = await insertCompany(db, { operator_id, ...company, is_main: true })
    if (company_id === undefined) throw conflict('already_set_up', setUpAlready)
    const user_id = await insertUser(db, { operator_id, company_id, ...admin, permission: [permissionId('admin')] })
    const actor = { name: admin.name, kind: 'user' as const, user_id, company_id, station: null }
    await insertEvent(db, actor, { kind: 'company.founded', company_id, subject: 'company', subject_id: company_id }, operator_id)
  })
