/** Bundles at the packing station: parts are packed in place of the bundle, each with its own serial numbers. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 0 })
  kim = await operator.hire(['scan', 'parcels'], operator.main, 'Kim')
})

/** Two photo kits: each has a camera and two lenses with serial numbers, and a strap without. */
async function openKit() {
  const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
  const priced = { weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }
  const part = (external_id: string, sku: string, name: string, qty: number) => ({ ...priced, external_id, bundle_of: '1', sku, name, qty })
  const placed = await placeOrder(testApp.services.database, scope, {
    lines: [
      { ...priced, external_id: '1', sku: 'KIT', name: 'Photo kit', barcode: '5700000000701', qty: 2, requires_shipping: false },
      part('2', 'CAM', 'Camera', 2),
      part('3', 'LENS', 'Lens', 4),
      part('4', 'STRAP', 'Strap', 2),
    ],
  })
  await testApp.services.database.transaction(scope, async db => {
    for (const sku of ['CAM', 'LENS', 'STRAP']) {
      const { id } = await db
        .insertInto('products')
        .values({ sku, name: sku, serial_required: sku !== 'STRAP' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.updateTable('order_lines').set({ product_id: id }).where('order_id', '=', placed.id).where('sku', '=', sku).execute()
    }
  })
  await kim.send(packing.start, { id: placed.id, body: { station: 'Bench 1' } })
  const [, camera = 0, lens = 0, strap = 0] = placed.lines
  const scan = (code: string, serial_for?: number) =>
    kim.send(packing.scan, { id: placed.id, body: { scan_id: randomUUID(), code, ...(serial_for && { serial_for }) } })
  return { id: placed.id, camera, lens, strap, scan }
}

it.each(['5700000000701', 'KIT', 'kit'])('shows the parts of a bundle for its own code %s, and counts nothing', async code => {
  const { id, scan, camera, lens, strap } = await openKit()
  expect(await scan(code)).toMatchObject({
    result: 'parts_shown',
    counted: 0,
    packed: 0,
    choices: [camera, lens, strap],
    values: { name: 'Photo kit' },
  })
  expect((await kim.send(packing.get, { id })).lines.map(line => [line.name, line.bundle])).toEqual([
    ['Camera', 'Photo kit'],
    ['Lens', 'Photo kit'],
    ['Strap', 'Photo kit'],
  ])
})

it('is still no item where another product or an unknown code is scanned', async () => {
  const { scan } = await openKit()
  expect(await scan('5700000000718')).toMatchObject({ result: 'unknown' })
})

it('asks for the serial number of each part that needs one, and shows it with its line and its parcel', async () => {
  const { id, scan, camera, lens } = await openKit()
  for (const serial of ['C1', 'C2'].map(one => `${one}00`)) {
    expect(await scan('CAM')).toMatchObject({ result: 'serial_needed', line: { order_line_id: camera } })
    expect(await scan(serial, camera)).toMatchObject({ counted: 1 })
  }
  expect(await scan('STRAP')).toMatchObject({ result: 'ok', counted: 1 })
  expect(await scan('LENS')).toMatchObject({ result: 'serial_needed', line: { order_line_id: lens } })
  // The number of another part of the same bundle is no other's.
  expect(await scan('CAM', lens)).toMatchObject({ result: 'serial_refused', counted: 0 })
  for (const serial of ['L100', 'L200']) expect(await scan(serial, lens)).toMatchObject({ counted: 1 })
  await kim.send(packing.nextParcel, { id, body: {} })
  for (const serial of ['L300', 'L400']) await scan(serial, lens)
  await scan('STRAP')
  expect(await kim.send(packing.get, { id })).toMatchObject({ packed: 8, to_pack: 8 })
  await kim.send(packing.close, { id, body: {} })

  const order = await kim.send(orders.get, { id })
  const [bundle] = order.lines
  expect(order.lines.map(line => [line.sku, line.part_of, line.serials])).toEqual([
    ['KIT', null, []],
    ['CAM', bundle?.order_item_id, ['C100', 'C200']],
    ['LENS', bundle?.order_item_id, ['L100', 'L200', 'L300', 'L400']],
    ['STRAP', bundle?.order_item_id, []],
  ])
  const inside = (parcel_no: number) =>
    order.parcels
      .findLast(parcel => parcel.parcel_no === parcel_no)
      ?.lines.toSorted((a, b) => a.order_item_id - b.order_item_id)
      .map(({ qty, serials }) => [qty, serials])
  expect(inside(1)).toEqual([
    [2, ['C100', 'C200']],
    [2, ['L100', 'L200']],
    [1, []],
  ])
  expect(inside(2)).toEqual([
    [2, ['L300', 'L400']],
    [1, []],
  ])
})
