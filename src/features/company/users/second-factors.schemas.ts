/** Schemas of the calls in second-factors.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { passkeyTransports } from './second-factors.codes.ts'

/** The token of a sign-in that has begun. */
export const ChallengeId = z.string().regex(/^[\w-]{43}$/, 'This sign-in is not known')
/** Six digits of a code app; spaces between them are no mistake. */
export const TotpCode = z
  .string()
  .max(20)
  .transform(typed => typed.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'A code has six digits'))
/** The caller's own password; '' where who they are was proved less than five minutes ago (`user/my_proof`). */
export const OwnPassword = z.string().max(1024)
const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/, 'These are no bytes in base64url')

export const Passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** True where the maker of the device keeps a copy. */
  backed_up: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** What a user signs in with besides the password. */
export const SecondFactors = z.object({
  /** Since when a code app is set up; null: none. */
  totp_since: z.string().nullable(),
  /** Recovery codes that are not used. */
  recovery_left: z.number().int(),
  passkeys: z.array(Passkey),
  /** True when the company asks this user for a second factor. */
  required: z.boolean(),
  /** Until when the user may sign in without one; null where one is set up or none is asked for. */
  set_up_by: z.string().nullable(),
})
export type SecondFactors = z.infer<typeof SecondFactors>

/** The secret of a code app, as text and as an address that apps read from a QR code. It is never shown again. */
export const TotpSecret = z.object({ challenge_id: z.string(), secret: z.string(), uri: z.string() })
export type TotpSecret = z.infer<typeof TotpSecret>

const RecoveryCodes = z.object({
  /** Each works once, instead of a code of the app. They are never shown again. */
  recovery_codes: z.array(z.string()),
})

const Credential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.enum(passkeyTransports)).optional(),
})
const Demand = z.enum(['discouraged', 'preferred', 'required'])

/** What `navigator.credentials.get` takes, in the JSON form of WebAuthn. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: Demand,
  allowCredentials: z.array(Credential).optional(),
})
export type PasskeyRequest = z.infer<typeof PasskeyRequest>

/** What `navigator.credentials.create` takes, in the JSON form of WebAuthn. */
export const PasskeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: z.literal('public-key') })),
  timeout: z.number().int(),
  excludeCredentials: z.array(Credential),
  authenticatorSelection: z.object({ residentKey: Demand, requireResidentKey: z.boolean(), userVerification: Demand }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** The answer of a passkey to a challenge; bytes are base64url. */
export const PasskeyProof = z.strictObject({
  id: bytes(1400),
  client_data: bytes(4000),
  authenticator_data: bytes(4000),
  signature: bytes(8000),
})
export type PasskeyProof = z.infer<typeof PasskeyProof>

/** A passkey that a device has just made. */
export const NewPasskeyProof = z.strictObject({
  id: bytes(1400),
  client_data: bytes(4000),
  attestation: bytes(16_000),
  transports: z.array(z.string().max(20)).max(10),
})
export type NewPasskeyProof = z.infer<typeof NewPasskeyProof>

const PasskeyName = text(60).min(1, 'Fill this in')
export const WithPassword = z.strictObject({ password: OwnPassword })

export const secondFactorsSchemas = {
  components: { Passkey, SecondFactors, TotpSecret, PasskeyRequest, PasskeyCreation, PasskeyProof, NewPasskeyProof },
  calls: {
    mine: {
      reply: SecondFactors,
      summary: 'What the caller signs in with besides the password.',
    },
    startTotp: {
      body: WithPassword,
      reply: TotpSecret,
      summary: 'Makes the secret of a code app, which counts once a code of it is confirmed. The present app works until then.',
    },
    confirmTotp: {
      body: z.strictObject({ challenge_id: ChallengeId, code: TotpCode }),
      reply: RecoveryCodes,
      summary: 'Sets the code app up, and answers the recovery codes once.',
    },
    newRecoveryCodes: {
      body: WithPassword,
      reply: RecoveryCodes,
      summary: 'Makes new recovery codes; the ones before work no more.',
    },
    removeTotp: {
      body: WithPassword,
      summary: 'Removes the code app and its recovery codes.',
    },
    startPasskey: {
      body: WithPassword,
      reply: z.object({ challenge_id: z.string(), options: PasskeyCreation }),
      summary: 'Begins to add a passkey: what the browser needs to make one.',
    },
    addPasskey: {
      body: z.strictObject({ challenge_id: ChallengeId, name: PasskeyName, passkey: NewPasskeyProof }),
      reply: Passkey,
      summary: 'Adds the passkey that the device has made. It works at the address of this company alone.',
    },
    renamePasskey: {
      body: z.strictObject({ name: PasskeyName }),
      reply: Passkey,
      summary: 'Gives an own passkey another name.',
    },
    removePasskey: {
      body: WithPassword,
      summary: 'Removes an own passkey.',
    },
    of: {
      reply: SecondFactors,
      summary: 'What a user signs in with besides the password.',
    },
    reset: {
      summary: 'Removes the code app, recovery codes and passkeys of a user who has lost them, ends the sessions, and mails the user.',
    },
  },
} satisfies ContractSchemas
