/** Exceptions that wait for a group over HTTP: every member has them under “Mine”, and the one who takes one over owns it alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { exceptions } from './exceptions.contract.ts'
import type { Exception } from './exceptions.schemas.ts'
import { remindOfExceptions } from './overdue-exceptions.task.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let kim: TestUser
let astrid: TestUser
let bo: TestUser
let mia: TestUser
let group_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['admin'], operator.main, 'Ida')
  kim = await operator.hire(['scan_admin'], operator.main, 'Kim')
  astrid = await operator.hire(['parcels'], operator.main, 'Astrid')
  bo = await operator.hire(['parcels'], operator.main, 'Bo')
  mia = await operator.hire(['parcels'], operator.main, 'Mia')
  ;({ group_id } = await admin.send(groups.create, { name: 'Customer service' }))
  for (const { user_id } of [astrid, bo]) await admin.send(groups.addUser, { id: group_id, user_id })
  await setOwners({ owner_groups: { short: group_id } })
})
afterAll(() => testApp.close())

async function setOwners(owned: object, by = admin) {
  const { version: _, ...settings } = await by.send(exceptions.settings, {})
  return by.send(exceptions.setSettings, { body: { ...settings, owners: {}, owner_groups: {}, ...owned } })
}
const listed = async (who: TestUser, query: object = {}) => (await who.send(exceptions.list, { limit: 500, ...query })).rows
const idsOf = async (who: TestUser, query: object = {}) => (await listed(who, query)).map(row => row.id)

async function missingCap(company = operator.main): Promise<Exception> {
  const { id, lines } = await placeOrder(testApp.services.database, scopeOfCompany(operator, company), {})
  await kim.send(packing.start, { id, body: { station: 'Packing 1' } })
  await kim.send(packing.park, { id, body: { kind: 'short', reason: 'Missing', order_line_id: lines[0]! } })
  return (await listed(admin)).find(row => row.order_id === id)!
}

describe('an exception that waits for a group', () => {
  it('is under “Mine” of each of its members, unassigned for no one, and found by the name of the group', async () => {
    const before = await bo.send(exceptions.count, {})
    const exception = await missingCap()
    expect(exception).toMatchObject({ state: 'open', owner_user_id: null, owner_group_id: group_id, owner_name: 'Customer service' })
    for (const member of [astrid, bo]) expect(await idsOf(member, { view: 'mine' })).toContain(exception.id)
    expect(await idsOf(mia, { view: 'mine' })).not.toContain(exception.id)
    expect(await idsOf(mia, { view: 'unassigned' })).not.toContain(exception.id)
    expect(await idsOf(mia, { query: 'customer serv' })).toContain(exception.id)
    const after = await bo.send(exceptions.count, {})
    expect([after.mine - before.mine, after.unassigned - before.unassigned]).toEqual([1, 0])
  })

  it('belongs to the member who takes it over, and to no other any more', async () => {
    const exception = await missingCap()
    expect(
      await astrid.send(exceptions.assign, { id: exception.id, body: { user_id: astrid.user_id, version: exception.version } }),
    ).toMatchObject({ state: 'in_work', owner_name: 'Astrid', owner_group_id: null })
    expect(await idsOf(bo, { view: 'mine' })).not.toContain(exception.id)
    const other = await missingCap()
    expect(await astrid.send(exceptions.assign, { id: other.id, body: { user_id: null } })).toMatchObject({
      state: 'open',
      owner_name: null,
      owner_group_id: null,
    })
  })

  it('is taken by the packer who goes on with the order', async () => {
    const exception = await missingCap()
    await kim.send(packing.start, { id: exception.order_id, body: { station: 'Packing 1' } })
    expect(await admin.send(exceptions.get, { id: exception.id })).toMatchObject({ owner_name: 'Kim', owner_group_id: null })
  })

  it('is overdue under “Mine” of each member, and says its group', async () => {
    testApp.setNow(new Date('2026-11-17T10:00:00Z'))
    const exception = await missingCap()
    const countOf = async (who: TestUser) => (await who.send(exceptions.count, {})).mine_overdue
    const before = [await countOf(astrid), await countOf(bo)]
    testApp.setNow(new Date(Date.parse(exception.due_at) + 60_000))
    await remindOfExceptions(testApp.services)
    const [said] = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('events').select('data').where('kind', '=', 'exception.overdue').where('subject_id', '=', exception.id).execute(),
    )
    expect(said?.data).toMatchObject({ owner: 'Customer service' })
    for (const member of [astrid, bo]) expect(await idsOf(member, { view: 'mine' })).toContain(exception.id)
    expect((await admin.send(orders.timeline, { id: exception.order_id })).rows.map(row => row.text)).toContain('The exception is overdue')
    expect((await countOf(astrid)) > before[0]!).toBe(true)
    expect((await countOf(bo)) > before[1]!).toBe(true)
    expect(await countOf(mia)).toBe(0)
    testApp.setNow(undefined)
  })

  it('waits for anyone when the group is removed', async () => {
    const { group_id: night } = await admin.send(groups.create, { name: 'Night shift' })
    await admin.send(groups.addUser, { id: night, user_id: mia.user_id })
    await setOwners({ owner_groups: { short: night } })
    const exception = await missingCap()
    expect(exception.owner_name).toBe('Night shift')
    await admin.send(groups.remove, { id: night })
    expect(await admin.send(exceptions.get, { id: exception.id })).toMatchObject({ owner_group_id: null, owner_name: null })
    expect(await missingCap()).toMatchObject({ owner_group_id: null, owner_name: null })
    await setOwners({ owner_groups: { short: group_id } })
  })
})

describe('a group as owner', () => {
  it('of the main company owns the orders of its shops too, as long as the shop names no one itself', async () => {
    const [shop] = operator.shops
    expect(await missingCap(shop!)).toMatchObject({ owner_group_id: group_id, owner_name: 'Customer service' })
    const owner = await operator.hire(['admin'], shop!, 'Liv')
    await setOwners({ owners: { short: owner.user_id } }, owner)
    expect(await missingCap(shop!)).toMatchObject({ owner_group_id: null, owner_name: 'Liv' })
    await setOwners({}, owner)
  })

  it('has a member who may see exceptions, and stands for no person beside it', async () => {
    const { group_id: pickers } = await admin.send(groups.create, { name: 'Pickers' })
    const per = await operator.hire(['pick'], operator.main, 'Per')
    await admin.send(groups.addUser, { id: pickers, user_id: per.user_id })
    expect((await admin.send(exceptions.ownerGroups, {})).map(one => one.name)).toEqual(['Customer service'])
    await expect(setOwners({ owner_groups: { short: pickers } })).rejects.toMatchObject({
      status: 422,
      code: 'owner_group_not_found',
      fields: { owners: 'No one in this group can see exceptions' },
    })
    await expect(setOwners({ owners: { short: kim.user_id }, owner_groups: { short: group_id } })).rejects.toMatchObject({
      status: 400,
      fields: { owners: 'Select a person or a group, not both' },
    })
  })
})
