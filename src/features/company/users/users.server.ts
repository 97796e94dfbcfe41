/** Users: create, change and remove users, and the calls for the user's own account. */
import { isAllowed, type Permission } from '#contract/access.ts'
import { badRequest, conflict, forbidden, notFound, orNotFound } from '#contract/errors.ts'
import { definedFields } from '#domain/objects.ts'
import type { Principal } from '#platform/auth/identity.ts'
import { endSession, endSessionsOf } from '#platform/auth/session-store.ts'
import { checkPassword, hashPassword } from '#platform/crypto/vault.ts'
import { tableAnswer } from '#platform/csv/table-answer.ts'
import type { Db } from '#platform/database/database.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import { type Context, type ExternalContext, implement, type Services } from '#platform/http/feature-module.ts'
import { allowOneMore, allowUpload } from '#platform/limits/company-limits.ts'
import { peopleWith } from './credentials.queries.ts'
import { mustSuitDevice } from './devices.commands.ts'
import { newPasswordFault } from './new-password.server.ts'
import { confirmPassword } from './own-password.server.ts'
import { endPasswordLink } from './password-links.commands.ts'
import { notTheirsToGive, standsAbove } from './permissions.rules.ts'
import { actSourcesOf } from './station-acts.queries.ts'
import { insertUser, onlyAdminsChangeAdmins, removeUser } from './users.commands.ts'
import { users } from './users.contract.ts'
import {
  codesOf,
  groupsOfUsers,
  inLine,
  listUsers,
  newPassword,
  nextEmployeeNo,
  openSessions,
  refuseFields,
  someAdminIsLeft,
  sourcesOf,
  takenLogins,
  userById,
} from './users.queries.ts'
import { type User, usersSchemas } from './users.schemas.ts'

const missing = 'User not found'

