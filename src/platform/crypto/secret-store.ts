/** Secrets of a company: written, never shown again, opened only where the world outside is spoken to. */
import { sql } from 'kysely'
import { executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { Vault } from './vault.ts'

export interface SecretKey {
  operator_id: number
  company_id: number
  /** What it is for: `printnode`, `woocommerce:main` … */
  name: string
}

/** The seal is bound to its place: moved to another company's row it opens nothing. */
const seal = ({ operator_id, company_id, name }: SecretKey) => `${operator_id}/${company_id}/${name}`

/** Keeps `plain` under its name, instead of what was there. */
export async function storeSecret(db: Db, vault: Vault, place: SecretKey, plain: string, by: { user_id: number; at: Date }): Promise<void> {
  const row = {
    sealed: vault.encrypt(plain, seal(place)),
    last4: plain.length >= 12 ? plain.slice(-4) : '',
    updated_at: by.at.toISOString(),
    updated_by: by.user_id || null,
  }
  await db
    .insertInto('secrets')
    .values({ company_id: place.company_id, name: place.name, ...row })
    .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'name']).doUpdateSet(row))
    .execute()
}

/** Stores a hash under a name. Its bytes are not encrypted, so `readSecret` never returns it as a secret. */
export async function storeHash(
  db: Db,
  { company_id, name }: Omit<SecretKey, 'operator_id'>,
  hash: string,
  by: { user_id: number; at: Date },
): Promise<void> {
  const row = { sealed: Buffer.from(hash), last4: '', updated_at: by.at.toISOString(), updated_by: by.user_id }
  await db
    .insertInto('secrets')
    .values({ company_id, name, ...row })
    .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'name']).doUpdateSet(row))
    .execute()
}

export async function deleteSecret(db: Db, { company_id, name }: Omit<SecretKey, 'operator_id'>): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('secrets')
    .where('company_id', '=', company_id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The secret itself, or null when none is kept (or it was sealed with another server's key and cannot be opened). */
export async function readSecret(db: Db, vault: Vault, place: SecretKey): Promise<string | null> {
  const row = await db
    .selectFrom('secrets')
    .select('sealed')
    .where('company_id', '=', place.company_id)
    .where('name', '=', place.name)
    .executeTakeFirst()
  return row ? openSecret(vault, place, row.sealed) : null
}

/** A secret that was read with other rows, or null when it was sealed with another server's key. */
export function openSecret(vault: Vault, place: SecretKey, sealed: Buffer): string | null {
  try {
    return vault.decrypt(sealed, seal(place))
  } catch {
    return null
  }
}

interface OpenedSecret {
  plain: string
  /** Null for the one that is in force. */
  retired_id: number | null
}

/** Keeps the secret that is in force now as a retired one, good until `until`. Call before `keepSecret` replaces it. */
export async function rotateSecret(db: Db, { company_id, name }: SecretKey, { at, until }: { at: Date; until: Date }): Promise<void> {
  const secret = await db
    .selectFrom('secrets')
    .select(['sealed', 'last4'])
    .where('company_id', '=', company_id)
    .where('name', '=', name)
    .executeTakeFirst()
  if (secret)
    await db
      .insertInto('retired_secrets')
      .values({ company_id, name, ...secret, retired_at: at.toISOString(), valid_until: until.toISOString() })
      .execute()
}

/** Every secret that may sign at this moment: the one in force, then the retired ones, the newest first. */
export async function readSecrets(db: Db, vault: Vault, place: SecretKey, at: Date): Promise<OpenedSecret[]> {
  const rows = await executeWithGenericPlan(
    db,
    sql<{ retired_id: number | null; sealed: Buffer }>`
    select null::bigint retired_id, sealed from secrets
    where operator_id = ${place.operator_id} and company_id = ${place.company_id} and name = ${place.name}
    union all
    select id, sealed from retired_secrets
    where operator_id = ${place.operator_id} and company_id = ${place.company_id} and name = ${place.name} and valid_until > ${at.toISOString()}
    order by retired_id desc nulls first`,
  )
  // What was sealed with another server's key signs nothing here.
  return rows.flatMap(({ retired_id, sealed }) => {
    const plain = openSecret(vault, place, sealed)
    return plain === null ? [] : [{ plain, retired_id }]
  })
}

/** A retired secret that still signs says that the other side has not taken over the new one. */
export async function recordRotatedSecretUse(db: Db, id: number, at: Date): Promise<void> {
  await db.updateTable('retired_secrets').set({ last_used_at: at.toISOString() }).where('id', '=', id).execute()
}

/** Forgets retired secrets: one, all of a name, or those whose time is up. Answers how many. */
export async function deleteRotatedSecrets(
  db: Db,
  { company_id, name }: SecretKey,
  which: { id?: number; before?: Date } = {},
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('retired_secrets')
    .where('company_id', '=', company_id)
    .where('name', '=', name)
    .$if(which.id !== undefined, query => query.where('id', '=', which.id!))
    .$if(which.before !== undefined, query => query.where('valid_until', '<=', which.before!.toISOString()))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
