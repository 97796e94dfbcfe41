/** Several orders in one parcel over HTTP: combined, packed once, reported each, taken apart – and who comes between. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { updateOrderByShipments } from '#features/shipping/labels/shipment-status.commands.ts'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { orderEdits } from '../edits/order-edits.contract.ts'
import { handOverOrders, undoHandOver } from '../order-state.commands.ts'
import { combinations } from './combinations.contract.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let lead: TestUser
let kim: TestUser
let label_printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  office = await operator.hire(['parcels'])
  lead = await operator.hire(['scan_admin', 'parcels_admin', 'settings_admin'])
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  const list = await lead.send(printers.list, {})
  label_printer_id = list.printers.find(one => one.name.toLowerCase().includes('label'))!.id
})

const scope = () => scopeOfCompany(operator)
const place = (plan: OrderPlan = {}) =>
  placeOrder(testApp.services.database, scope(), { agent_code: 'own', shipping_method: 'van', ...plan })
const piece = (name: string, barcode: string, qty = 1) => ({
  sku: `SKU-${barcode}`,
  barcode,
  name,
  qty,
  weight_g: 300,
  unit_price_excl_vat: '80.00',
})
const get = (id: number, by: TestUser = office) => by.send(orders.get, { id })
const asked = async (...ids: number[]) => Promise.all(ids.map(async id => ({ id, version: (await get(id)).version })))
const combine = async (...ids: number[]) => office.send(combinations.combine, { body: { orders: await asked(...ids) } })
const set = (id: number, change: object) =>
  testApp.services.database.transaction(scope(), db => db.updateTable('orders').set(change).where('id', '=', id).execute())
const scan = (id: number, code: string) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
const system = () => createSystemContext(testApp.services, scope())

/** Two orders to one recipient: a mug, and two caps. */
async function pair() {
  const mug = await place({ order_no: `A${randomUUID().slice(0, 8)}`, lines: [piece('Mug', 'B-1')] })
  const caps = await place({ order_no: `B${randomUUID().slice(0, 8)}`, lines: [piece('Cap', 'B-2', 2)] })
  return { mug, caps }
}

/** Packs the parcel of the pair. */
async function pack(id: number) {
  await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  for (const code of ['B-1', 'B-2', 'B-2']) await scan(id, code)
  await kim.send(packing.close, { id, body: { label_printer_id } })
}

