/** Writes groups and their members. What gives or takes permissions waits for other changes of permissions in the company. */
import { access, isAllowed, type Permission, permissionCode } from '#contract/access.ts'
import { conflict, forbidden, notFound, orNotFound } from '#contract/errors.ts'
import { holdsActAt, type StationAct, stationActs } from '#contract/station-acts.ts'
import { notTheirsToGive } from '#features/company/users/permissions.rules.ts'
import { actsOf } from '#features/company/users/station-acts.queries.ts'
import { codesOf, inLine, someAdminIsLeft, userById } from '#features/company/users/users.queries.ts'
import type { Principal } from '#platform/auth/identity.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { groupById, groupNamed } from './groups.queries.ts'
import type { UserGroupDetails } from './groups.schemas.ts'

/** A name that was just made is sent again by a client that got no answer. */
const sameRequest = 60_000

function mayGive(principal: Principal, before: readonly Permission[], after: readonly Permission[]): void {
  const codes = notTheirsToGive(principal.permissions, before, after).join(', ')
  if (codes) throw forbidden('cannot_grant_permissions', 'You cannot give permissions that you do not have yourself: {{codes}}', { codes })
}

interface GroupActs {
  acts: readonly StationAct[]
  stations: readonly string[] | null
}

const noActs: GroupActs = { acts: [], stations: null }

/** Acts that the change gives, or gives at more stations than before. */
const actsGiven = (before: GroupActs, after: GroupActs): StationAct[] => {
  const held = before.acts.map(act => ({ act, stations: before.stations?.map(one => one.toLowerCase()) ?? null }))
  return after.acts.filter(act => !holdsActAt(held, act, after.stations))
}

/** An act is given by leads of packing, and by those who have it at every station. */
async function mayGiveActs({ db, principal }: Context, given: readonly StationAct[]): Promise<void> {
  if (given.length === 0 || isAllowed(principal.permissions, access.scanAdmin)) return
  const held = await actsOf(db, principal.id)
  const codes = given.filter(act => !holdsActAt(held, act, null)).join(', ')
  if (codes) throw forbidden('cannot_grant_permissions', 'You cannot give permissions that you do not have yourself: {{codes}}', { codes })
}

function onlyAdminsChange(principal: Principal, codes: readonly Permission[]): void {
  if (codes.includes('admin') && !principal.permissions.includes('admin'))
    throw forbidden('admin_group', 'Only an administrator can change a group with administrator access.')
}

async function nameIsFree({ db, principal }: Context, name: string, except = 0): Promise<void> {
  const taken = await groupNamed(db, principal.company.id, name)
  if (taken && taken.id !== except)
    throw conflict(
      'group_name_taken',
      'There is a group {{name}} already.',
      { name: taken.name },
      { fields: { name: 'This name is taken' } },
    )
}

const byId = ({ db, principal }: Context, id: number): Promise<UserGroupDetails> => groupById(db, principal.company.id, id)

/** What holds for each change: one at a time, and the rights that are taken leave an administrator. */
async function change(
  context: Context,
  id: number,
  step: (group: UserGroupDetails) => Promise<{ takes: boolean; counts: boolean }>,
): Promise<UserGroupDetails> {
  const { db, principal, notify } = context
  await inLine(db, principal.company.id)
  const group = await byId(context, id)
  const { takes, counts } = await step(group)
  if (takes && codesOf(group.permission).includes('admin')) await someAdminIsLeft(db, principal.company.id)
  notify('group', id)
  if (counts) {
    notify('people')
    notify('user')
  }
  return group
}

