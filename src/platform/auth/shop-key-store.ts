/** Writes the API keys of shops and print agents: everything that makes, uses or removes one. */
import type { KeyPurpose, KeyScope } from '#contract/access.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'

export interface KeyFields {
  name: string
  purpose: KeyPurpose
  shop: string
  expires_at: string | null
  scopes: KeyScope[]
  read_only: boolean
  allowed_networks: string[]
}

/** Makes a key and answers its id; the key is stored as a hash and its first eight characters. */
export async function insertShopKey(db: Db, key: KeyFields & { text: string; created_by: number | null; at: Date }): Promise<number> {
  const { text, at, ...about } = key
  const { id } = await db
    .insertInto('cms_keys')
    .values({ ...about, prefix: text.slice(0, 8), key_hash: hashToken(text), created_at: at.toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Notes when and from which address a key is used. */
export async function touchShopKey(
  db: Db,
  { operator_id, id }: { operator_id: number; id: number },
  use: { at: Date; ip: string },
): Promise<void> {
  await db
    .updateTable('cms_keys')
    .set({ last_used_at: use.at.toISOString(), last_used_ip: use.ip })
    .where('operator_id', '=', operator_id)
    .where('id', '=', id)
    .execute()
}

/** Removes a key; answers false where there is none. */
export async function removeShopKey(db: Db, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cms_keys')
    .set({ removed_at: at.toISOString() })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Changes what may change of a key while it is in use; answers false where there is none. */
export async function changeShopKey(
  db: Db,
  id: number,
  change: Pick<KeyFields, 'name' | 'allowed_networks' | 'expires_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cms_keys')
    .set(change)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends a key that another one replaces; answers false where it was replaced or removed already. */
export async function endReplacedKey(db: Db, id: number, by: number, { until, at }: { until: string | null; at: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cms_keys')
    .set(until === null ? { replaced_by: by, removed_at: at.toISOString() } : { replaced_by: by, expires_at: until })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .where('replaced_by', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
