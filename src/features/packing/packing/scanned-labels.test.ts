/** A label that is scanned where an item is expected. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { type PlacedOrder, placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let label_printer_id: number

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
  label_printer_id = (await lead.send(printers.list, {})).printers.find(one => one.paper === 'label')!.id
})
afterAll(() => testApp.close())

async function opened(qty: number): Promise<PlacedOrder> {
  const order = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [{ sku: 'MUG', barcode: 'MUG', name: 'Mug', qty, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  await kim.send(packing.start, { id: order.id, body: { station: 'Bench 1' } })
  return order
}
const scan = (id: number, code: string) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })

/** A packed order and the number on its label. */
async function packed(): Promise<PlacedOrder & { number: string }> {
  const order = await opened(1)
  await scan(order.id, 'MUG')
  const { parcels } = await kim.send(packing.close, { id: order.id, body: { label_printer_id } })
  return { ...order, number: parcels[0]?.tracking_no ?? '' }
}
const cancelled = async () => {
  const order = await packed()
  await lead.send(labels.cancel, { agent_code: 'own', barcode: order.number })
  return order
}

describe('a label scanned at the station', () => {
  it('opens no order when it was cancelled', async () => {
    const old = await cancelled()
    expect(await kim.send(packing.find, { code: old.number })).toMatchObject({
      blocked: { text: 'This label of order {{order_no}} was cancelled by {{name}}: do not use it', values: { order_no: old.order_no } },
    })
    const live = await packed()
    expect(await kim.send(packing.find, { code: live.number })).toMatchObject({ orders: [{ order_id: live.id }], blocked: null })
  })

  it('is an item where a product of the order has the same code', async () => {
    const old = await cancelled()
    const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
      lines: [{ sku: old.number, barcode: old.number, name: 'Box', qty: 1, unit_price_excl_vat: '80.00', vat_percent: '25' }],
    })
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    expect(await scan(id, old.number)).toMatchObject({ result: 'order_done' })
  })
})
