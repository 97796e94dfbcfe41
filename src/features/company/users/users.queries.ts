import { randomInt } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Permission, permissionCode, permissionId } from '#contract/access.ts'
import type { AccountKind } from '#contract/device-accounts.ts'
import { conflict, unprocessable } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { effectivePermission } from '#platform/auth/effective-permission.ts'
import { isInUse } from '#platform/auth/session-store.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import type { DB, UsersRow } from '#platform/database/schema.ts'
import type { UserView } from './users.codes.ts'
import type { Session, User } from './users.schemas.ts'

const people = (db: Db, left = false) => db.selectFrom('users as u').where('u.removed_at', left ? 'is not' : 'is', null)

const withColumns = (db: Db, left = false) =>
  people(db, left).select(eb => [
    'u.id as user_id',
    'u.name',
    'u.user_name',
    'u.email',
    'u.phone',
    'u.role',
    'u.employee_no',
    'u.locale',
    'u.permission',
    sql<AccountKind>`u.kind`.as('kind'),
    'u.created_at',
    'u.version',
    'u.skills',
    effectivePermission.as('effective'),
    jsonArrayFrom(
      eb
        .selectFrom('user_group_members as m')
        .innerJoin('user_groups as g', j => j.onRef('g.operator_id', '=', 'm.operator_id').onRef('g.id', '=', 'm.group_id'))
        .select(['g.id as group_id', 'g.name as group_name'])
        .whereRef('m.operator_id', '=', 'u.operator_id')
        .whereRef('m.user_id', '=', 'u.id')
        .where('g.removed_at', 'is', null)
        .orderBy('g.name'),
    ).as('groups'),
    eb('u.image_file_id', 'is not', null).as('has_image'),
    eb('u.password_hash', 'is not', null).as('has_password'),
    eb
      .selectFrom('sessions as s')
      .select(inner => inner.fn.max('s.last_used_at').as('at'))
      .whereRef('s.user_id', '=', 'u.id')
      .as('last_seen_at'),
  ])

type Row = Awaited<ReturnType<ReturnType<typeof withColumns>['executeTakeFirstOrThrow']>>
const userOf = (row: Row): User => ({
  ...row,
  locale: Locale.nullable().parse(row.locale),
  has_image: !!row.has_image,
  has_password: !!row.has_password,
})

export async function userById(db: Db, id: number): Promise<User | undefined> {
  const row = await withColumns(db).where('u.id', '=', id).executeTakeFirst()
  return row && userOf(row)
}

export interface UserFilter {
  query: string
  permission?: Permission | undefined
  group_id?: number | undefined
  only?: UserView | undefined
}

/** Every word must occur in the name, a login, the number, the phone or the role. */
const matching =
  ({ query, permission, group_id, only }: UserFilter) =>
  (eb: ExpressionBuilder<DB & { u: UsersRow }, 'u'>) => {
    const words = query.split(/\s+/).filter(Boolean).slice(0, 8)
    const conditions = words.map(word => {
      const like = containing(word)
      const columns = ['u.name', 'u.user_name', 'u.email', 'u.employee_no', 'u.phone', 'u.role'] as const
      return eb.or(columns.map(column => eb(column, 'ilike', like)))
    })
    const memberships = eb
      .selectFrom('user_group_members as m')
      .innerJoin('user_groups as g', j => j.onRef('g.operator_id', '=', 'm.operator_id').onRef('g.id', '=', 'm.group_id'))
      .select('m.group_id')
      .whereRef('m.user_id', '=', 'u.id')
      .where('g.removed_at', 'is', null)
    if (group_id !== undefined) conditions.push(eb.exists(memberships.where('m.group_id', '=', group_id)))
    if (only === 'groupless') conditions.push(eb.not(eb.exists(memberships)))
    if (only === 'no_sign_in') conditions.push(eb('u.password_hash', 'is', null))
    if (only !== undefined) conditions.push(eb('u.kind', '=', only === 'devices' ? 'device' : 'person'))
    return eb.and(
      permission ? [...conditions, sql<boolean>`${effectivePermission} @> array[${permissionId(permission)}]::smallint[]`] : conditions,
    )
  }

export async function listUsers(db: Db, query: UserFilter & { page: number; limit: number; sort: string }): Promise<Page<User>> {
  const column = query.sort.replace('-', '')
  const left = query.only === 'left'
  const rows = await withColumns(db, left)
    .where(matching(query))
    .orderBy(sql.ref(`u.${column}`), order => (query.sort.startsWith('-') ? order.desc() : order.asc()).nullsLast())
    .orderBy('u.id')
    .limit(query.limit)
    .offset(pageOffset(query))
    .execute()
  return {
    rows: rows.map(userOf),
    ...(await cappedCount(db, people(db, left).where(matching(query)))),
    offset: pageOffset(query),
    limit: query.limit,
  }
}

