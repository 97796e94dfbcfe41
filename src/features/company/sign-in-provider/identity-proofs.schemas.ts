/** Schemas of the calls in identity-proofs.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { ChallengeId, PasskeyProof, PasskeyRequest } from '#features/company/users/second-factors.schemas.ts'
import { ProviderAnswer } from './sign-in-provider.schemas.ts'

export const IdentityProof = z.object({
  /** True where the caller has a passkey. */
  passkey: z.boolean(),
  /** The name of the provider at which the caller has an account; null without one. */
  provider: z.string().nullable(),
  /** Until when the last proof of this session stands for the password; null where none does. */
  proved_until: z.string().nullable(),
})
export type IdentityProof = z.infer<typeof IdentityProof>

export const identityProofsSchemas = {
  components: { IdentityProof },
  calls: {
    get: {
      reply: IdentityProof,
      summary: 'How the caller can show who they are without a password, and whether they have.',
    },
    passkeyOptions: {
      reply: z.object({ challenge_id: z.string(), options: PasskeyRequest }),
      summary: 'What the browser needs to use one of the caller’s passkeys.',
    },
    passkey: {
      body: z.strictObject({ challenge_id: ChallengeId, passkey: PasskeyProof }),
      reply: IdentityProof,
      summary: 'Shows with a passkey who the caller is. For five minutes this session needs no password where the own one is asked for.',
    },
    startProvider: {
      reply: z.object({ challenge_id: z.string(), url: z.string() }),
      summary: 'The address of the provider at which the caller signs in anew.',
    },
    provider: {
      body: ProviderAnswer,
      reply: IdentityProof,
      summary:
        'Shows with a sign-in at the provider who the caller is; it must be less than five minutes old. It stands for the password as a passkey does.',
    },
  },
} satisfies ContractSchemas
