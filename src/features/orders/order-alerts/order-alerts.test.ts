/** Order alerts: what they meet, what met orders get, who sees and writes them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import { rulePreviews } from '#features/orders/order-rules/rule-preview.contract.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { forgetAlerts } from './mail-alerts.task.ts'
import { orderAlertSettings, orderAlerts } from './order-alerts.contract.ts'
import { alertRule, alertRuleJson, isEmptyAlert } from './order-alerts.rules.ts'
import type { OrderAlertFields } from './order-alerts.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let shop: TestUser
let office: TestUser
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 2, settings: { release_delay_s: 0, sender } })
  main = await operator.hire(['settings_admin'])
  shop = await operator.hire(['settings_admin', 'parcels'], elementAt(operator.shops, 0))
  office = await operator.hire(['parcels'])
  lead = await operator.hire(['parcels_admin'], operator.main, 'Astrid')
})

const set = (
  fields: Partial<OrderAlertFields> = {},
  { id = 0, version, by = main }: { id?: number; version?: number; by?: TestUser } = {},
) =>
  by.send(orderAlerts.update, {
    id,
    body: { email: 'Boss@example.test', currency: 'DKK', note: 'Look at it', ...fields, ...(version !== undefined && { version }) },
  })

let numbers = 0
interface Plan extends Partial<Omit<WrittenOrder, 'ship_to' | 'lines' | 'totals'>> {
  /** Quantity and price of each line. */
  rows?: readonly (readonly [qty: number, price: string])[]
  total?: string
}
const written = ({ rows = [[2, '100.00']], total = '200.00', ...plan }: Plan) =>
  toOrder(
    CanonicalOrder.parse({
      order_no: `A${++numbers}`,
      currency: 'DKK',
      payment_status: 'paid',
      totals: { excl_vat: total, vat: '0.00', incl_vat: total },
      lines: rows.map(([qty, price], at) => ({
        ...{ external_id: String(at + 1), sku: `SKU-${at}`, name: 'Tent', qty, weight_g: 500, unit_price_incl_vat: price },
      })),
      ...plan,
      ship_to: { name: 'Kari Prøve', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense', country: 'DK', email: 'kari@example.test' },
    }),
  )
/** Orders as a shop sends them; the same `order_no` is the same order again. */
async function store(plans: Plan[], company = operator.main): Promise<number[]> {
  const system = createSystemContext(testApp.services, scopeOfCompany(operator, company))
  const stored = await system.transaction(context => storeOrders(context, plans.map(written)))
  return stored.flatMap(one => one.order_id ?? [])
}
const storeOne = async (plan: Plan = {}, company = operator.main) => elementAt(await store([plan], company), 0)
const hits = async (id: number, by = office) => (await by.send(orderAlerts.ofOrder, { id })).rows
const met = async (plan: Plan, company = operator.main) => (await hits(await storeOne(plan, company))).length > 0

const noBounds = {
  ...{ row_count_min: null, row_count_max: null, row_value_min: null, row_value_max: null },
  ...{ order_count_min: null, order_count_max: null, order_value_min: null, order_value_max: null },
}
const plain = { ...noBounds, threshold_mode: 'inside', match: 'any', currency: 'DKK', conditions: { v: 1, all: [] } } as const

describe('the rule of an alert', () => {
  it('joins thresholds by what was chosen, and conditions always', () => {
    const alert = {
      ...plain,
      row_count_min: 5,
      order_value_max: 900,
      conditions: { v: 1, any: [{ field: 'ship.country', op: 'eq', value: 'NO' }] },
    }
    const row = { lines: 'some', match: { field: 'line.qty', op: 'gte', value: 5 } }
    const value = { field: 'order.value', op: 'lte', value: { amount: 900, currency: 'DKK' } }
    const country = { any: [{ field: 'ship.country', op: 'eq', value: 'NO' }] }
    expect(alertRuleJson(alert)).toEqual({ v: 1, all: [{ any: [row, value] }, country] })
    expect(alertRuleJson({ ...alert, match: 'all' })).toEqual({ v: 1, all: [row, value, country] })
    expect(alertRule(alert)).toBeDefined()
  })

  it('beyond the bounds asks for what is below or above', () => {
    const alert = { ...plain, threshold_mode: 'outside', row_count_min: 2, row_count_max: 9 } as const
    expect(alertRuleJson(alert)).toEqual({
      v: 1,
      all: [
        {
          lines: 'some',
          match: {
            any: [
              { field: 'line.qty', op: 'lt', value: 2 },
              { field: 'line.qty', op: 'gt', value: 9 },
            ],
          },
        },
      ],
    })
    const rule = alertRule(alert)
    expect(rule && compileRule(rule).fields).toEqual(new Set(['line.qty']))
  })

  it('is empty without a threshold and a condition', () => {
    expect(isEmptyAlert(plain)).toBe(true)
    expect(isEmptyAlert({ ...plain, order_count_min: 0 })).toBe(false)
    expect(isEmptyAlert({ ...plain, conditions: { v: 1, all: [{}] } })).toBe(false)
  })
})

describe('an alert', () => {
  it('is added with id 0, once however often it is sent, changed by its version, and found by its address', async () => {
    const alert = await set({ order_value_min: 500_000 })
    expect(alert).toMatchObject({ email: 'Boss@example.test', mode: 'note', enabled: true, version: 1, hits: 0, broken: false })
    expect((await set({ order_value_min: 500_000 })).id).toBe(alert.id)
    expect(await set({ order_value_min: 400_000 }, { id: alert.id, version: 1 })).toMatchObject({ id: alert.id, version: 2 })
    await expect(set({ order_value_min: 1 }, { id: alert.id, version: 1 })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: expect.objectContaining({ version: 2, order_value_min: 400_000 }),
    })
    expect((await main.send(orderAlerts.get, { email: 'BOSS@EXAMPLE.test' })).map(one => one.id)).toEqual([alert.id])
    expect(await main.send(orderAlerts.get, { email: 'unknown@example.test' })).toEqual([])
    await expect(set({ order_value_min: 1 }, { id: 999_999, version: 1 })).rejects.toMatchObject({ code: 'order_alert_not_found' })
  })

  it('is refused where it meets every order, where its bounds cross, and where a condition cannot be read', async () => {
    await expect(set()).rejects.toMatchObject({ status: 422, code: 'alert_empty' })
    await expect(set({ row_value_min: 200, row_value_max: 100 })).rejects.toMatchObject({
      code: 'alert_range',
      fields: { row_value_max: 'The lowest value is above the highest.' },
    })
    await expect(set({ conditions: { v: 1, all: [{ field: 'order.weight', op: 'contains', value: 1 }] } })).rejects.toMatchObject({
      code: 'rule_invalid',
      fields: { 'conditions.all[0].op': expect.any(String) },
    })
    await expect(set({ order_count_min: 1, note: '' })).rejects.toMatchObject({ status: 400, fields: { note: expect.any(String) } })
    await expect(set({ order_count_min: 1, email: 'unknown' })).rejects.toMatchObject({
      status: 400,
      fields: { email: expect.any(String) },
    })
    await expect(set({ order_count_min: 1, company_ids: [999_999] })).rejects.toMatchObject({ code: 'company_unknown' })
  })

  it('is switched off and on, removed, each of it twice without a mistake', async () => {
    const { id } = await set({ order_count_min: 1 })
    for (const _ of [1, 2]) await main.send(orderAlerts.disable, { id })
    expect(await met({})).toBe(false)
    for (const _ of [1, 2]) await main.send(orderAlerts.enable, { id })
    expect(await met({})).toBe(true)
    for (const _ of [1, 2]) await main.send(orderAlerts.remove, { id })
    expect((await main.send(orderAlerts.search, {})).rows).toEqual([])
    await expect(main.send(orderAlerts.enable, { id })).rejects.toMatchObject({ code: 'order_alert_not_found' })
  })

  it('is searched, filtered, sorted by how often it was met, and exported', async () => {
    const often = await set({ email: 'b@example.test', order_count_min: 1, note: 'Large' })
    await set({ email: 'a@example.test', order_count_min: 1_000, mode: 'hold' })
    await store([{}, {}])
    const found = async (asked: object) => (await main.send(orderAlerts.search, asked)).rows.map(row => [row.email, row.hits])
    expect(await found({})).toEqual([
      ['a@example.test', 0],
      ['b@example.test', 2],
    ])
    expect(await found({ sort: '-hits', limit: 1 })).toEqual([['b@example.test', 2]])
    expect(await found({ query: 'LARGE' })).toEqual([['b@example.test', 2]])
    expect(await found({ query: '%' })).toEqual([])
    expect(await found({ mode: 'hold', enabled: true })).toEqual([['a@example.test', 0]])
    await main.send(orderAlerts.disable, { id: often.id })
    expect(await found({ enabled: false })).toEqual([['b@example.test', 2]])
    const { bytes } = await main.send(orderAlerts.export, { enabled: true })
    expect(bytes.toString()).toContain('a@example.test')
    expect(bytes.toString()).not.toContain('b@example.test')
  })

  it('of the main company is about the orders of all or some, one of a shop about its own; neither sees the other’s', async () => {
    const [one, two] = [elementAt(operator.shops, 0), elementAt(operator.shops, 1)]
    await set({ order_count_min: 1, company_ids: [two.id] })
    const own = await set({ email: 'shop@example.test', order_count_min: 1, company_ids: null }, { by: shop })
    expect(own.company_ids).toEqual([one.id])
    expect((await shop.send(orderAlerts.search, {})).rows.map(row => row.email)).toEqual(['shop@example.test'])
    expect(await shop.send(orderAlerts.get, { email: 'boss@example.test' })).toEqual([])
    await expect(main.send(orderAlerts.one, { id: own.id })).rejects.toMatchObject({ status: 404 })
    expect(await met({}, operator.main)).toBe(false)
    expect(await met({}, two)).toBe(true)
    const order = await storeOne({}, one)
    expect((await hits(order, shop)).map(hit => hit.recipient)).toEqual(['shop@example.test'])
    expect((await hits(order)).map(hit => hit.recipient)).toEqual([null])
    expect((await shop.ask(orderAlerts.ofOrder, { id: await storeOne({}, two) })).statusCode).toBe(404)
  })

  it('is for those who write settings; orders show it to the office', async () => {
    const { id } = await set({ order_count_min: 1 })
    for (const user of [office, lead, await operator.hire(['settings', 'scan'])]) {
      expect((await user.ask(orderAlerts.search, {})).statusCode).toBe(403)
      expect((await user.ask(orderAlerts.remove, { id })).statusCode).toBe(403)
    }
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(stranger.send(orderAlerts.one, { id })).rejects.toMatchObject({ status: 404 })
    await stranger.send(orderAlerts.remove, { id })
    expect((await main.send(orderAlerts.search, {})).rows).toHaveLength(1)
  })
})

