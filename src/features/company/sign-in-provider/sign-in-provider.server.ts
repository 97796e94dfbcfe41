/** The provider of a company, and the accounts that a user connects. */
import { notFound, orNotFound } from '#contract/errors.ts'
import { confirmPassword } from '#features/company/users/own-password.server.ts'
import { insertChallenge, openChallenge, useChallenge } from '#features/company/users/second-factors.commands.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { authorizationUrl, discoverProvider, identityOf, registeredRedirect } from './openid-connect.server.ts'
import { deleteIdentities, deleteProvider, linkIdentity, saveProvider, unlinkIdentity } from './sign-in-provider.commands.ts'
import { signInProvider } from './sign-in-provider.contract.ts'
import { activeProvider, identitiesOf, providerOf } from './sign-in-provider.queries.ts'
import { signInProviderSchemas } from './sign-in-provider.schemas.ts'

const providerMissing = 'Nobody signs in with a provider here.'

export const signInProviderServer = implement(
  signInProvider,
  signInProviderSchemas,
  {
    get: async (_, context) => ({
      provider: (await providerOf(context.db, context.scope.company_id)) ?? null,
      redirect_uri: registeredRedirect(context),
    }),

    save: async ({ body }, context) => ({
      provider: orNotFound(await saveProvider(context, body), 'provider_not_found', providerMissing),
    }),

    async remove(_, context) {
      if (!(await deleteProvider(context))) throw notFound('provider_not_found', providerMissing)
    },

    async test(_, outside) {
      const { services, scope } = outside
      const provider = await outside.transaction(({ db }) => providerOf(db, scope.company_id))
      if (!provider) throw notFound('provider_not_found', providerMissing)
      try {
        // The secret is not needed to ask, so it is not sent.
        const client = await discoverProvider({ ...provider, secret: '-' }, services.config.allowed_networks)
        const { authorization_endpoint = null, code_challenge_methods_supported: methods } = client.serverMetadata()
        const problem = methods && !methods.includes('S256') ? ('no_pkce' as const) : null
        return { authorization_endpoint, problem, detail: '' }
      } catch (error) {
        const detail = error instanceof Error ? error.message.slice(0, 300) : ''
        return { authorization_endpoint: null, problem: 'no_answer' as const, detail }
      }
    },

    mine: async (_, context) => ({
      provider: (await activeProvider(context))?.name ?? null,
      identities: await identitiesOf(context.db, context.principal.id),
    }),

    async startLink({ body }, outside) {
      await confirmPassword(outside, body.password)
      const provider = await usedProvider(outside)
      const challenge_id = await outside.transaction(context => insertChallenge(context, 'identity', outside.principal.id))
      return { challenge_id, url: await authorizationUrl(outside, provider, challenge_id) }
    },

    async link({ body: { challenge_id, query } }, outside) {
      const { principal } = outside
      // Used up before the provider is asked: an answer counts once.
      await outside.transaction(async context => {
        const challenge = await openChallenge(context, 'identity', challenge_id, { counts: true })
        if (challenge.user_id !== principal.id) throw notFound('provider_not_found', providerMissing)
        await useChallenge(context, challenge.id)
      })
      const identity = await identityOf(outside, await usedProvider(outside), { token: challenge_id, query })
      return outside.transaction(context => linkIdentity(context, principal.id, identity))
    },

    async unlink({ id, body }, outside) {
      await confirmPassword(outside, body.password)
      const found = await outside.transaction(context => unlinkIdentity(context, { id, user_id: outside.principal.id }))
      if (!found) throw notFound('identity_not_found', 'This account is not connected')
    },
  },
  {
    'user.removed': (events, { db }) =>
      deleteIdentities(
        db,
        events.map(event => event.subject_id).filter(id => id !== null),
      ),
  },
)

/** The provider by which people sign in at this moment. */
export async function usedProvider(outside: ExternalContext) {
  return orNotFound(await outside.transaction(activeProvider), 'provider_not_found', providerMissing)
}
