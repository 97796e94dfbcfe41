/** Finds users by what they type to sign in, and whose failures an attempt counts to. */
import type { LoginAttempt } from '#platform/auth/login-limits.ts'
import type { Db } from '#platform/database/database.ts'

/** Users that this text may identify: by e-mail, user name or employee number, ignoring case. */
export const loginCandidates = (db: Db, login: string) =>
  db
    .selectFrom('users')
    .select(['id', 'password_hash', 'password_given', 'email'])
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
