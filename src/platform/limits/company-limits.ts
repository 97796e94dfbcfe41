/** How much a company may have, as the operator's main company has set it: refused where one more would be too many. */
import { sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'

const addedLimits = ['users', 'webhooks', 'imports'] as const
type AddedLimit = (typeof addedLimits)[number]
/** `requests` are those of its keys in a minute, `storage` the gigabytes of its files. */
export const companyLimits = [...addedLimits, 'requests', 'storage'] as const
type CompanyLimit = (typeof companyLimits)[number]
export type CompanyLimits = { [K in CompanyLimit]?: number | undefined }

/** The span in which imports count. */
const importHours = 24

const bytesOfGigabyte = 1_000_000_000

/** What is counted in rows, for a company in scope. Each is an index scan of few rows. */
export async function usedOf(db: Db, company_id: number): Promise<Record<AddedLimit | 'storage', number>> {
  const ofCompany = sql`operator_id = current_operator_id() and company_id = ${company_id} and company_id = any (current_company_ids())`
  const { rows } = await sql<Record<AddedLimit | 'bytes', number>>`select
    (select count(*) from users where ${ofCompany} and removed_at is null) as users,
    (select count(*) from webhooks where ${ofCompany}) as webhooks,
    (select count(*) from jobs where ${ofCompany} and kind in ('orders.import', 'products.import', 'serials.import')
      and created_at > now() - make_interval(hours => ${importHours})) as imports,
    (select coalesce(sum(bytes), 0)::bigint from file_sizes where ${ofCompany}) as bytes`.execute(db)
  const { bytes, ...counts } = elementAt(rows, 0)
  return { ...counts, storage: Math.max(0, bytes / bytesOfGigabyte) }
}

const refusals: Record<AddedLimit | 'storage', (most: number) => Error> = {
  users: most =>
    conflict('limit_users', 'Your company may have {{count}} users. Remove one, or ask the main company for more.', { count: most }),
  webhooks: most =>
    conflict('limit_webhooks', 'Your company may have {{count}} webhooks. Remove one, or ask the main company for more.', { count: most }),
  imports: most =>
    conflict('limit_imports', 'Your company may start {{count}} imports in 24 hours. Wait, or ask the main company for more.', {
      count: most,
    }),
  storage: most =>
    conflict(
      'limit_storage',
      'Your company’s files fill {{count}} GB: nothing can be uploaded. Packing, labels and photos go on. Ask the main company for more.',
      { count: most },
    ),
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
export async function allowOneMore(db: Db, company_id: number, limit: AddedLimit): Promise<void> {
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

/**
 * Call it before a person's file is stored, never for what packing and printing write: a full store must not stop parcels.
 * @throws {AppError} 409 where the company's files have reached their limit
 */
export async function allowUpload(db: Db, company_id: number): Promise<void> {
  const { storage } = await limitsOf(db, company_id)
  if (storage === undefined) return
  if ((await usedOf(db, company_id)).storage >= storage) throw refusals.storage(storage)
}

/** Under which name the requests of a company's keys are counted, in spans of `requestSpan` milliseconds. */
export const requestsKey = ({ operator_id, id }: { operator_id: number; id: number }): string => `requests ${operator_id}/${id}`
export const requestSpan = 60_000
