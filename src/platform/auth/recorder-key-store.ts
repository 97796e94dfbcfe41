/** Writes the keys of video recorders: everything that makes, changes, uses or revokes one. */
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'

/** How a key of a recorder is written; no token of a session is. */
export const isRecorderKey = (token: string): boolean => /^pkv_\d+_[\w-]{43}$/.test(token)

export interface RecorderChannel {
  station: string
  /** The name of the camera at the recorder. */
  channel: string
}

/** Makes a key and answers it with its id; it is stored as a hash and the characters before the secret. */
export async function insertRecorderKey(
  db: Db,
  { name, channels, created_by_name, at }: { name: string; channels: readonly RecorderChannel[]; created_by_name: string; at: Date },
): Promise<{ id: number; key: string }> {
  // The key names its own id, so that a person sees which of two a program uses.
  const { id } = await db
    .insertInto('recorder_keys')
    .values({
      name,
      channels: JSON.stringify(channels),
      created_by_name,
      created_at: at.toISOString(),
      prefix: '',
      key_hash: hashToken(newToken()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const prefix = `pkv_${id}_`
  const key = newToken(prefix)
  await db
    .updateTable('recorder_keys')
    .set({ prefix, key_hash: hashToken(key) })
    .where('id', '=', id)
    .execute()
  return { id, key }
}

/** Changes the name and the channels of an active key; answers false where there is none. */
export async function changeRecorderKey(
  db: Db,
  id: number,
  { name, channels }: { name: string; channels: readonly RecorderChannel[] },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recorder_keys')
    .set({ name, channels: JSON.stringify(channels) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Notes when a key is used. */
export async function touchRecorderKey(db: Db, { operator_id, id }: { operator_id: number; id: number }, at: Date): Promise<void> {
  await db
    .updateTable('recorder_keys')
    .set({ last_seen_at: at.toISOString() })
    .where('operator_id', '=', operator_id)
    .where('id', '=', id)
    .execute()
}

/** Revokes a key; answers false where there is no active one. */
export async function revokeRecorderKey(db: Db, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recorder_keys')
    .set({ revoked_at: at.toISOString() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
