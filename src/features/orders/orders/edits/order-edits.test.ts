/** Orders by hand: a new one, other items, a part that goes by itself, a copy – and what is refused. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { type OrderPlan, placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { orderEdits } from './order-edits.contract.ts'
import { planEdits, refusalOfSplit } from './order-edits.rules.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let lead: TestUser
let stranger: TestUser
let scope: TenantScope
let mug: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  office = await operator.hire(['parcels'])
  lead = await operator.hire(['parcels_admin'])
  stranger = await (await testApp.operator()).hire(['parcels'])
  scope = scopeOfCompany(operator)
  mug = (
    await lead.send(products.create, {
      body: { sku: 'MUG-1', name: 'Mug', ...noFields, weight_g: 350, barcodes: [{ barcode: '5700000000017', quantity: 1 }] },
    })
  ).product_id
})
afterAll(() => testApp.close())

const noFields = {
  variant: null,
  weight_g: null,
  length_mm: null,
  width_mm: null,
  height_mm: null,
  bin: 'C-01-1',
  hs_code: null,
  origin: null,
  customs_text: null,
  serial_required: false,
  no_barcode: false,
  barcodes: [],
}
const place = (plan: OrderPlan = {}) => placeOrder(testApp.services.database, scope, plan)
const get = (id: number, by: TestUser = office) => by.send(orders.get, { id })
const written = (more: object = {}) => ({
  currency: 'DKK',
  ship_to: { name: 'Lene Hansen', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK', phone: '+4512345678' },
  lines: [{ sku: 'MUG-1', name: 'Mug', qty: 2, unit_price_incl_vat: '99.50' }],
  ...more,
})
const set = (id: number, change: object) =>
  testApp.services.database.transaction(scope, db => db.updateTable('orders').set(change).where('id', '=', id).execute())

describe('an order by hand', () => {
  it('gets a number of its own, is found, and may be packed', async () => {
    const client_id = randomUUID()
    const made = await office.send(orderEdits.create, { body: { client_id, order: written() } })
    expect(made.order_no).toMatch(/^M-\d+$/)
    const order = await get(made.id)
    expect(order).toMatchObject({ source: 'manual', work_state: 'ready', item_count: 2, customer: { name: 'Lene Hansen' } })
    expect(order.lines[0]).toMatchObject({ product_id: mug, sku: 'MUG-1', qty: 2, unit_price_incl_vat: 9950 })
    expect((await office.send(orders.search, { query: made.order_no })).rows.map(row => row.id)).toEqual([made.id])
    expect(await office.send(orderEdits.create, { body: { client_id, order: written() } })).toEqual(made)
  })

  it('is checked as an import is, and says at which field it is wrong', async () => {
    const refused = office.send(orderEdits.create, {
      body: { client_id: randomUUID(), order: written({ ship_to: { name: 'Lene', country: 'Denmark' } }) },
    })
    await expect(refused).rejects.toMatchObject({ status: 422, code: 'order_invalid', fields: { 'ship_to.country': expect.any(String) } })
    await expect(
      office.send(orderEdits.create, { body: { client_id: randomUUID(), order: { ...written(), lines: [] } } }),
    ).rejects.toMatchObject({
      status: 422,
    })
  })

  it('may be written for a shop of the warehouse, and for no other company', async () => {
    const shop = operator.shops[0]!
    const made = await office.send(orderEdits.create, { body: { client_id: randomUUID(), company_id: shop.id, order: written() } })
    expect((await get(made.id)).company_id).toBe(shop.id)
    await expect(
      stranger.send(orderEdits.create, { body: { client_id: randomUUID(), company_id: shop.id, order: written() } }),
    ).rejects.toMatchObject({ code: 'company_unknown' })
    const clerk = await operator.hire(['parcels'], shop)
    await expect(
      clerk.send(orderEdits.create, { body: { client_id: randomUUID(), company_id: operator.main.id, order: written() } }),
    ).rejects.toMatchObject({ code: 'company_unknown' })
  })
})

describe('the items of an order', () => {
  it('become more, fewer, others, and say what the shop ordered', async () => {
    const placed = await place()
    const before = await get(placed.id)
    const [shirt, cap] = placed.lines
    await office.send(orderEdits.lines, {
      id: placed.id,
      body: {
        version: before.version,
        reason: 'Asked on the phone',
        edits: [
          { kind: 'qty', order_item_id: shirt!, qty: 3 },
          { kind: 'replace', order_item_id: cap!, product_id: mug, qty: 1 },
        ],
      },
    })
    const after = await get(placed.id)
    expect(after.lines.map(line => [line.sku, line.qty, line.shop_qty])).toEqual([
      ['TS001-WH', 3, 2],
      ['CAP-01', 0, 1],
      ['MUG-1', 1, 0],
    ])
    expect(after).toMatchObject({ item_count: 4, weight_g: 3 * 200 + 350 })
    expect((await office.send(orders.search, { query: 'MUG-1' })).rows.map(row => row.id)).toContain(placed.id)
    const { rows } = await office.send(orders.timeline, { id: placed.id })
    expect(rows[0]).toMatchObject({ text: 'Items changed: {{summary}}', values: { summary: 'T-shirt 2 → 3, Cap 1 → 0, Mug + 1' } })
  })

  it('are not saved over what somebody else saved', async () => {
    const placed = await place()
    const { version } = await get(placed.id)
    const edit = (qty: number) =>
      office.send(orderEdits.lines, { id: placed.id, body: { version, edits: [{ kind: 'qty', order_item_id: placed.lines[0]!, qty }] } })
    await edit(4)
    await expect(edit(5)).rejects.toMatchObject({ status: 409, code: 'order_changed', current: { id: placed.id } })
  })

  it('stay when nothing would be left, when they are packed, and in orders that are packed or gone', async () => {
    const placed = await place()
    const { version } = await get(placed.id)
    const removeAll = placed.lines.map(order_item_id => ({ kind: 'remove' as const, order_item_id }))
    await expect(office.send(orderEdits.lines, { id: placed.id, body: { version, edits: removeAll } })).rejects.toMatchObject({
      code: 'split_empty',
    })
    for (const [change, code] of [
      [{ work_state: 'packed' }, 'order_packed_reopen_first'],
      [{ work_state: 'in_pack' }, 'order_being_packed'],
      [{ work_state: 'handed_over' }, 'parcel_handed_over_register_return'],
      [{ work_state: 'ready', cancelled_at: new Date().toISOString() }, 'order_cancelled'],
    ] as const) {
      await set(placed.id, change)
      await expect(
        office.send(orderEdits.lines, {
          id: placed.id,
          body: { version: (await get(placed.id)).version, edits: [{ kind: 'add', product_id: mug, qty: 1 }] },
        }),
      ).rejects.toMatchObject({ status: 409, code })
    }
    expect(
      planEdits([{ order_item_id: 1, name: 'Cap', qty: 3, cancelled_qty: 0, packed_qty: 2 }], [{ kind: 'qty', order_item_id: 1, qty: 1 }])
        .refusal,
    ).toMatchObject({
      code: 'line_packed',
    })
  })

  it('are added from the products of the order’s own company only, and not by strangers', async () => {
    const placed = await place()
    const { version } = await get(placed.id)
    const foreign = await placeOrder(testApp.services.database, { ...scope, company_id: operator.shops[0]!.id })
    const body = { version, edits: [{ kind: 'add' as const, product_id: mug, qty: 1 }] }
    const shopOrder = await get(foreign.id)
    await expect(office.send(orderEdits.lines, { id: foreign.id, body: { ...body, version: shopOrder.version } })).rejects.toMatchObject({
      code: 'product_not_found',
    })
    await expect(stranger.send(orderEdits.lines, { id: placed.id, body })).rejects.toMatchObject({ status: 404 })
    expect((await office.send(orderEdits.products, { id: placed.id, query: '5700000000017' })).map(one => one.sku)).toEqual(['MUG-1'])
    const found = await office.send(orderEdits.products, { id: foreign.id, query: 'MUG' })
    expect(found.map(one => one.product_id)).not.toContain(mug)
  })
})

describe('a part of an order', () => {
  it('goes by itself under its own number, once, and comes back', async () => {
    const placed = await place({ order_no: 'S-500' })
    const { version } = await get(placed.id)
    const ask = { id: placed.id, body: { version, client_id: randomUUID(), lines: [{ order_item_id: placed.lines[0]!, qty: 1 }] } }
    const part = await office.send(orderEdits.split, ask)
    expect(part.order_no).toBe('S-500-2')
    expect(await office.send(orderEdits.split, ask)).toEqual(part)
    const [whole, other] = [await get(placed.id), await get(part.id)]
    expect(whole).toMatchObject({ item_count: 2, relations: [{ id: part.id, relation: 'part' }] })
    expect(other).toMatchObject({ item_count: 1, work_state: 'ready', relations: [{ id: placed.id, relation: 'whole' }] })
    expect(other.ship_to).toEqual(whole.ship_to)
    await office.send(orderEdits.undoSplit, { id: part.id })
    expect(await get(placed.id)).toMatchObject({ item_count: 3 })
    expect((await get(part.id)).cancelled_at).not.toBeNull()
    const again = await office.send(orderEdits.split, {
      ...ask,
      body: { ...ask.body, version: (await get(placed.id)).version, client_id: randomUUID() },
    })
    expect(again.order_no).toBe('S-500-3')
  })

  it('leaves something in the order, takes no more than there is, and is no part of a part', async () => {
    const lines = [
      { order_item_id: 1, name: 'Shirt', qty: 2, cancelled_qty: 0, packed_qty: 0 },
      { order_item_id: 2, name: 'Cap', qty: 2, cancelled_qty: 1, packed_qty: 0 },
    ]
    expect(refusalOfSplit(lines, [{ order_item_id: 1, qty: 2 }])).toBeNull()
    expect(refusalOfSplit(lines, [{ order_item_id: 1, qty: 3 }])).toMatchObject({
      code: 'split_too_many',
      values: { left: 2, name: 'Shirt' },
    })
    expect(
      refusalOfSplit(lines, [
        { order_item_id: 1, qty: 2 },
        { order_item_id: 2, qty: 1 },
      ]),
    ).toMatchObject({ code: 'split_empty' })
    const placed = await place()
    const split = async (id: number, order_item_id: number) =>
      office.send(orderEdits.split, {
        id,
        body: { version: (await get(id)).version, client_id: randomUUID(), lines: [{ order_item_id, qty: 1 }] },
      })
    const part = await split(placed.id, placed.lines[0]!)
    const inside = (await get(part.id)).lines[0]!
    await expect(split(part.id, inside.order_item_id)).rejects.toMatchObject({ code: 'split_part' })
    await set(placed.id, { work_state: 'in_pick' })
    await expect(office.send(orderEdits.undoSplit, { id: part.id })).rejects.toMatchObject({ code: 'order_on_list' })
  })
})

it('a replacement has the recipient and the chosen items, costs nothing, and knows its order', async () => {
  const placed = await place({ order_no: 'R-77', agent_code: 'own', shipping_method: 'parcel', work_state: 'packed' })
  const body = { client_id: randomUUID(), reason: 'Damaged', lines: [{ order_item_id: placed.lines[1]!, qty: 1 }], free: true }
  const made = await office.send(orderEdits.copy, { id: placed.id, body })
  expect(await office.send(orderEdits.copy, { id: placed.id, body })).toEqual(made)
  const copy = await get(made.id)
  expect(copy).toMatchObject({
    total_incl_vat: 0,
    agent_code: 'own',
    item_count: 1,
    relations: [{ order_no: 'R-77', relation: 'replaces' }],
  })
  expect(copy.lines[0]).toMatchObject({ sku: 'CAP-01', unit_price_excl_vat: 10_000 })
  expect((await get(placed.id)).relations).toMatchObject([{ id: made.id, relation: 'replaced_by' }])
})
