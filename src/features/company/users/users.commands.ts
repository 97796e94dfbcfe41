/** Creates users, and sets passwords for people who are locked out. */
import type { Insertable } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { UsersRow } from '#platform/database/schema.ts'

type NewUser = Pick<Insertable<UsersRow>, 'name' | 'user_name' | 'email' | 'permission' | 'password_hash'> & Partial<Insertable<UsersRow>>

/** Creates a user and answers the id. In a transaction without a tenant, `operator_id` and `company_id` have to be given. */
export async function insertUser(db: Db, user: NewUser): Promise<number> {
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Replaces the password of a user. */
export async function setPassword(db: Db, id: number, password_hash: string): Promise<void> {
  await db
    .updateTable('users')
    .set(eb => ({ password_hash, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
