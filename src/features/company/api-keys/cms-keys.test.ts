/** CMS keys and keys of external services: shown once or never. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { users } from '#features/company/users/users.contract.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { apiKeys } from './api-keys.contract.ts'
import { cmsKeys } from './cms-keys.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp({ PRINTNODE_URL: 'http://127.0.0.1:9' })
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['settings_admin'])
})
afterAll(() => testApp.close())

describe('a CMS key', () => {
  it('is shown once, and only its hash is stored', async () => {
    const { key, row } = await admin.send(cmsKeys.create, { body: { name: 'Web shop', shop: 'North' } })
    expect(key).toMatch(/^pk_[\w-]{43}$/)
    expect(row).toMatchObject({ name: 'Web shop', shop: 'north', status: 'unused', prefix: key.slice(0, 8), created_by: 'settings_admin' })
    expect(JSON.stringify((await admin.send(cmsKeys.list, {})).rows)).not.toContain(key)
    const kept = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('cms_keys').selectAll().execute(),
    )
    expect(JSON.stringify(kept)).not.toContain(key.slice(8))
  })

  it('rejects columns that the server sets', async () => {
    for (const field of ['company_id', 'operator_id', 'key_hash', 'prefix', 'removed_at', 'created_by'])
      expect((await admin.ask(cmsKeys.create, { body: { name: 'x', [field]: 1 } })).statusCode, field).toBe(400)
  })

  it('is visible to its own company only, and removed only with a permission', async () => {
    const { row } = await admin.send(cmsKeys.create, { body: { name: 'Mine' } })
    const other = await operator.hire(['admin'], operator.shops[0])
    expect((await other.send(cmsKeys.list, {})).rows).toEqual([])
    await expect(other.send(cmsKeys.remove, { id: row.id })).rejects.toMatchObject({ status: 404 })
    const clerk = await operator.hire(['parcels_admin', 'settings'])
    expect((await clerk.ask(cmsKeys.create, { body: { name: 'x' } })).statusCode).toBe(403)
    await admin.send(cmsKeys.remove, { id: row.id })
    await expect(admin.send(cmsKeys.remove, { id: row.id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a key of a program', () => {
  const asKey = (key: string) => {
    const visitor = testApp.visitor(operator.main)
    const options = { headers: { authorization: key, accept: 'application/json' } }
    return {
      say: (id: number) => visitor.ask(orderComments.add, { id, type: 'praise', body: { comment: 'Thanks' } }, options),
      settings: () => visitor.ask(cmsKeys.list, {}, options),
      own: () => visitor.ask(users.mySessions, {}, options),
    }
  }
  const keyOf = async (maker: TestUser, more: object = {}) =>
    maker.send(cmsKeys.create, { body: { name: 'Reports', purpose: 'api', scopes: ['parcels'], ...more } })

  it('does what its scopes say, for the person who made it, and nothing of settings or of the own user', async () => {
    const lead = await operator.hire(['settings_admin', 'parcels_admin', 'parcels'], operator.main, 'Lead')
    const { key, row } = await keyOf(lead)
    expect(row).toMatchObject({ purpose: 'api', scopes: ['parcels'], read_only: false, allowed_networks: [] })
    const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), {})
    expect((await asKey(key).say(order.id)).statusCode).toBeLessThan(300)
    expect((await asKey(key).settings()).statusCode).toBe(403)
    expect((await asKey(key).own()).statusCode).toBe(403)
    const [comment] = await testApp.services.database.readOnly(scopeOfCompany(operator), db =>
      db.selectFrom('events').select(['user_id', 'actor_name']).where('kind', '=', 'order.commented').execute(),
    )
    expect(comment).toEqual({ user_id: lead.user_id, actor_name: 'Lead' })
    expect((await lead.send(cmsKeys.list, {})).rows.find(one => one.id === row.id)).toMatchObject({ status: 'active' })
  })

  it('has no scope that its maker lacks, and none without scopes', async () => {
    await expect(keyOf(admin)).rejects.toMatchObject({ status: 403, code: 'scope_not_held' })
    const lead = await operator.hire(['admin'])
    await expect(keyOf(lead, { scopes: [] })).rejects.toMatchObject({ status: 422, code: 'scopes_missing' })
    for (const scope of ['admin', 'users_admin', 'settings_admin', 'salary_admin', 'personal_admin'])
      expect((await lead.ask(cmsKeys.create, { body: { name: 'x', purpose: 'api', scopes: [scope as never] } })).statusCode, scope).toBe(
        400,
      )
  })

  it('changes nothing where it is for reading alone', async () => {
    const { key } = await keyOf(await operator.hire(['admin']), { read_only: true })
    expect((await asKey(key).say(1)).json()).toMatchObject({ code: 'key_read_only' })
  })

  it('works from its networks alone', async () => {
    const boss = await operator.hire(['admin'])
    const inside = await keyOf(boss, { allowed_networks: ['127.0.0.0/8', '::1'] })
    const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), {})
    expect((await asKey(inside.key).say(order.id)).statusCode).toBeLessThan(300)
    const { row } = inside
    await boss.send(cmsKeys.change, { id: row.id, body: { name: 'Far', expires_at: null, allowed_networks: ['203.0.113.0/24'] } })
    await expect.poll(async () => (await asKey(inside.key).say(order.id)).statusCode, { timeout: 20_000 }).toBe(403)
    expect((await asKey(inside.key).say(order.id)).json()).toMatchObject({ code: 'key_address_refused' })
    for (const network of ['0.0.0.0/0', '10.0.0.0/33', 'shop.example.com', '1.2.3'])
      expect(
        (await boss.ask(cmsKeys.change, { id: row.id, body: { name: 'x', expires_at: null, allowed_networks: [network] } })).statusCode,
        network,
      ).toBe(400)
  })

  it('is made with an end that is ahead, and gets no other one', async () => {
    const boss = await operator.hire(['admin'])
    const passed = { code: 'time_passed', fields: { expires_at: 'This time has passed already' } }
    const [past, ahead] = [-60_000, 3_600_000].map(more => new Date(Date.now() + more).toISOString()) as [string, string]
    await expect(boss.send(cmsKeys.create, { body: { name: 'Late', expires_at: past } })).rejects.toMatchObject(passed)
    const { row } = await boss.send(cmsKeys.create, { body: { name: 'Shop', expires_at: ahead } })
    const change = (name: string, expires_at: string | null) =>
      boss.send(cmsKeys.change, { id: row.id, body: { name, expires_at, allowed_networks: [] } })
    await expect(change('Shop', past)).rejects.toMatchObject(passed)
    testApp.setNow(new Date(Date.now() + 7_200_000))
    try {
      expect(await change('Old shop', row.expires_at)).toMatchObject({ name: 'Old shop', status: 'expired' })
      await expect(boss.send(cmsKeys.replace, { id: row.id, body: { keep_hours: 24 } })).rejects.toMatchObject(passed)
      expect(await change('Old shop', null)).toMatchObject({ status: 'unused' })
    } finally {
      testApp.setNow(undefined)
    }
  })

  it('is replaced by another one while both work, and ends with the person', async () => {
    const boss = await operator.hire(['admin'])
    const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), {})
    const old = await keyOf(boss)
    const fresh = await boss.send(cmsKeys.replace, { id: old.row.id, body: { keep_hours: 24 } })
    expect(fresh.row).toMatchObject({ scopes: ['parcels'], name: 'Reports' })
    for (const key of [old.key, fresh.key]) expect((await asKey(key).say(order.id)).statusCode).toBeLessThan(300)
    expect((await boss.send(cmsKeys.list, {})).rows.find(one => one.id === old.row.id)).toMatchObject({
      ...{ replaced: true, expires_at: expect.any(String) },
    })
    await expect(boss.send(cmsKeys.replace, { id: old.row.id, body: { keep_hours: 1 } })).rejects.toMatchObject({
      code: 'key_already_replaced',
    })
    await boss.send(cmsKeys.replace, { id: fresh.row.id, body: { keep_hours: 0 } })
    await expect.poll(async () => (await asKey(fresh.key).say(order.id)).statusCode, { timeout: 20_000 }).toBe(401)
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('users').set({ removed_at: new Date().toISOString() }).where('id', '=', boss.user_id).execute(),
    )
    await expect.poll(async () => (await asKey(old.key).say(order.id)).statusCode, { timeout: 20_000 }).toBe(401)
  })
})

describe('the PrintNode key', () => {
  it('is stored encrypted: only four characters are ever shown', async () => {
    expect(await admin.send(apiKeys.get, {})).toEqual({ printnode: null, google_maps: null })
    expect(await admin.send(apiKeys.set, { body: { printnode: 'canary-printnode-key-9876' } })).toEqual({
      printnode: '9876',
      google_maps: null,
    })
    const answer = await admin.ask(apiKeys.get, {})
    expect(answer.body).not.toContain('canary')
    const rows = await testApp.services.database.transaction(scopeOfCompany(operator), db => db.selectFrom('secrets').selectAll().execute())
    expect(rows.map(row => Buffer.from(row.sealed).toString('latin1')).join()).not.toContain('canary')
    expect(await admin.send(apiKeys.set, { body: { printnode: null } })).toEqual({ printnode: null, google_maps: null })
  })

  it('is tested against the service, and a missing answer is explained in a sentence', async () => {
    await expect(admin.send(apiKeys.test, { body: {} })).rejects.toMatchObject({
      status: 422,
      message: 'There is no PrintNode key yet: enter one first',
    })
    await expect(admin.send(apiKeys.test, { body: { printnode: 'some-key' } })).rejects.toMatchObject({ status: 502 })
  })
})
