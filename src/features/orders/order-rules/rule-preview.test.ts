/** The preview of a rule answers what the import would have decided, order by order. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTools, scopeOfCompany } from '#app/demo/builders.ts'
import { CanonicalOrder, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import type { Rule, RuleNode } from '#domain/rules/rule-grammar.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { drawnRules, shippingFields } from '#test/rules.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { ordersWithFacts } from './order-facts.queries.ts'
import { rulePreviews } from './rule-preview.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
const start = new Date('2026-06-15T12:00:00Z')
const at = (days: number) => new Date(start.getTime() - days * 86_400_000)
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
})
beforeEach(async () => {
  testApp.setNow(start)
  operator = await testApp.operator({ shops: 1, settings: { sender: { country: 'DK', postcode: '5000' } } as never })
  lead = await operator.hire(['settings_admin'])
})
afterAll(() => testApp.close())

type OrderPlan = Omit<Partial<WrittenOrder>, 'ship_to'> & { ship_to?: Partial<WrittenOrder['ship_to']> }
let numbers = 0
async function store(plans: readonly OrderPlan[], company = operator.main): Promise<number[]> {
  const written = plans.map(({ ship_to, ...plan }) =>
    toOrder(
      CanonicalOrder.parse({
        order_no: `P${++numbers}`,
        currency: 'DKK',
        lines: [{ sku: 'TENT', name: 'Tent', qty: 1, weight_g: 2_500, unit_price_excl_vat: '400.00', unit_price_incl_vat: '500.00' }],
        ...plan,
        ship_to: { name: 'Kari Prøve', address1: 'Prøveveien 5', postcode: '0150', city: 'Oslo', country: 'NO', ...ship_to },
      }),
    ),
  )
  const scope = scopeOfCompany(operator, company)
  const stored = await testApp.services.database.transaction(scope, db => storeOrders(buildTools(testApp.services, db, scope), written))
  return stored.map(one => one.order_id!)
}
const norway: RuleNode = { field: 'ship.country', op: 'eq', value: 'NO' }
const preview = (rule: object, more: { days?: 30 | 90; as_job?: boolean } = {}, by = lead) =>
  by.send(rulePreviews.preview, { body: { kind: 'shipping_method', rule: rule as Rule, ...more } })
const answer = async (...all: RuleNode[]) => (await preview({ v: 1, all })).preview!

it('reads each line and its product once, of a company too that the database has not counted yet', async () => {
  const [others, company] = [await testApp.operator(), operator]
  const skus = (n: number) => Array.from({ length: n }, (_, i) => `SKU-${i}`)
  const sell = async (n: number) => {
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('products')
        .values(skus(n).map(sku => ({ sku, name: sku })))
        .execute(),
    )
    return store(skus(n).map(sku => ({ lines: [{ sku, name: sku, qty: 1, unit_price_excl_vat: '1.00', unit_price_incl_vat: '1.00' }] })))
  }
  operator = others
  await sell(80)
  await testApp.services.database.ownerTransaction(client => client.query('analyze orders, order_lines, products'))
  operator = company
  const ids = await sell(80)
  const read = await testApp.services.database.transaction(scopeOfCompany(company), async db => {
    // A connection counts what its transactions of the last second read, too.
    const count = async (table: 'order_lines' | 'products') => {
      const { rows } = await sql<{ n: number }>`
        select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::integer n from pg_stat_xact_user_tables where relname = ${table}`.execute(db)
      return rows[0]?.n ?? 0
    }
    const before = { order_lines: await count('order_lines'), products: await count('products') }
    const facts = await ordersWithFacts(db, ids, new Set(['line.sku'] as const))
    expect(facts.map(order => order.line_ids.length)).toEqual(ids.map(() => 1))
    return {
      order_lines: (await count('order_lines')) - before.order_lines,
      products: (await count('products')) - before.products,
    }
  })
  // The other company's lines are read too where the whole table is.
  expect(read.order_lines).toBeLessThanOrEqual(160)
  expect(read.products).toBeLessThanOrEqual(80)
})

describe('the preview', () => {
  it('counts the orders of the last days that a rule would have met, by the day on which they came', async () => {
    for (const days of [100, 60, 20, 10]) {
      testApp.setNow(at(days))
      await store([{}, { ship_to: { country: 'SE', postcode: '11122' } }])
    }
    testApp.setNow(start)
    expect(await answer(norway)).toMatchObject({ days: 30, checked: 4, met: 2, open: 8, open_now: 4, not_compared: 0 })
    const { preview: of90 } = await preview({ v: 1, all: [norway] }, { days: 90 })
    expect(of90).toMatchObject({ checked: 6, met: 3 })
    expect(of90!.by_day).toEqual([60, 20, 10].map(days => ({ day: at(days).toISOString().slice(0, 10), met: 1 })))
  })

  it('looks at past orders as of the moment in which they came, and at open ones as of now', async () => {
    testApp.setNow(new Date('2026-06-13T12:00:00Z'))
    await store([{}])
    testApp.setNow(start)
    const saturday: RuleNode = { field: 'now.day', op: 'weekday_in', value: [6] }
    const fresh: RuleNode = { field: 'order.age', op: 'within', value: 'P1D' }
    expect(await answer(saturday)).toMatchObject({ met: 1, open_now: 0 })
    expect(await answer(fresh)).toMatchObject({ met: 1, open_now: 0 })
  })

  it('shows the newest orders, open ones first, and counts what could not be compared', async () => {
    const ids = await store(Array.from({ length: 25 }, () => ({})))
    const { sample } = await answer(norway)
    expect(sample.map(order => order.id)).toEqual(ids.toReversed().slice(0, 20))
    expect(sample[0]).toMatchObject({ country: 'NO', phase: 'ready', open: true })
    expect(await answer({ field: 'order.value', op: 'gt', value: { amount: 1, currency: 'EUR' } })).toMatchObject({
      met: 0,
      not_compared: 25,
    })
  })

  it('knows the earlier orders of the customer', async () => {
    const of = (email: string, ordered_at: string, sku = 'TENT'): OrderPlan => ({
      ordered_at,
      customer: { email },
      lines: [{ sku, name: sku, qty: 1, unit_price_excl_vat: '400.00', unit_price_incl_vat: '500.00' }],
    })
    for (const one of [
      of('a@example.test', '2026-05-01T10:00:00Z'),
      of('a@example.test', '2026-06-14T13:00:00Z'),
      of('a@example.test', '2026-06-15T10:00:00Z'),
      of('b@example.test', '2026-06-15T10:00:00Z'),
      {},
    ])
      await store([one])
    const count = (field: string, op: string, value: unknown) => answer({ field, op, value } as RuleNode).then(found => found.met)
    expect(await count('customer.order_count', 'gte', 2)).toBe(1)
    expect(await count('customer.order_count', 'eq', 0)).toBe(2)
    expect(await count('customer.is_new', 'is', true)).toBe(2)
    expect(await count('customer.orders_24h', 'gte', 1)).toBe(1)
    expect(await count('customer.orders_30d', 'gte', 1)).toBe(1)
    expect(await count('customer.same_sku_24h', 'eq', 1)).toBe(1)
    expect(await count('customer.value_365d', 'eq', { amount: 100_000, currency: 'DKK' })).toBe(1)
  })

  it('reads one company only, and is for those who change its rules', async () => {
    await store([{}], operator.shops[0])
    expect(await answer(norway)).toMatchObject({ checked: 0, open: 0 })
    const sister = await operator.hire(['settings_admin'], operator.shops[0])
    expect((await preview({ v: 1, all: [norway] }, {}, sister)).preview).toMatchObject({ checked: 1 })
    await expect(preview({ v: 1, all: [norway] }, {}, await operator.hire(['settings']))).rejects.toMatchObject({ status: 403 })
  })

  it('refuses a rule with a mistake, with its path', async () => {
    await expect(preview({ v: 1, all: [{ ...norway, op: 'contains' }] })).rejects.toMatchObject({
      status: 422,
      fields: { 'rule.all[0].op': '{{field}} cannot be compared this way' },
    })
  })

  it('of any number of orders is a job with the same answer', async () => {
    await store([{}, {}, { ship_to: { country: 'SE', postcode: '11122' } }])
    const { state, job_id } = await preview({ v: 1, all: [norway] }, { as_job: true })
    expect(state).toBe('started')
    await expect
      .poll(() => lead.send(jobs.get, { id: job_id! }), { timeout: 20_000 })
      .toMatchObject({ kind: 'rules.preview', state: 'done', done: 6, result: await answer(norway) })
    await expect((await operator.hire(['parcels_admin'])).send(jobs.get, { id: job_id! })).rejects.toMatchObject({ status: 404 })
  })
})

it('the preview and the choice at the import agree on drawn orders and rules', async () => {
  const scope = scopeOfCompany(operator)
  await testApp.services.database.transaction(scope, db =>
    db
      .insertInto('shipping_methods')
      .values([
        { agent_code: 'own', shipping_method: 'van', name: 'Van', shop_codes: ['*'] },
        { agent_code: 'own', shipping_method: 'pickup', name: 'Pick up' },
      ])
      .execute(),
  )
  const line = fc.record({
    sku: fc.constantFrom('A', 'b 1', 'B2', null),
    name: fc.constantFrom('Åse', 'A gift for Åse', 'x'),
    qty: fc.integer({ min: 1, max: 6 }),
    weight_g: fc.constantFrom(null, 1, 3),
    dim_mm: fc.constantFrom(null, [10, 10, 20] as [number, number, number]),
    unit_price_excl_vat: fc.constantFrom(null, '0.01', '0.04'),
    bin: fc.constantFrom(null, 'A-1'),
    barcode: fc.constantFrom(null, '5701234567890'),
    hs_code: fc.constantFrom(null, '0150'),
    origin: fc.constantFrom(null, 'DK'),
    serial_required: fc.boolean(),
  })
  const drawnOrder = fc.record({
    currency: fc.constantFrom('DKK', 'EUR'),
    locale: fc.constantFrom(null, 'da_DK'),
    tags: fc.subarray(['vip', 'Åben', 'cold']),
    payment_status: fc.constantFrom('paid' as const, 'pending' as const),
    ordered_at: fc.constantFrom('2026-06-14T13:00:00Z', '2026-06-15T10:00:00Z', '2026-03-28T23:30:00Z'),
    shipping: fc.constantFrom(null, { code: 'B2' }),
    notes: fc.constantFrom<{ text: string }[][]>([], [{ text: 'A gift for Åse' }]),
    customer: fc.constantFrom(null, { email: 'a@example.test' }, { email: 'b@example.test' }),
    service_point: fc.constantFrom(null, { id: 'B2' }),
    bill_to: fc.constantFrom(null, { name: 'x', country: 'SE', postcode: '900' }),
    ship_to: fc.record({
      country: fc.constantFrom('DK', 'NO', 'GB'),
      postcode: fc.constantFrom('0150', '900', 'SW1A 1AA', ''),
      city: fc.constantFrom('Åse', 'gift', ''),
      phone: fc.constantFrom(null, '+4520123456'),
    }),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  })
  const rules = fc.sample(drawnRules(shippingFields), 25)
  const drawn = fc.sample(drawnOrder, 12)
  // The catalogue learns from orders: the same orders twice teach it nothing new afterwards.
  for (let time = 0; time < 2; time++) for (const plan of drawn) await store([plan])
  for (const conditions of rules) {
    await testApp.services.database.transaction(scope, async db => {
      await db.deleteFrom('orders').execute()
      await db.deleteFrom('method_rules').execute()
      await db
        .insertInto('method_rules')
        .values({ position: 1, conditions: JSON.stringify(conditions), agent_code: 'own', shipping_method: 'pickup' })
        .execute()
    })
    const ids: number[] = []
    // Each in its own call, so that each knows the orders before it.
    for (const plan of drawn) ids.push(...(await store([plan])))
    const chosen = await testApp.services.database.transaction(scope, db =>
      db.selectFrom('orders').select(['id', 'shipping_method']).where('id', 'in', ids).orderBy('id', 'desc').execute(),
    )
    const { sample, met, checked } = (await preview(conditions)).preview!
    const byRule = chosen.filter(order => order.shipping_method === 'pickup').map(order => order.id)
    expect({ conditions, checked, met, ids: sample.map(order => order.id).toSorted((a, b) => b - a) }).toEqual({
      conditions,
      checked: drawn.length,
      met: byRule.length,
      ids: byRule,
    })
  }
})
