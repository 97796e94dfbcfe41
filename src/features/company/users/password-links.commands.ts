/** Writes links by which users set a password. */
import { randomBytes } from 'node:crypto'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { linkToken } from './password-links.queries.ts'
import type { LinkPurpose } from './password-links.schemas.ts'

/** Milliseconds for which a link is valid. */
const validity = 30 * 60_000

/** Makes a link for a user instead of earlier ones. Its event brings it into the outbox, from which it is mailed; who signs in has it already. */
export async function makePasswordLink(
  { db, services, scope, recordEvent, now }: Context,
  user_id: number,
  purpose: LinkPurpose,
): Promise<{ token: string; expires_at: string }> {
  const created_at = now()
  const nonce = randomBytes(16)
  const token = linkToken(services.vault, { operator_id: scope.operator_id, user_id, nonce })
  const expires_at = new Date(created_at.getTime() + validity).toISOString()
  await endPasswordLink(db, user_id)
  const { id } = await db
    .insertInto('password_links')
    .values({ user_id, purpose, nonce, token_hash: hashToken(token), created_at: created_at.toISOString(), expires_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (purpose !== 'given')
    await recordEvent({ kind: 'user.password_link_made', subject: 'user', subject_id: user_id, data: { link_id: id, purpose } })
  return { token, expires_at }
}

/** Ends the link of a user: what was mailed before opens nothing any more. */
export async function endPasswordLink(db: Db, user_id: number): Promise<void> {
  await db.deleteFrom('password_links').where('user_id', '=', user_id).execute()
}

/** Uses the invitation of a user up; answers false where there is no valid one. */
export async function takeInvitation(db: Db, user_id: number, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('password_links')
    .where('user_id', '=', user_id)
    .where('purpose', '=', 'invitation')
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Uses a link up; answers false where another request was first, or its time is over. */
export async function usePasswordLink(db: Db, id: number, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('password_links')
    .where('id', '=', id)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
