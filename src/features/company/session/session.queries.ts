/** Finds users by login, and what a session shows of its user. */
import { orNotFound } from '#contract/errors.ts'
import { Locale } from '#contract/limits.ts'
import type { SessionUser } from '#contract/session.schemas.ts'
import type { LoginAttempt } from '#platform/auth/login-limits.ts'
import type { Database, Db } from '#platform/database/database.ts'

/** Users that this text may identify: by e-mail, user name or employee number, ignoring case. */
export const loginCandidates = (db: Db, login: string) =>
  db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('removed_at', 'is', null)
    .where('password_hash', 'is not', null)
    .where(eb =>
      eb.or([
        eb(eb.fn<string>('lower', ['email']), '=', login.toLowerCase()),
        eb(eb.fn<string>('lower', ['user_name']), '=', login.toLowerCase()),
        eb('employee_no', '=', login),
      ]),
    )
    .limit(3)
    .execute()

/** The same for all companies of an operator; a shop does not see the row itself. */
export async function mainCompanyId(database: Database, operator_id: number): Promise<number> {
  const { id } = await database.systemRead('a shop learns the id of its main company', db =>
    db.selectFrom('companies').select('id').where('operator_id', '=', operator_id).where('is_main', '=', true).executeTakeFirstOrThrow(),
  )
  return id
}

/** An address counts as familiar for so many days after a sign-in. */
const familiarDays = 30

export const accountKey = ({ operator_id }: { operator_id: number }, id: number): string => `${operator_id} ${id}`

/** Whose failures an attempt to sign in counts to, and who has signed in from its address. */
export async function loginAttempt(
  db: Db,
  given: { company: { operator_id: number; code: string }; login: string; candidates: readonly { id: number }[]; ip: string; at: Date },
): Promise<LoginAttempt> {
  const { company, login, candidates, ip, at } = given
  const ids = candidates.map(({ id }) => id)
  const users = await db
    .selectFrom('sessions')
    .select('user_id')
    .distinct()
    .where('ip', '=', ip)
    .where('created_at', '>', new Date(at.getTime() - familiarDays * 86_400_000).toISOString())
    .execute()
  return {
    accounts: ids.length > 0 ? ids.map(id => accountKey(company, id)) : [`${company.code} ${login.toLowerCase()}`],
    address: ip,
    familiar: users.filter(({ user_id }) => ids.includes(user_id)).map(({ user_id }) => accountKey(company, user_id)),
    addressInUse: users.length > 0,
  }
}

export async function sessionUser(db: Db, id: number): Promise<SessionUser> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('companies as c', 'c.id', 'u.company_id')
    .select(['u.id as user_id', 'u.name', 'u.user_name', 'u.email', 'u.employee_no', 'u.locale', 'u.permission', 'u.image_file_id'])
    .select(['c.id as company_id', 'c.code as company', 'c.is_main as is_main_company'])
    .where('u.id', '=', id)
    .executeTakeFirst()
  const { image_file_id, ...user } = orNotFound(row, 'user_not_found', 'This user does not exist')
  return { ...user, locale: Locale.nullable().parse(user.locale), has_image: image_file_id !== null }
}
