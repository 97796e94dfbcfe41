/** A parcel shop that closes between order and packing: found before the label is printed, replaced, and announced. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { sendDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { queueOccasion } from '#features/messages/messages/occasion-messages.server.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { bringAccount, type FakeBring, openFakeBring } from '#integrations/couriers/bring/bring.fake.ts'
import { bringAt } from '#integrations/couriers/bring/bring.ts'
import { withCourier } from '#integrations/couriers/couriers.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { shopReplacement } from './shop-replacement.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser
let bring: FakeBring
let label_printer_id: number

beforeAll(async () => {
  testApp = await openTestApp({ PUBLIC_URL: 'https://{company}.pakhus.example' })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  bring = await openFakeBring()
  const remove = withCourier(bringAt({ url: bring.server.url }))
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
  const list = await lead.send(printers.list, {})
  label_printer_id = list.printers.find(one => one.paper === 'label')!.id
  await lead.send(parcelShops.setConfig, {
    agent_code: 'bring',
    body: { version: 0, settings: { ...bringAccount, client_url: 'https://shop.example', mode: 'live' } },
  })
  return async () => {
    remove()
    await bring.close()
  }
})

const kiosk = { id: '736431', name: 'Kiosk', address1: 'Torvet 1', postcode: '5000', city: 'Odense', country: 'DK' }
const places = (mode: 'ask' | 'nearest') => lead.send(parcelShops.saveReplacement, { body: { mode, version: 0 } })

/** An order to the kiosk, which its courier named when the customer chose it; packed up to its last scan. */
async function packed(): Promise<number> {
  await lead.send(parcelShops.find, { agent_code: 'bring', country: 'dk', postcode: '5000' })
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'bring',
    shipping_method: 'PICKUP_PARCEL',
    service_point: kiosk,
    ship_to: { phone: '+4520123456', email: 'lene@example.com' },
    lines: [{ sku: 'MUG', barcode: 'MUG', name: 'Mug', qty: 1, weight_g: 300, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
  await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code: 'MUG' } })
  return id
}
const close = (id: number) => kim.send(packing.close, { id, body: { label_printer_id } })
const labelOf = async (id: number) => (await kim.send(packing.get, { id })).parcels.at(-1)
/** What the courier said of the shop is a day old. */
const tomorrow = () =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db.updateTable('parcel_shops').set({ seen_at: '2026-01-01T00:00:00Z' }).execute(),
  )
const sayings = async (id: number) => (await lead.send(orders.timeline, { id })).rows.map(row => [row.text, row.values])
const shopOf = async (id: number) => (await lead.send(shopReplacement.state, { order_id: id })).shop?.id

describe('a parcel shop that closed after the order', () => {
  it('makes place for the nearest one that is open, in the order, on the label, in the timeline and in a message', async () => {
    await places('nearest')
    await lead.send(templates.create, {
      body: {
        channel: 'sms',
        locale: 'en_GB',
        trigger: 'parcel_shop_changed',
        name: 'Shop changed',
        body: 'Your parcel goes to {{ pickup_shop }}',
        active: true,
      },
    })
    const id = await packed()
    await tomorrow()
    bring.closed.add('736431')
    await close(id)
    await expect.poll(async () => (await labelOf(id))?.state, { timeout: 20_000 }).toBe('booked')
    expect(bring.parcels.map(parcel => parcel.point)).toEqual(['736432'])
    expect(await shopOf(id)).toBe('736432')
    expect(await sayings(id)).toContainEqual([
      'Parcel shop changed to {{after}}',
      expect.objectContaining({ after: 'Supermarked, Torvet 1, 5000 Odense' }),
    ])
    await sendDeliveries(testApp.services, { message: queueOccasion })
    const { rows } = await lead.send(messages.thread, { id })
    expect(rows).toMatchObject([{ text: expect.stringContaining('Your parcel goes to Supermarked') }])
  })

  it('is said at the station and on the order page where the company wants to be asked, and another is chosen there', async () => {
    const id = await packed()
    await tomorrow()
    bring.closed.add('736431')
    await close(id)
    await expect
      .poll(async () => labelOf(id), { timeout: 20_000 })
      .toMatchObject({
        state: 'error',
        error: 'The parcel shop Kiosk is closed or full. Choose another one.',
        error_field: 'service_point',
      })
    expect(bring.parcels).toEqual([])
    expect(await lead.send(shopReplacement.state, { order_id: id })).toMatchObject({
      agent_code: 'bring',
      closed: true,
      near: { postcode: '5000' },
    })
    const {
      id: shop,
      name,
      address1,
      postcode,
      city,
      country,
    } = (
      await lead.send(parcelShops.find, {
        agent_code: 'bring',
        country: 'dk',
        postcode: '5000',
      })
    )[0]!
    expect(shop).toBe('736432')
    expect((await kim.ask(shopReplacement.choose, { order_id: id, body: { id: shop } })).statusCode).toBe(403)
    expect(
      await lead.send(shopReplacement.choose, { order_id: id, body: { id: shop, name, address1, postcode, city, country } }),
    ).toMatchObject({ shop: { id: '736432', name: 'Supermarked' } })
    await close(id)
    await expect.poll(async () => (await labelOf(id))?.state, { timeout: 20_000 }).toBe('booked')
    expect(bring.parcels.map(parcel => parcel.point)).toEqual(['736432'])
  })

  it('is replaced too when only the booking says that it is closed', async () => {
    await places('nearest')
    const id = await packed()
    bring.closed.add('736431')
    await close(id)
    await expect.poll(async () => (await labelOf(id))?.state, { timeout: 20_000 }).toBe('booked')
    expect(bring.parcels.map(parcel => parcel.point)).toEqual(['736432'])
    expect(await shopOf(id)).toBe('736432')
  })
})

it('a shop that is open stays, and so does one while the courier does not say where shops are', async () => {
  await places('nearest')
  const id = await packed()
  await tomorrow()
  await close(id)
  await expect.poll(async () => (await labelOf(id))?.state, { timeout: 20_000 }).toBe('booked')
  expect(bring.parcels.map(parcel => parcel.point)).toEqual(['736431'])
  expect(await shopOf(id)).toBe('736431')
})

it('the setting is the company’s own, and an old version is refused', async () => {
  expect(await lead.send(parcelShops.replacement, {})).toEqual({ mode: 'ask', version: 0 })
  expect(await places('nearest')).toEqual({ mode: 'nearest', version: 1 })
  await expect(places('ask')).rejects.toMatchObject({ status: 409, current: { mode: 'nearest', version: 1 } })
  const shop = await operator.hire(['admin'], operator.shops[0])
  expect(await shop.send(parcelShops.replacement, {})).toEqual({ mode: 'ask', version: 0 })
})
