/** Proofs of identity: a passkey, or a new sign-in at the provider, of the user whose session it is. */
import { notFound } from '#contract/errors.ts'
import { provedUntil } from '#features/company/users/own-password.server.ts'
import { insertChallenge, openChallenge, takePasskey, useChallenge } from '#features/company/users/second-factors.commands.ts'
import { factorsOf, passkeyRequest, siteOf } from '#features/company/users/second-factors.queries.ts'
import { proveSession } from '#platform/auth/session-store.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { identityProofs } from './identity-proofs.contract.ts'
import { type IdentityProof, identityProofsSchemas } from './identity-proofs.schemas.ts'
import { authorizationUrl, identityOf } from './openid-connect.server.ts'
import { touchIdentity } from './sign-in-provider.commands.ts'
import { activeProvider, identitiesOf, userOfIdentity } from './sign-in-provider.queries.ts'
import { usedProvider } from './sign-in-provider.server.ts'

export const identityProofsServer = implement(identityProofs, identityProofsSchemas, {
  get: (_, context) => proofOf(context),

  async passkeyOptions(_, context) {
    const { db, services, principal } = context
    const site = siteOf(context)
    const challenge_id = await insertChallenge(context, 'proof', principal.id)
    return { challenge_id, options: await passkeyRequest(db, services.vault, site, challenge_id, principal.id) }
  },

  async passkey({ body: { challenge_id, passkey } }, outside) {
    // Counted in a transaction of its own, so that a wrong one stays counted.
    const challenge = await outside.transaction(context => ownChallenge(context, challenge_id))
    return outside.transaction(async context => {
      await useChallenge(context, challenge.id)
      await takePasskey(context, { token: challenge_id, passkey, user_id: context.principal.id })
      return proved(context)
    })
  },

  async startProvider(_, outside) {
    const provider = await usedProvider(outside)
    const challenge_id = await outside.transaction(context => insertChallenge(context, 'proof', outside.principal.id))
    return { challenge_id, url: await authorizationUrl(outside, provider, challenge_id, { anew: true }) }
  },

  async provider({ body: { challenge_id, query } }, outside) {
    await outside.transaction(async context => {
      const challenge = await ownChallenge(context, challenge_id)
      // Used up before the provider is asked: an answer counts once.
      await useChallenge(context, challenge.id)
    })
    const provider = await usedProvider(outside)
    const identity = await identityOf(outside, provider, { token: challenge_id, query, anew: true })
    return outside.transaction(async context => {
      const { db, principal, now } = context
      const known = await userOfIdentity(db, principal.company.id, identity)
      if (known?.user_id !== principal.id) throw notFound('identity_not_found', 'This account is not connected')
      await touchIdentity(db, known.id, now())
      return proved(context)
    })
  },
})

/** The challenge of a caller, with a try counted. */
async function ownChallenge(context: Context, token: string) {
  const challenge = await openChallenge(context, 'proof', token, { counts: true })
  if (challenge.user_id !== context.principal.id) throw notFound('identity_not_found', 'This account is not connected')
  return challenge
}

async function proved(context: Context): Promise<IdentityProof> {
  const { db, principal, now } = context
  await proveSession(db, { user_id: principal.id, id: principal.session_id }, now())
  return proofOf(context)
}

async function proofOf(context: Context): Promise<IdentityProof> {
  const { db, principal, now } = context
  const { passkeys } = await factorsOf(db, principal.id)
  const identities = await identitiesOf(db, principal.id)
  return {
    passkey: passkeys.length > 0,
    provider: identities.length > 0 ? ((await activeProvider(context))?.name ?? null) : null,
    proved_until: await provedUntil(db, principal, now()),
  }
}
