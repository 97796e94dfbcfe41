/** Signing in by the OpenID Connect provider of the company: only users of this company whose account is connected. */
import { forbidden } from '#contract/errors.ts'
import { authorizationUrl, identityOf } from '#features/company/sign-in-provider/openid-connect.server.ts'
import { linkIdentity, touchIdentity } from '#features/company/sign-in-provider/sign-in-provider.commands.ts'
import { activeProvider, userOfIdentity } from '#features/company/sign-in-provider/sign-in-provider.queries.ts'
import { usedProvider } from '#features/company/sign-in-provider/sign-in-provider.server.ts'
import { takeInvitation } from '#features/company/users/password-links.commands.ts'
import { linkOfToken } from '#features/company/users/password-links.queries.ts'
import { linkEnded } from '#features/company/users/password-links.server.ts'
import { insertChallenge, openChallenge, useChallenge } from '#features/company/users/second-factors.commands.ts'
import { implement } from '#platform/http/feature-module.ts'
import { providerLogin } from './provider-login.contract.ts'
import { providerLoginSchemas } from './provider-login.schemas.ts'
import { signIn } from './second-factor-login.server.ts'

export const providerLoginServer = implement(providerLogin, providerLoginSchemas, {
  offered: async (_, context) => ({ name: (await activeProvider(context))?.name ?? null }),

  async start({ body: { invitation } }, outside) {
    const provider = await usedProvider(outside)
    const challenge_id = await outside.transaction(async context => {
      if (invitation === undefined) return insertChallenge(context, 'provider', null)
      const link = await linkOfToken(context.db, invitation, context.now())
      if (link?.purpose !== 'invitation') throw linkEnded()
      return insertChallenge(context, 'invitation', link.user_id)
    })
    return { challenge_id, url: await authorizationUrl(outside, provider, challenge_id) }
  },

  async finish({ body: { challenge_id, query } }, outside) {
    const { transaction, principal, now } = outside
    // Used up before the provider is asked: an answer counts once.
    const challenge = await transaction(async context => {
      const found = await openChallenge(context, ['provider', 'invitation'], challenge_id, { counts: true })
      await useChallenge(context, found.id)
      return found
    })
    const provider = await usedProvider(outside)
    const identity = await identityOf(outside, provider, { token: challenge_id, query })
    const user_id = await transaction(async context => {
      const { db } = context
      if (challenge.kind === 'invitation') {
        if (!(await takeInvitation(db, challenge.user_id, now()))) throw linkEnded()
        await linkIdentity(context, challenge.user_id, identity)
      }
      const known = await userOfIdentity(db, principal.company.id, identity)
      if (!known)
        throw forbidden('identity_unknown', 'This account is not connected. Sign in with your password and connect it in My settings.')
      await touchIdentity(db, known.id, now())
      return known.user_id
    })
    return signIn(outside, user_id, { way: 'provider', second_factor: provider.second_factor })
  },
})
