/** Reads employments and pay. */
import { orNotFound } from '#contract/errors.ts'
import { userById } from '#features/company/users/users.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { isUnder18 } from './employees.rules.ts'
import type { Employment, PayTerm } from './employees.schemas.ts'

const columns = [
  'birth_date',
  'guardian_name',
  'guardian_phone',
  'guardian_email',
  'employed_from',
  'employed_to',
  'weekly_s',
  'days_per_week',
  'country',
  'compulsory_school',
  'average_opt_out_from',
  'average_opt_out_to',
  'version',
] as const

const none = {
  birth_date: null,
  guardian_name: null,
  guardian_phone: null,
  guardian_email: null,
  employed_from: null,
  employed_to: null,
  weekly_s: null,
  days_per_week: 5,
  country: null,
  compulsory_school: false,
  average_opt_out_from: null,
  average_opt_out_to: null,
  version: 0,
}

/** `today` is the company's day. 404 where the person is none of this company. */
export async function employmentOf(db: Db, user_id: number, today: string): Promise<Employment> {
  orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  const row = await db.selectFrom('employees').select(columns).where('user_id', '=', user_id).executeTakeFirst()
  return { user_id, ...none, ...row, under_18: isUnder18(row?.birth_date ?? null, today) }
}

/** How a person is paid, the latest first. */
export async function payTermsOf(db: Db, user_id: number, today: string): Promise<PayTerm[]> {
  orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
  const rows = await db
    .selectFrom('pay_terms')
    .select(['id', 'valid_from', 'salary_type', 'rate', 'floor_rate', 'currency', 'reason', 'made_by', 'made_at'])
    .where('user_id', '=', user_id)
    .where('withdrawn_at', 'is', null)
    .orderBy('valid_from', 'desc')
    .execute()
  const current = rows.find(row => row.valid_from <= today)?.id
  return rows.map(row => ({ ...row, current: row.id === current }))
}

/** The pay of everyone, or of one person, that has begun until a day. */
export const payTermsBetween = (db: Db, { to, user_id }: { to: string; user_id?: number | undefined }) =>
  db
    .selectFrom('pay_terms')
    .select(['user_id', 'valid_from', 'salary_type', 'rate', 'floor_rate'])
    .where('valid_from', '<=', to)
    .where('withdrawn_at', 'is', null)
    .$if(user_id !== undefined, query => query.where('user_id', '=', user_id ?? 0))
    .execute()
