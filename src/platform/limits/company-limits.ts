/** How much a company may have, as the operator's main company has set it: refused where one more would be too many. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'

export const companyLimits = ['users', 'webhooks', 'imports'] as const
export type CompanyLimit = (typeof companyLimits)[number]
export type CompanyLimits = { [K in CompanyLimit]?: number | undefined }

/** The span in which imports count. */
const importHours = 24

/** What each limit counts, for a company in scope. Each is an index scan of few rows. */
export async function usedOf(db: Db, company_id: number): Promise<Record<CompanyLimit, number>> {
  const ofCompany = sql`operator_id = current_operator_id() and company_id = ${company_id} and company_id = any (current_company_ids())`
  const { rows } = await sql<Record<CompanyLimit, number>>`select
    (select count(*) from users where ${ofCompany} and removed_at is null) as users,
    (select count(*) from webhooks where ${ofCompany}) as webhooks,
    (select count(*) from jobs where ${ofCompany} and kind in ('orders.import', 'products.import')
      and created_at > now() - make_interval(hours => ${importHours})) as imports`.execute(db)
  return elementAt(rows, 0)
}

const refusals: Record<CompanyLimit, (most: number) => Error> = {
  users: most =>
    conflict('limit_users', 'Your company may have {{count}} users. Remove one, or ask the main company for more.', { count: most }),
  webhooks: most =>
    conflict('limit_webhooks', 'Your company may have {{count}} webhooks. Remove one, or ask the main company for more.', { count: most }),
  imports: most =>
    conflict('limit_imports', 'Your company may start {{count}} imports in 24 hours. Wait, or ask the main company for more.', {
      count: most,
    }),
}

export async function limitsOf(db: Db, company_id: number): Promise<CompanyLimits> {
  const row = await db
    .selectFrom('companies')
    .select('limits')
    .where('id', '=', company_id)
    .$castTo<{ limits: CompanyLimits }>()
    .executeTakeFirst()
  return row?.limits ?? {}
}

/**
 * Call it in the transaction that adds one: writers of one company pass it one after another, so that two do not both take the last place.
 * @throws {AppError} 409 where the company has all that it may have
 */
export async function allowOneMore(db: Db, company_id: number, limit: CompanyLimit): Promise<void> {
  const { limits } = await db
    .selectFrom('companies')
    .select('limits')
    .where('id', '=', company_id)
    // Weaker than an update of the key: rows that refer to the company are inserted meanwhile.
    .forNoKeyUpdate()
    .$castTo<{ limits: CompanyLimits }>()
    .executeTakeFirstOrThrow()
  const most = limits[limit]
  if (most === undefined) return
  if ((await usedOf(db, company_id))[limit] >= most) throw refusals[limit](most)
}
