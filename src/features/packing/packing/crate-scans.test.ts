/** The box of a parcel: scanned at the station or taken as suggested, counted off the stock, named to the courier, and reported. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildOrder, scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { crateRules } from '#features/catalog/crates/crate-rules.contract.ts'
import { crateTypes } from '#features/catalog/crates/crate-types.contract.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { crateChoice } from '#features/shipping/crate-choice/crate-choice.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let packer: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp?.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender, packaging_weight_g: 50 } })
  main = await operator.hire(['admin'])
  packer = await operator.hire(['scan'])
  await makeCrate('S', [200, 150, 100], { cost: 210, tare_g: 90, stock: 10 })
  await makeCrate('L', [400, 300, 200], { cost: 590, tare_g: 400, barcode: '5709999000017' })
  await makeProduct('MUG', [{ barcode: '5701234567890', quantity: 1 }])
})

const makeProduct = (
  sku: string,
  barcodes: { barcode: string; quantity: number }[] = [],
  [length_mm = null, width_mm = null, height_mm = null]: (number | null)[] = [100, 100, 90],
  more: object = {},
) =>
  main.send(products.create, {
    body: {
      sku,
      name: sku,
      variant: null,
      weight_g: 300,
      length_mm,
      width_mm,
      height_mm,
      bin: null,
      hs_code: null,
      origin: null,
      customs_text: null,
      serial_required: false,
      no_barcode: false,
      barcodes,
      ...more,
    },
  })

const makeCrate = (code: string, inner: [number, number, number], more: object = {}) =>
  main.send(crateTypes.create, {
    body: {
      name: `Box ${code}`,
      code,
      inner_mm: inner,
      outer_mm: [inner[0] + 10, inner[1] + 10, inner[2] + 10],
      tare_g: 100,
      max_g: 20_000,
      cost: 100,
      currency: 'DKK',
      ...more,
    },
  })
const crateNamed = async (code: string) => elementAt((await main.send(crateTypes.list, { query: code })).rows, 0)
const report = async (asked: object = {}) => {
  const { rows, totals } = await main.send(crateChoice.report, { ...asked })
  return { rows: rows.map(row => [row.suggested?.code ?? null, row.used.code, row.times, row.difference]), totals }
}

/** An order that the packer has opened. */
async function opened(qty = 1, sku = 'MUG'): Promise<number> {
  const { id } = await buildOrder(testApp.services, scopeOfCompany(operator), {
    lines: [{ external_id: '1', sku, name: sku, qty: String(qty), unit_price_excl_vat: '10.00' }],
  })
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('orders').set({ agent_code: 'own', shipping_method: 'van' }).where('id', '=', id).execute(),
  )
  await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
  return id
}
const scan = (id: number, code: string) => packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
const close = (id: number, more: object = {}) => packer.send(packing.close, { id, body: more })
const parcels = async (order_id: number) =>
  (await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.selectFrom('shipments').select(['weight_g', 'request']).where('order_id', '=', order_id).orderBy('id').execute(),
  )) as { weight_g: number; request: { parcel: { crate: string | null; size_mm: number[] | null } } }[]

