/** What a shop may send with its key, and what becomes of it. */
import type { Selectable } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { releaseDue } from '#features/orders/orders/release-due-orders.task.ts'
import { storingSentences } from '#features/orders/orders/upsert/order-upsert.rules.ts'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import type { DB } from '#platform/database/schema.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { shopApi } from './shop-api.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let shop: TestUser
let n = 0
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['settings_admin'])
  shop = await shopWith(await newKey())
})

const newKey = async (more: { shop?: string; expires_at?: string } = {}) =>
  (await admin.send(cmsKeys.create, { body: { name: `Key ${++n}`, ...more } })).key
async function shopWith(key: string): Promise<TestUser> {
  const visitor = testApp.visitor(operator.main)
  const headers = { authorization: key }
  return {
    ...visitor,
    token: key,
    send: (call, input) => visitor.send(call, input, { headers }),
    ask: (call, input, options) => visitor.ask(call, input, { headers: { ...headers, ...options?.headers } }),
  }
}

const order = (over: Record<string, unknown> = {}) => ({
  external_id: 'A1',
  order_no: '#1001',
  currency: 'DKK',
  payment_status: 'paid',
  ordered_at: '2026-11-10T10:30:00+01:00',
  ship_to: {
    name: 'Lene Prøve',
    address1: 'Prøvevej 5',
    postcode: '5000',
    city: 'Odense C',
    country: 'DK',
    phone: '+4520123456',
    email: 'lene@example.test',
  },
  lines: [
    {
      external_id: '1',
      sku: 'TS-1',
      barcode: '2000000000015',
      name: 'T-shirt',
      qty: '2',
      unit_price_excl_vat: '80.00',
      vat_percent: '25',
      weight_g: 200,
    },
    { external_id: '2', sku: 'CAP-1', name: 'Cap', qty: '1', unit_price_excl_vat: '40.00', vat_percent: '25', weight_g: 80 },
    {
      external_id: 's',
      type: 'shipping',
      name: 'Parcel',
      qty: '1',
      unit_price_excl_vat: '31.20',
      vat_percent: '25',
      requires_shipping: false,
    },
  ],
  ...over,
})
const send = async (...orders: object[]) => (await shop.send(shopApi.sendOrders, { body: { orders } })).orders
const rows = <
  T extends 'orders' | 'order_lines' | 'products' | 'events' | 'order_locks' | 'order_comments' | 'product_barcodes' | 'event_personal',
>(
  table: T,
) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .selectFrom(table as 'orders')
      .selectAll()
      .execute(),
  ) as unknown as Promise<Selectable<DB[T]>[]>
const stored = async () => (await rows('orders'))[0]!
const change = (set: object) =>
  testApp.services.database.transaction(scopeOfCompany(operator), async db => {
    const changed = await db.updateTable('orders').set(set).returning('id').execute()
    await restoreStatus(
      db,
      changed.map(({ id }) => id),
    )
  })
const changeLines = (set: object) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db => db.updateTable('order_lines').set(set).execute())

describe('the key', () => {
  it('is asked for, and any other is refused in one sentence', async () => {
    const stranger = testApp.visitor(operator.main)
    for (const headers of [{}, { authorization: 'pk_wrong' }, { authorization: admin.token }])
      await expect(
        stranger.send(shopApi.sendOrders, { body: order() }, { headers: headers as Record<string, string> }),
      ).rejects.toMatchObject({
        status: 401,
        message: 'This call needs a CMS key in the authorization header',
      })
  })

  it('opens only its own company', async () => {
    const elsewhere = await testApp.app.inject({
      method: 'POST',
      url: `/api/${operator.shops[0]!.code}/cms/orders`,
      headers: { host: `${operator.shops[0]!.code}.localhost`, authorization: shop.token },
      payload: order(),
    })
    expect(elsewhere.statusCode).toBe(404)
  })

  it('speaks for its own shop only', async () => {
    shop = await shopWith(await newKey({ shop: 'north' }))
    const [mine, other] = await send(order(), order({ external_id: 'A2', shop: 'south' }))
    expect(mine).toMatchObject({ result: 'created' })
    expect(other).toMatchObject({
      result: 'refused',
      problems: [{ field: 'shop', message: 'This key sends orders of the shop north only' }],
    })
    expect(await stored()).toMatchObject({ shop: 'north' })
    await expect((await shopWith(await newKey())).send(shopApi.order, { external_id: 'A1' })).rejects.toMatchObject({ status: 404 })
  })

  it('ends when it is removed and when it expires', async () => {
    const key = await newKey({ expires_at: new Date(Date.now() + 60_000).toISOString() })
    const expiring = await shopWith(key)
    await expiring.send(shopApi.sendOrders, { body: order() })
    testApp.setNow(new Date(Date.now() + 61_000))
    await expect(expiring.send(shopApi.sendOrders, { body: order() })).rejects.toMatchObject({ status: 401 })
    testApp.setNow(undefined)
    const { rows: keys } = await admin.send(cmsKeys.list, {})
    for (const { id } of keys) await admin.send(cmsKeys.remove, { id })
    await expect(shop.send(shopApi.sendOrders, { body: order() })).rejects.toMatchObject({ status: 401 })
  })
})