export async function createGroup(context: Context, name: string): Promise<UserGroupDetails> {
  const { db, principal, recordEvent, notify, now } = context
  await inLine(db, principal.company.id)
  const taken = await groupNamed(db, principal.company.id, name)
  if (taken && taken.created_by === principal.id && now().getTime() - Date.parse(taken.created_at) < sameRequest)
    return byId(context, taken.id)
  await nameIsFree(context, name)
  const { id } = await db
    .insertInto('user_groups')
    .values({ name, created_by: principal.id, created_at: now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent({ kind: 'group.created', subject: 'group', subject_id: id, data: { name } })
  notify('group', id)
  return byId(context, id)
}

export async function renameGroup(context: Context, id: number, name: string): Promise<UserGroupDetails> {
  const { db, principal, recordEvent } = context
  await change(context, id, async group => {
    onlyAdminsChange(principal, codesOf(group.permission))
    if (group.group_name === name) return { takes: false, counts: false }
    await nameIsFree(context, name, id)
    await db
      .updateTable('user_groups')
      .set(eb => ({ name, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await recordEvent({ kind: 'group.renamed', subject: 'group', subject_id: id, data: { name, before: group.group_name } })
    return { takes: false, counts: true }
  })
  return byId(context, id)
}

export async function addMember(context: Context, id: number, user_id: number): Promise<UserGroupDetails> {
  const { db, principal, recordEvent, now } = context
  await change(context, id, async group => {
    const user = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
    if (user.kind === 'device') throw conflict('device_in_no_group', 'A device is in no group.')
    const codes = codesOf(group.permission)
    onlyAdminsChange(principal, codes)
    mayGive(principal, codesOf(user.effective), codes)
    await mayGiveActs(context, actsGiven(noActs, group))
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('user_group_members')
      .values({ group_id: id, user_id, added_by: principal.name, added_at: now().toISOString() })
      .onConflict(row => row.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return { takes: false, counts: false }
    await recordEvent({
      kind: 'group.member_added',
      subject: 'user',
      subject_id: user_id,
      data: {
        name: group.group_name,
        group_id: id,
        user_name: user.name,
        given: [...codes.filter(code => !codesOf(user.effective).includes(code)), ...group.acts],
      },
    })
    return { takes: false, counts: true }
  })
  return byId(context, id)
}

export async function removeMember(context: Context, id: number, user_id: number): Promise<UserGroupDetails> {
  const { db, principal, recordEvent } = context
  await change(context, id, async group => {
    const before = orNotFound(await userById(db, user_id), 'user_not_found', 'User not found')
    onlyAdminsChange(principal, codesOf(group.permission))
    const { numDeletedRows } = await db
      .deleteFrom('user_group_members')
      .where('group_id', '=', id)
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return { takes: false, counts: false }
    const after = codesOf((await userById(db, user_id))?.effective ?? [])
    await recordEvent({
      kind: 'group.member_removed',
      subject: 'user',
      subject_id: user_id,
      data: {
        name: group.group_name,
        group_id: id,
        user_name: before.name,
        taken: [...codesOf(before.effective).filter(code => !after.includes(code)), ...group.acts],
      },
    })
    return { takes: true, counts: true }
  })
  return byId(context, id)
}

export async function setGroupPermission(
  context: Context,
  id: number,
  { version, permission: asked, ...wanted }: { version: number; permission: readonly number[] } & Partial<GroupActs>,
): Promise<UserGroupDetails> {
  const { db, principal, recordEvent } = context
  await change(context, id, async group => {
    if (group.version !== version)
      throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: group })
    const permission = [...new Set(asked)].sort((one, other) => one - other)
    const [before, after] = [codesOf(group.permission), codesOf(permission)]
    onlyAdminsChange(principal, [...before, ...after])
    mayGive(principal, before, after)
    if (after.includes('personal_admin'))
      throw conflict('personal_not_by_group', 'The permission to read CPR numbers is given to each person alone, never by a group.')
    const acts: GroupActs = {
      acts: stationActs.filter(act => (wanted.acts ?? group.acts).includes(act)),
      stations: wanted.stations === undefined ? group.stations : wanted.stations && [...new Set(wanted.stations)],
    }
    const gives = actsGiven(group, acts)
    await mayGiveActs(context, gives)
    await db
      .updateTable('user_groups')
      .set(eb => ({ permission, acts: [...acts.acts], stations: acts.stations && [...acts.stations], version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    const given = [...after.filter(code => !before.includes(code)), ...gives]
    const taken = [...before.filter(code => !after.includes(code)), ...actsGiven(acts, group)]
    await recordEvent({
      kind: 'group.permission_changed',
      subject: 'group',
      subject_id: id,
      data: { name: group.group_name, given, taken, members: group.members },
    })
    return { takes: true, counts: given.length + taken.length > 0 }
  })
  return byId(context, id)
}

/** A removed group comes back with its permissions and members, by those who may give each of the permissions. */
export async function restoreGroup(context: Context, id: number, name: string): Promise<UserGroupDetails> {
  const { db, principal, recordEvent } = context
  await inLine(db, principal.company.id)
  await nameIsFree(context, name, id)
  const restored = await db
    .updateTable('user_groups')
    .set(eb => ({ removed_at: null, version: eb('version', '+', 1) }))
    .where('company_id', '=', principal.company.id)
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  if (restored.numUpdatedRows === 0n) throw notFound('group_not_found', 'There is no such group.')
  await change(context, id, async group => {
    const codes = codesOf(group.permission)
    onlyAdminsChange(principal, codes)
    mayGive(principal, [], codes)
    await mayGiveActs(context, actsGiven(noActs, group))
    await recordEvent({
      kind: 'group.restored',
      subject: 'group',
      subject_id: id,
      data: { name: group.group_name, members: group.members, given: [...codes, ...group.acts] },
    })
    return { takes: false, counts: true }
  })
  return byId(context, id)
}

export async function removeGroup(context: Context, id: number): Promise<void> {
  const { db, principal, recordEvent, now } = context
  await change(context, id, async group => {
    onlyAdminsChange(principal, codesOf(group.permission))
    await db
      .updateTable('user_groups')
      .set(eb => ({ removed_at: now().toISOString(), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await recordEvent({
      kind: 'group.removed',
      subject: 'group',
      subject_id: id,
      data: {
        name: group.group_name,
        members: group.members,
        taken: [...group.permission.map(permissionCode).filter(code => code !== undefined), ...group.acts],
      },
    })
    return { takes: true, counts: true }
  })
}
