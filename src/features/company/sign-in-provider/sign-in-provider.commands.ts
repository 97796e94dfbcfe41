/** Writes the provider of a company and the accounts of its users. */
import { conflict, unprocessable } from '#contract/errors.ts'
import { deleteSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { addressProblem } from '#platform/http/outside-request.ts'
import { identitiesOf, providerOf, providerSecret } from './sign-in-provider.queries.ts'
import type { Identity, SignInProvider, SignInProviderChange } from './sign-in-provider.schemas.ts'

const mostIdentities = 5

/** Sets the provider. A secret that was given to one provider is not sent to another. */
export async function saveProvider(context: Context, change: SignInProviderChange): Promise<SignInProvider | undefined> {
  const { db, services, scope, principal, now, recordEvent, notify } = context
  const { client_secret, version, ...fields } = change
  // The row of the company stands for its provider, which may not be there yet.
  await db.selectFrom('companies').select('id').where('id', '=', scope.company_id).forUpdate().executeTakeFirstOrThrow()
  const known = await providerOf(db, scope.company_id)
  if ((known?.version ?? null) !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: known ?? null })
  if (addressProblem(fields.issuer, services.config.allowed_networks) !== undefined)
    throw unprocessable('url_not_public', 'This is not a public address', {}, { fields: { issuer: 'This is not a public address' } })
  const place = { operator_id: scope.operator_id, company_id: scope.company_id, name: providerSecret }
  if (client_secret !== undefined) await storeSecret(db, services.vault, place, client_secret, { user_id: principal.id, at: now() })
  else if (known?.secret_last4 == null || known.issuer !== fields.issuer || known.client_id !== fields.client_id)
    throw unprocessable('client_secret_missing', 'Enter the client secret', {}, { fields: { client_secret: 'Enter the client secret' } })
  const row = { ...fields, version: (known?.version ?? 0) + 1 }
  await db
    .insertInto('sign_in_providers')
    .values(row)
    .onConflict(c => c.columns(['operator_id', 'company_id']).doUpdateSet(row))
    .execute()
  await recordEvent({ kind: 'sign_in_provider.set', data: { issuer: fields.issuer, active: fields.active } })
  notify('company', scope.company_id)
  return providerOf(db, scope.company_id)
}

/** Removes the provider with its secret; answers false where there is none. */
export async function deleteProvider({ db, scope, recordEvent, notify }: Context): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sign_in_providers').where('company_id', '=', scope.company_id).executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await deleteSecret(db, { company_id: scope.company_id, name: providerSecret })
  await recordEvent({ kind: 'sign_in_provider.removed' })
  notify('company', scope.company_id)
  return true
}

/** Connects an account to a user. One that another user of the company has is refused. */
export async function linkIdentity(
  { db, now, recordEvent, notify }: Context,
  user_id: number,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Identity> {
  const own = await identitiesOf(db, user_id)
  const known = own.find(one => one.issuer === issuer && one.subject === subject)
  if (known) return known
  if (own.length >= mostIdentities)
    throw conflict('identities_many', 'You have {{count}} accounts connected. Disconnect one first.', { count: own.length })
  const row = await db
    .insertInto('user_identities')
    .values({ user_id, issuer, subject, linked_at: now().toISOString() })
    .onConflict(c => c.columns(['operator_id', 'company_id', 'issuer', 'subject']).doNothing())
    .returning(['id', 'issuer', 'subject', 'linked_at', 'last_used_at'])
    .executeTakeFirst()
  if (!row) throw conflict('identity_taken', 'This account is connected to another user.')
  await recordEvent({ kind: 'user.identity_linked', subject: 'user', subject_id: user_id, data: { issuer } })
  notify('user', user_id)
  return row
}

/** Notes that an account was used to sign in. */
export async function touchIdentity(db: Db, id: number, at: Date): Promise<void> {
  await db.updateTable('user_identities').set({ last_used_at: at.toISOString() }).where('id', '=', id).execute()
}

/** Disconnects an account of a user; answers false where there is none. */
export async function unlinkIdentity(
  { db, recordEvent, notify }: Context,
  { id, user_id }: { id: number; user_id: number },
): Promise<boolean> {
  const row = await db
    .deleteFrom('user_identities')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returning('issuer')
    .executeTakeFirst()
  if (!row) return false
  await recordEvent({ kind: 'user.identity_unlinked', subject: 'user', subject_id: user_id, data: { issuer: row.issuer } })
  notify('user', user_id)
  return true
}

/** Disconnects everything of users who were removed. */
export async function deleteIdentities(db: Db, user_ids: readonly number[]): Promise<void> {
  await db.deleteFrom('user_identities').where('user_id', 'in', user_ids).execute()
}
