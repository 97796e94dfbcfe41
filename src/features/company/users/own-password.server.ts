/** The own password, asked for once more before a change of what one signs in with, and before what only its user may see or end. */
import { tooMany } from '#contract/errors.ts'
import { checkPassword } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { refuseFields } from './users.queries.ts'

/** Milliseconds for which a proof by passkey or provider stands for the password. */
const proofLasts = 300_000

/** Until when the proof of a session stands for the password; null where none does. */
export async function provedUntil(db: Db, { id, session_id }: { id: number; session_id: number }, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('proved_at')
    .where('id', '=', session_id)
    .where('user_id', '=', id)
    .where('proved_at', '>', new Date(now.getTime() - proofLasts).toISOString())
    .executeTakeFirst()
  return row?.proved_at ? new Date(Date.parse(row.proved_at) + proofLasts).toISOString() : null
}

/**
 * Who holds a session that somebody left open does not know the password. Wrong ones are counted like wrong PINs. Users who sign in without one
 * prove who they are and send an empty one.
 */
export async function confirmPassword(
  { transaction, principal, services, now }: ExternalContext,
  password: string,
  field = 'password',
): Promise<void> {
  if (password === '') {
    if ((await transaction(({ db }) => provedUntil(db, principal, now()))) === null) refuseFields({ [field]: 'Fill this in' })
    return
  }
  const key = `password ${principal.company.operator_id}/${principal.id}`
  const seconds = await services.limits.beginPin(key, now().getTime())
  if (seconds > 0) throw tooMany('too_many_attempts', 'Too many attempts. Wait {{seconds}} seconds.', { seconds })
  const { password_hash } = await transaction(({ db }) =>
    db.selectFrom('users').select('password_hash').where('id', '=', principal.id).executeTakeFirstOrThrow(),
  )
  if (!(await checkPassword(password, password_hash))) refuseFields({ [field]: 'This is not your present password' })
  await services.limits.succeedPin(key)
}
