/** Schemas of the calls in sign-in-provider.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { ChallengeId, WithPassword } from '#features/company/users/second-factors.schemas.ts'

const fields = {
  /** What the button of the sign-in page says. */
  name: text(40).min(1, 'Fill this in'),
  issuer: text(500).regex(/^https?:\/\/[^\s?#]+$/, 'An issuer is an address such as https://login.example.com'),
  client_id: text(300).min(1, 'Fill this in'),
  /** Off: the sign-in page does not offer the provider, and its answers are refused. */
  active: z.boolean(),
  /** True: the provider asks for a second factor itself, so that none is asked for here. */
  second_factor: z.boolean(),
}

export const SignInProvider = z.object({
  ...fields,
  /** The last four characters of the client secret; '' for a short one, null for none that can be opened. */
  secret_last4: z.string().nullable(),
  version: z.number().int(),
})
export type SignInProvider = z.infer<typeof SignInProvider>

export const SignInProviderChange = z.strictObject({
  ...fields,
  /** When left out, the stored one stays. */
  client_secret: z.string().min(1).max(1000).optional(),
  /** That of the provider which this change starts from; null for the first one. */
  version: z.number().int().positive().nullable(),
})
export type SignInProviderChange = z.infer<typeof SignInProviderChange>

export const Identity = z.object({
  id: z.number().int(),
  issuer: z.string(),
  /** The account at the provider, as the provider names it. */
  subject: z.string(),
  linked_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type Identity = z.infer<typeof Identity>

/** What the provider has added to the address of the page. */
export const ProviderAnswer = z.strictObject({ challenge_id: ChallengeId, query: z.string().max(8000) })

export const signInProviderSchemas = {
  components: { SignInProvider, SignInProviderChange, Identity },
  calls: {
    get: {
      reply: z.object({
        provider: SignInProvider.nullable(),
        /** The address to which the provider sends people back; it is registered there. */
        redirect_uri: z.string(),
      }),
      summary: 'The OpenID Connect provider of the company; null without one.',
    },
    save: {
      body: SignInProviderChange,
      reply: z.object({ provider: SignInProvider }),
      summary: 'Sets the provider; 409 with the current state when the version is old. It connects no user: each one does that.',
    },
    remove: {
      summary: 'Removes the provider. Accounts that users have connected work again when it is set anew.',
    },
    test: {
      reply: z.object({
        /** Null when the provider answers as it should. */
        problem: z.enum(['no_answer', 'no_pkce']).nullable(),
        /** What the attempt ended with, in the words of the program. */
        detail: z.string(),
        authorization_endpoint: z.string().nullable(),
      }),
      summary: 'Asks the provider what it offers. Client and secret are tried by the first sign-in only.',
    },
    mine: {
      reply: z.object({
        /** The name of the provider; null where none is offered. */
        provider: z.string().nullable(),
        identities: z.array(Identity),
      }),
      summary: 'The accounts by which the caller signs in.',
    },
    startLink: {
      body: WithPassword,
      reply: z.object({ challenge_id: z.string(), url: z.string() }),
      summary: 'Begins to connect an account: the address of the provider to go to.',
    },
    link: {
      body: ProviderAnswer,
      reply: Identity,
      summary: 'Connects the account with which the provider sent the caller back.',
    },
    unlink: {
      body: WithPassword,
      summary: 'Disconnects an own account.',
    },
  },
} satisfies ContractSchemas
