/** Schemas of the calls in provider-login.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { SessionUser } from '#contract/session.schemas.ts'
import { ProviderAnswer } from '#features/company/sign-in-provider/sign-in-provider.schemas.ts'

export const providerLoginSchemas = {
  components: {},
  calls: {
    offered: {
      reply: z.object({ name: z.string().nullable() }),
      summary: 'The name of the provider by which users of this company sign in; null without one.',
    },
    start: {
      body: z.strictObject({
        /** The token of an invitation: the account is connected to the invited user. */
        invitation: z.string().max(200).optional(),
      }),
      reply: z.object({ challenge_id: z.string(), url: z.string() }),
      summary: 'Begins a sign-in by the provider: the address to go to, and the token with which it is finished in the same browser.',
    },
    finish: {
      body: ProviderAnswer,
      reply: z.object({ user: SessionUser, token: z.string() }),
      summary:
        'Signs in with the account with which the provider sent the caller back. A second factor may be asked for as after a password.',
    },
  },
} satisfies ContractSchemas
