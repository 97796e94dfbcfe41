/** Reads what a session shows of its user. */
import { sql } from 'kysely'
import { permissionId } from '#contract/access.ts'
import { orNotFound } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { startPageKey } from '#contract/my-settings.ts'
import type { SessionUser } from '#contract/session.schemas.ts'
import { factorsOf } from '#features/company/users/second-factors.queries.ts'
import { actsOfUser } from '#features/company/users/station-acts.queries.ts'
import { effectivePermission } from '#platform/auth/effective-permission.ts'
import type { Database, Db } from '#platform/database/database.ts'

/** The same for all companies of an operator; a shop does not see the row itself. */
export async function mainCompanyId(database: Database, operator_id: number): Promise<number> {
  const { id } = await database.systemRead('a shop learns the id of its main company', db =>
    db.selectFrom('companies').select('id').where('operator_id', '=', operator_id).where('is_main', '=', true).executeTakeFirstOrThrow(),
  )
  return id
}

export async function sessionUser(db: Db, id: number): Promise<SessionUser> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('companies as c', 'c.id', 'u.company_id')
    .select([
      'u.id as user_id',
      'u.name',
      'u.user_name',
      'u.email',
      'u.employee_no',
      'u.locale',
      'u.image_file_id',
      'u.kind',
      effectivePermission.as('permission'),
      actsOfUser.as('acts'),
    ])
    .select(['c.id as company_id', 'c.code as company', 'c.is_main as is_main_company'])
    .select(sql<string | null>`left(u.settings ->> ${startPageKey}, 200)`.as('start_page'))
    .where('u.id', '=', id)
    .executeTakeFirst()
  const { image_file_id, kind, ...user } = orNotFound(row, 'user_not_found', 'User not found')
  const { set_up_by } = await factorsOf(db, id)
  const acts = user.acts.map(({ act, stations }) => ({ act, stations: stations && [...stations] }))
  return {
    ...user,
    ...(kind === 'device' && { device: true as const }),
    acts,
    locale: Locale.nullable().parse(user.locale),
    has_image: image_file_id !== null,
    second_factor_by: set_up_by,
  }
}

/** Up to three people of the company who give permissions, by name. */
export async function adminNames(db: Db, company_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users as u')
    .select('u.name')
    .where('u.company_id', '=', company_id)
    .where('u.removed_at', 'is', null)
    .where(sql<boolean>`${effectivePermission} && array[${permissionId('admin')}, ${permissionId('users_admin')}]::smallint[]`)
    .orderBy('u.name')
    .limit(3)
    .execute()
  return rows.map(row => row.name)
}

/** Days for which a device is remembered. */
const deviceDays = 90

/** From where a user has signed in lately, each place once. */
export const recentDevices = (db: Db, user_id: number, at: Date) =>
  db
    .selectFrom('sessions')
    .select(['ip', 'user_agent'])
    .distinct()
    .where('user_id', '=', user_id)
    .where('created_at', '>', new Date(at.getTime() - deviceDays * 86_400_000).toISOString())
    .limit(1_000)
    .execute()
