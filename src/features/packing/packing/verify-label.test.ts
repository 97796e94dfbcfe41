/** The fresh label is held against the parcel: every label of the session, and no other. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let jonas: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  jonas = await operator.hire(['scan_admin', 'parcels_admin'], operator.main, 'Jonas')
  await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .insertInto('shipping_methods')
      .values({ agent_code: 'own', shipping_method: 'van', name: 'Own delivery', check_tracking_and_trace: true })
      .execute(),
  )
})
afterAll(() => testApp.close())

const shirt = '5701234567890'
const scan = (id: number, code: string) => kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
const check = (session: number, barcode: string) => kim.send(packing.checkLabel, { order_overview_id: session, barcode })

/** An order of so many shirts, open at the station. */
async function opened(qty: number): Promise<{ id: number; order_no: string; session: number }> {
  const { id, order_no } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [{ sku: 'TS', barcode: shirt, name: 'T-shirt', qty, weight_g: 200, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  return { id, order_no, session: await begin(id) }
}
async function begin(id: number): Promise<number> {
  const { session } = await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  return session?.id ?? 0
}
const numbersOf = async (id: number) => (await kim.send(packing.get, { id })).parcels.map(parcel => parcel.tracking_no ?? '')

describe('the label check', () => {
  it('is done with the last of several parcels, whichever comes first', async () => {
    const { id, session } = await opened(3)
    await scan(id, shirt)
    for (let parcel = 2; parcel <= 3; parcel++) {
      await kim.send(packing.nextParcel, { id, body: {} })
      await scan(id, shirt)
    }
    expect(await kim.send(packing.close, { id, body: {} })).toMatchObject({ outcome: 'label_check' })
    const [first = '', second = '', third = ''] = await numbersOf(id)
    expect(await check(session, second)).toMatchObject({ ok: true, left: 2, values: { done: 1, all: 3 } })
    // The same label twice is one parcel.
    expect(await check(session, second)).toMatchObject({ ok: true, left: 2, text: 'This label is checked already. Scan the next one.' })
    expect(await check(session, first)).toMatchObject({ ok: true, left: 1, values: { done: 2, all: 3 } })
    expect((await kim.send(packing.get, { id })).session).toMatchObject({ state: 'label_check' })
    expect(await check(session, third)).toMatchObject({ ok: true, left: 0 })
    expect((await kim.send(packing.get, { id })).session).toBeNull()
  })

  it('takes no label of an earlier parcel of the same order', async () => {
    const { id, order_no, session } = await opened(2)
    await scan(id, shirt)
    await jonas.send(packing.start, { id, body: { station: 'Bench 1', take_over: true } })
    await jonas.send(packing.close, { id, body: { rest: 'backorder' } })
    const [early = ''] = await numbersOf(id)
    expect(await check(session, early)).toMatchObject({ ok: true, left: 0 })

    const later = await begin(id)
    await scan(id, shirt)
    await kim.send(packing.close, { id, body: {} })
    expect(await check(later, early)).toMatchObject({
      ok: false,
      text: 'This label is of an earlier parcel of order {{order_no}}',
      values: { order_no },
    })
    expect((await kim.send(packing.get, { id })).session).toMatchObject({ state: 'label_check' })
    const fresh = (await numbersOf(id)).find(number => number !== early) ?? ''
    expect(await check(later, fresh)).toMatchObject({ ok: true })
  })

  it('asks for no label where the rest of an order was cancelled and none was made', async () => {
    const { id, session } = await opened(2)
    await scan(id, shirt)
    await kim.send(packing.close, { id, body: { rest: 'backorder' } })
    await check(session, (await numbersOf(id))[0] ?? '')
    await jonas.send(packing.start, { id, body: { station: 'Bench 1' } })
    expect(await jonas.send(packing.close, { id, body: { rest: 'cancel' } })).toMatchObject({ outcome: 'labelled' })
    expect((await kim.send(packing.get, { id })).session).toBeNull()
  })

  it('says of the receiver’s QR code that the bars are meant', async () => {
    const { id, session } = await opened(1)
    await scan(id, shirt)
    await kim.send(packing.close, { id, body: {} })
    expect(await check(session, 'https://shop.example.test/tracking?order=1')).toMatchObject({
      ok: false,
      text: 'That is the QR code for the recipient. Scan the bars of the label.',
    })
  })
})