describe('an order is met', () => {
  it('between the bounds, both included', async () => {
    await set({ order_value_min: 500_000, order_value_max: 1_000_000 })
    expect(await met({ total: '5000.00' })).toBe(true)
    expect(await met({ total: '10000.00' })).toBe(true)
    expect(await met({ total: '10000.01' })).toBe(false)
    expect(await met({ total: '4999.99' })).toBe(false)
  })

  it('beyond the bounds where that was chosen', async () => {
    await set({ threshold_mode: 'outside', order_count_min: 1, order_count_max: 20 })
    expect(await met({ rows: [[21, '1.00']] })).toBe(true)
    expect(await met({ rows: [[20, '1.00']] })).toBe(false)
  })

  it('by the value of one line, quantity times price', async () => {
    await set({ row_value_min: 14_000 })
    expect(
      await met({
        rows: [
          [30, '5.00'],
          [1, '120.00'],
        ],
      }),
    ).toBe(true)
    expect(
      await met({
        rows: [
          [1, '5.00'],
          [1, '120.00'],
        ],
      }),
    ).toBe(false)
  })

  it('by one threshold or by all of them, and by the conditions as well', async () => {
    const two = { order_value_min: 100_000, order_count_min: 50 }
    const alert = await set(two)
    const order = await storeOne({ total: '1500.00' })
    expect((await hits(order)).map(hit => hit.signals)).toEqual([['order_value']])
    await set({ ...two, match: 'all' }, { id: alert.id, version: alert.version })
    expect(await met({ total: '1500.00' })).toBe(false)
    const abroad = { v: 1 as const, all: [{ field: 'ship.country', op: 'eq', value: 'NO' }] }
    await set({ ...two, conditions: abroad }, { id: alert.id, version: alert.version + 1 })
    expect(await met({ total: '1500.00' })).toBe(false)
  })

  it('not by an amount in another currency', async () => {
    await set({ order_value_min: 1 })
    expect(await met({ currency: 'EUR', total: '9000.00' })).toBe(false)
  })

  it('once for the same signals, again for others, also when it is changed', async () => {
    await set({ order_value_min: 100_000, order_count_min: 10 })
    const [order_no, total] = ['B-1', '2000.00']
    const id = await storeOne({ order_no, total })
    await storeOne({ order_no, total, tags: ['changed'] })
    expect(await hits(id)).toHaveLength(1)
    await storeOne({ order_no, total, rows: [[12, '100.00']] })
    expect((await hits(id)).map(hit => hit.signals)).toEqual([['order_count', 'order_value'], ['order_value']])
  })

  it('in the preview as it would have been', async () => {
    await store([{ total: '5000.00' }, { total: '10.00' }])
    const rule = alertRule({ ...plain, order_value_min: 100_000 })
    const { preview } = await main.send(rulePreviews.preview, { body: { kind: 'alert', rule: rule ?? { v: 1, all: [] } } })
    expect(preview).toMatchObject({ checked: 2, met: 1, open_now: 1 })
  })
})

