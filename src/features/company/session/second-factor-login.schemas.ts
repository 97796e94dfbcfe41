/** Schemas of the calls in second-factor-login.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { SessionUser } from '#contract/session.schemas.ts'
import { ChallengeId, PasskeyProof, PasskeyRequest, TotpCode, TotpSecret } from '#features/company/users/second-factors.schemas.ts'

const Begun = z.object({ user: SessionUser, token: z.string() })
const challenge_id = ChallengeId

export const secondFactorLoginSchemas = {
  components: {},
  calls: {
    secondFactor: {
      body: z.union([
        z.strictObject({ challenge_id, code: TotpCode }),
        z.strictObject({ challenge_id, recovery_code: z.string().max(40) }),
        z.strictObject({ challenge_id, passkey: PasskeyProof }),
      ]),
      reply: Begun,
      summary:
        'Signs in with the second factor after the password, whose refusal `second_factor_needed` names the challenge. It bears five tries.',
    },
    secondFactorOptions: {
      body: z.strictObject({ challenge_id }),
      reply: z.object({ options: PasskeyRequest }),
      summary: 'What the browser needs to use a passkey as the second factor.',
    },
    setUp: {
      body: z.strictObject({ challenge_id }),
      reply: TotpSecret,
      summary: 'The secret of the code app that a user sets up while signing in, after the refusal `second_factor_setup_needed`.',
    },
    confirmSetUp: {
      body: z.strictObject({ challenge_id, code: TotpCode }),
      reply: Begun.extend({
        /** Each works once, instead of a code of the app. They are never shown again. */
        recovery_codes: z.array(z.string()),
      }),
      summary: 'Sets the code app up, and signs in.',
    },
    passkeyOptions: {
      reply: z.object({ challenge_id: z.string(), options: PasskeyRequest }),
      summary: 'What the browser needs to sign in with a passkey, without a name.',
    },
    passkey: {
      body: z.strictObject({ challenge_id, passkey: PasskeyProof }),
      reply: Begun,
      summary: 'Signs in with a passkey. Its device has checked a finger, a face or a PIN, so it is two factors.',
    },
  },
} satisfies ContractSchemas
