/** Limits of a company over HTTP: set by the main company, shown with what is used, and each refuses one more. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { users } from '#features/company/users/users.contract.ts'
import { webhooks } from '#features/deliveries/webhooks/webhooks.contract.ts'
import { orderImports } from '#features/orders/order-imports/order-imports.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Db } from '#platform/database/database.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { companyLimits } from './company-limits.contract.ts'
import { addUpFileSizes, checkFileSizes } from './file-sizes.task.ts'

let testApp: TestApp
let operator: TestOperator
let shop: BuiltCompany
let boss: TestUser
let own: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  testApp.services.config.allowed_networks = ['127.0.0.0/8']
  operator = await testApp.operator({ shops: 2 })
  shop = operator.shops[0] as BuiltCompany
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  own = await operator.hire(['admin'], shop, 'Nina Nord')
})
afterAll(() => testApp.close())

const none = { users: null, webhooks: null, imports: null, requests: null, storage: null }
const set = (change: object) => boss.send(companyLimits.set, { company_id: shop.id, body: { ...none, ...change } })
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )
let n = 0
const addUser = (by: TestUser) => by.send(users.create, { body: { name: `Person ${++n}`, user_name: `person${n}`, permission: [] } })
const addWebhook = () => own.send(webhooks.save, { body: { name: 'Shop', url: 'http://127.0.0.1:9/hook', events: ['order.commented'] } })
const csv = () => new TextEncoder().encode('sku;name\r\nA;Shirt\r\n')
const importProducts = () => own.send(products.importCsv, { upload: csv() as never }, { headers: { 'x-file-name': 'products.csv' } })

it('of users refuses one more, and what is there already stays', async () => {
  expect((await set({ users: 3 })).users).toEqual({ limit: 3, used: 1 })
  await addUser(own)
  await addUser(own)
  expect(await refused(addUser(own))).toMatchObject({ status: 409, code: 'limit_users' })
  expect((await set({ users: 1 })).users).toEqual({ limit: 1, used: 3 })
  await addUser(boss)
  await set({})
  await addUser(own)
})

it('of webhooks refuses one more', async () => {
  await set({ webhooks: 1 })
  await addWebhook()
  expect(await refused(addWebhook())).toMatchObject({ status: 409, code: 'limit_webhooks' })
  expect((await boss.send(companyLimits.get, { company_id: shop.id })).webhooks).toEqual({ limit: 1, used: 1 })
})

it('of imports counts those of orders and of products in the last 24 hours', async () => {
  await set({ imports: 2 })
  const scope = { ...scopeOfCompany(operator, shop), companies: [shop.id] }
  const job = await testApp.services.database.transaction(scope, db =>
    newJob(db, { kind: 'orders.import', title: 'orders.csv', created_by: own.user_id }),
  )
  await importProducts()
  expect(await refused(importProducts())).toMatchObject({ status: 409, code: 'limit_imports' })
  const head = 'order_no;ordered_at;ship_name;ship_address1;ship_postcode;ship_city;ship_country;sku;name;qty;currency'
  const row = 'A-1;2026-11-10;Bo;Torvet 2;5000;Odense C;DK;TS-1;T-shirt;1;DKK'
  const upload = new TextEncoder().encode(`${head}\r\n${row}\r\n`) as never
  const { file_id } = await own.send(orderImports.uploadFile, { upload }, { headers: { 'x-file-name': 'orders.csv' } })
  const seen = await own.send(orderImports.preview, { body: { file_id } })
  const start = () => own.send(orderImports.start, { body: { file_id, form: seen.form, mapping: seen.mapping, shop: 'dk' } })
  expect(await refused(start())).toMatchObject({ status: 409, code: 'limit_imports' })
  await testApp.services.database.systemTransaction('a test', db =>
    db
      .updateTable('jobs')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
      .where('id', '=', job)
      .execute(),
  )
  await start()
})

it('holds when several add at the same time', async () => {
  const north = operator.shops[1] as BuiltCompany
  const lead = await operator.hire(['admin'], north, 'Bo Lind')
  await boss.send(companyLimits.set, { company_id: north.id, body: { ...none, users: 3, webhooks: 2, imports: 1 } })
  const hook = () => lead.send(webhooks.save, { body: { name: 'Shop', url: 'http://127.0.0.1:9/hook', events: ['order.commented'] } })
  const load = () => lead.send(products.importCsv, { upload: csv() as never }, { headers: { 'x-file-name': 'products.csv' } })
  const tries = await Promise.allSettled([
    ...Array.from({ length: 5 }, () => addUser(lead)),
    ...Array.from({ length: 5 }, hook),
    ...Array.from({ length: 5 }, load),
  ])
  const codes = tries.map(one => (one.status === 'fulfilled' ? 'added' : (one.reason as Refused).code))
  const count = (of: readonly string[]) => of.filter(code => code === 'added').length
  expect([count(codes.slice(0, 5)), count(codes.slice(5, 10)), count(codes.slice(10))]).toEqual([2, 2, 1])
  expect(new Set(codes)).toEqual(new Set(['added', 'limit_users', 'limit_webhooks', 'limit_imports']))
  expect(await boss.send(companyLimits.get, { company_id: north.id })).toMatchObject({
    users: { limit: 3, used: 3 },
    webhooks: { limit: 2, used: 2 },
    imports: { limit: 1, used: 1 },
  })
})

it('of storage refuses uploads, and never what packing stores', async () => {
  const gigabyte = 1_000_000_000
  const used = async () => (await boss.send(companyLimits.get, { company_id: shop.id })).storage.used
  const scope = { ...scopeOfCompany(operator, shop), companies: [shop.id] }
  const inShop = <T>(write: (db: Db) => Promise<T>) => testApp.services.database.transaction(scope, write)
  const before = await used()
  const big = await inShop(db => recordFile(db, { sha256: 'a'.repeat(64), bytes: gigabyte }, { media_type: 'video/webm', name: 'video' }))
  expect((await used()) - before).toBeCloseTo(1)
  expect((await set({ storage: 1 })).storage.limit).toBe(1)
  expect(await refused(importProducts())).toMatchObject({ status: 409, code: 'limit_storage' })
  const upload = csv() as never
  expect(await refused(own.send(orderImports.uploadFile, { upload }, { headers: { 'x-file-name': 'orders.csv' } }))).toMatchObject({
    code: 'limit_storage',
  })
  await inShop(db => recordFile(db, { sha256: 'b'.repeat(64), bytes: 5 }, { media_type: 'application/pdf', name: 'label.pdf' }))
  await addUpFileSizes.run(testApp.services)
  await addUpFileSizes.run(testApp.services)
  expect((await used()) - before).toBeCloseTo(1)
  await inShop(db => eraseFiles(db, [big], testApp.services.now()))
  expect(await used()).toBeCloseTo(before)
  await importProducts()
  await set({})
})

it('of storage counts by the check what the triggers have not seen', async () => {
  const count = () =>
    testApp.services.database.systemRead('a test looks', async db => {
      const { rows } = await sql<{ n: number; bytes: number }>`
        select count(*) as n, sum(bytes)::bigint as bytes from file_sizes where company_id = ${shop.id}`.execute(db)
      return rows[0]
    })
  const before = await count()
  await testApp.services.database.systemTransaction('a test', db => sql`delete from file_sizes`.execute(db))
  await checkFileSizes.run(testApp.services)
  await checkFileSizes.run(testApp.services)
  expect(await count()).toEqual({ n: 1, bytes: before?.bytes })
})

it('of requests refuses the next request of a key in the minute, and no person', async () => {
  const lead = await operator.hire(['settings_admin', 'parcels'], shop, 'Ole Lund')
  const { key } = await lead.send(cmsKeys.create, { body: { name: 'Report', purpose: 'api', scopes: ['parcels'], read_only: true } })
  const ask = () => lead.ask(orders.count, {}, { headers: { authorization: `Bearer ${key}` } })
  await set({ requests: 2 })
  expect((await ask()).statusCode).toBe(200)
  expect((await ask()).statusCode).toBe(200)
  const third = await ask()
  expect(third.statusCode).toBe(429)
  expect(third.json()).toMatchObject({ code: 'limit_requests' })
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
  expect((await lead.ask(orders.count, {})).statusCode).toBe(200)
  expect((await boss.send(companyLimits.get, { company_id: shop.id })).requests).toEqual({ limit: 2, used: 3 })
  await set({})
  expect((await ask()).statusCode).toBe(200)
})

it('that is lower than what exists refuses nothing that exists', async () => {
  await set({ users: 1, webhooks: 0, imports: 0, requests: 1, storage: 1 })
  const { rows } = await own.send(webhooks.list, {})
  const [hook] = rows
  if (!hook) throw new Error('no webhook')
  const changed = await own.send(webhooks.save, {
    body: { id: hook.id, name: 'Shop, changed', url: hook.url, events: ['order.commented'] },
  })
  expect(changed.row.name).toBe('Shop, changed')
  const people = await own.send(users.list, { page: 1, limit: 50 })
  const person = people.rows.find(one => one.name.startsWith('Person'))
  if (!person) throw new Error('no user')
  await own.send(users.update, { id: person.user_id, body: { version: person.version, name: 'Ida Vest' } })
  expect((await own.send(orderImports.list, {})).total).toBeGreaterThan(0)
  await set({})
})

it('is set by admins of the main company alone, within bounds, and its history says so', async () => {
  const other = operator.shops[1] as BuiltCompany
  const clerk = await operator.hire(['settings_admin'])
  for (const user of [own, clerk]) expect((await user.ask(companyLimits.set, { company_id: other.id, body: none })).statusCode).toBe(403)
  const stranger = await testApp.operator()
  expect(await refused(boss.send(companyLimits.get, { company_id: stranger.main.id }))).toMatchObject({ status: 404 })
  expect(await refused(set({ users: 0 }))).toMatchObject({ fields: { users: 'At least 1' } })
  expect(await refused(set({ imports: 100_001 }))).toMatchObject({ fields: { imports: 'At most 100,000' } })
  const rows = await testApp.services.database.systemRead('a test looks', db =>
    db.selectFrom('events').select(['kind', 'company_id', 'data']).where('kind', '=', 'company.limits_set').orderBy('id').execute(),
  )
  expect(rows[0]).toMatchObject({ company_id: operator.main.id, data: { code: shop.code, users: 3, webhooks: null } })
})
