/** A connected shop: its orders come in once whatever goes wrong, and it learns of each parcel once. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { cancelOrders, combineOrders, finishPacking } from '#features/orders/orders/order-state.commands.ts'
import { statusHistories } from '#features/orders/orders/status-histories/status-histories.contract.ts'
import { startWooShop, type WooShop } from '#integrations/shops/woocommerce/woocommerce-shop.fake.ts'
import { wooLine } from '#integrations/shops/woocommerce.fake.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { sweepShop } from './backfill.task.ts'
import { pullShops } from './pull-shops.task.ts'
import { pushToShop } from './push-orders.server.ts'
import { shopConnections } from './shop-connections.contract.ts'

type Json = Record<string, unknown>
const bare = (sku: string, components: { sku: string; quantity: number }[]) => ({
  ...{ sku, name: sku, variant: null, weight_g: null, length_mm: null, width_mm: null, height_mm: null, bin: null },
  ...{ hs_code: null, origin: null, customs_text: null, serial_required: false, no_barcode: false, barcodes: [], components },
})

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
let shop: WooShop
const start = new Date('2026-11-20T10:00:00Z')

beforeAll(async () => {
  testApp = await openTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  testApp.setNow(start)
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['settings_admin', 'parcels_admin'])
  shop = await startWooShop(() => testApp.services.now())
})
afterEach(() => shop.close())

const later = (seconds: number) => testApp.setNow(new Date(testApp.services.now().getTime() + seconds * 1_000))
const scope = () => scopeOfCompany(operator)
const context = () => createSystemContext(testApp.services, scope())
const input = (more: Record<string, unknown> = {}) => ({
  client_id: randomUUID(),
  system: 'woocommerce',
  shop: 'keramik',
  name: 'Nordlys Keramik',
  base_url: shop.url,
  credentials: shop.keys,
  settings: {},
  pull_from: start.toISOString(),
  ...more,
})
const connect = (more: Record<string, unknown> = {}) => admin.send(shopConnections.create, { body: input(more) })
const pull = async (seconds = 61) => {
  later(seconds)
  await pullShops(testApp.services)
}
const send = () => sendDeliveries(testApp.services, { shop: pushToShop })
const health = async (id: number) => (await admin.send(shopConnections.list, {})).rows.find(row => row.id === id)!
const log = async (id: number, query: Record<string, unknown> = {}) => (await admin.send(shopConnections.log, { id, ...query })).rows
const orders = () =>
  testApp.services.database.readOnly(scope(), db =>
    db
      .selectFrom('orders')
      .select(['id', 'external_id', 'order_no', 'phase', 'held', 'version', 'ship_to', 'fingerprint'])
      .where('company_id', '=', operator.main.id)
      .orderBy('id')
      .execute(),
  )
const orderOf = async (external_id: number) => (await orders()).find(order => order.external_id === String(external_id))!

/** Packs an order into parcels of the given quantities, each with a number of its own. */
async function pack(order_id: number, tracking: readonly string[], { part = false }: { part?: boolean } = {}): Promise<number[]> {
  return context().transaction(async tools => {
    const { db, now, recordEvent } = tools
    const lines = await db
      .selectFrom('order_lines')
      .select(['id', 'sku', 'qty'])
      .where('order_id', '=', order_id)
      .where('type', '=', 'item')
      .where('requires_shipping', '=', true)
      .execute()
    const ids: number[] = []
    for (const [at, tracking_no] of tracking.entries()) {
      const { id } = await db
        .insertInto('shipments')
        .values({
          order_id,
          parcel_no: at + 1,
          agent_code: 'own',
          shipping_method: 'parcel',
          state: 'booked',
          tracking_no,
          barcode: tracking_no,
          reference: tracking_no,
          idempotency_key: tracking_no,
          booked_at: now().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(id)
      await db
        .insertInto('shipment_lines')
        .values(
          lines.map((line, i) => ({
            shipment_id: id,
            line_no: i + 1,
            order_line_id: line.id,
            sku: line.sku,
            description: 'Thing',
            quantity: part || tracking.length > 1 ? 1 : line.qty,
          })),
        )
        .execute()
      await recordEvent({
        kind: 'shipment.booked',
        order_id,
        subject: 'shipment',
        subject_id: id,
        data: { tracking_no, parcel_no: at + 1 },
      })
    }
    await db.updateTable('orders').set({ work_state: 'in_pack', phase: 'in_pack' }).where('id', '=', order_id).execute()
    await finishPacking(tools, [order_id], {
      at: now().toISOString(),
      event: { kind: 'order.packed', data: { station: 'Bench 1', packer: 'Kim', rest: null } },
    })
    return ids
  })
}

describe('a new connection', () => {
  it('is tested with the shop in its own words before it is kept', async () => {
    shop.place()
    const { system, base_url, credentials } = input()
    const good = await admin.send(shopConnections.try, { body: { system, base_url, credentials } })
    expect(good).toMatchObject({
      words: 'Nordlys Keramik',
      sample: [{ status: 'ready', shop_status: 'processing', items: 1, problem: null }],
    })
    expect(good.statuses).toContainEqual({ code: 'klar-til-pak', name: 'klar-til-pak' })
    await expect(
      admin.send(shopConnections.try, {
        body: { system, base_url, credentials: { ...credentials, consumer_secret: 'cs_00000000000000000' } },
      }),
    ).rejects.toMatchObject({ code: 'shop_denies', message: 'The shop refuses these keys: 401 Sorry, you cannot list resources.' })
  })

  it('never shows its keys, and is the same one when it is sent twice', async () => {
    const body = input()
    const made = await admin.send(shopConnections.create, { body })
    expect(await admin.send(shopConnections.create, { body })).toMatchObject({ id: made.id })
    const { rows } = await admin.send(shopConnections.list, {})
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(shop.keys.consumer_secret)
    await expect(connect()).rejects.toMatchObject({ code: 'shop_taken', fields: { shop: 'Another connection uses this shop code' } })
  })

  it.each([
    ['https://10.0.0.1', undefined, 'url_not_public'],
    ['https://shop', undefined, 'url_not_public'],
    ['https://shop.example.com', { consumer_key: 'wrong', consumer_secret: 'cs_0123456789' }, 'connection_fields'],
    ['https://shop.example.com', { consumer_key: 'ck_0123456789' }, 'connection_fields'],
  ])('at %s is refused beside its field', async (base_url, credentials, code) => {
    await expect(connect({ base_url, ...(credentials && { credentials }) })).rejects.toMatchObject({ status: 422, code })
  })

  it('sends its keys to no other host than the one that they were entered for', async () => {
    const { id, version } = await connect()
    const change = { version, name: 'Moved', base_url: 'https://elsewhere.example.com', settings: {} }
    await expect(admin.send(shopConnections.change, { id, body: change })).rejects.toMatchObject({ code: 'keys_needed' })
    const same = await admin.send(shopConnections.change, { id, body: { ...change, base_url: `${shop.url}/`, name: 'Keramik' } })
    expect(same).toMatchObject({ name: 'Keramik', version: version + 1 })
    await expect(admin.send(shopConnections.change, { id, body: { ...change, base_url: shop.url } })).rejects.toMatchObject({
      code: 'settings_changed',
    })
  })
})

describe('orders that come in', () => {
  it('are created once, changed with the shop, and not written to the log when nothing is new', async () => {
    const { id } = await connect()
    later(5)
    const placed = shop.place()
    await pull()
    expect(await orders()).toMatchObject([{ external_id: String(placed.id), phase: 'ready' }])
    const before = await orderOf(placed.id)
    await pull()
    await pull()
    expect((await orderOf(placed.id)).version).toBe(before.version)
    expect(await log(id)).toMatchObject([{ kind: 'pull', outcome: 'created', ref: placed.number }])
    shop.change(placed.id, { billing: { ...(placed.billing as object), address_1: 'Nygade 7' } })
    await pull()
    expect((await orderOf(placed.id)).ship_to).toMatchObject({ address1: 'Nygade 7' })
    expect(await health(id)).toMatchObject({ pulled_today: 2, lag_s: 0, state: 'active', failures: 0 })
  })

  it('are all read when several share one time, when a page is full, and when rows come twice', async () => {
    await connect()
    later(5)
    for (let i = 0; i < 130; i++) shop.place()
    later(30)
    for (let i = 0; i < 20; i++) shop.place()
    await pull()
    expect(await orders()).toHaveLength(150)
    expect(new Set((await orders()).map(order => order.external_id)).size).toBe(150)
  })

  it('are read by the clock of the shop, which is ten minutes ahead', async () => {
    const { id } = await connect()
    shop.setClockAhead(600_000)
    const first = shop.place()
    await pull()
    const second = shop.place()
    await pull()
    expect((await orders()).map(order => order.external_id)).toEqual([String(first.id), String(second.id)])
    expect((await health(id)).lag_s).toBe(0)
  })

  it('go to the log when they cannot be understood, and the next ones come in', async () => {
    const { id } = await connect()
    later(5)
    const bad = shop.place({ billing: { country: '' }, shipping: {}, currency: 'XYZW' })
    later(1)
    const good = shop.place()
    await pull()
    expect((await orders()).map(order => order.external_id)).toEqual([String(good.id)])
    expect(await log(id, { bad: true })).toMatchObject([{ outcome: 'refused', ref: bad.number }])
    expect((await health(id)).error).toContain('currency')
  })

  it('of the time before the connection come in only when a person asks', async () => {
    testApp.setNow(new Date(start.getTime() - 3_600_000))
    const old = shop.place()
    testApp.setNow(start)
    const { id } = await connect()
    shop.change(old.id, { customer_note: 'Please ring' })
    await pull()
    expect(await orders()).toEqual([])
    const fetched = await admin.send(shopConnections.fetch, { id, body: { order: String(old.number) } })
    expect(fetched).toMatchObject({ result: 'created' })
    expect(await admin.send(shopConnections.fetch, { id, body: { order: String(old.number) } })).toMatchObject({ result: 'unchanged' })
    expect(await admin.send(shopConnections.fetch, { id, body: { order: '999' } })).toMatchObject({ result: 'not_found' })
  })

  it('are lost neither by a day without the shop nor by answers that make no sense', async () => {
    const { id } = await connect()
    later(5)
    const first = shop.place()
    shop.setFault(() => ({ status: 503, headers: { 'retry-after': '600' }, text: 'Briefly unavailable for scheduled maintenance.' }))
    await pull()
    expect(await health(id)).toMatchObject({ failures: 1, error: '503 Briefly unavailable for scheduled maintenance.' })
    const asked = shop.asked.length
    await pull(120)
    // The shop asked for ten minutes.
    expect(shop.asked.length).toBe(asked)
    for (let hours = 0; hours < 24; hours += 6) await pull(6 * 3_600)
    const second = shop.place()
    shop.setFault(() => undefined)
    await pull(3_600)
    expect((await orders()).map(order => order.external_id)).toEqual([String(first.id), String(second.id)])
    expect(await health(id)).toMatchObject({ state: 'active', failures: 0, lag_s: 0 })
  })

  it('found by the nightly comparison are counted apart', async () => {
    const { id } = await connect()
    await pull()
    const missed = shop.place()
    await sweepShop({ connection_id: id }, { ...context(), last_try: false })
    expect((await orders()).map(order => order.external_id)).toEqual([String(missed.id)])
    expect(await health(id)).toMatchObject({ swept_today: 1 })
  })
})

describe('a wrong key', () => {
  it('breaks the connection with the words of the shop, and nothing asks again until a test succeeds', async () => {
    const { id } = await connect()
    shop.refuseKeys(true)
    await pull()
    expect((await health(id)).state).toBe('active')
    await pull(120)
    expect(await health(id)).toMatchObject({ state: 'broken', error: '401 Sorry, you cannot list resources.' })
    const asked = shop.asked.length
    for (let i = 0; i < 5; i++) await pull(600)
    expect(shop.asked.length).toBe(asked)
    await expect(admin.send(shopConnections.test, { id })).rejects.toMatchObject({ code: 'shop_denies' })
    shop.refuseKeys(false)
    const placed = shop.place()
    await admin.send(shopConnections.test, { id })
    expect((await health(id)).state).toBe('active')
    await pull()
    expect((await orders()).map(order => order.external_id)).toEqual([String(placed.id)])
  })
})

describe('a packed order', () => {
  const packed = async (tracking: readonly string[], settings: Record<string, string> = {}) => {
    const { id } = await connect({ settings })
    later(5)
    const placed = shop.place()
    await pull()
    const order = await orderOf(placed.id)
    const shipments = await pack(order.id, tracking)
    return { id, placed, order, shipments }
  }

  it('is reported with its tracking number, and our own change that comes back changes nothing', async () => {
    const { id, placed } = await packed(['GLS1'])
    await send()
    expect(shop.order(placed.id)?.status).toBe('completed')
    expect(shop.meta(placed.id, '_tracking_number')).toBe('GLS1')
    expect(shop.meta(placed.id, '_tracking_url')).toMatch(/^http.*\/tracking\?o=/)
    const before = await orderOf(placed.id)
    await pull()
    const after = await orderOf(placed.id)
    expect(after.version).toBe(before.version)
    expect(after.phase).toBe('packed')
    expect(await log(id, { outcome: 'echo' })).toMatchObject([{ shop_words: 'completed' }])
    expect(await health(id)).toMatchObject({ pushed_today: 1, waiting: 0 })
    const writes = shop.asked.filter(one => one.method !== 'GET').length
    await send()
    expect(shop.asked.filter(one => one.method !== 'GET').length).toBe(writes)
  })

  it('in two parcels is completed only with the last of them', async () => {
    const { placed } = await packed(['GLS1', 'GLS2'])
    await send()
    expect(shop.meta(placed.id, '_tracking_number')).toEqual(['GLS1', 'GLS2'])
    const changes = shop.asked.filter(one => one.method === 'PUT').map(one => one.body.status)
    expect(changes).toEqual([undefined, 'completed'])
  })

  it('becomes fulfilments where the shop has them', async () => {
    await shop.close()
    shop = await startWooShop(() => testApp.services.now(), { fulfilments: true })
    const { placed } = await packed(['GLS1', 'GLS2'], { notify_customer: 'true' })
    await send()
    expect(shop.fulfilments(placed.id)).toHaveLength(2)
    expect(shop.order(placed.id)?.status).toBe('completed')
    expect(shop.asked.find(one => one.method === 'POST')?.body.notify_customer).toBe(true)
  })

  it('is reported for every order that goes in it, with that order’s own lines', async () => {
    await shop.close()
    shop = await startWooShop(() => testApp.services.now(), { fulfilments: true })
    const [one, two] = [shop.place(), shop.place()]
    await connect()
    await pull()
    await pull(120)
    const [first, second] = [await orderOf(one.id), await orderOf(two.id)]
    await context().transaction(async tools => {
      await tools.db
        .updateTable('orders')
        .set({ work_state: 'ready', phase: 'ready', held: false })
        .where('id', 'in', [first.id, second.id])
        .execute()
      const counted = { item_count: 1, weight_g: 100 }
      const combined = await combineOrders(tools, [{ lead: { ...first, ...counted }, members: [{ ...second, ...counted }] }])
      expect(combined).toHaveLength(2)
    })
    await pack(first.id, ['GLS1'])
    await send()
    for (const placed of [one, two]) {
      expect(shop.order(placed.id)?.status).toBe('completed')
      expect(shop.fulfilments(placed.id)).toHaveLength(1)
      expect(JSON.stringify(shop.fulfilments(placed.id))).toContain('GLS1')
    }
  })

  it('is reported with the bundles that the shop sells, where the company packs their parts', async () => {
    await shop.close()
    shop = await startWooShop(() => testApp.services.now(), { fulfilments: true })
    const make = (sku: string, components: { sku: string; quantity: number }[]) =>
      admin.send(products.create, { body: bare(sku, components) })
    await make('CAM', [])
    await make('LENS', [])
    await make('KIT', [
      { sku: 'CAM', quantity: 1 },
      { sku: 'LENS', quantity: 2 },
    ])
    await connect()
    later(5)
    const placed = shop.place({ line_items: [wooLine({ id: 71, sku: 'KIT', quantity: 2 })] })
    await pull()
    await pack((await orderOf(placed.id)).id, ['GLS1', 'GLS2'])
    await send()
    const items = shop.fulfilments(placed.id).map(one => (one.meta_data as Json[]).find(meta => meta.key === '_items')?.value)
    expect(items).toEqual([[{ item_id: 71, qty: 1 }], [{ item_id: 71, qty: 1 }]])
  })

  it('is not reported twice when the shop took it and its answer was lost', async () => {
    await shop.close()
    shop = await startWooShop(() => testApp.services.now(), { fulfilments: true })
    const { placed, id } = await packed(['GLS1'])
    shop.setFault(asked => (asked.method === 'POST' ? 'take and drop' : undefined))
    await send()
    expect(shop.fulfilments(placed.id)).toHaveLength(1)
    expect((await health(id)).waiting).toBeGreaterThan(0)
    shop.setFault(() => undefined)
    later(3_700)
    await send()
    expect(shop.fulfilments(placed.id)).toHaveLength(1)
    expect(shop.order(placed.id)?.status).toBe('completed')
    expect((await health(id)).waiting).toBe(0)
  })

  it('waits as long as a busy shop asks for', async () => {
    const { placed } = await packed(['GLS1'])
    shop.setFault(asked => (asked.method === 'PUT' ? { status: 429, headers: { 'retry-after': '900' }, text: 'Slow down' } : undefined))
    await send()
    const tries = () => shop.asked.filter(one => one.method === 'PUT').length
    expect(tries()).toBe(1)
    shop.setFault(() => undefined)
    later(600)
    await send()
    expect(tries()).toBe(1)
    later(400)
    await send()
    expect(shop.order(placed.id)?.status).toBe('completed')
  })

  it('of one order does not wait for another order that is being sent', async () => {
    const { id, placed, order } = await packed(['GLS1'])
    await context().transaction(async ({ db }) => {
      const key = { connection_id: id, order_id: order.id, fact: 'parcel-1', external_id: String(placed.id) }
      const leased_until = new Date(testApp.services.now().getTime() + 600_000).toISOString()
      await db
        .insertInto('shop_refs')
        .values({ ...key, object_type: 'order', object_id: order.id, state: 'sending', leased_until })
        .execute()
    })
    const other = shop.place()
    await pull()
    await pack((await orderOf(other.id)).id, ['GLS2'])
    await send()
    expect(shop.order(placed.id)?.status).toBe('processing')
    expect(shop.order(other.id)?.status).toBe('completed')
  })

  it('of an order whose id is none of the shop is not reported', async () => {
    const { order } = await packed(['GLS1'])
    await context().transaction(({ db }) =>
      db.updateTable('orders').set({ external_id: '1/../../products/5' }).where('id', '=', order.id).execute(),
    )
    await send()
    expect(shop.asked.filter(one => one.method !== 'GET' || one.path.includes('products'))).toEqual([])
  })

  it('reaches a shop that was down for a day', async () => {
    const { id, placed } = await packed(['GLS1'])
    shop.setFault(() => 'drop')
    for (let hours = 0; hours < 24; hours += 6) {
      await send()
      later(6 * 3_600)
    }
    expect(await health(id)).toMatchObject({ dead: 0 })
    const [waiting] = (await admin.send(shopConnections.waiting, { id })).rows
    expect(waiting).toMatchObject({ order_no: placed.number, given_up: false })
    shop.setFault(() => undefined)
    later(3_700)
    await send()
    expect(shop.order(placed.id)?.status).toBe('completed')
    expect(await health(id)).toMatchObject({ waiting: 0 })
  })

  it('is reported when it leaves, where the company says so', async () => {
    const { placed, order, shipments } = await packed(['GLS1'], { push_at: 'handed_over' })
    await send()
    expect(shop.order(placed.id)?.status).toBe('processing')
    await context().transaction(async ({ db, recordEvent }) => {
      await db.updateTable('shipments').set({ state: 'handed_over' }).where('id', '=', shipments[0]!).execute()
      await recordEvent({
        kind: 'shipment.handed_over',
        order_id: order.id,
        subject: 'shipment',
        subject_id: shipments[0]!,
        data: { place: null },
      })
    })
    await send()
    expect(shop.order(placed.id)?.status).toBe('completed')
  })

  it('has its number changed when its label is made anew', async () => {
    await shop.close()
    shop = await startWooShop(() => testApp.services.now(), { fulfilments: true })
    const { placed, order, shipments } = await packed(['GLS1'])
    await send()
    await context().transaction(async ({ db, now, recordEvent }) => {
      await db.updateTable('shipments').set({ state: 'cancelled' }).where('id', '=', shipments[0]!).execute()
      const { id } = await db
        .insertInto('shipments')
        .values({
          order_id: order.id,
          parcel_no: 1,
          attempt: 2,
          agent_code: 'own',
          shipping_method: 'parcel',
          state: 'booked',
          tracking_no: 'GLS9',
          barcode: 'GLS9',
          reference: 'GLS9',
          idempotency_key: 'GLS9',
          booked_at: now().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await recordEvent({
        kind: 'shipment.booked',
        order_id: order.id,
        subject: 'shipment',
        subject_id: id,
        data: { tracking_no: 'GLS9', parcel_no: 1 },
      })
    })
    await send()
    expect(shop.fulfilments(placed.id)).toHaveLength(1)
    expect(JSON.stringify(shop.fulfilments(placed.id))).toContain('GLS9')
  })

  it('that the shop does not know is given up with its words, and a person may drop it', async () => {
    const { id, placed, order } = await packed(['GLS1'])
    shop.setFault(asked => (asked.method === 'PUT' ? { status: 404, text: JSON.stringify({ message: 'Invalid ID.' }) } : undefined))
    await send()
    const given = (await admin.send(shopConnections.waiting, { id })).rows.filter(row => row.given_up)
    expect(given[0]).toMatchObject({ order_id: order.id, answer: '404 Invalid ID.' })
    shop.setFault(() => undefined)
    await admin.send(shopConnections.retry, { id, delivery: given[0]!.id })
    await send()
    expect(shop.order(placed.id)?.status).toBe('completed')
    await expect(admin.send(shopConnections.drop, { id, delivery: given[0]!.id, body: { reason: 'Old' } })).rejects.toMatchObject({
      code: 'push_not_waiting',
    })
  })
})

describe('a cancellation', () => {
  it('of the shop cancels an order that is not packed, and asks for a packed one', async () => {
    await connect()
    later(5)
    const [one, two] = [shop.place(), shop.place()]
    await pull()
    await pack((await orderOf(two.id)).id, ['GLS1'])
    shop.change(one.id, { status: 'cancelled' })
    shop.change(two.id, { status: 'cancelled' })
    await pull()
    expect(await orderOf(one.id)).toMatchObject({ phase: 'cancelled' })
    expect(await orderOf(two.id)).toMatchObject({ held: true })
    await send()
    expect(shop.order(one.id)?.status).toBe('cancelled')
  })

  it('that comes too late is answered by a note in the shop, in the language of the company', async () => {
    operator = await testApp.operator({ shops: 1, settings: { locale: 'da_DK' } })
    admin = await operator.hire(['settings_admin', 'parcels_admin'])
    await connect()
    later(5)
    const placed = shop.place()
    await pull()
    const order = await orderOf(placed.id)
    await pack(order.id, ['GLS1'])
    await context().transaction(({ db }) =>
      db.updateTable('orders').set({ work_state: 'handed_over', phase: 'handed_over' }).where('id', '=', order.id).execute(),
    )
    shop.change(placed.id, { status: 'cancelled' })
    await pull()
    expect(shop.notes(placed.id)).toMatchObject([{ note: expect.stringContaining('annulleringen kom for sent'), customer_note: false }])
    await pull()
    expect(shop.notes(placed.id)).toHaveLength(1)
  })

  it.each([
    ['false', 'processing'],
    ['true', 'cancelled'],
  ])('of ours reaches the shop when the switch says %s: %s', async (cancel_in_shop, status) => {
    await connect({ settings: { cancel_in_shop } })
    later(5)
    const placed = shop.place()
    await pull()
    const order = await orderOf(placed.id)
    await context().transaction(tools => cancelOrders(tools, [order.id], { at: tools.now().toISOString(), actor: 'Astrid' }))
    await send()
    expect(shop.order(placed.id)?.status).toBe(status)
  })
})

it('gives the shop a line of the status history as a note', async () => {
  await connect()
  later(5)
  const placed = shop.place()
  await pull()
  const order = await orderOf(placed.id)
  const body = { status: 'Delayed', comment: 'The glaze is drying', visible_to_customer: true, notify_customer: true }
  await admin.send(statusHistories.add, { id: order.id, body })
  await send()
  expect(shop.notes(placed.id)).toMatchObject([{ note: 'Delayed: The glaze is drying', customer_note: true }])
})

it('leaves another company neither connection nor log to see', async () => {
  const { id } = await connect()
  const stranger = await operator.hire(['settings_admin'], operator.shops[0])
  expect((await stranger.send(shopConnections.list, {})).rows).toEqual([])
  await expect(stranger.send(shopConnections.log, { id })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.send(shopConnections.remove, { id })).rejects.toMatchObject({ status: 404 })
})

it('is paused, resumed and removed, and its orders stay', async () => {
  const made = await connect()
  later(5)
  const placed = shop.place()
  await pull()
  const paused = await admin.send(shopConnections.pause, { id: made.id, body: { version: made.version } })
  expect(paused.state).toBe('paused')
  const asked = shop.asked.length
  await pull()
  expect(shop.asked.length).toBe(asked)
  await pack((await orderOf(placed.id)).id, ['GLS1'])
  await send()
  expect(shop.order(placed.id)?.status).toBe('processing')
  await admin.send(shopConnections.resume, { id: made.id, body: { version: paused.version } })
  await send()
  expect(shop.order(placed.id)?.status).toBe('completed')
  await admin.send(shopConnections.remove, { id: made.id })
  expect(await orders()).toHaveLength(1)
  expect((await admin.send(shopConnections.list, {})).rows).toEqual([])
})