describe('a met order', () => {
  it('shows the note as a warning, in its list and its history, until somebody has checked it', async () => {
    await set({ order_count_min: 1, note: 'Count twice' })
    const id = await storeOne()
    expect(await office.send(orderComments.list, { ids: String(id) })).toMatchObject([{ type: 'warning', comment: 'Count twice' }])
    const row = async () => (await office.send(orders.search, { badge: 'alert' })).rows.find(one => one.id === id)
    expect(await row()).toMatchObject({ phase: 'ready', alerts: [{ mode: 'note', note: 'Count twice' }] })
    const { rows: history } = await office.send(orders.timeline, { id })
    expect(history.map(entry => entry.values)).toContainEqual({ recipient: 'Boss@example.test', note: 'Count twice' })
    const [hit] = await hits(id)
    for (const _ of [1, 2]) await office.send(orderAlerts.settle, { id, hit_id: hit?.id ?? 0 })
    expect(await hits(id)).toMatchObject([{ state: 'kept', decided_by: 'parcels', decided_at: expect.any(String) }])
    expect(await row()).toBeUndefined()
    await expect(office.send(orderAlerts.settle, { id, hit_id: 999_999 })).rejects.toMatchObject({ code: 'alert_hit_not_found' })
  })

  it('is held for the reason of the settings, and the release answers the alert', async () => {
    await main.send(orderAlertSettings.set, { body: { hold_reason: 'fraud', version: 0 } })
    await set({ order_count_min: 1, mode: 'hold', note: 'Call the shop' })
    const [id, other] = await store([{}, {}])
    for (const order of [id, other])
      expect(await office.send(orders.get, { id: order ?? 0 })).toMatchObject({
        phase: 'held',
        locks: [{ kind: 'hold', reason: 'fraud', note: 'Call the shop', may_release: false }],
      })
    const { locks } = await lead.send(orders.get, { id: id ?? 0 })
    await lead.send(orderLocks.releaseHold, { id: id ?? 0, lock_id: elementAt(locks, 0).lock_id })
    expect(await hits(id ?? 0)).toMatchObject([{ state: 'released', decided_by: 'Astrid' }])
    expect(await hits(other ?? 0)).toMatchObject([{ state: 'open' }])
    expect(await office.send(orders.get, { id: id ?? 0 })).toMatchObject({ phase: 'ready', locks: [] })
  })

  it('that needs a PIN is taken back by a lead only', async () => {
    await set({ order_count_min: 1, mode: 'pin' })
    const id = await storeOne()
    const [hit] = await hits(id)
    const hit_id = hit?.id ?? 0
    await expect(office.send(orderAlerts.settle, { id, hit_id })).rejects.toMatchObject({ status: 403, code: 'alert_settle_forbidden' })
    await lead.send(orderAlerts.settle, { id, hit_id })
    expect(await hits(id)).toMatchObject([{ state: 'kept' }])
  })

  it('is forgotten after 13 months', async () => {
    await set({ order_count_min: 1 })
    const id = await storeOne()
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('order_alert_hits')
        .set({ created_at: new Date(Date.now() - 400 * 86_400_000).toISOString() })
        .execute(),
    )
    await forgetAlerts.run(testApp.services)
    expect(await hits(id)).toEqual([])
  })
})

describe('the settings', () => {
  it('belong to the company, and are changed by their version', async () => {
    expect(await main.send(orderAlertSettings.get, {})).toEqual({
      ...{ digest_minutes: 10, from_name: '', hold_reason: 'alert', version: 0, has_mail_account: false },
    })
    expect(await main.send(orderAlertSettings.set, { body: { digest_minutes: 60, from_name: 'Watch', version: 0 } })).toMatchObject({
      ...{ digest_minutes: 60, from_name: 'Watch', hold_reason: 'alert', version: 1 },
    })
    await expect(main.send(orderAlertSettings.set, { body: { digest_minutes: 5, version: 0 } })).rejects.toMatchObject({
      status: 409,
      current: expect.objectContaining({ digest_minutes: 60 }),
    })
    await expect(main.send(orderAlertSettings.set, { body: { digest_minutes: 4, version: 1 } })).rejects.toMatchObject({ status: 400 })
    expect((await shop.send(orderAlertSettings.get, {})).version).toBe(0)
    expect((await office.ask(orderAlertSettings.get, {})).statusCode).toBe(403)
  })
})
