/** Users: making, changing and removing people, and what everybody may do with their own account. */

import { may, type Permission } from '#contract/access.ts'
import { badRequest, conflict, forbidden, found, unprocessable } from '#contract/errors.ts'
import { csv } from '#platform/http/csv.ts'
import type { Db } from '#platform/database/database.ts'
import { noteFile } from '#platform/files/file-store.ts'
import { checkPassword, hashPassword } from '#platform/crypto/vault.ts'
import { idleHours, type Person } from '#platform/auth/identity.ts'
import { plainPicture } from '#platform/files/images.ts'
import { type Context, serve } from '#platform/http/feature-module.ts'
import { passwordFault } from './passwords.rules.ts'
import { holds, notTheirsToGive, standsAbove } from './permissions.rules.ts'
import { MySettings, mySettingsLimit, type User, users } from './users.contract.ts'
import {
  codesOf,
  endSessionsOf,
  inLine,
  listUsers,
  newPassword,
  nextEmployeeNo,
  openSessions,
  refuseFields,
  someAdminIsLeft,
  takenLogins,
  userById,
} from './users.queries.ts'

const missing = 'This user does not exist'

export const usersServer = serve(users, {
  list: (query, { db }) => listUsers(db, query),

  get: async ({ id }, { db }) => found(await userById(db, id), missing),

  search: async ({ q }, { db }) => (await listUsers(db, { query: q, page: 1, limit: 20, sort: 'name' })).rows,

  nextEmployeeNo: async (_, { db }) => ({ employee_no: await nextEmployeeNo(db) }),

  async export(query, { db, person }) {
    const { rows } = await listUsers(db, { ...query, page: 1, limit: 100_000, sort: 'name' })
    const columns = ['employee_no', 'name', 'user_name', 'email', 'phone', 'role', 'locale', 'created_at', 'last_seen_at'] as const
    const table = rows.map(user => [...columns.map(column => user[column]), codesOf(user.permission).join(' ')])
    return {
      bytes: csv([...columns, 'permission'], table),
      media_type: 'text/csv; charset=utf-8',
      name: `users-${person.company.code}.csv`,
    }
  },

  async create({ body }, { work, person }) {
    const { password: given, permission: asked, ...fields } = body
    const permission = sorted(asked)
    if (!(fields.user_name || fields.email || fields.employee_no))
      refuseFields({ user_name: 'Give a user name, an e-mail address or an employee number to sign in with' })
    mayGive(person, [], codesOf(permission))
    judge(given, person, fields)
    const made = given === undefined ? newPassword() : null
    const password_hash = await hashPassword(given ?? (made as string))
    const user = await work(async ({ db, record, tell }) => {
      await inLine(db, person.company.id)
      refuseFields(await takenLogins(db, person.company.id, fields))
      const { id } = await db
        .insertInto('users')
        .values({ ...fields, permission, password_hash })
        .returning('id')
        .executeTakeFirstOrThrow()
      await record({ kind: 'user.created', subject: 'user', subject_id: id, data: { name: fields.name, permission: codesOf(permission) } })
      tell('user', id)
      return found(await userById(db, id), missing)
    })
    return { user, password: made }
  },

  async update({ id, body }, { work, person, now }) {
    const { version, password: given, new_password, permission: asked, ...fields } = body
    const setsPassword = given !== undefined || new_password === true
    if (setsPassword && id === person.id) throw conflict('Change your own password in your own settings')
    if (given !== undefined && new_password) throw badRequest('Either write a password or let one be made')
    const before = found(await work(({ db }) => userById(db, id)), missing)
    judge(given, person, { ...before, ...defined(fields) })
    const made = new_password ? newPassword() : null
    const password_hash = setsPassword ? await hashPassword(given ?? (made as string)) : undefined
    const user = await work(async ({ db, record, tell }) => {
      await inLine(db, person.company.id)
      const current = found(await userById(db, id), missing)
      if (current.version !== version) throw conflict('Somebody else changed this meanwhile. Look at what is saved now.', {}, { current })
      const held = codesOf(current.permission)
      const permission = asked && sorted(asked)
      const next = permission ? codesOf(permission) : held
      onlyAdminsChangeAdmins(person, held)
      mayGive(person, held, next)
      if (setsPassword && !standsAbove(person.permissions, held))
        throw forbidden('You can set passwords only of people who have no right that you lack: with their password you could act as them')
      const after = { ...current, ...defined(fields) }
      if (!(after.user_name || after.email || after.employee_no))
        refuseFields({ user_name: 'Give a user name, an e-mail address or an employee number to sign in with' })
      refuseFields(await takenLogins(db, person.company.id, fields, id))
      await db
        .updateTable('users')
        .set(eb => ({
          ...defined(fields),
          ...(permission && { permission }),
          ...(password_hash && { password_hash }),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
      await someAdminIsLeftIf(held, next, db, person)
      if (setsPassword) await endSessionsOf(db, id, now())
      await record({
        kind: 'user.changed',
        subject: 'user',
        subject_id: id,
        data: {
          name: current.name,
          fields: Object.keys(defined(fields)),
          ...(permission && { given: next.filter(code => !held.includes(code)), taken: held.filter(code => !next.includes(code)) }),
          ...(setsPassword && { password: 'set' }),
        },
      })
      tell('user', id)
      tell('people')
      return found(await userById(db, id), missing)
    })
    return { user, password: made }
  },

  async remove({ id }, { work, person, now }) {
    if (id === person.id) throw conflict('You cannot remove yourself; another admin can')
    await work(async ({ db, record, tell }) => {
      await inLine(db, person.company.id)
      const user = found(await userById(db, id), missing)
      const held = codesOf(user.permission)
      onlyAdminsChangeAdmins(person, held)
      await db
        .updateTable('users')
        .set(eb => ({ removed_at: now().toISOString(), version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await someAdminIsLeftIf(held, [], db, person)
      await endSessionsOf(db, id, now())
      await record({ kind: 'user.removed', subject: 'user', subject_id: id, data: { name: user.name } })
      tell('user', id)
      tell('people')
    })
  },

  async image({ id }, { work, house, scope }) {
    const file = await work(({ db }) =>
      db
        .selectFrom('users as u')
        .innerJoin('files as f', 'f.id', 'u.image_file_id')
        .select(['f.sha256', 'f.media_type'])
        .where('u.id', '=', id)
        .where('u.removed_at', 'is', null)
        .executeTakeFirst(),
    )
    const { sha256, media_type } = found(file, 'There is no picture')
    return { bytes: await house.files.get(scope.operator_id, sha256), media_type, inline: true }
  },

  async setImage({ id, upload }, { work, house, scope }) {
    const { bytes, media_type } = await plainPicture(upload.bytes, { longest: 400, as: 'webp' })
    const sha256 = await house.files.put(scope.operator_id, bytes)
    await work(async context => {
      await myselfOrMine(context, id)
      const image_file_id = await noteFile(context.db, sha256, bytes, { media_type, name: `user-${id}.webp` })
      await changeImage(context, id, image_file_id)
    })
  },

  async removeImage({ id }, context) {
    await myselfOrMine(context, id)
    await changeImage(context, id, null)
  },

  async sessions({ id }, { db, person, now }) {
    found(await userById(db, id), missing)
    return openSessions(db, id, person.session_id, now(), idleHours)
  },

  async endSessions({ id }, { work, person, now }) {
    const ended = await work(async ({ db, record, tell }) => {
      const user = found(await userById(db, id), missing)
      if (id !== person.id) onlyAdminsChangeAdmins(person, codesOf(user.permission))
      const ended = await endSessionsOf(db, id, now(), id === person.id ? person.session_id : 0)
      await record({ kind: 'user.sessions_ended', subject: 'user', subject_id: id, data: { ended } })
      tell('people')
      return ended
    })
    return { ended }
  },

  me: async (_, { db, person }) => found(await userById(db, person.id), missing),

  mySettings: (_, context) => settingsOf(context),

  async setMySettings({ body }, context) {
    const { db, person } = context
    const { settings: before } = await settingsOf(context, true)
    const merged = Object.fromEntries(Object.entries({ ...before, ...body.settings }).filter(([, value]) => value !== null))
    const text = JSON.stringify(merged)
    if (Buffer.byteLength(text) > mySettingsLimit) throw unprocessable('Your own settings are larger than what is kept here')
    await db
      .updateTable('users')
      .set({ settings: text, ...(body.locale === undefined ? {} : { locale: body.locale }) })
      .where('id', '=', person.id)
      .execute()
    return settingsOf(context)
  },

  mySessions: (_, { db, person, now }) => openSessions(db, person.id, person.session_id, now(), idleHours),

  async endMySession({ id }, { work, person, now }) {
    await work(async ({ db, record, tell }) => {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ ended_at: now().toISOString() })
        .where('id', '=', id)
        .where('user_id', '=', person.id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) found(undefined, 'This session has ended already')
      await record({ kind: 'user.session_ended', subject: 'user', subject_id: person.id, data: { session_id: id } })
      tell('people')
    })
  },

  async endMyOtherSessions(_, { work, person, now }) {
    const ended = await work(async ({ db, record, tell }) => {
      const ended = await endSessionsOf(db, person.id, now(), person.session_id)
      await record({ kind: 'user.sessions_ended', subject: 'user', subject_id: person.id, data: { ended } })
      tell('people')
      return ended
    })
    return { ended }
  },

  async setMyPassword({ body }, { work, person, now }) {
    const { user, password_hash: stored } = await work(async ({ db }) => ({
      user: found(await userById(db, person.id), missing),
      ...(await db.selectFrom('users').select('password_hash').where('id', '=', person.id).executeTakeFirstOrThrow()),
    }))
    if (!(await checkPassword(body.current, stored))) refuseFields({ current: 'This is not your present password' })
    judge(body.password, person, user)
    const password_hash = await hashPassword(body.password)
    const ended = await work(async ({ db, record, tell }) => {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set(eb => ({ password_hash, version: eb('version', '+', 1) }))
        .where('id', '=', person.id)
        .where('password_hash', '=', stored)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw conflict('Your password was changed by somebody else meanwhile')
      await record({ kind: 'user.changed', subject: 'user', subject_id: person.id, data: { name: user.name, password: 'set' } })
      tell('people')
      return endSessionsOf(db, person.id, now(), person.session_id)
    })
    return { ended }
  },
})

const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((one, other) => one - other)

const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }

function mayGive(person: Person, before: readonly Permission[], after: readonly Permission[]): void {
  const codes = notTheirsToGive(person.permissions, before, after).join(', ')
  if (codes)
    throw forbidden(
      'You cannot give rights that you do not have yourself: {{codes}}',
      { codes },
      { fields: { permission: 'You cannot give rights that you do not have yourself: {{codes}}' } },
    )
}

function onlyAdminsChangeAdmins(person: Person, held: readonly Permission[]): void {
  if (held.includes('admin') && !holds(person.permissions, 'admin')) throw forbidden('Only an admin can change or remove an admin')
}

async function someAdminIsLeftIf(held: readonly Permission[], next: readonly Permission[], db: Db, person: Person): Promise<void> {
  if (held.includes('admin') && !next.includes('admin')) await someAdminIsLeft(db, person.company.id)
}

/** What everybody can know of the person is no password. */
function judge(password: string | undefined, person: Person, about: Pick<User, 'name' | 'user_name' | 'email' | 'employee_no'>): void {
  if (password === undefined) return
  const known = [about.name, about.user_name, about.email, about.employee_no, person.company.name, person.company.code].filter(
    text => text !== null,
  )
  const fault = passwordFault(password, known)
  if (fault) refuseFields({ password: fault })
}

/** One's own picture, or anybody's for whoever keeps the users. */
async function myselfOrMine({ db, person }: Context, id: number): Promise<void> {
  const user = found(await userById(db, id), missing)
  if (id === person.id) return
  if (!may(person.permissions, ['users_admin'])) throw forbidden('Only somebody with the right users_admin changes the pictures of others')
  onlyAdminsChangeAdmins(person, codesOf(user.permission))
}

async function changeImage({ db, record, tell }: Context, id: number, image_file_id: number | null): Promise<void> {
  await db.updateTable('users').set({ image_file_id }).where('id', '=', id).execute()
  await record({ kind: 'user.changed', subject: 'user', subject_id: id, data: { fields: ['image'] } })
  tell('user', id)
}

async function settingsOf({ db, person }: Context, toChange = false) {
  const from = db.selectFrom('users').select(['locale', 'settings']).where('id', '=', person.id)
  const row = await (toChange ? from.forUpdate() : from).executeTakeFirstOrThrow()
  return { locale: row.locale as User['locale'], settings: MySettings.parse(row.settings) }
}
