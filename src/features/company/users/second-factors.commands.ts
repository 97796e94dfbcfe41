/** Writes second factors of users and the challenges of a sign-in; no other file does. */
import { randomInt } from 'node:crypto'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { sql } from 'kysely'
import { conflict, forbidden, unauthorized } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostPasskeys, passkeyTransports, recoveryCodeCount } from './second-factors.codes.ts'
import {
  newTotpSecret,
  passkeyAlgorithms,
  passkeyByCredential,
  passkeyChallenge,
  recoveryHash,
  siteOf,
  textOf,
  totpSeal,
  totpStep,
} from './second-factors.queries.ts'
import { readRecoveryCode, recoveryLength, recoveryLetters, showRecoveryCode } from './second-factors.rules.ts'
import type { NewPasskeyProof, Passkey, PasskeyProof } from './second-factors.schemas.ts'

/**
 * `second_factor`: the password was right. `setup`: so it was, and the company asks for a factor that the user has not.
 * `totp` and `new_passkey`: a signed-in user adds one. `passkey`: somebody signs in without a name. `provider`: somebody signs in by the company's
 * provider; `identity` and `invitation`: a user connects an account there, signed in or by an invitation. `proof`: a signed-in user shows again who
 * they are.
 */
export type ChallengeKind =
  | 'second_factor'
  | 'setup'
  | 'totp'
  | 'passkey'
  | 'new_passkey'
  | 'provider'
  | 'identity'
  | 'invitation'
  | 'proof'

/** Milliseconds for which a challenge is valid: setting up an app takes longer than typing a code. */
const validity: Readonly<Record<ChallengeKind, number>> = {
  second_factor: 300_000,
  passkey: 300_000,
  new_passkey: 300_000,
  setup: 900_000,
  totp: 900_000,
  provider: 600_000,
  identity: 600_000,
  invitation: 600_000,
  proof: 600_000,
}
const mostTries = 5

const challengeEnded = () => unauthorized('challenge_ended', 'This took too long, or there were too many tries. Start again.')

/** Begins a step of a sign-in and answers its token. Where an app is set up, it keeps the app's secret. */
export async function insertChallenge({ db, services, scope, now }: Context, kind: ChallengeKind, user_id: number | null): Promise<string> {
  const token = newToken()
  const token_hash = hashToken(token)
  const secret = kind === 'totp' || kind === 'setup' ? newTotpSecret() : null
  await db.deleteFrom('sign_in_challenges').where('expires_at', '<', now().toISOString()).execute()
  if (user_id !== null) await db.deleteFrom('sign_in_challenges').where('user_id', '=', user_id).where('kind', '=', kind).execute()
  await db
    .insertInto('sign_in_challenges')
    .values({
      token_hash,
      kind,
      user_id,
      sealed: secret === null ? null : services.vault.encrypt(secret, challengeSeal(scope.operator_id, token_hash)),
      expires_at: new Date(now().getTime() + validity[kind]).toISOString(),
    })
    .execute()
  return token
}

const challengeSeal = (operator_id: number, token_hash: Buffer): string => `sign-in ${operator_id}/${token_hash.toString('hex')}`

export interface Challenge {
  id: number
  kind: ChallengeKind
  user_id: number
  /** The secret of the app that is being set up; empty for other challenges. */
  secret: string
}

/** The valid challenge of a token. `counts`: the caller tries something, of which a challenge bears five. */
export async function openChallenge(
  { db, services, scope, now }: Context,
  kinds: ChallengeKind | readonly ChallengeKind[],
  token: string,
  { counts }: { counts: boolean },
): Promise<Challenge> {
  const token_hash = hashToken(token)
  const row = await db
    .updateTable('sign_in_challenges')
    .set(eb => ({ tries: eb('tries', '+', counts ? 1 : 0) }))
    .where('token_hash', '=', token_hash)
    .where('kind', 'in', [kinds].flat())
    .where('expires_at', '>', now().toISOString())
    .where('tries', '<', mostTries)
    .returning(['id', 'kind', 'user_id', 'sealed'])
    .executeTakeFirst()
  if (!row) throw challengeEnded()
  const secret = row.sealed === null ? '' : services.vault.decrypt(row.sealed, challengeSeal(scope.operator_id, token_hash))
  return { id: row.id, kind: row.kind, user_id: row.user_id ?? 0, secret }
}