export const usersServer = implement(users, usersSchemas, {
  list: (query, { db }) => listUsers(db, query),

  get: async ({ id }, { db }) => orNotFound(await userById(db, id), 'user_not_found', missing),

  search: async ({ q }, { db }) => (await listUsers(db, { query: q, page: 1, limit: 20, sort: 'name' })).rows,

  nextEmployeeNo: async (_, { db }) => ({ employee_no: await nextEmployeeNo(db) }),

  groups: (_, { db, principal }) => groupsOfUsers(db, principal.company.id),

  async export({ format, ...query }, { db, principal }) {
    const { rows } = await listUsers(db, { ...query, page: 1, limit: 100_000, sort: 'name' })
    const columns = ['employee_no', 'name', 'user_name', 'email', 'phone', 'role', 'locale', 'created_at', 'last_seen_at'] as const
    const table = rows.map(user => [
      ...columns.map(column => user[column]),
      user.groups.map(group => group.group_name).join(', '),
      user.skills.join(', '),
      codesOf(user.effective).join(' '),
    ])
    return tableAnswer(
      { name: `users-${principal.company.code}`, sheet: 'Users', format },
      [...columns, 'groups', 'skills', 'permission'],
      table,
    )
  },

  async create({ body }, { transaction, principal, services }) {
    const { password: given, no_password, permission: asked, ...fields } = body
    if (given !== undefined && no_password) throw badRequest('password_choice_missing', 'Either write a password or let one be made')
    const permission = sorted(asked)
    if (!(fields.user_name || fields.email || fields.employee_no))
      refuseFields({ user_name: 'Give a user name, an e-mail address or an employee number to sign in with' })
    if (fields.kind === 'device') mustSuitDevice(fields, codesOf(permission))
    mayGive(principal, [], codesOf(permission))
    await judge(services, given, principal, fields)
    const made = given === undefined && !no_password ? newPassword() : null
    const written = given ?? made
    const password_hash = written === null ? null : await hashPassword(written)
    const user = await transaction(async ({ db, recordEvent, notify }) => {
      await inLine(db, principal.company.id)
      refuseFields(await takenLogins(db, principal.company.id, fields))
      await allowOneMore(db, principal.company.id, 'users')
      const id = await insertUser(db, {
        ...fields,
        permission,
        password_hash,
        password_given: password_hash !== null && fields.kind === 'person',
      })
      await recordEvent({
        kind: 'user.created',
        subject: 'user',
        subject_id: id,
        data: { name: fields.name, permission: codesOf(permission), ...(fields.kind === 'device' && { device: true }) },
      })
      notify('user', id)
      return orNotFound(await userById(db, id), 'user_not_found', missing)
    })
    return { user, password: made }
  },

  async update({ id, body }, outside) {
    const { transaction, principal, services, now } = outside
    const { version, password: given, new_password, permission: asked, current_password, ...fields } = body
    const setsPassword = given !== undefined || new_password === true
    if (setsPassword && id === principal.id) throw conflict('own_password_elsewhere', 'Change your own password in your own settings')
    if (given !== undefined && new_password) throw badRequest('password_choice_missing', 'Either write a password or let one be made')
    const before = orNotFound(await transaction(({ db }) => userById(db, id)), 'user_not_found', missing)
    await judge(services, given, principal, { ...before, ...definedFields(fields) })
    const made = new_password ? newPassword() : null
    const takesPersonal = id === principal.id && asked !== undefined && codesOf(asked).includes('personal_admin')
    if (takesPersonal && !codesOf(before.permission).includes('personal_admin'))
      await mayTakePersonal(transaction, principal, current_password)
    // Links for a forgotten password go there.
    if (id === principal.id && fields.email !== undefined && fields.email !== before.email) {
      if (current_password === undefined) refuseFields({ current_password: 'Confirm with your present password' })
      else await confirmPassword(outside, current_password, 'current_password')
    }
    const password_hash = setsPassword ? await hashPassword(given ?? made ?? newPassword()) : undefined
    const user = await transaction(async ({ db, recordEvent, notify }) => {
      await inLine(db, principal.company.id)
      const current = orNotFound(await userById(db, id), 'user_not_found', missing)
      if (current.version !== version)
        throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
      const held = codesOf(current.permission)
      const effective = codesOf(current.effective)
      const permission = asked && sorted(asked)
      const next = permission ? codesOf(permission) : held
      onlyAdminsChangeAdmins(principal, effective)
      if (current.kind === 'device') mustSuitDevice(fields, next)
      mayGive(principal, held, next)
      if (setsPassword && !standsAbove(principal.permissions, effective))
        throw forbidden(
          'cannot_set_password',
          'You can set passwords only of people who have no permission that you lack: with their password you could act as them',
        )
      const after = { ...current, ...definedFields(fields) }
      // A kiosk has begun its session without a name to sign in with.
      if (current.kind === 'person' && !(after.user_name || after.email || after.employee_no))
        refuseFields({ user_name: 'Give a user name, an e-mail address or an employee number to sign in with' })
      refuseFields(await takenLogins(db, principal.company.id, fields, id))
      await db
        .updateTable('users')
        .set(eb => ({
          ...definedFields(fields),
          ...(permission && { permission }),
          ...(password_hash && { password_hash, password_given: current.kind === 'person' }),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
      await someAdminIsLeftIf(held, next, db, principal)
      if (setsPassword) await endSessionsOf(db, id, now())
      // A link that was mailed before would undo the new password, or lies in the mailbox of the old address.
      if (setsPassword || fields.email !== undefined) await endPasswordLink(db, id)
      await recordEvent({
        kind: 'user.changed',
        subject: 'user',
        subject_id: id,
        data: {
          name: current.name,
          fields: Object.keys(definedFields(fields)),
          ...(permission && { given: next.filter(code => !held.includes(code)), taken: held.filter(code => !next.includes(code)) }),
          ...(setsPassword && { password: 'set' }),
        },
      })
      notify('user', id)
      notify('people')
      return orNotFound(await userById(db, id), 'user_not_found', missing)
    })
    return { user, password: made }
  },

  async remove({ id }, { transaction, principal }) {
    if (id === principal.id) throw conflict('cannot_remove_self', 'You cannot remove yourself; another administrator can')
    await transaction(context => removeUser(context, id))
  },

  async image({ id }, { transaction }) {
    const file = await transaction(({ db }) =>
      db
        .selectFrom('users as u')
        .innerJoin('files as f', 'f.id', 'u.image_file_id')
        .select(['f.sha256', 'f.bytes', 'f.media_type'])
        .where('u.id', '=', id)
        .where('u.removed_at', 'is', null)
        .executeTakeFirst(),
    )
    const picture = orNotFound(file, 'picture_not_found', 'There is no picture')
    return { bytes: picture, media_type: picture.media_type, inline: true }
  },

  async setImage({ id, upload }, { transaction, services, scope }) {
    await transaction(({ db }) => allowUpload(db, scope.company_id))
    const { bytes, media_type } = await sanitizeImage(upload.content, { longest: 400, as: 'webp' })
    const stored = await services.files.put(scope.operator_id, bytes)
    await transaction(async context => {
      await myselfOrMine(context, id)
      const image_file_id = await recordFile(context.db, stored, { media_type, name: `user-${id}.webp` })
      await changeImage(context, id, image_file_id)
    })
  },

  async removeImage({ id }, context) {
    await myselfOrMine(context, id)
    await changeImage(context, id, null)
  },

  async actsOf({ id }, { db }) {
    orNotFound(await userById(db, id), 'user_not_found', missing)
    return actSourcesOf(db, id)
  },

  async permissionsOf({ id }, { db }) {
    const user = orNotFound(await userById(db, id), 'user_not_found', missing)
    return sourcesOf(db, id, user.permission)
  },

  async sessions({ id }, { db, principal, now }) {
    orNotFound(await userById(db, id), 'user_not_found', missing)
    return openSessions(db, id, principal.session_id, now())
  },

  async endSession({ id, session_id }, { db, principal, now, recordEvent, notify }) {
    const user = orNotFound(await userById(db, id), 'user_not_found', missing)
    if (id !== principal.id) onlyAdminsChangeAdmins(principal, codesOf(user.effective))
    if (!(await endSession(db, id, session_id, now()))) throw notFound('session_not_found', 'This session has ended already')
    await recordEvent({ kind: 'user.session_ended', subject: 'user', subject_id: id, data: { session_id } })
    notify('people')
  },

  async endSessions({ id }, { transaction, principal, now }) {
    const ended = await transaction(async ({ db, recordEvent, notify }) => {
      const user = orNotFound(await userById(db, id), 'user_not_found', missing)
      if (id !== principal.id) onlyAdminsChangeAdmins(principal, codesOf(user.effective))
      const ended = await endSessionsOf(db, id, now(), id === principal.id ? principal.session_id : 0)
      await recordEvent({ kind: 'user.sessions_ended', subject: 'user', subject_id: id, data: { ended } })
      notify('people')
      return ended
    })
    return { ended }
  },

  me: async (_, { db, principal }) => orNotFound(await userById(db, principal.id), 'user_not_found', missing),

  mySessions: (_, { db, principal, now }) => openSessions(db, principal.id, principal.session_id, now()),

  async endMySession({ id }, { transaction, principal, now }) {
    await transaction(async ({ db, recordEvent, notify }) => {
      if (!(await endSession(db, principal.id, id, now()))) throw notFound('session_not_found', 'This session has ended already')
      await recordEvent({ kind: 'user.session_ended', subject: 'user', subject_id: principal.id, data: { session_id: id } })
      notify('people')
    })
  },

  async endMyOtherSessions(_, { transaction, principal, now }) {
    const ended = await transaction(async ({ db, recordEvent, notify }) => {
      const ended = await endSessionsOf(db, principal.id, now(), principal.session_id)
      await recordEvent({ kind: 'user.sessions_ended', subject: 'user', subject_id: principal.id, data: { ended } })
      notify('people')
      return ended
    })
    return { ended }
  },

  async setMyPassword({ body }, { transaction, principal, services, now }) {
    const { user, password_hash: stored } = await transaction(async ({ db }) => ({
      user: orNotFound(await userById(db, principal.id), 'user_not_found', missing),
      ...(await db.selectFrom('users').select('password_hash').where('id', '=', principal.id).executeTakeFirstOrThrow()),
    }))
    if (!(await checkPassword(body.current, stored))) refuseFields({ current: 'This is not your present password' })
    await judge(services, body.password, principal, user)
    const password_hash = await hashPassword(body.password)
    const ended = await transaction(async ({ db, recordEvent, notify }) => {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set(eb => ({ password_hash, password_given: false, version: eb('version', '+', 1) }))
        .where('id', '=', principal.id)
        .where('password_hash', '=', stored)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw conflict('password_changed', 'Your password was changed by someone else')
      await endPasswordLink(db, principal.id)
      await recordEvent({ kind: 'user.changed', subject: 'user', subject_id: principal.id, data: { name: user.name, password: 'set' } })
      notify('people')
      return endSessionsOf(db, principal.id, now(), principal.session_id)
    })
    return { ended }
  },
})

const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((one, other) => one - other)

function mayGive(principal: Principal, before: readonly Permission[], after: readonly Permission[]): void {
  const codes = notTheirsToGive(principal.permissions, before, after).join(', ')
  if (codes)
    throw forbidden(
      'cannot_grant_permissions',
      'You cannot give permissions that you do not have yourself: {{codes}}',
      { codes },
      { fields: { permission: 'You cannot give permissions that you do not have yourself: {{codes}}' } },
    )
}

/** Decision 58: only while no one else has it, and after the own password was given once more. */
async function mayTakePersonal(transaction: ExternalContext['transaction'], principal: Principal, password: string | undefined) {
  const { stored, others } = await transaction(async ({ db }) => ({
    stored: await db.selectFrom('users').select('password_hash').where('id', '=', principal.id).executeTakeFirstOrThrow(),
    others: await peopleWith(db, principal.company.id, ['personal_admin']),
  }))
  const [other] = others
  if (other)
    throw forbidden('personal_held', '{{name}} can read CPR numbers already. Ask {{name}} to give you the permission.', {
      name: other.name,
    })
  if (password === undefined || !(await checkPassword(password, stored.password_hash)))
    refuseFields({ current_password: 'Confirm with your present password' })
}

async function someAdminIsLeftIf(held: readonly Permission[], next: readonly Permission[], db: Db, principal: Principal): Promise<void> {
  if (held.includes('admin') && !next.includes('admin')) await someAdminIsLeft(db, principal.company.id)
}

/** Public knowledge about the person makes a weak password. */
async function judge(
  services: Services,
  password: string | undefined,
  principal: Principal,
  about: Pick<User, 'name' | 'user_name' | 'email' | 'employee_no'>,
): Promise<void> {
  if (password === undefined) return
  const known = [about.name, about.user_name, about.email, about.employee_no, principal.company.name, principal.company.code].filter(
    text => text !== null,
  )
  const fault = await newPasswordFault(services, password, known)
  if (fault) refuseFields({ password: fault })
}

/** The user's own picture, or with permission that of any user. */
async function myselfOrMine({ db, principal }: Context, id: number): Promise<void> {
  const user = orNotFound(await userById(db, id), 'user_not_found', missing)
  if (id === principal.id) return
  if (!isAllowed(principal.permissions, ['users_admin']))
    throw forbidden('users_admin_only', 'You do not have permission to change pictures of other users.')
  onlyAdminsChangeAdmins(principal, codesOf(user.effective))
}

async function changeImage({ db, recordEvent, notify }: Context, id: number, image_file_id: number | null): Promise<void> {
  await db.updateTable('users').set({ image_file_id }).where('id', '=', id).execute()
  await recordEvent({ kind: 'user.changed', subject: 'user', subject_id: id, data: { fields: ['image'] } })
  notify('user', id)
}
