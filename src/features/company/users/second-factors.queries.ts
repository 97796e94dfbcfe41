/** Reads second factors: what a user has, whether a code is right, and whether a passkey has signed. */
import { createHash } from 'node:crypto'
import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { conflict } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import { effectivePermission } from '#platform/auth/effective-permission.ts'
import type { Company } from '#platform/auth/identity.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { companyOfHost } from '#platform/http/tenant-host.ts'
import { type PasskeyTransport, passkeyTransports, secondFactorPolicies } from './second-factors.codes.ts'
import { graceEnd, needsSecondFactor } from './second-factors.rules.ts'
import { PasskeyCreation, PasskeyRequest, type SecondFactors } from './second-factors.schemas.ts'
import { codesOf } from './users.queries.ts'

/** Seconds for which a code of an app is shown, and how many of these before and after the present one count too. */
const period = 30
const drift = 1

/** What a user signs in with besides the password. */
export async function factorsOf(db: Db, user_id: number): Promise<SecondFactors> {
  const { policy, permission, totp_since, recovery_left, days, since, joined } = await db
    .selectFrom('users as u')
    .innerJoin('companies as c', j => j.onRef('c.operator_id', '=', 'u.operator_id').onRef('c.id', '=', 'u.company_id'))
    .leftJoin('user_totp as t', j => j.onRef('t.operator_id', '=', 'u.operator_id').onRef('t.user_id', '=', 'u.id'))
    .select([
      't.set_at as totp_since',
      sql<number>`coalesce(cardinality(t.recovery), 0)`.as('recovery_left'),
      sql<string | null>`c.settings ->> 'second_factor'`.as('policy'),
      sql<number>`coalesce((c.settings ->> 'second_factor_days')::integer, 0)`.as('days'),
      sql<string | null>`c.settings ->> 'second_factor_since'`.as('since'),
      'u.created_at as joined',
      effectivePermission.as('permission'),
    ])
    .where('u.id', '=', user_id)
    .executeTakeFirstOrThrow()
  const passkeys = await db
    .selectFrom('user_passkeys')
    .select(['id', 'name', 'backed_up', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const required = isOneOf(secondFactorPolicies, policy) && needsSecondFactor(policy, codesOf(permission))
  const set_up_by = required && totp_since === null && passkeys.length === 0 ? graceEnd({ since, joined, days }) : null
  return { totp_since, recovery_left, passkeys, required, set_up_by }
}

/** Binds the sealed secret of a code app to its user. */
export const totpSeal = ({ operator_id, user_id }: { operator_id: number; user_id: number }): string => `totp ${operator_id}/${user_id}`

const appOf = (secret: string, about: { company: string; login: string } = { company: '', login: '' }) =>
  new TOTP({ issuer: about.company, label: about.login, secret: Secret.fromBase32(secret), period, digits: 6, algorithm: 'SHA1' })

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The address that code apps read from a QR code. */
export const totpUri = (secret: string, about: { company: string; login: string }): string => appOf(secret, about).toString()

/** The time step of a right code, of which the next one must be later; null for a wrong code. */
export function totpStep(secret: string, code: string, at: Date): number | null {
  const timestamp = at.getTime()
  const delta = appOf(secret).validate({ token: code, timestamp, window: drift })
  return delta === null ? null : TOTP.counter({ period, timestamp }) + delta
}

/** A recovery code as it is stored. It has 120 bits and is bound to its user. */
export const recoveryHash = ({ operator_id, user_id }: { operator_id: number; user_id: number }, code: string): Buffer =>
  createHash('sha256').update(`${operator_id}/${user_id}/${code}`).digest()

/** EdDSA, ES256 and RS256, as COSE numbers them: every device has one of them. */
export const passkeyAlgorithms = [-8, -7, -257]

/** Milliseconds in which a passkey must answer. */
const passkeyPatience = 120_000

interface Site {
  /** The full host of the company: a passkey of one company is of no use at another, nor at the base domain. */
  rpID: string
  origin: string
}

/** Where the page of this request lies. Passkeys need the address of the company: a host without its name is refused. */
export function siteOf({
  host,
  secure,
  services,
  principal: { company },
}: Pick<ExternalContext, 'host' | 'secure' | 'services' | 'principal'>): Site {
  const { base_domain } = services.config
  if (companyOfHost(host, base_domain) !== company.code)
    throw conflict('company_host', 'This works at {{host}} only.', { host: `${company.code}.${base_domain}` })
  const { hostname, origin } = new URL(`${secure ? 'https' : 'http'}://${host}`)
  return { rpID: hostname, origin }
}

/** The bytes that a passkey signs: they follow from the token of the challenge, which only its client has. */
export const passkeyChallenge = (vault: Vault, token: string): string => vault.sign('passkey challenge', token)
/** What a passkey knows its user by. */
const userHandle = (vault: Vault, { operator_id, id }: Company, user_id: number): string =>
  vault.sign('passkey user', `${operator_id}/${id}/${user_id}`)

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(base64url, 'base64url'))
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const transportsOf = (stored: readonly string[]): PasskeyTransport[] => stored.filter(one => isOneOf(passkeyTransports, one))

const credentialsOf = async (db: Db, user_id: number) => {
  const rows = await db.selectFrom('user_passkeys').select(['credential_id', 'transports']).where('user_id', '=', user_id).execute()
  return rows.map(({ credential_id, transports }) => ({ id: textOf(credential_id), transports: transportsOf(transports) }))
}

/** What the browser needs to ask for a passkey: any of this company, or one of a user. */
export async function passkeyRequest(db: Db, vault: Vault, site: Site, token: string, user_id?: number): Promise<PasskeyRequest> {
  const options = await generateAuthenticationOptions({
    rpID: site.rpID,
    challenge: bytesOf(passkeyChallenge(vault, token)),
    timeout: passkeyPatience,
    userVerification: 'required',
    ...(user_id === undefined ? {} : { allowCredentials: await credentialsOf(db, user_id) }),
  })
  return PasskeyRequest.parse(options)
}

/** What the browser needs to make a passkey for a user. */
export async function passkeyCreation(
  db: Db,
  vault: Vault,
  site: Site,
  { token, company, user }: { token: string; company: Company; user: { id: number; name: string; login: string } },
): Promise<PasskeyCreation> {
  const options = await generateRegistrationOptions({
    rpID: site.rpID,
    rpName: company.name,
    userID: bytesOf(userHandle(vault, company, user.id)),
    userName: user.login,
    userDisplayName: user.name,
    challenge: bytesOf(passkeyChallenge(vault, token)),
    timeout: passkeyPatience,
    attestationType: 'none',
    supportedAlgorithmIDs: passkeyAlgorithms,
    excludeCredentials: await credentialsOf(db, user.id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return PasskeyCreation.parse(options)
}

/** A passkey of the company, with the rows that follow it locked, so that its counter is compared once. */
export async function passkeyByCredential(db: Db, company_id: number, credential: string) {
  const row = await db
    .selectFrom('user_passkeys as p')
    .innerJoin('users as u', j => j.onRef('u.operator_id', '=', 'p.operator_id').onRef('u.id', '=', 'p.user_id'))
    .select(['p.id', 'p.user_id', 'p.credential_id', 'p.public_key', 'p.counter', 'p.name'])
    .where('p.company_id', '=', company_id)
    .where('p.credential_id', '=', Buffer.from(credential, 'base64url'))
    .where('u.removed_at', 'is', null)
    .forUpdate('p')
    .executeTakeFirst()
  return row && { ...row, public_key: new Uint8Array(row.public_key) }
}