/** Uses a challenge up: of two requests with the same one, the second is refused. */
export async function useChallenge({ db, now }: Context, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_challenges')
    .where('id', '=', id)
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw challengeEnded()
}

const wrongCode = () => forbidden('code_wrong', 'Wrong code.', {}, { fields: { code: 'Wrong code.' } })

/** Sets up a code app by its first code, instead of an earlier one, and answers the recovery codes. */
export async function setTotp(context: Context, user_id: number, { secret, code }: { secret: string; code: string }): Promise<string[]> {
  const { db, services, scope, now, recordEvent, notify } = context
  const step = totpStep(secret, code, now())
  if (step === null) throw wrongCode()
  const place = { operator_id: scope.operator_id, user_id }
  const codes = newRecoveryCodes()
  const row = {
    sealed: services.vault.encrypt(secret, totpSeal(place)),
    set_at: now().toISOString(),
    last_step: step,
    recovery: codes.map(one => recoveryHash(place, one)),
  }
  await db
    .insertInto('user_totp')
    .values({ user_id, ...row })
    .onConflict(c => c.columns(['operator_id', 'user_id']).doUpdateSet(row))
    .execute()
  await recordEvent({ kind: 'user.totp_set', subject: 'user', subject_id: user_id })
  notify('user', user_id)
  return codes.map(showRecoveryCode)
}

const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: recoveryLength }, () => recoveryLetters.charAt(randomInt(recoveryLetters.length))).join(''),
  )

/** Takes a code of the app; each counts once, also when two requests bring it at the same time. */
export async function takeTotpCode({ db, services, scope, now }: Context, user_id: number, code: string): Promise<void> {
  const row = await db.selectFrom('user_totp').select('sealed').where('user_id', '=', user_id).executeTakeFirst()
  if (!row) throw wrongCode()
  const secret = services.vault.decrypt(row.sealed, totpSeal({ operator_id: scope.operator_id, user_id }))
  const step = totpStep(secret, code, now())
  if (step === null) throw wrongCode()
  const { numUpdatedRows } = await db
    .updateTable('user_totp')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('last_step', '<', step)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw forbidden(
      'code_used',
      'This code is used. Wait for the next one.',
      {},
      { fields: { code: 'This code is used. Wait for the next one.' } },
    )
}