describe('orders that go in one parcel', () => {
  it('are previewed side by side, with their sum and what keeps one out', async () => {
    const { mug, caps } = await pair()
    const preview = await office.send(combinations.preview, { body: { orders: [caps.id, mug.id] } })
    expect(preview).toMatchObject({ possible: true, item_count: 3, weight_g: 900 })
    expect(preview.orders).toMatchObject([
      { order_no: mug.order_no, is_lead: true, refusal: null, lines: [{ sku: 'SKU-B-1', name: 'Mug', qty: 1 }] },
      { order_no: caps.order_no, is_lead: false, refusal: null, lines: [{ sku: 'SKU-B-2', name: 'Cap', qty: 2 }] },
    ])
    const other = await place({ ship_to: { name: 'Ole Olsen' } })
    const refused = await office.send(combinations.preview, { body: { orders: [mug.id, other.id] } })
    expect(refused.possible).toBe(false)
    expect(refused.orders[1]?.refusal).toMatchObject({ code: 'combine_recipient', text: 'It goes to another recipient or address' })
    await expect(combine(mug.id, other.id)).rejects.toMatchObject({ status: 409, code: 'combine_recipient', current: { id: other.id } })
  })

  it('keep their numbers: the oldest carries the parcel, and the others say so', async () => {
    const { mug, caps } = await pair()
    expect(await combine(mug.id, caps.id)).toMatchObject({ id: mug.id, phase: 'ready' })
    const [carries, goes] = [await get(mug.id), await get(caps.id)]
    expect(carries).toMatchObject({
      phase: 'ready',
      item_count: 3,
      weight_g: 900,
      combined: { lead_no: null, begun: false, held_no: null },
      relations: [{ id: caps.id, relation: 'combines' }],
    })
    expect(carries.lines.map(line => line.name)).toEqual(['Mug', 'Cap'])
    expect(goes).toMatchObject({
      phase: 'combined',
      item_count: 2,
      combined: { lead_no: mug.order_no, begun: false, held_no: null },
      relations: [{ id: mug.id, relation: 'combined_into' }],
    })
    expect(goes.lines.map(line => line.name)).toEqual(['Cap'])
    const texts = async (id: number) => (await office.send(orders.timeline, { id })).rows[0]
    expect(await texts(mug.id)).toMatchObject({ text: 'In one parcel with order {{order_nos}}', values: { order_nos: caps.order_no } })
    expect(await texts(caps.id)).toMatchObject({ text: 'Combined into order {{order_no}}: both go in one parcel' })
    expect((await office.send(orders.search, { query: caps.order_no })).rows).toMatchObject([{ id: caps.id, phase: 'combined' }])
  })

  it('are packed together, whichever number is scanned, and each is packed, handed over and tracked', async () => {
    const { mug, caps } = await pair()
    await combine(mug.id, caps.id)
    const found = await kim.send(packing.find, { code: caps.order_no })
    expect(found.orders).toMatchObject([{ order_id: mug.id, order_no: mug.order_no }])
    expect((await kim.send(packing.find, { code: (await get(caps.id)).order_code })).orders).toMatchObject([{ order_id: mug.id }])
    await expect(kim.send(packing.start, { id: caps.id, body: { station: 'Bench 1' } })).rejects.toMatchObject({
      code: 'order_packed_with',
    })
    await pack(mug.id)
    expect(await kim.send(packing.get, { id: mug.id })).toMatchObject({ phase: 'packed', combines: [caps.order_no] })
    const [carries, goes] = [await get(mug.id), await get(caps.id)]
    expect(carries.parcels).toHaveLength(1)
    expect(goes.phase).toBe('packed')
    expect(goes.packed_at).toBe(carries.packed_at)
    expect(goes.parcels).toEqual(carries.parcels)
    expect((await office.send(orders.timeline, { id: caps.id })).rows.map(row => row.text)).toContain('Packed')

    await system().transaction(async tools => {
      await tools.db.updateTable('shipments').set({ state: 'handed_over' }).where('order_id', '=', mug.id).execute()
      await updateOrderByShipments(tools, mug.id, tools.now().toISOString())
    })
    expect(await get(mug.id)).toMatchObject({ phase: 'handed_over', item_count: 1, lines: [{ name: 'Mug', shipped_qty: 1 }] })
    expect(await get(caps.id)).toMatchObject({ phase: 'handed_over', lines: [{ name: 'Cap', packed_qty: 2, shipped_qty: 2 }] })

    const url = new URL(trackingUrl(testApp.services, operator.main, { order_id: caps.id }))
    const page = await testApp
      .visitor(operator.main)
      .send(tracking.order, { o: Number(url.searchParams.get('o')), s: url.searchParams.get('s') ?? '' })
    expect(page).toMatchObject({
      order_no: caps.order_no,
      together: [mug.order_no],
      waiting: [],
      parcels: [{ tracking_no: carries.parcels[0]?.tracking_no, items: [{ name: 'Cap', qty: 2 }] }],
    })

    await system().transaction(tools => undoHandOver(tools, [mug.id]))
    expect((await get(mug.id)).lines.map(line => line.name)).toEqual(['Mug', 'Cap'])
    await system().transaction(tools => handOverOrders(tools, [mug.id]))
    await system().transaction(tools => updateOrderByShipments(tools, mug.id, tools.now().toISOString()))
    expect((await get(caps.id)).lines).toMatchObject([{ name: 'Cap', shipped_qty: 2 }])
    await lead
      .send(orders.setState, { id: caps.id, state: 'closed' })
      .catch(error => expect(error).toMatchObject({ code: 'order_combined' }))
  })

  it('are unpacked together when the parcel is reopened', async () => {
    const { mug, caps } = await pair()
    await combine(mug.id, caps.id)
    await pack(mug.id)
    await expect(lead.send(orders.setState, { id: caps.id, state: 'picked' })).rejects.toMatchObject({ code: 'order_combined' })
    await lead.send(orders.setState, { id: mug.id, state: 'picked' })
    expect(await get(mug.id)).toMatchObject({ phase: 'picked', lines: [{ packed_qty: 0 }, { packed_qty: 0 }] })
    expect(await get(caps.id)).toMatchObject({ phase: 'picked', packed_at: null })
    await pack(mug.id)
    expect((await get(caps.id)).phase).toBe('packed')
  })

  it('stand in no pick list and in no queue of the station by themselves', async () => {
    const { mug, caps } = await pair()
    await combine(mug.id, caps.id)
    const rows = (await office.send(orders.search, { phase: ['ready'] })).rows
    expect(rows.map(row => row.id)).toContain(mug.id)
    expect(rows.map(row => row.id)).not.toContain(caps.id)
  })
})

