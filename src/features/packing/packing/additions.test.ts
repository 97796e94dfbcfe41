/** Additional products at the station: shown, confirmed or scanned before the parcel is closed. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { additionalProducts } from '#features/orders/additional-products/additional-products.contract.ts'
import type { AdditionalProductFields } from '#features/orders/additional-products/additional-products.schemas.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let boss: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  boss = await operator.hire(['admin'], operator.main, 'Astrid')
})

const cup = { sku: 'CUP', barcode: '2000000000015', name: 'Cup', qty: 1, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }
const make = (over: Partial<AdditionalProductFields>) =>
  boss.send(additionalProducts.create, { body: { name: 'Sample', conditions: { v: 1, all: [] }, ...over } })

async function open() {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [cup],
  })
  const order = await kim.send(packing.start, { id, body: { station: `Bench ${id % 1000}` } })
  return {
    id,
    order,
    scan: (code: string) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } }),
    decide: (addition_id: number, skip?: 'missing' | 'damaged' | 'left_out') =>
      kim.send(packing.addition, { id, body: { addition_id, ...(skip && { skip }) } }),
    close: () => kim.send(packing.close, { id, body: {} }),
    states: async () => (await kim.send(packing.get, { id })).additions.map(one => `${one.state} ${one.name}`),
  }
}
const stockOf = async (id: number) => (await boss.send(additionalProducts.get, { id })).stock_left

describe('an additional product', () => {
  it('reaches an order that is opened without a pick list, at the latest', async () => {
    await make({ name: 'Gift' })
    const { order, states } = await open()
    expect(order.additions).toMatchObject([{ name: 'Gift', state: 'planned', qty: 1, handling: 'confirm' }])
    await make({ name: 'Flyer' })
    expect(await states()).toEqual(['planned Gift'])
  })

  it('that is confirmed is asked for before the parcel is closed, and counts no piece', async () => {
    await make({ name: 'Gift' })
    const { order, scan, decide, close, states } = await open()
    expect(await scan(cup.barcode)).toMatchObject({ result: 'order_done', packed: 1, to_pack: 1 })
    await expect(close()).rejects.toMatchObject({ status: 409, code: 'additions_open', message: 'Gift is not in the parcel yet' })
    const { id } = order.additions[0]!
    expect(await decide(id)).toMatchObject({ packed: 1, to_pack: 1 })
    await decide(id)
    expect(await close()).toMatchObject({ outcome: 'labelled' })
    expect(await states()).toEqual(['packed Gift'])
  })

  it('that is scanned is packed by its barcode, once, before or after the items', async () => {
    await make({ barcode: 'SAMPLE-1', handling: 'scan' })
    const { order, scan, close, states } = await open()
    const addition = order.additions[0]!.id
    expect(await scan('sample-1')).toMatchObject({ result: 'addition', counted: 0, packed: 0, addition, text: '{{name}} is in the parcel' })
    expect(await scan('SAMPLE-1')).toMatchObject({ result: 'ignored', text: '{{name}} is in the parcel already' })
    await scan(cup.barcode)
    expect(await close()).toMatchObject({ outcome: 'labelled' })
    expect(await states()).toEqual(['packed Sample'])
  })

  it('that was scanned waits again when its scan is taken back', async () => {
    await make({ barcode: 'SAMPLE-1', handling: 'scan' })
    const { id, scan, states } = await open()
    await scan(cup.barcode)
    await scan('SAMPLE-1')
    const undo = () => kim.send(packing.undo, { id, body: { scan_id: randomUUID() } })
    expect(await undo()).toMatchObject({ result: 'undone', counted: 0, packed: 1, values: { name: 'Sample' } })
    expect(await states()).toEqual(['planned Sample'])
    expect(await undo()).toMatchObject({ result: 'undone', packed: 0, values: { name: 'Cup' } })
  })

  it('that is only shown goes along with the parcel and its weight', async () => {
    await make({ name: 'Flyer', handling: 'show', weight_g: 30, qty: 2 })
    const { id, scan, close, states } = await open()
    await scan(cup.barcode)
    const before = await kim.send(packing.get, { id })
    expect(before.additions[0]?.state).toBe('planned')
    const { parcels } = await close()
    expect(await states()).toEqual(['packed Flyer'])
    const light = await open()
    await boss.send(additionalProducts.remove, { id: before.additions[0]!.additional_product_id })
    await light.scan(cup.barcode)
    expect(parcels[0]!.weight_g - (await light.close()).parcels[0]!.weight_g).toBe(60)
  })

  it('that is not there is left out with a reason; on purpose, it goes back into the stock', async () => {
    const { id: product } = await make({ name: 'Gift', stock_left: 5 })
    const missing = await open()
    await missing.scan(cup.barcode)
    await missing.decide(missing.order.additions[0]!.id, 'missing')
    expect(await missing.close()).toMatchObject({ outcome: 'labelled' })
    expect(await missing.states()).toEqual(['skipped Gift'])
    expect(await stockOf(product)).toBe(4)
    const spared = await open()
    const addition = spared.order.additions[0]!.id
    await spared.decide(addition, 'left_out')
    await spared.decide(addition, 'left_out')
    expect(await stockOf(product)).toBe(4)
    const timeline = (await boss.send(orders.timeline, { id: missing.id })).rows.map(row => row.text)
    expect(timeline).toContain('Packed without {{name}}')
  })

  it('of another order, or decided by someone who does not pack it, is refused', async () => {
    await make({ name: 'Gift' })
    const one = await open()
    const other = await open()
    await expect(other.decide(one.order.additions[0]!.id)).rejects.toMatchObject({ status: 404, code: 'addition_not_found' })
    const lis = await operator.hire(['scan'], operator.main, 'Lis')
    const body = { addition_id: one.order.additions[0]!.id }
    await expect(lis.send(packing.addition, { id: one.id, body })).rejects.toMatchObject({ code: 'order_busy' })
    await one.decide(body.addition_id)
    await expect(one.decide(body.addition_id, 'missing')).rejects.toMatchObject({ code: 'addition_packed' })
  })

  it('comes out again with everything else, and is released with a cancelled order', async () => {
    const { id: product } = await make({ name: 'Gift', stock_left: 3 })
    const { id, order, decide } = await open()
    await decide(order.additions[0]!.id)
    await kim.send(packing.abort, { id, body: { empty: true } })
    const again = await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    expect(again.additions).toMatchObject([{ state: 'planned' }])
    await kim.send(packing.addition, { id, body: { addition_id: again.additions[0]!.id } })
    await boss.send(orders.setState, { id, state: 'cancelled' })
    expect((await boss.send(additionalProducts.ofOrder, { id })).rows).toEqual([])
    expect(await stockOf(product)).toBe(3)
  })

  it('of a parcel that is unpacked has to be put in again', async () => {
    await make({ name: 'Gift' })
    const { id, order, scan, decide, close } = await open()
    await scan(cup.barcode)
    await decide(order.additions[0]!.id)
    await close()
    await boss.send(orders.setState, { id, state: 'picked' })
    expect((await boss.send(additionalProducts.ofOrder, { id })).rows).toMatchObject([{ state: 'planned' }])
  })
})