/** Takes a recovery code, which then is gone. */
export async function takeRecoveryCode({ db, scope, recordEvent }: Context, user_id: number, typed: string): Promise<void> {
  const code = readRecoveryCode(typed)
  if (code === null) throw wrongCode()
  const hash = recoveryHash({ operator_id: scope.operator_id, user_id }, code)
  const { numUpdatedRows } = await db
    .updateTable('user_totp')
    .set({ recovery: sql<Buffer[]>`array_remove(recovery, ${hash}::bytea)` })
    .where('user_id', '=', user_id)
    .where(sql<boolean>`${hash}::bytea = any(recovery)`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw wrongCode()
  await recordEvent({ kind: 'user.recovery_code_used', subject: 'user', subject_id: user_id })
}

/** Makes new recovery codes instead of the earlier ones. */
export async function replaceRecoveryCodes({ db, scope, recordEvent, notify }: Context, user_id: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  const { numUpdatedRows } = await db
    .updateTable('user_totp')
    .set({ recovery: codes.map(code => recoveryHash({ operator_id: scope.operator_id, user_id }, code)) })
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('totp_missing', 'No code app is set up.')
  await recordEvent({ kind: 'user.recovery_codes_made', subject: 'user', subject_id: user_id })
  notify('user', user_id)
  return codes.map(showRecoveryCode)
}

/** Removes the code app; answers false where there is none. */
export async function deleteTotp(db: Db, user_id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('user_totp').where('user_id', '=', user_id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes everything that a user signs in with besides the password. */
export async function deleteFactors(db: Db, user_id: number): Promise<void> {
  await db.deleteFrom('sign_in_challenges').where('user_id', '=', user_id).execute()
  await db.deleteFrom('user_passkeys').where('user_id', '=', user_id).execute()
  await deleteTotp(db, user_id)
}

const passkeyRefused = () => forbidden('passkey_unknown', 'This passkey is not known here.')

/** Checks what a device has made, and adds it. */
export async function insertPasskey(
  context: Context,
  { user_id, token, name, passkey }: { user_id: number; token: string; name: string; passkey: NewPasskeyProof },
): Promise<Passkey> {
  const { db, services, now, recordEvent, notify } = context
  const { rpID, origin } = siteOf(context)
  const response = {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: { clientDataJSON: passkey.client_data, attestationObject: passkey.attestation },
  }
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: passkeyChallenge(services.vault, token),
    expectedOrigin: origin,
    expectedRPID: rpID,
    supportedAlgorithmIDs: passkeyAlgorithms,
    requireUserVerification: true,
  }).catch(() => ({ verified: false as const, registrationInfo: undefined }))
  if (!verified.registrationInfo) throw conflict('passkey_invalid', 'The passkey could not be checked. Try again.')
  const { credential, credentialBackedUp } = verified.registrationInfo
  // The row of the user stands for the list, so that two requests together do not exceed the limit.
  await db.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().executeTakeFirstOrThrow()
  const { has } = await db
    .selectFrom('user_passkeys')
    .select(eb => eb.fn.countAll<number>().as('has'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  if (has >= mostPasskeys) throw conflict('passkeys_many', 'You have {{count}} passkeys. Remove one first.', { count: has })
  const row = await db
    .insertInto('user_passkeys')
    .values({
      user_id,
      name,
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: passkey.transports.filter(one => isOneOf(passkeyTransports, one)),
      backed_up: credentialBackedUp,
      created_at: now().toISOString(),
    })
    .onConflict(c => c.columns(['operator_id', 'company_id', 'credential_id']).doNothing())
    .returning(['id', 'name', 'backed_up', 'created_at', 'last_used_at'])
    .executeTakeFirst()
  if (!row) throw conflict('passkey_known', 'This passkey is added already.')
  await recordEvent({ kind: 'user.passkey_added', subject: 'user', subject_id: user_id })
  notify('user', user_id)
  return row
}

/** Takes the answer of a passkey and returns its user. With `user_id` it must be this user's. */
export async function takePasskey(
  context: Context,
  { token, passkey, user_id }: { token: string; passkey: PasskeyProof; user_id?: number },
) {
  const { db, services, principal, now } = context
  const { rpID, origin } = siteOf(context)
  const known = await passkeyByCredential(db, principal.company.id, passkey.id)
  if (!known || (user_id !== undefined && known.user_id !== user_id)) throw passkeyRefused()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: passkey.id,
      rawId: passkey.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: passkey.client_data, authenticatorData: passkey.authenticator_data, signature: passkey.signature },
    },
    expectedChallenge: passkeyChallenge(services.vault, token),
    expectedOrigin: origin,
    expectedRPID: rpID,
    // A counter that does not grow is a copy of the passkey: the library refuses it.
    credential: { id: textOf(known.credential_id), publicKey: known.public_key, counter: known.counter },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw passkeyRefused()
  await db
    .updateTable('user_passkeys')
    .set({ counter: authenticationInfo.newCounter, last_used_at: now().toISOString(), backed_up: authenticationInfo.credentialBackedUp })
    .where('id', '=', known.id)
    .execute()
  return known.user_id
}

/** Gives a passkey of the user another name; undefined where there is none. */
export const renamePasskey = (db: Db, { id, user_id, name }: { id: number; user_id: number; name: string }): Promise<Passkey | undefined> =>
  db
    .updateTable('user_passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returning(['id', 'name', 'backed_up', 'created_at', 'last_used_at'])
    .executeTakeFirst()

/** Removes a passkey of the user; answers false where there is none. */
export async function deletePasskey(db: Db, { id, user_id }: { id: number; user_id: number }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('user_passkeys').where('id', '=', id).where('user_id', '=', user_id).executeTakeFirst()
  return numDeletedRows > 0n
}