describe('a body', () => {
  const raw = (payload: string) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/${operator.main.code}/cms/orders`,
      headers: { host: `${operator.main.code}.localhost`, authorization: shop.token, 'content-type': 'application/json' },
      payload,
    })

  it.each(['[]', '{"orders":[]}'])('of no orders (%s) is answered with none', async payload => {
    const answer = await raw(payload)
    expect([answer.statusCode, answer.json()]).toEqual([200, { orders: [] }])
  })

  it.each(['null', '"an order"', '7', 'true'])('that is %s is refused in one sentence that says what to send', async payload => {
    const answer = await raw(payload)
    expect([answer.statusCode, answer.body]).toEqual([400, 'Send one order, a list of orders, or {"orders": [...]} as JSON'])
  })

  it.each([
    ['a list', (many: object[]) => many],
    ['a list under orders', (many: object[]) => ({ orders: many })],
  ])('of more than 500 orders in %s is refused whole', async (_, wrap) => {
    const answer = await raw(JSON.stringify(wrap(Array.from({ length: 501 }, () => ({})))))
    expect([answer.statusCode, answer.body]).toEqual([400, 'At most 500 orders can be sent at once'])
  })
})

describe('an order', () => {
  it('is stored with its lines, products, barcodes, words, badges and one event', async () => {
    const [answer] = await send(order({ notes: [{ type: 'packing', text: 'Gift wrap' }], tags: ['gift'] }))
    expect(answer).toMatchObject({ external_id: 'A1', order_no: '#1001', result: 'created', problems: [] })
    expect(await stored()).toMatchObject({
      id: answer!.order_id,
      work_state: 'ready',
      phase: 'ready',
      item_count: 3,
      weight_g: 480,
      customer_name: 'Lene Prøve',
      total_excl_vat: 23_120,
      total_incl_vat: 28_900,
      tags: ['gift'],
      shop: 'main',
    })
    expect((await stored()).badges).toHaveLength(6)
    const lines = await rows('order_lines')
    expect(lines.map(line => [line.line_no, line.type, line.sku, line.qty, line.unit_price_excl_vat])).toEqual([
      [1, 'item', 'TS-1', 2, 8_000],
      [2, 'item', 'CAP-1', 1, 4_000],
      [3, 'shipping', null, 1, 3_120],
    ])
    const products = await rows('products')
    expect(products.map(product => [product.sku, product.name, product.weight_g]).sort()).toEqual([
      ['CAP-1', 'Cap', 80],
      ['TS-1', 'T-shirt', 200],
    ])
    expect(lines[0]!.product_id).toBe(products.find(product => product.sku === 'TS-1')!.id)
    expect(lines[2]!.product_id).toBeNull()
    expect(await rows('product_barcodes')).toMatchObject([{ barcode: '2000000000015', quantity: 1 }])
    expect((await rows('events')).filter(event => event.order_id)).toMatchObject([{ kind: 'order.imported', order_id: answer!.order_id }])
    expect(await rows('order_comments')).toMatchObject([{ type: 'warning', comment: 'Gift wrap' }])
  })

  it('sent again changes nothing', async () => {
    await send(order())
    expect(await send(order(), order())).toMatchObject([{ result: 'unchanged' }, { result: 'unchanged' }])
    expect(await rows('orders')).toHaveLength(1)
    expect(await rows('order_lines')).toHaveLength(3)
    expect((await rows('events')).filter(event => event.order_id)).toHaveLength(1)
  })

  it('sent by ten requests at once is one order', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(order())))
    expect(
      answers
        .flat()
        .map(answer => answer.result)
        .sort(),
    ).toEqual(['created', ...Array<string>(9).fill('unchanged')])
    expect(await rows('orders')).toHaveLength(1)
    expect(await rows('products')).toHaveLength(2)
  })

  it('is judged alone: a bad one does not stop the others, and says which field', async () => {
    const answers = await send(
      order(),
      order({ external_id: 'A2', lines: [{ name: 'Hat', qty: '1.5' }] }),
      order({ external_id: 'A3', ship_to: { country: 'XX' } }),
      'nonsense' as never,
      order({ external_id: 'A4' }),
    )
    expect(answers.map(answer => answer.result)).toEqual(['created', 'refused', 'refused', 'refused', 'created'])
    expect(answers[1]!.problems[0]).toMatchObject({ field: 'lines[0].qty', message: 'Line 1: quantity 1.5 is not a whole number' })
    expect(answers[2]!.problems[0]).toMatchObject({ field: 'ship_to.country' })
  })

  it('may not name columns of ours: each is refused as an unknown field', async () => {
    for (const [field, value] of Object.entries({
      company_id: 1,
      operator_id: 1,
      work_state: 'closed',
      id: 5,
      badges: [],
      held: false,
      import_id: 1,
      phase: 'ready',
    }))
      expect((await send(order({ [field]: value })))[0]).toMatchObject({ result: 'refused', problems: [{ field }] })
    expect((await send(order({ lines: [{ name: 'Hat', qty: '1', packed_qty: 1 }] })))[0]).toMatchObject({ result: 'refused' })
    expect(await rows('orders')).toHaveLength(0)
  })

  it('may be one, a list, or an object with orders; more than 500 are refused as a whole', async () => {
    expect((await shop.send(shopApi.sendOrders, { body: order() })).orders).toHaveLength(1)
    expect((await shop.send(shopApi.sendOrders, { body: [order({ external_id: 'B' })] })).orders).toHaveLength(1)
    const many = Array.from({ length: 501 }, (_, at) => order({ external_id: `M${at}` }))
    await expect(shop.send(shopApi.sendOrders, { body: { orders: many } })).rejects.toMatchObject({ status: 400 })
    const most = await send(...many.slice(0, 500))
    expect(most.every(answer => answer.result === 'created')).toBe(true)
    expect(await rows('orders')).toHaveLength(502)
  })

  it('of a hundred megabytes is refused before it is read', async () => {
    const answer = await shop.ask(
      shopApi.sendOrders,
      { body: undefined },
      { headers: { 'content-type': 'application/json', 'content-length': '104857600' } },
    )
    expect([400, 413]).toContain(answer.statusCode)
    const large = await testApp.app.inject({
      method: 'POST',
      url: `/api/${operator.main.code}/cms/orders`,
      headers: { host: `${operator.main.code}.localhost`, authorization: shop.token, 'content-type': 'application/json' },
      payload: Buffer.alloc(21_000_000, 32),
    })
    expect(large.statusCode).toBe(413)
  })

  it('goes by the method that its shipping code means', async () => {
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .insertInto('shipping_methods')
        .values([
          { agent_code: 'own', shipping_method: 'van', name: 'Van', shop_codes: ['flat_rate:3', 'home'] },
          { agent_code: 'own', shipping_method: 'pickup', name: 'Pick up' },
        ])
        .execute(),
    )
    const method = async (external_id: string, code: string | null) => {
      await send(order({ external_id, shipping: code === null ? null : { code } }))
      const row = (await rows('orders')).find(one => one.external_id === external_id)!
      return [row.agent_code, row.shipping_method]
    }
    expect(await method('M1', 'FLAT_RATE:3')).toEqual(['own', 'van'])
    expect(await method('M2', 'pickup')).toEqual(['own', 'pickup'])
    expect(await method('M3', 'own_van')).toEqual(['own', 'van'])
    expect(await method('M4', 'unheard_of')).toEqual([null, null])
    expect(await method('M5', null)).toEqual([null, null])
  })

  it('waits for its payment, and goes on when the shop says that it is paid', async () => {
    await send(order({ payment_status: 'pending', version: 1 }))
    expect(await stored()).toMatchObject({ work_state: 'new', held: true, phase: 'held' })
    expect(await rows('order_locks')).toMatchObject([{ kind: 'hold', reason: 'payment', released_at: null }])
    expect(await send(order({ payment_status: 'paid', version: 2 }))).toMatchObject([{ result: 'updated' }])
    expect(await stored()).toMatchObject({ work_state: 'ready', held: false, phase: 'ready' })
  })

  it('waits for the delay that the company has set, and is then released by the clock', async () => {
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('companies')
        .set({ settings: JSON.stringify({ release_delay_s: 60 }), version: 7 })
        .where('id', '=', operator.main.id)
        .execute(),
    )
    await send(order())
    expect(await stored()).toMatchObject({ work_state: 'new' })
    await releaseDue(testApp.services)
    expect(await stored()).toMatchObject({ work_state: 'new' })
    testApp.setNow(new Date(Date.now() + 61_000))
    await releaseDue(testApp.services)
    testApp.setNow(undefined)
    expect(await stored()).toMatchObject({ work_state: 'ready', release_at: null })
    expect((await rows('events')).map(event => event.kind)).toContain('order.released')
  })

  it('takes up changed company settings at once', async () => {
    await send(order())
    expect((await stored()).ship_by).not.toBeNull()
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db
        .updateTable('companies')
        .set({ settings: JSON.stringify({ working_days: [] }), version: 2 })
        .where('id', '=', operator.main.id)
        .execute(),
    )
    await send(order({ external_id: 'A2' }))
    expect((await rows('orders')).find(row => row.external_id === 'A2')!.ship_by).toBeNull()
  })
})

describe('a changed order', () => {
  const moved = (version: number | null, over: object = {}) =>
    order({
      version,
      ship_to: { ...order().ship_to, address1: 'Ny Vej 7' },
      lines: [
        { ...order().lines[0], qty: '5' },
        { external_id: '3', sku: 'MUG', name: 'Mug', qty: '1' },
      ],
      ...over,
    })

  it('is taken while no one works on it, and the event names what changed', async () => {
    await send(order({ version: 1 }))
    const [first] = await rows('order_lines')
    expect(await send(moved(2))).toMatchObject([{ result: 'updated' }])
    const lines = await rows('order_lines')
    expect(lines.map(line => [line.sku, line.qty]).sort()).toEqual([
      ['MUG', 1],
      ['TS-1', 5],
    ])
    expect(lines.find(line => line.sku === 'TS-1')!.id).toBe(first!.id)
    expect(lines.find(line => line.sku === 'MUG')!.product_id).not.toBeNull()
    expect(await stored()).toMatchObject({ ship_to: { address1: 'Ny Vej 7' }, item_count: 6, version: 2 })
    const event = (await rows('events')).find(one => one.kind === 'order.changed')!
    const [personal] = (await rows('event_personal')).filter(one => one.event_id === event.id)
    const changed = (personal!.data as { changed: { field: string; from: unknown; to: unknown }[] }).changed
    expect(changed).toContainEqual({ field: 'ship_to.address1', from: 'Prøvevej 5', to: 'Ny Vej 7' })
    expect(changed).toContainEqual({ field: 'lines[TS-1].qty', from: 2, to: 5 })
    expect(changed).toContainEqual({ field: 'lines[MUG]', from: null, to: 1 })
    expect(changed).toContainEqual({ field: 'lines[CAP-1]', from: 1, to: null })
  })

  it.each([
    ['in_pick', storingSentences.picking],
    ['picked', storingSentences.picking],
    ['in_pack', storingSentences.packing],
    ['packed', storingSentences.packed],
    ['handed_over', storingSentences.packed],
  ] as const)('is refused when the order is %s', async (work_state, message) => {
    await send(order())
    await change({ work_state })
    expect(await send(moved(null))).toMatchObject([{ result: 'refused', problems: [{ message }] }])
    expect(await stored()).toMatchObject({ ship_to: { address1: 'Prøvevej 5' }, version: 1 })
  })

  it('is refused when a piece of it was picked already', async () => {
    await send(order())
    await changeLines({ picked_qty: 1 })
    expect(await send(moved(null))).toMatchObject([{ result: 'refused', problems: [{ message: storingSentences.picking }] }])
  })

  it('that is older than the stored one is passed over', async () => {
    await send(moved(5))
    expect(await send(order({ version: 4 }))).toMatchObject([{ result: 'unchanged' }])
    expect(await stored()).toMatchObject({ ship_to: { address1: 'Ny Vej 7' } })
  })

  it('that says the same with a newer version makes an older one stale', async () => {
    await send(order({ version: 1 }))
    await send(order({ version: 3 }))
    expect(await send(moved(2))).toMatchObject([{ result: 'unchanged' }])
    expect(await stored()).toMatchObject({ ship_to: { address1: 'Prøvevej 5' }, source_version: 3 })
  })

  it('keeps the hold that a person set', async () => {
    await send(order({ version: 1 }))
    await testApp.services.database.transaction(scopeOfCompany(operator), async db => {
      await db
        .insertInto('order_locks')
        .values({ order_id: (await stored()).id, kind: 'hold', reason: 'fraud', actor: 'Mette' })
        .execute()
      await db.updateTable('orders').set({ held: true, phase: 'held' }).execute()
    })
    await send(moved(2))
    expect(await stored()).toMatchObject({ held: true, phase: 'held' })
  })
})

describe('a cancellation by the shop', () => {
  const cancelled = (over: object = {}) => order({ status: 'cancelled', ...over })

  it('ends an order that no one has begun', async () => {
    await send(order())
    expect(await send(cancelled())).toMatchObject([{ result: 'updated' }])
    expect(await stored()).toMatchObject({ phase: 'cancelled', put_back_due: false })
    expect((await rows('events')).map(event => event.kind)).toContain('order.cancelled')
    expect(await send(cancelled())).toMatchObject([{ result: 'unchanged' }])
  })

  it.each(['in_pick', 'picked', 'in_pack'])('ends an order that is %s, and what was picked has to go back', async work_state => {
    await send(order())
    await change({ work_state })
    expect(await send(cancelled())).toMatchObject([{ result: 'updated' }])
    expect(await stored()).toMatchObject({ phase: 'cancelled_return_to_stock', put_back_due: true })
  })

  it('of a packed order becomes a hold that asks a person, once', async () => {
    await send(order())
    await change({ work_state: 'packed' })
    expect(await send(cancelled())).toMatchObject([{ result: 'updated' }])
    await send(cancelled({ tags: ['again'] }))
    expect(await stored()).toMatchObject({ held: true, cancelled_at: null, work_state: 'packed' })
    expect(await rows('order_locks')).toMatchObject([{ kind: 'hold', reason: 'cancel_requested' }])
  })

  it('comes too late for a parcel on its way', async () => {
    await send(order())
    await change({ work_state: 'handed_over' })
    expect(await send(cancelled())).toMatchObject([{ result: 'refused', problems: [{ message: storingSentences.gone }] }])
  })

  it('stays, whatever is sent again without a newer version', async () => {
    await send(order())
    await send(cancelled())
    expect(await send(order())).toMatchObject([{ result: 'refused', problems: [{ message: storingSentences.cancelled }] }])
  })

  it('is taken back by a shop that says so later', async () => {
    await send(order({ version: 1 }))
    await send(cancelled({ version: 2 }))
    expect(await send(order({ version: 3 }))).toMatchObject([{ result: 'updated' }])
    expect(await stored()).toMatchObject({ phase: 'ready', cancelled_at: null })
  })

  it('of an unknown order is remembered, so that its late first delivery packs nothing', async () => {
    await send(cancelled({ version: 2 }))
    expect(await send(order({ version: 1 }))).toMatchObject([{ result: 'unchanged' }])
    expect(await stored()).toMatchObject({ phase: 'cancelled' })
  })
})

describe('a product', () => {
  it('learns from order lines what no one knew, and keeps what people set', async () => {
    await send(order())
    await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.updateTable('products').set({ name: 'Our own name', weight_g: 999, bin: 'A-01' }).where('sku', '=', 'TS-1').execute(),
    )
    const [line] = order().lines
    await send(
      order({
        external_id: 'A2',
        lines: [{ ...line, sku: 'ts-1', name: 'Other', weight_g: 5, bin: 'Z-99', hs_code: '610910', origin: 'PT', dim_mm: [10, 20, 0] }],
      }),
    )
    const product = (await rows('products')).find(one => one.sku === 'TS-1')!
    expect(product).toMatchObject({
      name: 'Our own name',
      weight_g: 999,
      bin: 'A-01',
      hs_code: '610910',
      origin: 'PT',
      length_mm: 10,
      width_mm: 20,
      height_mm: null,
    })
    expect((await rows('products')).filter(one => one.sku_key === 'TS-1')).toHaveLength(1)
  })

  it('fills the badges of an order whose lines say nothing', async () => {
    await shop.send(shopApi.sendProducts, {
      body: {
        products: [
          { sku: 'TS-1', weight_g: 150 },
          { sku: 'CAP-1', weight_g: 50 },
        ],
      },
    })
    await send(order({ lines: order().lines.map(line => ({ ...line, weight_g: null })) }))
    expect(await stored()).toMatchObject({ weight_g: 350 })
    expect((await stored()).badges).toContainEqual(expect.objectContaining({ kind: 'weight', severity: 'ok' }))
  })

  it('is sent by the shop, each on its own', async () => {
    const sendProducts = async (...products: object[]) => (await shop.send(shopApi.sendProducts, { body: { products } })).products
    const mug = { sku: 'MUG', name: 'Mug', barcodes: ['2000000000022', { barcode: '2000000000039', quantity: 12 }], weight_g: 300 }
    expect(await sendProducts(mug, { sku: 'X', colour: 'red' }, { name: 'nothing' })).toMatchObject([
      { sku: 'MUG', result: 'created' },
      { sku: 'X', result: 'refused', problems: [{ field: 'colour' }] },
      { sku: null, result: 'refused', problems: [{ field: 'sku' }] },
    ])
    expect(await sendProducts(mug)).toMatchObject([{ result: 'unchanged' }])
    expect(await sendProducts({ sku: 'mug', bin: 'B-02' })).toMatchObject([{ result: 'updated' }])
    expect((await rows('products'))[0]).toMatchObject({ sku: 'MUG', name: 'Mug', weight_g: 300, bin: 'B-02' })
    expect((await rows('product_barcodes')).map(one => one.quantity).sort()).toEqual([1, 12])
    expect(await sendProducts({ sku: 'MUG', barcodes: ['2000000000022'] })).toMatchObject([{ result: 'updated' }])
    expect(await rows('product_barcodes')).toHaveLength(1)
  })
})

it('shows a shop how far its order is', async () => {
  await send(order())
  expect(await shop.send(shopApi.order, { external_id: 'A1' })).toMatchObject({
    external_id: 'A1',
    phase: 'ready',
    parcels: [],
    lines: [
      { external_id: '1', qty: 2, packed_qty: 0 },
      { external_id: '2', qty: 1 },
    ],
  })
  await expect(shop.send(shopApi.order, { external_id: 'nothing' })).rejects.toMatchObject({ status: 404 })
})

it('gives a shop the link under which the recipient follows the order', async () => {
  await send(order())
  const { order_id, order_no, tracking_url } = await shop.send(shopApi.order, { external_id: 'A1' })
  const { hostname, searchParams } = new URL(tracking_url)
  expect(hostname).toBe(`${operator.main.code}.localhost`)
  const link = { o: Number(searchParams.get('o')), s: searchParams.get('s') ?? '' }
  expect(link.o).toBe(order_id)
  expect(await testApp.visitor(operator.main).send(tracking.order, link)).toMatchObject({ order_no })
})

describe('the calls of one key', () => {
  const perMinute = 5
  let limited: TestApp
  beforeAll(async () => {
    limited = await openTestApp({ API_KEY_CALLS_PER_MINUTE: String(perMinute) })
  })
  afterAll(() => limited.close())

  it('are limited per minute across all calls, and no other key waits for it', async () => {
    const company = await limited.operator()
    const manager = await company.hire(['settings_admin'])
    const keys = await Promise.all(['Eager', 'Patient'].map(async name => (await manager.send(cmsKeys.create, { body: { name } })).key))
    const visitor = limited.visitor(company.main)
    const read = (authorization: string) =>
      visitor.ask(shopApi.order, { external_id: 'none' }, { headers: { authorization, accept: 'application/json' } })
    const write = (authorization: string) =>
      visitor.ask(shopApi.sendProducts, { body: [] }, { headers: { authorization, accept: 'application/json' } })
    const [eager = '', patient = ''] = keys
    for (let i = 1; i < perMinute; i++) expect((await read(eager)).statusCode).toBe(404)
    expect((await write(eager)).statusCode).not.toBe(429)
    for (const ask of [read, write]) {
      const refused = await ask(eager)
      expect(refused.statusCode).toBe(429)
      expect(refused.json()).toMatchObject({ code: 'too_many_requests' })
      const wait = Number(refused.headers['retry-after'])
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
    }
    expect((await read(patient)).statusCode).toBe(404)
    expect((await manager.ask(cmsKeys.list, {})).statusCode).toBe(200)
  })
})

describe('the list of changed orders', () => {
  const changes = (question: object = {}) => shop.send(shopApi.changedOrders, question)
  const later = (seconds: number) => testApp.setNow(new Date(testApp.services.now().getTime() + seconds * 1_000))
  const numbers = (orders: readonly { external_id: string }[]) => orders.map(one => one.external_id)
  beforeEach(() => testApp.setNow(new Date('2026-11-20T10:00:00Z')))

  it('begins with a cursor and names each order once, with its present state, behind it', async () => {
    const { next_cursor } = await changes()
    const sent = ['A1', 'A2', 'A3'].map(external_id => order({ external_id, order_no: external_id }))
    await send(...sent)
    await send({ ...sent[1]!, currency: 'EUR' })
    later(200)
    const first = await changes({ changed_since: next_cursor, limit: 2 })
    expect(numbers(first.orders)).toEqual(['A1', 'A2'])
    expect(first.has_more).toBe(true)
    expect(first.orders[1]).toMatchObject({ currency: 'EUR', ship_to: { name: 'Lene Prøve' }, parcels: [] })
    const second = await changes({ changed_since: first.next_cursor, limit: 2 })
    expect(numbers(second.orders)).toEqual(['A3', 'A2'])
    expect(await changes({ changed_since: second.next_cursor })).toMatchObject({ orders: [], has_more: false })
  })

  it('names an order again while its change may not be committed yet', async () => {
    const { next_cursor } = await changes()
    await send(order())
    const first = await changes({ changed_since: next_cursor })
    expect(numbers(first.orders)).toEqual(['A1'])
    expect(numbers((await changes({ changed_since: first.next_cursor })).orders)).toEqual(['A1'])
    later(200)
    const settled = await changes({ changed_since: first.next_cursor })
    expect(numbers(settled.orders)).toEqual(['A1'])
    expect((await changes({ changed_since: settled.next_cursor })).orders).toEqual([])
  })

  it('begins at a date where there is no cursor, and shows no order of another shop', async () => {
    await send(order())
    const north = await shopWith(await newKey({ shop: 'north' }))
    await north.send(shopApi.sendOrders, { body: order({ external_id: 'N1', order_no: 'N1' }) as never })
    later(3_600)
    expect(numbers((await changes({ from: '2026-11-20T00:00:00Z' })).orders)).toEqual(['A1'])
    expect(numbers((await north.send(shopApi.changedOrders, { from: '2026-11-20T00:00:00Z' })).orders)).toEqual(['N1'])
    expect((await changes({ from: '2026-11-20T10:30:00Z' })).orders).toEqual([])
  })

  it('refuses cursors that it did not make, of another company, and older than 90 days', async () => {
    const { next_cursor } = await changes()
    for (const changed_since of ['1.2.x', 'nonsense', `9${next_cursor}`])
      await expect(changes({ changed_since })).rejects.toMatchObject({ status: 422, code: 'bad_cursor' })
    await expect(changes({ from: '2026-01-01T00:00:00Z' })).rejects.toMatchObject({ status: 422, code: 'cursor_too_old' })
    later(91 * 86_400)
    await expect(changes({ changed_since: next_cursor })).rejects.toMatchObject({ status: 422, code: 'cursor_too_old' })
  })
})
