/** Reads the provider of a company and the accounts of its users. */
import { readSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { Identity, SignInProvider } from './sign-in-provider.schemas.ts'

/** The name of the client secret among the company's secrets. */
export const providerSecret = 'sign_in_provider'

export async function providerOf(db: Db, company_id: number): Promise<SignInProvider | undefined> {
  const row = await db
    .selectFrom('sign_in_providers')
    .select(['name', 'issuer', 'client_id', 'active', 'second_factor', 'version'])
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  const secret = await db
    .selectFrom('secrets')
    .select('last4')
    .where('company_id', '=', company_id)
    .where('name', '=', providerSecret)
    .executeTakeFirst()
  return row && { ...row, secret_last4: secret?.last4 ?? null }
}

/** The provider with its secret, for asking it; undefined where there is none, or it is switched off. */
export async function activeProvider({ db, services, scope: { operator_id, company_id } }: Context) {
  const provider = await providerOf(db, company_id)
  const secret = await readSecret(db, services.vault, { operator_id, company_id, name: providerSecret })
  return provider?.active && secret !== null ? { ...provider, secret } : undefined
}

export const identitiesOf = (db: Db, user_id: number): Promise<Identity[]> =>
  db
    .selectFrom('user_identities')
    .select(['id', 'issuer', 'subject', 'linked_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()

/** The user with this account at this company: looked up by issuer and subject, never by an address. */
export const userOfIdentity = (db: Db, company_id: number, { issuer, subject }: { issuer: string; subject: string }) =>
  db
    .selectFrom('user_identities as i')
    .innerJoin('users as u', j => j.onRef('u.operator_id', '=', 'i.operator_id').onRef('u.id', '=', 'i.user_id'))
    .select(['i.id', 'i.user_id'])
    .where('i.company_id', '=', company_id)
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .where('u.removed_at', 'is', null)
    .executeTakeFirst()