describe('the box of a parcel', () => {
  it('is the one that the packer scans: its code, sides and weight go to the courier, and the stock falls', async () => {
    const id = await opened()
    expect(await scan(id, 'CRS')).toMatchObject({ result: 'crate_set', counted: 0, crate: { code: 'S', name: 'Box S' }, packed: 0 })
    expect((await packer.send(packing.get, { id })).crate).toMatchObject({ code: 'S' })
    await scan(id, '5701234567890')
    expect((await close(id)).outcome).toBe('labelled')
    const [parcel] = await parcels(id)
    expect(parcel).toMatchObject({ weight_g: 390, request: { parcel: { crate: 'S', size_mm: [210, 160, 110] } } })
    expect((await crateNamed('S')).stock).toBe(9)
    const { rows } = await main.send(orders.timeline, { id })
    expect(rows.map(row => row.text)).toContain('Parcel {{parcel_no}} was packed into {{name}}')
  })

  it('is the suggested one where no box is scanned', async () => {
    const id = await opened()
    await scan(id, '5701234567890')
    await close(id)
    expect((await parcels(id))[0]?.request.parcel.crate).toBe('S')
    expect((await crateNamed('S')).stock).toBe(9)
    expect(await report()).toEqual({ rows: [['S', 'S', 1, 0]], totals: { parcels: 1, suggested: 1, followed: 1 } })
  })

  it('is taken back with its scan: the box before it counts again, and before that none', async () => {
    const id = await opened()
    const undo = () => packer.send(packing.undo, { id, body: { scan_id: randomUUID() } })
    const crate = async () => (await packer.send(packing.get, { id })).crate?.code ?? null
    await scan(id, 'CRS')
    await scan(id, 'CRL')
    expect(await undo()).toMatchObject({ result: 'undone', counted: 0, values: { name: 'Box L' } })
    expect(await crate()).toBe('S')
    await undo()
    expect(await crate()).toBeNull()
    expect(await undo()).toMatchObject({ result: 'ignored' })
  })

  it('is known by its own barcode too, and the last scan counts', async () => {
    const id = await opened()
    await scan(id, 'CRS')
    expect(await scan(id, '5709999000017')).toMatchObject({ result: 'crate_set', crate: { code: 'L' } })
    await scan(id, '5701234567890')
    await close(id)
    expect((await parcels(id))[0]?.weight_g).toBe(700)
    expect((await crateNamed('S')).stock).toBe(10)
    expect(await report({ deviating: true })).toMatchObject({ rows: [['S', 'L', 1, 380]], totals: { suggested: 1, followed: 0 } })
    expect((await main.ask(crateChoice.export, {})).rawPayload.toString('utf8')).toContain('S,Box S,L,Box L,1,5.90,3.80,DKK')
  })

  it('gives way to a product of the order with the same code', async () => {
    await makeProduct('CRS')
    const id = await opened(1, 'CRS')
    expect(await scan(id, 'CRS')).toMatchObject({ result: 'order_done', counted: 1 })
  })

  it('is refused when it is switched off, and unknown when it is offered to another company', async () => {
    await makeCrate('OFF', [100, 100, 100], { active: false })
    await makeCrate('SHOP', [100, 100, 100], { company_ids: [elementAt(operator.shops, 0).id] })
    const id = await opened()
    expect(await scan(id, 'CROFF')).toMatchObject({ result: 'crate_refused', values: { name: 'Box OFF' } })
    expect(await scan(id, 'CRSHOP')).toMatchObject({ result: 'unknown' })
    expect((await packer.send(packing.get, { id })).crate).toBeNull()
  })

  it('is refused by what lies in its parcel, and while that is empty only where it takes nothing of the order', async () => {
    await makeProduct('HAT', [{ barcode: 'HAT-1', quantity: 1 }])
    const { id: small } = await crateNamed('S')
    await main.send(crateRules.set, { id: small, sku: 'HAT', body: { kind: 'must_not' } })
    const line = (sku: string, place: number) => ({ external_id: `${place}`, sku, name: sku, qty: '1', unit_price_excl_vat: '10.00' })
    const { id } = await buildOrder(testApp.services, scopeOfCompany(operator), { lines: [line('MUG', 1), line('HAT', 2)] })
    await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
    expect(await scan(id, 'CRS')).toMatchObject({ result: 'crate_set' })
    await scan(id, '5701234567890')
    expect(await scan(id, 'CRS')).toMatchObject({ result: 'crate_set' })
    await scan(id, 'CRL')
    await scan(id, 'HAT-1')
    expect(await scan(id, 'CRS')).toMatchObject({ result: 'crate_refused', values: { item: 'HAT', name: 'Box S' } })
    expect((await packer.send(packing.get, { id })).crate).toMatchObject({ code: 'L' })
  })

  it('is refused where it is certainly too small for what lies in it, and a lead uses it anyway', async () => {
    await makeProduct('LAMP', [{ barcode: 'LAMP-1', quantity: 1 }], [480, 300, 170])
    await makeProduct('SKIRT', [{ barcode: 'SKIRT-1', quantity: 1 }], [])
    const id = await opened(1, 'LAMP')
    expect(await scan(id, 'CRS')).toMatchObject({ result: 'crate_refused', values: { item: 'LAMP', name: 'Box S' } })
    expect(await scan(id, 'CRS')).toMatchObject({ result: 'crate_refused' })
    // It may lie across a box that is shorter.
    expect(await scan(id, 'CRL')).toMatchObject({ result: 'crate_set' })
    expect(await scan(await opened(1, 'SKIRT'), 'CRS')).toMatchObject({ result: 'crate_set' })
    const mugs = await opened(4)
    for (let n = 0; n < 4; n++) await scan(mugs, '5701234567890')
    expect(await scan(mugs, 'CRS')).toMatchObject({ result: 'crate_refused', values: { name: 'Box S' } })
    await main.send(packing.start, { id: mugs, body: { station: 'Bench 2', take_over: true } })
    const byLead = () => main.send(packing.scan, { id: mugs, body: { scan_id: randomUUID(), code: 'CRS' } })
    expect(await byLead()).toMatchObject({ result: 'crate_refused' })
    expect(await byLead()).toMatchObject({ result: 'crate_set', crate: { code: 'S' } })
  })

  it('takes no item behind it that a rule keeps out of it or that does not fit, until another box is scanned', async () => {
    await makeProduct('HAT', [{ barcode: 'HAT-1', quantity: 1 }])
    await makeProduct('LAMP', [{ barcode: 'LAMP-1', quantity: 1 }], [480, 300, 170])
    const { id: small } = await crateNamed('S')
    await main.send(crateRules.set, { id: small, sku: 'HAT', body: { kind: 'must_not' } })
    const line = (sku: string, place: number) => ({ external_id: `${place}`, sku, name: sku, qty: '1', unit_price_excl_vat: '10.00' })
    const { id } = await buildOrder(testApp.services, scopeOfCompany(operator), { lines: ['MUG', 'HAT', 'LAMP'].map(line) })
    await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
    await scan(id, 'CRS')
    expect(await scan(id, '5701234567890')).toMatchObject({ counted: 1 })
    expect(await scan(id, 'HAT-1')).toMatchObject({ result: 'crate_refused', counted: 0, values: { item: 'HAT', name: 'Box S' } })
    expect(await scan(id, 'LAMP-1')).toMatchObject({ result: 'crate_refused', counted: 0, values: { item: 'LAMP', name: 'Box S' } })
    await scan(id, 'CRL')
    expect(await scan(id, 'HAT-1')).toMatchObject({ counted: 1 })
    expect(await scan(id, 'LAMP-1')).toMatchObject({ result: 'order_done', counted: 1 })
  })

  it('takes an item that a rule keeps out of it where a lead scans it again, and asks for its serial number then', async () => {
    await makeProduct('CAM', [{ barcode: 'CAM-1', quantity: 1 }], [100, 100, 90], { serial_required: true })
    const { id: small } = await crateNamed('S')
    await main.send(crateRules.set, { id: small, sku: 'CAM', body: { kind: 'must_not' } })
    const line = (sku: string, place: number) => ({ external_id: `${place}`, sku, name: sku, qty: '1', unit_price_excl_vat: '10.00' })
    const { id } = await buildOrder(testApp.services, scopeOfCompany(operator), { lines: ['MUG', 'CAM'].map(line) })
    await main.send(packing.start, { id, body: { station: 'Bench 2' } })
    const byLead = (code: string, serial_for?: number) =>
      main.send(packing.scan, { id, body: { scan_id: randomUUID(), code, ...(serial_for && { serial_for }) } })
    await byLead('CRS')
    await byLead('5701234567890')
    expect(await byLead('CAM-1')).toMatchObject({ result: 'crate_refused' })
    const asked = await byLead('CAM-1')
    expect(asked).toMatchObject({ result: 'serial_needed' })
    expect(await byLead('SN-1', asked.line?.order_line_id)).toMatchObject({ result: 'order_done', counted: 1 })
  })

  it('leaves the stock once, also when the parcel is unpacked and closed again', async () => {
    const id = await opened()
    await scan(id, 'CRS')
    await scan(id, '5701234567890')
    const { parcels: made } = await close(id)
    await main.send(labels.cancel, { agent_code: 'own', barcode: elementAt(made, 0).tracking_no ?? '' })
    await packer.send(packing.start, { id, body: { station: 'Bench 1' } })
    await scan(id, 'CRS')
    await close(id)
    expect((await crateNamed('S')).stock).toBe(9)
  })

  it('never makes the stock negative, and a change of the box keeps a stock that fell meanwhile', async () => {
    const seen = await crateNamed('S')
    const id = await opened()
    await scan(id, '5701234567890')
    await close(id)
    const { id: crate, has_image: _, stock: __, ...fields } = seen
    expect(await main.send(crateTypes.update, { id: crate, body: { ...fields, name: 'Small' } })).toMatchObject({ stock: 9 })
    const { version } = await crateNamed('S')
    await main.send(crateTypes.update, { id: crate, body: { ...fields, name: 'Small', stock: 0, version } })
    const next = await opened()
    await scan(next, 'CRS')
    await scan(next, '5701234567890')
    await close(next)
    expect((await crateNamed('S')).stock).toBe(0)
  })

  it('is suggested for what is left once the parcel before is full', async () => {
    const id = await opened(2)
    const left = async () => (await packer.send(crateChoice.preview, { body: { order_id: id } })).lines.map(line => line.qty)
    await scan(id, '5701234567890')
    expect(await left()).toEqual([2])
    await packer.send(packing.nextParcel, { id, body: {} })
    expect(await left()).toEqual([1])
  })

  it('is noted for each of several parcels, without a suggestion', async () => {
    const id = await opened(2)
    await scan(id, 'CRS')
    await scan(id, '5701234567890')
    await packer.send(packing.nextParcel, { id, body: {} })
    expect((await packer.send(packing.get, { id })).crate).toBeNull()
    await scan(id, 'CRL')
    await scan(id, '5701234567890')
    await close(id)
    expect((await parcels(id)).map(({ request }) => request.parcel.crate)).toEqual(['S', 'L'])
    const found = await report()
    expect(found.rows.toSorted()).toEqual([
      [null, 'L', 1, 0],
      [null, 'S', 1, 0],
    ])
    expect(found.totals).toEqual({ parcels: 2, suggested: 0, followed: 0 })
  })

  it('is reported to the company whose orders they are, and to the warehouse for all', async () => {
    const id = await opened()
    await scan(id, '5701234567890')
    await close(id)
    const shop = await operator.hire(['settings'], elementAt(operator.shops, 0))
    expect((await shop.send(crateChoice.report, {})).totals.parcels).toBe(0)
    expect((await main.send(crateChoice.report, { company: operator.main.id })).totals.parcels).toBe(1)
    expect((await main.send(crateChoice.report, { to: '2020-01-01' })).totals.parcels).toBe(0)
    expect((await packer.ask(crateChoice.report, {})).statusCode).toBe(403)
  })
})
