/** Creates, removes and erases users, and sets passwords for people who are locked out. */
import type { Insertable } from 'kysely'
import type { Permission } from '#contract/access.ts'
import { forbidden, orNotFound } from '#contract/errors.ts'
import type { Principal } from '#platform/auth/identity.ts'
import { endSessionsOf } from '#platform/auth/session-store.ts'
import type { Db } from '#platform/database/database.ts'
import type { UsersRow } from '#platform/database/schema.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { endPasswordLink } from './password-links.commands.ts'
import { holds } from './permissions.rules.ts'
import { deleteFactors } from './second-factors.commands.ts'
import { codesOf, inLine, someAdminIsLeft, userById } from './users.queries.ts'

type NewUser = Pick<Insertable<UsersRow>, 'name' | 'user_name' | 'email' | 'permission' | 'password_hash'> & Partial<Insertable<UsersRow>>

/** Creates a user and answers the id. In a transaction without a tenant, `operator_id` and `company_id` have to be given. */
export async function insertUser(db: Db, user: NewUser): Promise<number> {
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Replaces the password of a user: by one that only the user knows, or by one that was given and leads to an own one. */
export async function setPassword(db: Db, id: number, password_hash: string, { given = false } = {}): Promise<void> {
  await db
    .updateTable('users')
    .set(eb => ({ password_hash, password_given: given, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export function onlyAdminsChangeAdmins(principal: Principal, held: readonly Permission[]): void {
  if (held.includes('admin') && !holds(principal.permissions, 'admin'))
    throw forbidden('admin_only', 'Only an administrator can change or remove an administrator')
}

/** Removes a user: the sessions end, and what the person did stays. */
export async function removeUser({ db, principal, now, recordEvent, notify }: Context, id: number): Promise<void> {
  await inLine(db, principal.company.id)
  const user = orNotFound(await userById(db, id), 'user_not_found', 'User not found')
  const held = codesOf(user.effective)
  onlyAdminsChangeAdmins(principal, held)
  await db
    .updateTable('users')
    .set(eb => ({ removed_at: now().toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  if (held.includes('admin')) await someAdminIsLeft(db, principal.company.id)
  await endSessionsOf(db, id, now())
  await deleteFactors(db, id)
  await recordEvent({ kind: 'user.removed', subject: 'user', subject_id: id, data: { name: user.name } })
  notify('user', id)
  notify('people')
}

/** Takes a removed user's name, addresses, picture, badge and PIN; the employee number stays with the pay. */
export async function eraseUser({ db, now, notify }: Context, id: number): Promise<Record<string, number>> {
  const { employee_no, image_file_id } = await db
    .selectFrom('users')
    .select(['employee_no', 'image_file_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('users')
    .set(eb => ({
      name: `Former employee ${employee_no ?? id}`,
      ...{ user_name: null, email: null, phone: null, role: null, locale: null, image_file_id: null, password_hash: null },
      settings: '{}',
      permission: [],
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await deleteFactors(db, id)
  await endPasswordLink(db, id)
  const pins = await db.deleteFrom('user_pins').where('user_id', '=', id).executeTakeFirst()
  const badges = await db.deleteFrom('user_badges').where('user_id', '=', id).executeTakeFirst()
  const files = image_file_id === null ? 0 : await eraseFiles(db, [image_file_id], now())
  notify('user', id)
  return { users: 1, user_pins: Number(pins.numDeletedRows), user_badges: Number(badges.numDeletedRows), files }
}