describe('orders are taken apart', () => {
  it('all at once, or one alone, as long as no work has begun', async () => {
    const { mug, caps } = await pair()
    const third = await place({ lines: [piece('Bowl', 'B-3')] })
    await combine(mug.id, caps.id, third.id)
    expect(await get(mug.id)).toMatchObject({ item_count: 4 })
    expect(await office.send(combinations.takeOut, { id: mug.id, order_id: caps.id })).toMatchObject({ id: caps.id, phase: 'ready' })
    expect(await get(mug.id)).toMatchObject({ item_count: 2, weight_g: 600, relations: [{ id: third.id }] })
    expect(await get(caps.id)).toMatchObject({ phase: 'ready', combined: null, relations: [], lines: [{ name: 'Cap', line_no: 1 }] })
    await office.send(combinations.undo, { id: third.id })
    expect(await get(mug.id)).toMatchObject({ item_count: 1, combined: null, lines: [{ name: 'Mug' }] })
    expect(await get(third.id)).toMatchObject({ phase: 'ready', lines: [{ name: 'Bowl' }] })
    await expect(office.send(combinations.undo, { id: mug.id })).rejects.toMatchObject({ code: 'combine_none' })
    await combine(mug.id, caps.id)
    await expect(office.send(combinations.takeOut, { id: mug.id, order_id: mug.id })).rejects.toMatchObject({ code: 'combine_no_member' })
  })

  it('no more once something is packed', async () => {
    const { mug, caps } = await pair()
    await combine(mug.id, caps.id)
    await kim.send(packing.start, { id: mug.id, body: { station: 'Bench 1' } })
    await scan(mug.id, 'B-2')
    await expect(office.send(combinations.undo, { id: mug.id })).rejects.toMatchObject({ status: 409, code: 'combine_too_late' })
    await expect(lead.send(orders.setState, { id: caps.id, state: 'cancelled' })).rejects.toMatchObject({ code: 'order_combined_begun' })
    await kim.send(packing.abort, { id: mug.id, body: { empty: false } })
    await expect(office.send(combinations.takeOut, { id: mug.id, order_id: caps.id })).rejects.toMatchObject({ code: 'combine_too_late' })
  })

  it('by themselves when one is cancelled before picking', async () => {
    const { mug, caps } = await pair()
    const third = await place({ lines: [piece('Bowl', 'B-3')] })
    await combine(mug.id, caps.id, third.id)
    await lead.send(orders.setState, { id: caps.id, state: 'cancelled' })
    expect(await get(caps.id)).toMatchObject({ phase: 'cancelled', lines: [{ name: 'Cap' }] })
    expect(await get(mug.id)).toMatchObject({ phase: 'ready', item_count: 2 })
    await lead.send(orders.setState, { id: mug.id, state: 'cancelled' })
    expect(await get(third.id)).toMatchObject({ phase: 'ready', combined: null })
  })
})

it('a hold of one order stops the parcel, until it is released or the order is taken out', async () => {
  const { mug, caps } = await pair()
  await combine(mug.id, caps.id)
  await lead.send(orderLocks.hold, { id: caps.id, body: { reason: 'customer', note: 'Asks for another colour' } })
  expect(await get(mug.id)).toMatchObject({ phase: 'held', combined: { held_no: caps.order_no } })
  await expect(kim.send(packing.start, { id: mug.id, body: { station: 'Bench 1' } })).rejects.toMatchObject({
    code: 'order_on_hold',
    message: `Combined with ${caps.order_no}, which is on hold`,
  })
  await office.send(combinations.takeOut, { id: mug.id, order_id: caps.id })
  expect((await get(mug.id)).phase).toBe('ready')
  expect((await get(caps.id)).phase).toBe('held')
})

