/** Signing in with a second factor or a passkey. */
import { AppError, orNotFound, tooMany, unauthorized } from '#contract/errors.ts'
import {
  type ChallengeKind,
  insertChallenge,
  openChallenge,
  setTotp,
  takePasskey,
  takeRecoveryCode,
  takeTotpCode,
  useChallenge,
} from '#features/company/users/second-factors.commands.ts'
import { factorsOf, passkeyRequest, siteOf, totpUri } from '#features/company/users/second-factors.queries.ts'
import { loginOf, userById } from '#features/company/users/users.queries.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { secondFactorLogin } from './second-factor-login.contract.ts'
import { secondFactorLoginSchemas } from './second-factor-login.schemas.ts'
import { beginSession, type SignInWay } from './session.commands.ts'

/**
 * Begins the session of a user whose password was right, or whom the provider has named; or refuses with the challenge of the next step.
 * `second_factor`: one was asked for already.
 */
export async function signIn(
  outside: ExternalContext,
  user_id: number,
  { way, second_factor }: { way: SignInWay; second_factor: boolean } = { way: 'password', second_factor: false },
) {
  const step = await outside.transaction(async context => {
    if (second_factor) return beginSession(context, user_id, way)
    const { totp_since, recovery_left, passkeys, set_up_by } = await factorsOf(context.db, user_id)
    const methods = [totp_since && 'totp', recovery_left > 0 && 'recovery_code', passkeys.length > 0 && 'passkey'].filter(Boolean)
    if (methods.length > 0) return { challenge_id: await insertChallenge(context, 'second_factor', user_id), methods }
    // A user without one sets one up now, administrators too: no one is locked out.
    if (set_up_by !== null && Date.parse(set_up_by) <= context.now().getTime())
      return { challenge_id: await insertChallenge(context, 'setup', user_id), methods }
    return beginSession(context, user_id, way)
  })
  if ('token' in step) return step
  const { challenge_id, methods } = step
  if (methods.length === 0)
    throw unauthorized('second_factor_setup_needed', 'Your company asks for a second factor. Set one up to sign in.', { challenge_id })
  throw unauthorized('second_factor_needed', 'Enter the code from your app or use your passkey.', {
    challenge_id,
    methods: methods.join(' '),
  })
}

export const secondFactorLoginServer = implement(secondFactorLogin, secondFactorLoginSchemas, {
  secondFactor({ body }, outside) {
    return afterStep(outside, 'second_factor', body.challenge_id, async (context, { user_id }) => {
      if ('code' in body) await takeTotpCode(context, user_id, body.code)
      else if ('recovery_code' in body) await takeRecoveryCode(context, user_id, body.recovery_code)
      else await takePasskey(context, { token: body.challenge_id, passkey: body.passkey, user_id })
      return beginSession(context, user_id, 'code' in body ? 'totp' : 'recovery_code' in body ? 'recovery_code' : 'passkey')
    })
  },

  async secondFactorOptions({ body: { challenge_id } }, context) {
    const { user_id } = await openChallenge(context, 'second_factor', challenge_id, { counts: false })
    return { options: await passkeyRequest(context.db, context.services.vault, siteOf(context), challenge_id, user_id) }
  },

  async setUp({ body: { challenge_id } }, context) {
    const { user_id, secret } = await openChallenge(context, 'setup', challenge_id, { counts: false })
    const user = orNotFound(await userById(context.db, user_id), 'user_not_found', 'User not found')
    return { challenge_id, secret, uri: totpUri(secret, { company: context.principal.company.name, login: loginOf(user) }) }
  },

  confirmSetUp({ body: { challenge_id, code } }, outside) {
    return afterStep(outside, 'setup', challenge_id, async (context, { user_id, secret }) => {
      const recovery_codes = await setTotp(context, user_id, { secret, code })
      return { ...(await beginSession(context, user_id, 'totp')), recovery_codes }
    })
  },

  async passkeyOptions(_, context) {
    const site = siteOf(context)
    const challenge_id = await insertChallenge(context, 'passkey', null)
    return { challenge_id, options: await passkeyRequest(context.db, context.services.vault, site, challenge_id) }
  },

  passkey({ body: { challenge_id, passkey } }, outside) {
    return afterStep(outside, 'passkey', challenge_id, async context => {
      const user_id = await takePasskey(context, { token: challenge_id, passkey })
      return beginSession(context, user_id, 'passkey')
    })
  },
})

/**
 * Takes the try of a challenge: counted in a transaction of its own, so that a wrong one stays counted. Beyond the five of a challenge, those
 * of a user are counted too, because who knows the password can begin as many challenges as they like.
 */
async function afterStep<T>(
  outside: ExternalContext,
  kind: ChallengeKind,
  token: string,
  take: (context: Context, challenge: { user_id: number; secret: string }) => Promise<T>,
): Promise<T> {
  const { transaction, services, principal, ip, now } = outside
  const challenge = await transaction(context => openChallenge(context, kind, token, { counts: true }))
  const key = challenge.user_id === 0 ? null : `second factor ${principal.company.operator_id}/${challenge.user_id}`
  const seconds = key === null ? 0 : await services.limits.beginPin(key, now().getTime())
  if (seconds > 0) throw tooMany('too_many_attempts', 'Too many attempts. Wait {{seconds}} seconds.', { seconds })
  try {
    const answer = await transaction(async context => {
      await useChallenge(context, challenge.id)
      return take(context, challenge)
    })
    if (key !== null) await services.limits.succeedPin(key)
    return answer
  } catch (error) {
    if (error instanceof AppError && error.status === 403 && challenge.user_id !== 0)
      await transaction(({ recordEvent }) =>
        recordEvent({ kind: 'user.second_factor_failed', subject: 'user', subject_id: challenge.user_id, data: { ip } }),
      )
    throw error
  }
}
