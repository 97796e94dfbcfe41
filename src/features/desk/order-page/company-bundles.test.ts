/** A bundle that a company makes of its products, from the order of a shop to the return: its parts are picked, packed, declared and paid back. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import type { FileAnswer } from '#contract/endpoint.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { shopApi } from '#features/deliveries/shop-api/shop-api.contract.ts'
import { orderEdits } from '#features/orders/orders/edits/order-edits.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { orderPapers } from '#features/printing/order-papers/order-papers.contract.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { orderedGoods } from '#features/shipping/customs/order-goods.queries.ts'
import { pickLists } from '#features/warehouse/pick-lists/pick-lists.contract.ts'
import type { Db } from '#platform/database/database.ts'
import { readText } from '#test/label-reader.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let office: TestUser
let kim: TestUser
let shop: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

const kitCode = '2000000000701'
const cameraCode = '2000000000718'
const lensCode = '2000000000725'

beforeEach(async () => {
  testApp.setNow(undefined)
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  office = await operator.hire(['admin'])
  kim = await operator.hire(['scan', 'parcels', 'pick', 'rma_admin'], operator.main, 'Kim')
  const { key } = await office.send(cmsKeys.create, { body: { name: 'Shop' } })
  const visitor = testApp.visitor(operator.main)
  shop = { ...visitor, send: (call, input) => visitor.send(call, input, { headers: { authorization: key } }) } as TestUser
  await make('CAM', { name: 'Camera', bin: 'A-01-1', serial_required: true, cost_price: 300_00, weight_g: 400 }, cameraCode)
  await make('LENS', { name: 'Lens', bin: 'A-02-1', serial_required: true, cost_price: 100_00, weight_g: 150 }, lensCode)
  const components = [
    { sku: 'CAM', quantity: 1 },
    { sku: 'LENS', quantity: 2 },
  ]
  await make('KIT', { name: 'Photo kit', bin: 'Z-99-9', components }, kitCode)
})

const empty = {
  ...{ variant: null, weight_g: null, length_mm: null, width_mm: null, height_mm: null, bin: null },
  ...{ hs_code: null, origin: null, customs_text: null, serial_required: false, no_barcode: false },
}

async function make(sku: string, over: object, barcode: string) {
  const more = { hs_code: '852589', origin: 'JP', cost_currency: 'DKK', barcodes: [{ barcode, quantity: 1 }] }
  return office.send(products.create, { body: { ...empty, sku, name: sku, ...more, ...over } })
}

const inDb = <T>(work: (db: Db) => Promise<T>) =>
  testApp.services.database.transaction({ ...scopeOfCompany(operator), companies: [operator.main.id] }, work)

const written = (qty = 1, over: object = {}) => ({
  external_id: 'A1',
  order_no: 'A1',
  currency: 'DKK',
  ship_to: { name: 'Lene Holm', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK', phone: '20123456' },
  lines: [
    {
      external_id: '11',
      sku: 'KIT',
      barcode: kitCode,
      name: 'Photo kit for beginners',
      qty,
      unit_price_excl_vat: '800.00',
      vat_percent: '25',
    },
  ],
  ...over,
})

async function arrive(qty = 1, over: object = {}): Promise<number> {
  const [row] = (await shop.send(shopApi.sendOrders, { body: written(qty, over) })).orders
  expect(row).toMatchObject({ problems: [] })
  return row?.order_id ?? 0
}
it('is refused where its parts are more lines than an order may have, and nothing of the order is stored', async () => {
  const components = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await make(`PART${n}`, {}, `29000000000${10 + n}`)
      return { sku: `PART${n}`, quantity: 1 }
    }),
  )
  await make('CRATE', { components }, '2900000000999')
  const lines = Array.from({ length: 96 }, (_, n) => ({ external_id: `${n}`, sku: 'CRATE', name: 'Crate', qty: 1 }))
  const [row] = (await shop.send(shopApi.sendOrders, { body: written(1, { lines }) })).orders
  expect(row).toMatchObject({
    result: 'refused',
    order_id: null,
    problems: [{ values: { count: 2_016, most: 2_000 } }],
  })
  expect((await office.send(orders.search, { query: 'A1' })).total).toBe(0)
})

const linesOf = async (id: number) => (await kim.send(orders.get, { id })).lines.filter(line => line.type === 'item')
const scanOf = (id: number) => (code: string, serial_for?: number) =>
  kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code, ...(serial_for && { serial_for }) } })

it('arrives with its parts behind it, counted and weighed as they are, and the same again changes nothing', async () => {
  const id = await arrive(2)
  const lines = await linesOf(id)
  expect(lines.map(line => [line.sku, line.name, line.qty, line.requires_shipping, line.part_of])).toEqual([
    ['KIT', 'Photo kit for beginners', 2, false, null],
    ['CAM', 'Camera', 2, true, lines[0]?.order_item_id],
    ['LENS', 'Lens', 4, true, lines[0]?.order_item_id],
  ])
  expect(await kim.send(orders.get, { id })).toMatchObject({ item_count: 6, weight_g: 1_400 })
  const again = (await shop.send(shopApi.sendOrders, { body: written(2) })).orders
  expect(again).toMatchObject([{ result: 'unchanged', order_id: id }])
})

it('follows a change of the shop, and keeps the parts that it came with until then', async () => {
  const id = await arrive(1)
  const before = await linesOf(id)
  const kit = await findKit()
  await office.send(products.update, {
    id: kit.product_id,
    body: { ...empty, name: kit.name, barcodes: kit.barcodes, components: [{ sku: 'CAM', quantity: 1 }], version: kit.version },
  })
  expect((await linesOf(id)).map(line => line.sku)).toEqual(['KIT', 'CAM', 'LENS'])
  expect((await shop.send(shopApi.sendOrders, { body: written(3) })).orders).toMatchObject([{ result: 'updated' }])
  const after = await linesOf(id)
  expect(after.map(line => [line.sku, line.qty])).toEqual([
    ['KIT', 3],
    ['CAM', 3],
  ])
  expect(after.map(line => line.order_item_id)).toEqual(before.slice(0, 2).map(line => line.order_item_id))
})

const findKit = async () => {
  const { rows } = await office.send(products.search, { query: 'KIT' })
  const [kit] = rows
  if (!kit) throw new Error('There is no bundle')
  return kit
}

it('is picked part by part, each from its own bin', async () => {
  const id = await arrive(2)
  testApp.setNow(new Date(Date.now() + 120_000))
  const { id: pick_list_id } = await kim.send(pickLists.create, { body: {} })
  const picked = await inDb(db =>
    db
      .selectFrom('pick_lines')
      .select(['order_id', 'sku', 'bin', 'asked'])
      .where('pick_list_id', '=', pick_list_id)
      .orderBy('sku')
      .execute(),
  )
  expect(picked).toEqual([
    { order_id: id, sku: 'CAM', bin: 'A-01-1', asked: 2 },
    { order_id: id, sku: 'LENS', bin: 'A-02-1', asked: 4 },
  ])
})

it('shows its parts for its own code, counts each part with its serial number, and the shop sees how many are complete', async () => {
  const id = await arrive(2)
  const [, camera, lens] = (await linesOf(id)).map(line => line.order_item_id)
  await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  const scan = scanOf(id)
  for (const code of [kitCode, 'KIT'])
    expect(await scan(code)).toMatchObject({
      result: 'parts_shown',
      counted: 0,
      choices: [camera, lens],
      values: { name: 'Photo kit for beginners' },
    })
  for (const [code, serial, line] of [
    [cameraCode, 'C-100', camera],
    [lensCode, 'L-100', lens],
    [lensCode, 'L-200', lens],
    [lensCode, 'L-300', lens],
  ] as const) {
    expect(await scan(code)).toMatchObject({ result: 'serial_needed' })
    expect(await scan(serial, line)).toMatchObject({ counted: 1 })
  }
  const seen = await shop.send(shopApi.order, { external_id: 'A1' })
  expect(seen.lines.map(line => [line.external_id, line.sku, line.qty, line.packed_qty, line.bundle_of])).toEqual([
    ['11', 'KIT', 2, 1, null],
    [expect.stringMatching(/^11:part:\d+$/), 'CAM', 2, 1, '11'],
    [expect.stringMatching(/^11:part:\d+$/), 'LENS', 4, 3, '11'],
  ])
  for (const [code, serial, line] of [
    [cameraCode, 'C-200', camera],
    [lensCode, 'L-400', lens],
  ] as const) {
    await scan(code)
    await scan(serial, line)
  }
  await kim.send(packing.close, { id, body: {} })
  const order = await kim.send(orders.get, { id })
  expect(order.lines.map(line => line.serials)).toEqual([[], ['C-100', 'C-200'], ['L-100', 'L-200', 'L-300', 'L-400']])
  expect(order.parcels[0]?.lines.map(line => [line.qty, line.serials.length])).toEqual([
    [2, 2],
    [4, 4],
  ])
})

it('is on the papers as its parts, with its name behind them', async () => {
  const id = await arrive()
  const text = async (document: 'slip' | 'sheet') => {
    const { bytes }: FileAnswer = await kim.send(orderPapers.download, { id, document })
    return (await readText(new Uint8Array(bytes as Uint8Array))).join('\n')
  }
  for (const document of ['slip', 'sheet'] as const) {
    const words = await text(document)
    expect(words).toContain('Camera (Photo kit for beginners)')
    expect(words).toContain('Lens (Photo kit for beginners)')
  }
})

it('is declared as its parts, which share its price by what they cost', async () => {
  const id = await arrive(1, {
    ship_to: { name: 'Kari', address1: 'Storgata 1', postcode: '0155', city: 'Oslo', country: 'NO', phone: '+4722123456' },
  })
  const declared = (await inDb(db => orderedGoods(db, id))).map(line => [line.sku, line.quantity, line.value?.amount])
  expect(declared).toEqual([
    ['CAM', 1, 480_00],
    ['LENS', 2, 320_00],
  ])
  const { badges } = await kim.send(orders.get, { id })
  expect(badges.find(badge => badge.kind === 'customs')).toMatchObject({ severity: 'ok' })
})

it('is declared whole where a part of the order goes by itself', async () => {
  const id = await arrive(2)
  const [, camera] = await linesOf(id)
  const { version } = await kim.send(orders.get, { id })
  const part = await office.send(orderEdits.split, {
    id,
    body: { client_id: randomUUID(), version, lines: [{ order_item_id: camera?.order_item_id ?? 0, qty: 1 }] },
  })
  const value = async (order_id: number) =>
    (await inDb(db => orderedGoods(db, order_id))).map(line => [line.sku, line.quantity, line.value?.amount])
  expect(await value(id)).toEqual([
    ['CAM', 1, 480_00],
    ['LENS', 4, 640_00],
  ])
  expect(await value(part.id)).toEqual([['CAM', 1, 480_00]])
})

it('is added to an order by hand with its parts, and split pieces of it stay what they are', async () => {
  const id = await arrive(1, { lines: [{ external_id: '1', sku: 'CAM', name: 'Camera', qty: 1 }] })
  const kit = await findKit()
  const { version } = await kim.send(orders.get, { id })
  await office.send(orderEdits.lines, {
    id,
    body: { version, reason: 'Asked by phone', edits: [{ kind: 'add', product_id: kit.product_id, qty: 2 }] },
  })
  const lines = await linesOf(id)
  expect(lines.map(line => [line.sku, line.qty, line.requires_shipping, line.part_of === lines[1]?.order_item_id])).toEqual([
    ['CAM', 1, true, false],
    ['KIT', 2, false, false],
    ['CAM', 2, true, true],
    ['LENS', 4, true, true],
  ])
  expect(await kim.send(orders.get, { id })).toMatchObject({ item_count: 7 })
})

it('comes back as its parts, which are paid back by their share', async () => {
  const id = await arrive()
  const delivered_at = new Date(Date.now() - 86_400_000).toISOString()
  await inDb(async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', id)
      .where('requires_shipping', '=', true)
      .execute()
    const place = {
      order_id: id,
      agent_code: 'own',
      shipping_method: 'van',
      state: 'delivered' as const,
      idempotency_key: randomUUID(),
      reference: 'A1',
    }
    await db
      .insertInto('shipments')
      .values({ ...place, tracking_no: 'OUT1', handed_over_at: delivered_at, delivered_at })
      .execute()
  })
  const [, camera, lens] = (await linesOf(id)).map(line => line.order_item_id)
  const asked = { reason: 'changed_mind', outcome: 'refund' as const }
  const made = await kim.send(returns.create, {
    body: {
      client_id: randomUUID(),
      order_id: id,
      items: [
        { ...asked, order_line_id: camera ?? 0, qty: 1 },
        { ...asked, order_line_id: lens ?? 0, qty: 2 },
      ],
    },
  })
  // 1,000 with VAT: 600 for the camera, 200 for each lens.
  expect(made.items.map(item => item.amount)).toEqual([600_00, 200_00, 200_00])
})