it('what all orders of a parcel share is not changed in one of them', async () => {
  const { mug, caps } = await pair()
  await combine(mug.id, caps.id)
  const version = (await get(caps.id)).version
  await expect(office.send(orders.setAddress, { order_id: caps.id, body: { address1: 'Skibhusvej 54' } })).rejects.toMatchObject({
    code: 'order_combined',
  })
  await expect(office.send(orders.setAddress, { order_id: mug.id, body: { address1: 'Skibhusvej 54' } })).rejects.toMatchObject({
    code: 'order_combines',
  })
  await expect(
    office.send(orderEdits.split, {
      id: caps.id,
      body: { version, client_id: randomUUID(), lines: [{ order_item_id: caps.lines[0]!, qty: 1 }] },
    }),
  ).rejects.toMatchObject({ code: 'order_combined' })
})

describe('a suggestion', () => {
  it('names the waiting orders to the same recipient that may go along, and no others', async () => {
    const byHand = async (ship_to: object = {}) => {
      const made = await office.send(orderEdits.create, {
        body: {
          client_id: randomUUID(),
          order: {
            currency: 'DKK',
            ship_to: {
              name: 'Lene Hansen',
              address1: 'Skibhusvej 52',
              postcode: '5000',
              city: 'Odense C',
              country: 'DK',
              email: 'lene@example.test',
              ...ship_to,
            },
            lines: [{ sku: 'MUG-1', name: 'Mug', qty: 1 }],
          },
        },
      })
      await set(made.id, { agent_code: 'own', shipping_method: 'van' })
      return made
    }
    const [mug, caps] = [await byHand(), await byHand({ address1: 'skibhusvej 52.' })]
    await byHand({ address1: 'Vestergade 1' })
    expect(await office.send(combinations.suggest, { order_id: mug.id })).toEqual({ orders: [{ id: caps.id, order_no: caps.order_no }] })
    const marked = async (filters: object) =>
      (await office.send(orders.search, filters)).rows.filter(row => row.combinable).map(row => row.id)
    expect((await marked({})).toSorted()).toEqual([mug.id, caps.id].toSorted())
    const list = await office.send(orders.search, { combinable: true, sort: 'oldest' })
    expect(list).toMatchObject({ total: 2, rows: [{ id: mug.id }, { id: caps.id }] })
    expect(await office.send(orders.search, { combinable: true, country: ['SE'] })).toMatchObject({ total: 0 })
    await combine(mug.id, caps.id)
    expect(await office.send(combinations.suggest, { order_id: mug.id })).toEqual({ orders: [] })
  })
})

describe('two people at once', () => {
  it('combine overlapping orders: one wins, and no order is in two parcels', async () => {
    const { mug, caps } = await pair()
    const third = await place({ lines: [piece('Bowl', 'B-3')] })
    const [first, second] = [await asked(mug.id, caps.id), await asked(caps.id, third.id)]
    const answers = await Promise.allSettled([
      office.send(combinations.combine, { body: { orders: first } }),
      lead.send(combinations.combine, { body: { orders: second } }),
    ])
    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(1)
    const refused = answers.find(answer => answer.status === 'rejected')
    expect(refused?.reason).toMatchObject({ status: 409, code: 'combine_again' })
    const lines = await testApp.services.database.readOnly(scope(), db =>
      db.selectFrom('order_lines').select('id').where('order_id', 'in', [mug.id, caps.id, third.id]).execute(),
    )
    expect(lines).toHaveLength(3)
  })

  it('one changes or packs an order in between', async () => {
    const { mug, caps } = await pair()
    const before = await asked(mug.id, caps.id)
    await office.send(orders.pin, { id: caps.id })
    await expect(office.send(combinations.combine, { body: { orders: before } })).rejects.toMatchObject({
      code: 'order_changed',
      current: { id: caps.id },
    })
    const again = await asked(mug.id, caps.id)
    await kim.send(packing.start, { id: caps.id, body: { station: 'Bench 1' } })
    await expect(office.send(combinations.combine, { body: { orders: again } })).rejects.toMatchObject({ code: 'combine_begun' })
  })
})

