/** Closing a company over HTTP: what stands against it, every way in while it is closed, opening it again, and the end of its data. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCompany, scopeOfCompany } from '#app/demo/builders.ts'
import { session } from '#contract/session.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import { dueDeliveries } from '#features/deliveries/outbox/outbox.commands.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { dueConnections } from '#features/deliveries/shop-connections/shop-connections.queries.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { shopWebhooks } from '#features/orders/shop-webhooks/shop-webhooks.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { portal } from '#features/returns/portal/portal.contract.ts'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import { shopifyDelivery, shopifyOrder } from '#integrations/shops/shopify.fake.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { dumpOf, fillCompany, fillTheRest } from '#test/fixtures.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type Refused, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { companyClosing } from './company-closing.contract.ts'
import { startErasingCompanies } from './erase-company.task.ts'
import { keptTables } from './kept-tables.codes.ts'

const password = 'The crane in the harbour 7'
let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let shop: BuiltCompany
let boss: TestUser
let own: TestUser
let password_hash: string
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  password_hash = await hashPassword(password)
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 2, settings: { sender } })
  shop = operator.shops[0] as BuiltCompany
  boss = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  own = await operator.hire(['admin'], shop, 'Nina Nord')
  await root.query('update users set password_hash = $1 where id = $2', [password_hash, boss.user_id])
})

const scope = (of: BuiltCompany = shop) => ({ ...scopeOfCompany(operator, of), companies: [of.id] })
const place = (of: BuiltCompany = shop) => placeOrder(testApp.services.database, scope(of), {})
const asked = (of: BuiltCompany = shop) => ({
  company_id: of.id,
  body: { code: of.code, reason: 'The contract ended', days: 30, password },
})
const close = (of: BuiltCompany = shop) => boss.send(companyClosing.close, asked(of))
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  )
const system = <T>(step: Parameters<typeof testApp.services.database.systemRead<T>>[1]) =>
  testApp.services.database.systemRead('a test looks', step)

describe('a company is not closed', () => {
  it.each<[string, () => Promise<unknown>, object]>([
    ['an order is open', () => place(), { kind: 'orders', count: 1 }],
    [
      'a parcel waits on an open list of a courier',
      async () => {
        const order = await place()
        await root.query("update orders set phase = 'handed_over', work_state = 'handed_over' where id = $1", [order.id])
        const { rows: shipments } = await root.query(
          `insert into shipments (operator_id, company_id, order_id, agent_code, shipping_method, state, idempotency_key, reference)
            values ($1, $2, $3, 'own', 'van', 'booked', $4, $4) returning id`,
          [operator.operator_id, shop.id, order.id, `a-${order.id}`],
        )
        const { rows: lists } = await root.query(
          "insert into collect_lists (operator_id, agent_code, created_by_name) values ($1, 'own', 'Astrid Holm') returning id",
          [operator.operator_id],
        )
        await root.query(
          `insert into collect_parcels (operator_id, company_id, collect_list_id, shipment_id, order_id, state) values ($1, $2, $3, $4, $5, 'expected')`,
          [operator.operator_id, shop.id, lists[0].id, shipments[0].id, order.id],
        )
      },
      { kind: 'hand_overs', count: 1 },
    ],
    [
      'an invoice for customs is frozen and was not sent',
      () =>
        root.query(
          `insert into trade_invoices (operator_id, company_id, agent_code, country, state, issued_on, currency, year, number, series, invoice_no, frozen_at, kept_until)
            values ($1, $2, 'own', 'NO', 'frozen', '2026-01-01', 'DKK', 2026, 1, 'A', 'A-1', now(), '2999-12-31')`,
          [operator.operator_id, shop.id],
        ),
      { kind: 'invoices', count: 1 },
    ],
    [
      'a return is on its way',
      async () => {
        await root.query(
          `insert into returns (operator_id, company_id, rma_no, status, source, method, currency) values ($1, $2, 'RMA-1', 'in_transit', 'portal', 'label', 'DKK')`,
          [operator.operator_id, shop.id],
        )
      },
      { kind: 'returns', count: 1 },
    ],
  ])('while %s', async (_, make, block) => {
    await make()
    expect((await boss.send(companyClosing.get, { company_id: shop.id })).blocks).toEqual([block])
    expect(await refused(close())).toMatchObject({ status: 409, code: 'company_blocked', current: [block] })
    await own.send(session.current, {})
  })

  it('where it is the main company, or closed already', async () => {
    expect(await refused(close(operator.main))).toMatchObject({ code: 'company_main' })
    await close()
    expect(await refused(close())).toMatchObject({ code: 'company_closed' })
  })

  it('without its code, a reason, days within the bounds and the own password', async () => {
    const ask = (change: object) => refused(boss.send(companyClosing.close, { company_id: shop.id, body: { ...asked().body, ...change } }))
    expect(await ask({ code: 'another' })).toMatchObject({ fields: { code: 'This is not the code of the company' } })
    expect(await ask({ reason: ' ' })).toMatchObject({ fields: { reason: 'Fill this in' } })
    expect(await ask({ days: 6 })).toMatchObject({ fields: { days: 'At least 7 days' } })
    expect(await ask({ days: 366 })).toMatchObject({ fields: { days: 'At most 365 days' } })
    expect(await ask({ password: 'wrong' })).toMatchObject({ fields: { password: 'This is not your present password' } })
    await own.send(session.current, {})
  })

  it('by its own people, by others of the main company, or by another operator', async () => {
    const clerk = await operator.hire(['settings_admin', 'parcels_admin'])
    expect((await clerk.ask(companyClosing.close, asked())).statusCode).toBe(403)
    expect((await own.ask(companyClosing.close, asked())).statusCode).toBe(403)
    const other = await (await testApp.operator()).hire(['admin'])
    await root.query('update users set password_hash = $1 where id = $2', [password_hash, other.user_id])
    expect(await refused(other.send(companyClosing.close, asked()))).toMatchObject({ status: 404 })
    expect(await refused(other.send(companyClosing.get, { company_id: shop.id }))).toMatchObject({ status: 404 })
  })
})

describe('while a company is closed', () => {
  it('its people are signed out and cannot sign in, and its keys and forms take nothing', async () => {
    const { key } = await own.send(cmsKeys.create, { body: { name: 'Shop' } })
    await own.send(cmsKeys.setHook, { source: 'shopify', shop: 'dk', body: { secret: 'the secret of this shop' } })
    const visitor = testApp.visitor(shop)
    const byKey = { headers: { authorization: key } }
    expect((await visitor.ask(shopApi.order, { external_id: 'none' }, byKey)).statusCode).toBe(404)
    await close()
    const closed = { status: 403, code: 'company_closed' }
    expect(await refused(own.send(session.current, {}))).toMatchObject(closed)
    const { rows } = await root.query('select ended_at from sessions where user_id = $1', [own.user_id])
    expect(rows[0].ended_at).not.toBeNull()
    expect(await refused(visitor.send(session.login, { body: { login: 'Nina Nord', password } }))).toMatchObject(closed)
    expect(await refused(visitor.send(shopApi.order, { external_id: 'none' }, byKey))).toMatchObject(closed)
    const { raw, headers } = shopifyDelivery(shopifyOrder({ id: 1 }), { secret: 'the secret of this shop' })
    expect((await visitor.ask(shopWebhooks.shopify, { shop: 'dk', upload: raw }, { headers })).statusCode).toBe(403)
    expect((await visitor.ask(portal.page, {})).statusCode).toBe(403)
  })

  it('no order is made for it by anybody, and none is worked on again', async () => {
    const order = await place()
    await boss.send(orders.setState, { id: order.id, state: 'cancelled' })
    const packed = await place()
    await root.query("update orders set work_state = 'closed', phase = 'closed', packed_at = now() where id = $1", [packed.id])
    await close()
    await expect(place()).rejects.toThrow('The company is closed')
    await expect(root.query("update orders set work_state = 'picked' where id = $1", [packed.id])).rejects.toThrow('The company is closed')
    const packer = await operator.hire(['scan'], operator.main, 'Bo Berg')
    expect(await refused(packer.send(packing.start, { id: packed.id, body: { station: 'B1' } }))).toMatchObject({
      code: 'order_company_closed',
      key: 'The company of this order is closed. Its orders are not packed any more.',
    })
    expect((await boss.send(orders.get, { id: packed.id })).id).toBe(packed.id)
    await place(operator.shops[1])
  })

  it('its jobs stop, and nothing is read from its shops or sent for it', async () => {
    const job = await testApp.services.database.transaction(scope(), db =>
      newJob(db, { kind: 'orders.import', title: 'orders.csv', created_by: own.user_id }),
    )
    const { rows: destinations } = await root.query(
      `insert into outbox_destinations (operator_id, company_id, kind, events) values ($1, $2, 'webhook', '{order.commented}') returning id`,
      [operator.operator_id, shop.id],
    )
    await root.query(
      `insert into outbox_deliveries (operator_id, company_id, destination_id, destination_kind, outbox_id, object_type, object_id, seq, state, next_at, at)
        values ($1, $2, $3, 'webhook', 1, 'order', 1, 1, 'waiting', now() + interval '12 hours', now())`,
      [operator.operator_id, shop.id, destinations[0].id],
    )
    await root.query(
      `insert into shop_connections (operator_id, company_id, id, client_id, system, shop, name, base_url, pull_from, next_pull_at)
        values ($1, $2, $3, gen_random_uuid(), 'shopify', 'dk', 'Shop', 'https://shop.example', now(), now() + interval '12 hours')`,
      [operator.operator_id, shop.id, destinations[0].id],
    )
    // Tomorrow, so that the schedules of the app take none of them.
    const now = new Date(Date.now() + 86_400_000)
    const due = async () => ({
      deliveries: (await system(db => dueDeliveries(db, ['webhook'], now))).filter(one => one.company_id === shop.id).length,
      connections: (await system(db => dueConnections(db, now))).filter(one => one.company_id === shop.id).length,
    })
    expect(await due()).toEqual({ deliveries: 1, connections: 1 })
    await close()
    expect(await due()).toEqual({ deliveries: 0, connections: 0 })
    const { rows } = await root.query('select state from jobs where id = $1', [job])
    expect(rows[0].state).toBe('cancelled')
  })

  it('the recipients of its parcels still follow them', async () => {
    const visitor = testApp.visitor(shop)
    await close()
    expect((await visitor.ask(tracking.shop, {})).statusCode).toBe(200)
    expect((await visitor.ask(company.logo, {})).statusCode).toBe(404)
  })

  it('it can be opened again until its days end, and its history says who did what', async () => {
    expect(await close()).toMatchObject({ closed_by: 'Astrid Holm', reason: 'The contract ended', erased_at: null })
    await root.query("update companies set erase_from = now() + interval '1 hour' where id = $1", [shop.id])
    expect(await boss.send(companyClosing.reopen, { company_id: shop.id })).toMatchObject({ closed_at: null, erase_from: null })
    const again = await operator.hire(['admin'], shop)
    await again.send(session.current, {})
    await place()
    expect(await refused(boss.send(companyClosing.reopen, { company_id: shop.id }))).toMatchObject({ code: 'company_not_closed' })
    const { rows } = await root.query(
      "select kind, company_id::int, actor_name from events where operator_id = $1 and kind like 'company.%' order by id",
      [operator.operator_id],
    )
    expect(rows).toMatchObject([
      { kind: 'company.closed', company_id: operator.main.id, actor_name: 'Astrid Holm' },
      { kind: 'company.reopened', company_id: operator.main.id },
    ])
  })
})

describe('after its days', () => {
  it('nothing is left of a company in any table but what the law keeps; others keep everything', async () => {
    await fillCompany(testApp, operator, operator.main, 'Home')
    const fixture = await fillCompany(testApp, operator, shop, 'Kanarie7Q')
    const other = operator.shops[1] as BuiltCompany
    await fillCompany(testApp, operator, other, 'Sister5X')
    await fillTheRest(root, operator.operator_id, shop.id, 'Kanarie7Q')
    await root.query("update orders set phase = 'closed', work_state = 'closed' where company_id = $1", [shop.id])
    await root.query("update returns set status = 'resolved' where company_id = $1", [shop.id])
    await root.query("update collect_lists set state = 'handed_over' where operator_id = $1", [operator.operator_id])
    await root.query(
      `update trade_invoices set state = 'sent', year = 2026, number = 1, invoice_no = 'A', frozen_at = now(), kept_until = '2999-12-31' where company_id = $1`,
      [shop.id],
    )
    const before = await dumpOf(root, operator.operator_id, other.id)
    const closing = await close()
    expect(closing.kept.map(({ what }) => what)).toContain('invoices')
    await startErasingCompanies(testApp.services)
    expect((await boss.send(companyClosing.get, { company_id: shop.id })).erased_at).toBeNull()
    await root.query("update companies set erase_from = now() - interval '1 hour' where id = $1", [shop.id])
    expect(await refused(boss.send(companyClosing.reopen, { company_id: shop.id }))).toMatchObject({ code: 'company_ending' })
    await startErasingCompanies(testApp.services)
    await expect
      .poll(async () => (await boss.send(jobs.list, {})).rows.find(({ kind }) => kind === 'company.erase'), { timeout: 20_000 })
      .toMatchObject({ state: 'done' })
    const left = Object.entries(await dumpOf(root, operator.operator_id, shop.id)).filter(([, text]) => text !== '')
    expect(left.map(([table]) => table).filter(table => !(table in keptTables) && table !== 'users')).toEqual([])
    // People whom hours and pay name stay without their names.
    const { rows: users } = await root.query('select name, email, password_hash from users where company_id = $1', [shop.id])
    for (const user of users)
      expect(user).toMatchObject({ name: expect.stringMatching(/^Former employee/), email: null, password_hash: null })
    const { rows: files } = await root.query('select from files where company_id = $1 and (erased_at is null or removed_at is null)', [
      shop.id,
    ])
    expect(files).toEqual([])
    const { rows: lookups } = await root.query('select from customer_lookups where $1 = any (seen_by)', [shop.id])
    expect(lookups).toEqual([])
    const after = await dumpOf(root, operator.operator_id, other.id)
    const lines = (text = '') => text.split('\n').filter(Boolean).length
    // Queues are emptied by schedules meanwhile.
    const queues = ['order_count_changes', 'customer_changes']
    const lost = Object.entries(before).filter(([table, text]) => lines(after[table]) < lines(text) && !queues.includes(table))
    expect(lost).toEqual([])
    expect(after.order_lines).toBe(before.order_lines)
    expect(await boss.send(companyClosing.get, { company_id: shop.id })).toMatchObject({ name: shop.name, erased_at: expect.any(String) })
    expect(await refused(fixture.admin.send(session.current, {}))).toMatchObject({ code: 'company_closed' })
    const { rows } = await root.query("select data from events where operator_id = $1 and kind = 'company.erased'", [operator.operator_id])
    expect(rows).toMatchObject([{ data: { code: shop.code, rows: expect.any(Number) } }])
  })

  it('every table that is kept exists', async () => {
    const { rows } = await root.query<{ name: string }>('select relname "name" from pg_class where relname = any ($1)', [
      Object.keys(keptTables),
    ])
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(keptTables).toSorted())
  })
})