/** Groups with a person in them. */
export const groupsOfUsers = (db: Db, company_id: number): Promise<{ group_id: number; group_name: string }[]> =>
  db
    .selectFrom('user_groups as g')
    .select(['g.id as group_id', 'g.name as group_name'])
    .where('g.company_id', '=', company_id)
    .where('g.removed_at', 'is', null)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('user_group_members as m')
          .innerJoin('users as u', join => join.onRef('u.operator_id', '=', 'm.operator_id').onRef('u.id', '=', 'm.user_id'))
          .select('m.group_id')
          .whereRef('m.operator_id', '=', 'g.operator_id')
          .whereRef('m.group_id', '=', 'g.id')
          .where('u.removed_at', 'is', null),
      ),
    )
    .orderBy(sql`lower(g.name)`)
    .limit(500)
    .execute()

/** One more than the greatest numeric employee number; 1001 for the first. */
export async function nextEmployeeNo(db: Db): Promise<string> {
  // Removed users keep their numbers: a report of last year must not name another person.
  const { greatest } = await db
    .selectFrom('users')
    .select(sql<number | null>`max(employee_no::bigint) filter (where employee_no ~ '^[0-9]{1,15}$')`.as('greatest'))
    .executeTakeFirstOrThrow()
  return String((greatest ?? 1000) + 1)
}

/** The login names among these that another user of the company has, as sentences by field. */
export async function takenLogins(
  db: Db,
  company_id: number,
  wanted: { user_name?: string | null | undefined; email?: string | null | undefined; employee_no?: string | null | undefined },
  except = 0,
): Promise<Record<string, string>> {
  const of = people(db).where('u.company_id', '=', company_id).where('u.id', '<>', except).select('u.id')
  const fields: Record<string, string> = {}
  const taken = async (field: string, sentence: string, query: typeof of) => {
    if (await query.limit(1).executeTakeFirst()) fields[field] = sentence
  }
  if (wanted.user_name)
    await taken(
      'user_name',
      'Someone has this user name already',
      of.where(eb => eb(eb.fn<string>('lower', ['u.user_name']), '=', wanted.user_name?.toLowerCase() ?? '')),
    )
  if (wanted.email)
    await taken(
      'email',
      'Someone has this e-mail address already',
      of.where(eb => eb(eb.fn<string>('lower', ['u.email']), '=', wanted.email?.toLowerCase() ?? '')),
    )
  if (wanted.employee_no)
    await taken('employee_no', 'Someone has this employee number already', of.where('u.employee_no', '=', wanted.employee_no))
  return fields
}

/** Serializes changes of permissions and logins in one company, so that each sees the result of the other. */
export const inLine = (db: Db, company_id: number) =>
  db.selectFrom('companies').select(['id', 'code', 'name']).where('id', '=', company_id).forUpdate().executeTakeFirstOrThrow()

/** Refuses a change that leaves no admin who can sign in. Call it after the change, in its transaction. */
export async function someAdminIsLeft(db: Db, company_id: number): Promise<void> {
  const left = await people(db)
    .select('u.id')
    .where('u.company_id', '=', company_id)
    .where('u.password_hash', 'is not', null)
    .where(sql<boolean>`${effectivePermission} @> array[${permissionId('admin')}]::smallint[]`)
    .limit(1)
    .executeTakeFirst()
  if (!left) throw conflict('last_admin', 'This is the last administrator of the company. Make someone else an administrator first.')
}

/** Valid sessions, the latest used first. */
export async function openSessions(db: Db, user_id: number, own: number, now: Date): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.created_at', 't.last_used_at', 't.ip', 't.user_agent'])
    .where('t.user_id', '=', user_id)
    .where('t.ended_at', 'is', null)
    .where('t.expires_at', '>', now.toISOString())
    .where(isInUse(now))
    .orderBy('t.last_used_at', 'desc')
    .limit(100)
    .execute()
  return rows.map(row => ({ ...row, current: row.id === own }))
}

/** What a user types to sign in. */
export const loginOf = (user: { user_name: string | null; email: string | null; employee_no: string | null }): string =>
  user.user_name ?? user.email ?? user.employee_no ?? ''

export const codesOf = (ids: readonly number[]): Permission[] => ids.map(permissionCode).filter(code => code !== undefined)

/** Four groups of four unambiguous letters and digits: 78 bits, easy to dictate over the phone. */
export function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

/** Throws when any of `fields` has a sentence; the first is the message. */
export function refuseFields(fields: Record<string, string>): void {
  const [first] = Object.values(fields)
  if (first) throw unprocessable('fields_invalid', first, {}, { fields })
}

/** Where each permission of a person comes from. */
export async function sourcesOf(db: Db, user_id: number, own: readonly number[]) {
  const groups = await db
    .selectFrom('user_group_members as m')
    .innerJoin('user_groups as g', 'g.id', 'm.group_id')
    .select(['g.name', 'g.permission'])
    .where('m.user_id', '=', user_id)
    .where('g.removed_at', 'is', null)
    .orderBy('g.name')
    .execute()
  const ids = [...new Set([...own, ...groups.flatMap(group => group.permission)])].sort((one, other) => one - other)
  return ids.flatMap(permission => {
    const code = permissionCode(permission)
    const names = groups.filter(group => group.permission.includes(permission)).map(group => group.name)
    return code ? [{ permission, code, own: own.includes(permission), groups: names }] : []
  })
}