describe('the shop', () => {
  const order = (external_id: string, over: object = {}) => ({
    external_id,
    order_no: external_id,
    currency: 'DKK',
    payment_status: 'paid',
    ship_to: { name: 'Lene Prøve', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK', email: 'lene@example.test' },
    lines: [{ external_id: '1', sku: external_id, barcode: `C-${external_id}`, name: 'Thing', qty: '1' }],
    ...over,
  })
  async function fromShop() {
    const { key } = await lead.send(cmsKeys.create, { body: { name: 'Shop' } })
    const headers = { authorization: key }
    const visitor = testApp.visitor(operator.main)
    const send = async (...sent: object[]) => (await visitor.send(shopApi.sendOrders, { body: { orders: sent } }, { headers })).orders
    const made = await send(order('S1'), order('S2'))
    const ids = made.map(one => one.order_id!)
    for (const id of ids) await set(id, { agent_code: 'own', shipping_method: 'van' })
    await combine(...ids)
    const read = (external_id: string) => visitor.send(shopApi.order, { external_id }, { headers })
    return { send, read, first: ids[0]!, second: ids[1]! }
  }

  it('sees each order with its own lines and the parcel', async () => {
    const { read, first } = await fromShop()
    expect(await read('S2')).toMatchObject({ phase: 'combined', lines: [{ sku: 'S2' }], parcels: [] })
    await kim.send(packing.start, { id: first, body: { station: 'Bench 1' } })
    for (const code of ['C-S1', 'C-S2']) await scan(first, code)
    await kim.send(packing.close, { id: first, body: { label_printer_id } })
    const [one, two] = [await read('S1'), await read('S2')]
    expect(one).toMatchObject({ phase: 'packed', lines: [{ sku: 'S1', packed_qty: 1 }] })
    expect(two).toMatchObject({ phase: 'packed', lines: [{ sku: 'S2', packed_qty: 1 }] })
    expect(two.parcels).toEqual(one.parcels)
    expect(two.parcels).toMatchObject([{ tracking_no: expect.any(String) }])
  })

  it('takes an order out of its parcel by changing or cancelling it before the work', async () => {
    const { send, first, second } = await fromShop()
    expect(await send(order('S2', { lines: [{ external_id: '1', sku: 'S2', name: 'Thing', qty: '3' }] }))).toMatchObject([
      { result: 'updated' },
    ])
    expect(await get(second)).toMatchObject({ combined: null, item_count: 3, lines: [{ qty: 3 }] })
    expect(await get(first)).toMatchObject({ combined: null, item_count: 1 })
    for (const id of [first, second]) await set(id, { agent_code: 'own', shipping_method: 'van' })
    await combine(first, second)
    expect(await send(order('S1', { status: 'cancelled' }))).toMatchObject([{ result: 'updated' }])
    expect((await get(first)).phase).toBe('cancelled')
    expect(await get(second)).toMatchObject({ phase: 'ready', combined: null })
  })

  it('stops the parcel by cancelling one of its orders during the work, and changes nothing then', async () => {
    const { send, first, second } = await fromShop()
    await kim.send(packing.start, { id: first, body: { station: 'Bench 1' } })
    await scan(first, 'C-S2')
    expect(await send(order('S2', { lines: [{ external_id: '1', sku: 'S2', name: 'Thing', qty: '3' }] }))).toMatchObject([
      { result: 'refused' },
    ])
    expect(await send(order('S2', { status: 'cancelled' }))).toMatchObject([{ result: 'updated' }])
    expect((await get(second)).locks).toMatchObject([{ reason: 'cancel_requested' }])
    expect((await get(first)).phase).toBe('held')
    expect((await get(second)).cancelled_at).toBeNull()
  })
})

it('orders of other companies and warehouses are not combined', async () => {
  const { mug } = await pair()
  const shop = operator.shops[0]!
  const foreign = await placeOrder(
    testApp.services.database,
    { ...scope(), company_id: shop.id },
    { agent_code: 'own', shipping_method: 'van' },
  )
  await expect(combine(mug.id, foreign.id)).rejects.toMatchObject({ code: 'combine_company' })
  const clerk = await operator.hire(['parcels'], shop)
  await expect(clerk.send(combinations.preview, { body: { orders: [mug.id, foreign.id] } })).rejects.toMatchObject({ status: 404 })
  const stranger = await (await testApp.operator()).hire(['parcels'])
  await expect(stranger.send(combinations.undo, { id: mug.id })).rejects.toMatchObject({ status: 404 })
  expect(await stranger.send(combinations.suggest, { order_id: mug.id })).toEqual({ orders: [] })
})
