/** CMS keys and keys of external services: shown once or never. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
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
