/** Writes the sessions of users: everything that begins, prolongs or ends one. */
import { sql } from 'kysely'
import { permissionCode } from '#contract/access.ts'
import type { AccountKind } from '#contract/device-accounts.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import { effectivePermission } from './effective-permission.ts'

/** Without use for so long, a session ends. A device that many share stands unused over holidays. */
const idleHours: Readonly<Record<AccountKind, number>> = { person: 12, device: 30 * 24 }
/** However much it is used, a session ends after so long. */
const sessionDays: Readonly<Record<AccountKind, number>> = { person: 30, device: 400 }

const idleSince = (now: Date, kind: AccountKind): string => new Date(now.getTime() - idleHours[kind] * 3_600_000).toISOString()

/** Whether the session `t` of the user `u` was used lately enough to go on. */
export const isInUse = (now: Date) =>
  sql<boolean>`t.last_used_at > case u.kind when 'device' then ${idleSince(now, 'device')}::timestamptz else ${idleSince(now, 'person')}::timestamptz end`

/** Begins a session and answers its id; its token is stored as a hash only. */
export async function insertSession(
  db: Db,
  session: { user_id: number; token: string; ip: string; user_agent: string | null; at: Date; kind: AccountKind },
): Promise<number> {
  const { token, at, kind, ...about } = session
  const { id } = await db
    .insertInto('sessions')
    .values({
      ...about,
      token_hash: hashToken(token),
      created_at: at.toISOString(),
      last_used_at: at.toISOString(),
      expires_at: new Date(at.getTime() + sessionDays[kind] * 86_400_000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Those of the sessions that are in use, with the permissions that their users have now. Only the system role may ask. */
export async function liveSessions(db: Db, ids: readonly number[], now: Date): Promise<Map<number, readonly string[]>> {
  const rows = await db
    .selectFrom('sessions as t')
    .innerJoin('users as u', join => join.onRef('u.operator_id', '=', 't.operator_id').onRef('u.id', '=', 't.user_id'))
    .select(['t.id', effectivePermission.as('permission')])
    .where(sql<boolean>`t.id = any(${ids}::bigint[])`)
    .where('t.ended_at', 'is', null)
    .where('u.removed_at', 'is', null)
    .where('t.expires_at', '>', now.toISOString())
    .where(isInUse(now))
    .execute()
  return new Map(rows.map(({ id, permission }) => [id, permission.map(permissionCode).filter(code => code !== undefined)]))
}

/** Notes that a session is used, for its idle limit. */
export async function touchSession(db: Db, { operator_id, id }: { operator_id: number; id: number }, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: at.toISOString() })
    .where('operator_id', '=', operator_id)
    .where('id', '=', id)
    .execute()
}

/** Notes that the user of a session has just shown who they are. */
export async function proveSession(db: Db, { user_id, id }: { user_id: number; id: number }, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ proved_at: at.toISOString() }).where('id', '=', id).where('user_id', '=', user_id).execute()
}

/** Ends one session of a user; answers false where it has ended already or is not theirs. */
export async function endSession(db: Db, user_id: number, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ ended_at: at.toISOString() })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a user's sessions but `except`; returns how many were open. */
export async function endSessionsOf(db: Db, user_id: number, at: Date, except = 0): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ ended_at: at.toISOString() })
    .where('user_id', '=', user_id)
    .where('id', '<>', except)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends all sessions of a company in scope. */
export async function endSessionsOfCompany(db: Db, company_id: number, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: at.toISOString() })
    .where('company_id', '=', company_id)
    .where('ended_at', 'is', null)
    .execute()
}
