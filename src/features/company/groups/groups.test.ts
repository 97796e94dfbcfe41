/** Groups: what they give and take holds with the next request, and no one gives what they do not have. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { type Permission, permissionId } from '#contract/access.ts'
import { session } from '#contract/session.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { users } from '../users/users.contract.ts'
import { inLine } from '../users/users.queries.ts'
import { groups } from './groups.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'], operator.main, 'Astrid Holm')
})
afterAll(() => testApp.close())

let count = 0
const ids = (...codes: Permission[]) => codes.map(permissionId)
const make = async (...codes: Permission[]) => {
  const group = await admin.send(groups.create, { name: `Group ${++count}` })
  if (codes.length === 0) return group
  return admin.send(groups.setPermission, { id: group.group_id, body: { version: group.version, permission: ids(...codes) } })
}
/** Statements that wait for a row which another transaction holds. */
const waitingForCompany = async (database: TestApp['services']['database']): Promise<number> => {
  const { rows } = await database.systemTransaction('a test watches who waits', db =>
    sql<{ count: number }>`select count(*)::integer count from pg_locks where not granted`.execute(db),
  )
  return rows[0]?.count ?? 0
}
const status = async (user: TestUser) => (await user.ask(orders.search, {})).statusCode

describe('a group', () => {
  it('gives its permissions to a member with the next request, and takes them again', async () => {
    const member = await operator.hire([], operator.main, 'Kim Lund')
    const { group_id } = await make('parcels')
    expect(await status(member)).toBe(403)
    await admin.send(groups.addUser, { id: group_id, user_id: member.user_id })
    expect(await status(member)).toBe(200)
    expect((await member.send(session.current, {})).user.permission).toEqual(ids('parcels'))
    await admin.send(groups.removeUser, { id: group_id, user_id: member.user_id })
    expect(await status(member)).toBe(403)
  })

  it('changes what all its members may do, and its removal ends it', async () => {
    const member = await operator.hire(['scan'])
    const group = await make('list')
    await admin.send(groups.addUser, { id: group.group_id, user_id: member.user_id })
    const { version } = await admin.send(groups.get, { id: group.group_id })
    await admin.send(groups.setPermission, { id: group.group_id, body: { version, permission: ids('parcels') } })
    expect(await status(member)).toBe(200)
    await admin.send(groups.remove, { id: group.group_id })
    expect(await status(member)).toBe(403)
    await expect(admin.send(groups.get, { id: group.group_id })).rejects.toMatchObject({ status: 404 })
  })

  it('shows where each permission of a person comes from', async () => {
    const member = await operator.hire(['scan'])
    const one = await make('scan', 'parcels')
    const two = await make('parcels')
    for (const { group_id } of [one, two]) await admin.send(groups.addUser, { id: group_id, user_id: member.user_id })
    expect(await admin.send(users.permissionsOf, { id: member.user_id })).toEqual([
      { permission: permissionId('parcels'), code: 'parcels', own: false, groups: [one.group_name, two.group_name] },
      { permission: permissionId('scan'), code: 'scan', own: true, groups: [one.group_name] },
    ])
    const { people } = await admin.send(groups.get, { id: one.group_id })
    expect(people[0]?.only_here).toEqual([])
    const user = await admin.send(users.get, { id: member.user_id })
    expect(user).toMatchObject({ permission: ids('scan'), effective: ids('parcels', 'scan') })
    expect(user.groups.map(group => group.group_name)).toEqual([one.group_name, two.group_name])
  })

  it('is made once when a client sends it twice, and no other has its name', async () => {
    const first = await admin.send(groups.create, { name: 'Night shift' })
    expect((await admin.send(groups.create, { name: 'Night shift' })).group_id).toBe(first.group_id)
    const other = await operator.hire(['users_admin'])
    await expect(other.send(groups.create, { name: 'night SHIFT' })).rejects.toMatchObject({ code: 'group_name_taken' })
    await admin.send(groups.setName, { id: first.group_id, name: 'Nights / weekends' })
    expect((await admin.send(groups.list, {})).map(group => group.group_name)).toContain('Nights / weekends')
  })

  it('tells planners names only', async () => {
    await make('parcels')
    const planner = await operator.hire(['schedule_admin'])
    const listed = await planner.send(groups.list, {})
    expect(listed.length).toBeGreaterThan(0)
    expect(listed.every(group => group.permission.length === 0)).toBe(true)
    expect((await planner.ask(groups.get, { id: listed[0]?.group_id ?? 0 })).statusCode).toBe(403)
  })

  it('of another company is not found', async () => {
    const foreign = await operator.hire(['admin'], operator.shops[0])
    const { group_id } = await make()
    expect(await foreign.send(groups.list, {})).toEqual([])
    await expect(foreign.send(groups.get, { id: group_id })).rejects.toMatchObject({ status: 404 })
    await expect(foreign.send(groups.addUser, { id: group_id, user_id: foreign.user_id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('granting by a group', () => {
  it('needs the permissions of the group', async () => {
    const editor = await operator.hire(['users_admin', 'scan'])
    const member = await operator.hire([])
    const strong = await make('parcels')
    await expect(editor.send(groups.addUser, { id: strong.group_id, user_id: member.user_id })).rejects.toMatchObject({
      code: 'cannot_grant_permissions',
    })
    await expect(
      editor.send(groups.setPermission, { id: strong.group_id, body: { version: strong.version, permission: ids('parcels', 'list') } }),
    ).rejects.toMatchObject({ code: 'cannot_grant_permissions' })
    const weak = await make('scan')
    expect((await editor.send(groups.addUser, { id: weak.group_id, user_id: member.user_id })).members).toBe(1)
  })

  it('by two people at once is one after the other: the second sees what the first gave, and a name that it took', async () => {
    const editor = await operator.hire(['users_admin', 'scan'])
    const member = await operator.hire([])
    const group = await make('scan')
    const other = await make()
    const { database } = testApp.services
    const scope = scopeOfCompany(operator)
    /** Both calls wait for the company's row, the first before the second. */
    const inOrder = async <A, B>(first: () => Promise<A>, second: () => Promise<B>) =>
      database.transaction(scope, async db => {
        await inLine(db, operator.main.id)
        const waits = (count: number) => expect.poll(() => waitingForCompany(database), { timeout: 10_000, interval: 20 }).toBe(count)
        const one = first().catch((error: unknown) => error)
        await waits(1)
        const two = second().catch((error: unknown) => error)
        await waits(2)
        return { one, two }
      })
    const grant = () =>
      admin.send(groups.setPermission, { id: group.group_id, body: { version: group.version, permission: ids('scan', 'parcels') } })
    const add = () => editor.send(groups.addUser, { id: group.group_id, user_id: member.user_id })
    const granted = await inOrder(grant, add)
    expect(await granted.one).toMatchObject({ permission: ids('parcels', 'scan').toSorted((a, b) => a - b) })
    expect(await granted.two).toMatchObject({ status: 403, code: 'cannot_grant_permissions' })
    expect(await status(member)).toBe(403)
    const name = `Night team ${group.group_id}`
    const renamed = await inOrder(
      () => admin.send(groups.setName, { id: group.group_id, name }),
      () => admin.send(groups.setName, { id: other.group_id, name }),
    )
    expect(await renamed.one).toMatchObject({ group_name: name })
    expect(await renamed.two).toMatchObject({ status: 409, code: 'group_name_taken' })
  })

  it('leaves groups of administrators to administrators, and the last administrator in them', async () => {
    const alone = await testApp.operator()
    const boss = await alone.hire(['admin'])
    const group = await boss.send(groups.create, { name: 'Administrators' })
    const { version } = await boss.send(groups.setPermission, {
      id: group.group_id,
      body: { version: group.version, permission: ids('admin') },
    })
    const { user } = await boss.send(users.create, { body: { name: 'Mette Friis', user_name: 'mette', permission: [] } })
    await boss.send(groups.addUser, { id: group.group_id, user_id: user.user_id })
    const editor = await alone.hire(['users_admin'])
    await expect(editor.send(groups.removeUser, { id: group.group_id, user_id: user.user_id })).rejects.toMatchObject({
      code: 'admin_group',
    })
    // She alone can sign in with a password.
    await expect(boss.send(groups.removeUser, { id: group.group_id, user_id: user.user_id })).rejects.toMatchObject({ code: 'last_admin' })
    await expect(boss.send(groups.remove, { id: group.group_id })).rejects.toMatchObject({ code: 'last_admin' })
    await expect(boss.send(groups.setPermission, { id: group.group_id, body: { version, permission: [] } })).rejects.toMatchObject({
      code: 'last_admin',
    })
  })

  it('never gives the permission to read CPR numbers', async () => {
    const group = await make()
    await expect(
      admin.send(groups.setPermission, { id: group.group_id, body: { version: group.version, permission: ids('personal_admin') } }),
    ).rejects.toMatchObject({ code: 'personal_not_by_group' })
  })
})

describe('the record of permissions', () => {
  it('names who gave what to whom, and is exported', async () => {
    const member = await operator.hire([], operator.main, 'Sofie Bang')
    const group = await make('parcels')
    await admin.send(groups.addUser, { id: group.group_id, user_id: member.user_id })
    const { rows } = await admin.send(groups.audit, { user_id: member.user_id })
    expect(rows[0]).toMatchObject({
      kind: 'group.member_added',
      actor: 'Astrid Holm',
      subject: 'Sofie Bang',
      with: group.group_name,
      given: ['parcels'],
    })
    const { bytes } = await admin.send(groups.exportAudit, { user_id: member.user_id })
    expect(Buffer.from(bytes as Uint8Array).toString()).toContain(`group.member_added,Astrid Holm,Sofie Bang,${group.group_name},parcels`)
  })
})
