/** Setup: the first rows of an installation, written with the system role because no tenant exists yet. */
import { sql } from 'kysely'
import { permissionId } from '#contract/access.ts'
import { conflict } from '#contract/errors.ts'
import type { CompanySettings } from '#features/company/companies/companies.contract.ts'
import type { Database } from '#platform/database/database.ts'

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
    const { id: company_id } = await db
      .insertInto('companies')
      .values({ operator_id, code: company.code, name: company.name, is_main: true, settings: JSON.stringify(company.settings) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: user_id } = await db
      .insertInto('users')
      .values({ operator_id, company_id, ...admin, permission: [permissionId('admin')] })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('events')
      .values({
        operator_id,
        company_id,
        kind: 'company.founded',
        subject: 'company',
        subject_id: company_id,
        user_id,
        actor_name: admin.name,
        actor_kind: 'user',
        actor_company_id: company_id,
      })
      .execute()
  })
