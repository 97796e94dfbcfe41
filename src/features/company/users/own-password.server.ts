/** The own password, asked for once more before a change of what one signs in with. */
import { tooMany } from '#contract/errors.ts'
import { checkPassword } from '#platform/crypto/vault.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { refuseFields } from './users.queries.ts'

/** Who holds a session that somebody left open does not know the password. Wrong ones are counted like wrong PINs. */
export async function confirmPassword(
  { transaction, principal, services, now }: ExternalContext,
  password: string,
  field = 'password',
): Promise<void> {
  const key = `password ${principal.company.operator_id}/${principal.id}`
  const seconds = await services.limits.beginPin(key, now().getTime())
  if (seconds > 0) throw tooMany('too_many_attempts', 'Too many attempts. Wait {{seconds}} seconds.', { seconds })
  const { password_hash } = await transaction(({ db }) =>
    db.selectFrom('users').select('password_hash').where('id', '=', principal.id).executeTakeFirstOrThrow(),
  )
  if (!(await checkPassword(password, password_hash))) refuseFields({ [field]: 'This is not your present password' })
  await services.limits.succeedPin(key)
}
