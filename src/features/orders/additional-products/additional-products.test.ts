/** Additional products: who writes them, which orders get them, and what becomes of their stock. */
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { CanonicalOrder, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { rulePreviews } from '#features/orders/order-rules/rule-preview.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { additionalProducts } from './additional-products.contract.ts'
import type { AdditionalProductFields } from './additional-products.schemas.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let shop: TestUser
let office: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  operator = await testApp.operator({ shops: 2, settings: { release_delay_s: 0, sender } })
  main = await operator.hire(['settings_admin'])
  shop = await operator.hire(['settings_admin'], elementAt(operator.shops, 0))
  office = await operator.hire(['parcels_admin'])
})

const everyOrder = { v: 1 as const, all: [] }
const to = (...countries: string[]) => ({ v: 1 as const, all: [{ field: 'ship.country', op: 'in', value: countries }] })
const make = (over: Partial<AdditionalProductFields> = {}) =>
  main.send(additionalProducts.create, { body: { name: 'Sample', conditions: everyOrder, ...over } })

type OrderPlan = Omit<Partial<WrittenOrder>, 'ship_to'> & { ship_to?: Partial<WrittenOrder['ship_to']> }
let numbers = 0
const written = ({ ship_to, ...plan }: OrderPlan = {}) =>
  toOrder(
    CanonicalOrder.parse({
      order_no: `X${++numbers}`,
      currency: 'DKK',
      payment_status: 'paid',
      lines: [{ external_id: '1', sku: 'TENT', name: 'Tent', qty: 2, weight_g: 500, unit_price_incl_vat: '100.00' }],
      ...plan,
      ship_to: {
        name: 'Kari Prøve',
        address1: 'Prøvevej 5',
        postcode: '5000',
        city: 'Odense',
        country: 'DK',
        email: `kari${numbers}@example.test`,
        ...ship_to,
      },
    }),
  )
/** Orders as a shop sends them; the same `order_no` is the same order again. */
async function store(plans: OrderPlan[], company = operator.main): Promise<number[]> {
  const { scope } = { scope: scopeOfCompany(operator, company) }
  const system = createSystemContext(testApp.services, scope)
  const stored = await system.transaction(context => storeOrders(context, plans.map(written)))
  return stored.map(one => one.order_id!)
}
const storeOne = async (plan: OrderPlan = {}) => elementAt(await store([plan]), 0)
const additions = async (id: number) => (await office.send(additionalProducts.ofOrder, { id })).rows
const names = async (id: number) => (await additions(id)).map(one => `${one.state} ${one.qty} × ${one.name}`)
const stockOf = async (id: number) => (await main.send(additionalProducts.get, { id })).stock_left
const cancel = (id: number) => office.send(orders.setState, { id, state: 'cancelled' })
const timeline = async (id: number) => (await office.send(orders.timeline, { id })).rows.map(row => row.text)

describe('an additional product', () => {
  it('is made by the main company and read by its shops, stations and pickers', async () => {
    const made = await make({ texts: { da_DK: 'Læg prøven øverst', de_DE: '' }, bin: 'A-1', stock_left: 10 })
    expect(made).toMatchObject({
      ...{ name: 'Sample', per: 'order', qty: 1, handling: 'confirm', stock_left: 10, planned: 0, packed: 0, has_image: false },
      ...{ texts: { da_DK: 'Læg prøven øverst' }, broken: false, version: 1 },
    })
    expect(await shop.send(additionalProducts.get, { id: made.id })).toEqual(made)
    for (const permission of ['settings', 'scan', 'pick', 'list'] as const) {
      const reader = await operator.hire([permission], elementAt(operator.shops, 1))
      expect((await reader.send(additionalProducts.list, {})).rows).toEqual([made])
    }
    expect((await (await operator.hire(['customer'])).ask(additionalProducts.list, {})).statusCode).toBe(403)
  })

  it('is written by the main company only', async () => {
    const { id } = await make()
    for (const [call, input] of [
      [additionalProducts.create, { body: { name: 'Flyer', conditions: everyOrder } }],
      [additionalProducts.update, { id, body: { name: 'Flyer', conditions: everyOrder, version: 1 } }],
      [additionalProducts.remove, { id }],
      [additionalProducts.removePicture, { id }],
    ] as const) {
      expect((await shop.ask(call, input)).statusCode).toBe(403)
      expect((await (await operator.hire(['settings', 'scan_admin'])).ask(call, input)).statusCode).toBe(403)
    }
  })

  it('is seen by the shops whose orders get it', async () => {
    const { id } = await make({ company_ids: [elementAt(operator.shops, 1).id] })
    await expect(shop.send(additionalProducts.get, { id })).rejects.toMatchObject({ status: 404, code: 'additional_product_not_found' })
    expect((await shop.send(additionalProducts.list, {})).rows).toEqual([])
    expect((await main.send(additionalProducts.list, { company: elementAt(operator.shops, 1).id })).rows).toHaveLength(1)
    expect((await main.send(additionalProducts.list, { company: elementAt(operator.shops, 0).id })).rows).toEqual([])
  })

  it('is changed by its version, and keeps the stock that orders have left where none is sent', async () => {
    const made = await make({ stock_left: 5 })
    await storeOne()
    const body = { name: 'Tea sample', conditions: everyOrder, version: made.version }
    expect(await main.send(additionalProducts.update, { id: made.id, body })).toMatchObject({
      name: 'Tea sample',
      stock_left: 4,
      version: 2,
    })
    await expect(main.send(additionalProducts.update, { id: made.id, body })).rejects.toMatchObject({
      status: 409,
      code: 'settings_changed',
      current: { version: 2 },
    })
    const counted = await main.send(additionalProducts.update, { id: made.id, body: { ...body, version: 2, stock_left: 50 } })
    expect(counted.stock_left).toBe(50)
  })

  it('is refused with conditions that cannot be read, a scan without a barcode, a value without a currency and a last day before the first', async () => {
    await expect(make({ conditions: { v: 1, all: [{ field: 'order.weight', op: 'contains', value: 1 }] } })).rejects.toMatchObject({
      status: 422,
      code: 'rule_invalid',
    })
    for (const [over, field] of [
      [{ handling: 'scan' }, 'barcode'],
      [{ value: 100 }, 'value'],
      [{ valid_from: '2026-12-24', valid_to: '2026-12-01' }, 'valid_to'],
    ] as const)
      await expect(make(over)).rejects.toMatchObject({ status: 400, fields: { [field]: expect.any(String) } })
    await expect(make({ company_ids: [999_999] })).rejects.toMatchObject({ code: 'company_unknown' })
  })

  it('is refused with a barcode that a product, a box or another one has', async () => {
    await buildProduct(testApp.services, scopeOfCompany(operator, elementAt(operator.shops, 0)), {
      sku: 'CUP',
      name: 'Cup',
      barcodes: ['2000000000015'],
    })
    await expect(make({ barcode: '2000000000015' })).rejects.toMatchObject({
      status: 409,
      code: 'barcode_known',
      message: '2000000000015 is the barcode of Cup',
    })
    const { id } = await make({ barcode: 'sample-1' })
    await expect(make({ barcode: 'SAMPLE-1' })).rejects.toMatchObject({ code: 'barcode_known' })
    await main.send(additionalProducts.remove, { id })
    expect((await make({ barcode: 'SAMPLE-1' })).barcode).toBe('SAMPLE-1')
  })

  it('for a country behind a customs border needs an HS code and a value', async () => {
    await expect(make({ conditions: to('SE', 'NO') })).rejects.toMatchObject({ status: 422, code: 'abroad_needs_customs' })
    await expect(make({ conditions: to('NO'), hs_code: '3304' })).rejects.toMatchObject({ code: 'abroad_needs_customs' })
    expect(await make({ conditions: to('NO'), hs_code: '3304', value: 500, currency: 'DKK' })).toMatchObject({ hs_code: '3304' })
    expect(await make({ conditions: to('SE') })).toMatchObject({ hs_code: null })
    const notNorway = { v: 1 as const, all: [{ not: to('NO').all[0]! }] }
    expect(await make({ conditions: notNorway })).toMatchObject({ hs_code: null })
  })

  it('has a picture, drawn anew', async () => {
    const { id } = await make()
    await expect(main.send(additionalProducts.picture, { id })).rejects.toMatchObject({ code: 'additional_product_has_no_picture' })
    const upload = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#c33' } })
      .png()
      .toBuffer()
    expect((await main.ask(additionalProducts.setPicture, { id, upload })).statusCode).toBe(200)
    expect(await main.send(additionalProducts.get, { id })).toMatchObject({ has_image: true, version: 2 })
    const picture = await shop.ask(additionalProducts.picture, { id })
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 800 })
    expect(await main.send(additionalProducts.removePicture, { id })).toMatchObject({ has_image: false })
  })

  it('is found by name and barcode, filtered, sorted and exported', async () => {
    await make({ name: 'Flyer', position: 2, active: false, handling: 'show' })
    await make({ name: 'Gift', position: 1, barcode: 'GIFT-1', handling: 'scan', stock_left: 0 })
    const list = async (asked: object) => (await main.send(additionalProducts.list, asked)).rows.map(row => row.name)
    expect(await list({})).toEqual(['Gift', 'Flyer'])
    expect(await list({ sort: 'name' })).toEqual(['Flyer', 'Gift'])
    expect(await list({ query: 'gift-1' })).toEqual(['Gift'])
    expect(await list({ active: 'false' })).toEqual(['Flyer'])
    expect(await list({ handling: 'scan' })).toEqual(['Gift'])
    expect(await list({ stock: 'out' })).toEqual(['Gift'])
    expect((await main.send(additionalProducts.export, { query: 'fly' })).bytes.toString()).toContain('Flyer,,order,1,show')
  })
})

describe('an order', () => {
  it('gets what it meets once it is ready, marked as added, and nothing else', async () => {
    await make({ name: 'Danish flyer', conditions: to('DK') })
    await make({ name: 'Swedish flyer', conditions: to('SE') })
    await make({ name: 'Old flyer', active: false })
    const id = await storeOne()
    expect(await names(id)).toEqual(['planned 1 × Danish flyer'])
    expect(await timeline(id)).toContain('Added by a rule: {{qty}} × {{name}}')
    expect((await office.send(orders.get, { id })).lines.map(line => line.name)).toEqual(['Tent'])
  })

  it('gets it when it is released, where it came as new', async () => {
    const { id: product } = await make({ stock_left: 3 })
    const id = await storeOne({ order_no: 'PAID', payment_status: 'pending' })
    expect(await names(id)).toEqual([])
    expect(await stockOf(product)).toBe(3)
    expect((await office.send(orders.setState, { id, state: 'ready' }).catch(error => error)).status ?? 0).toBe(409)
    await store([{ order_no: 'PAID' }])
    expect(await names(id)).toEqual(['planned 1 × Sample'])
    expect(await stockOf(product)).toBe(2)
  })

  it('that the shop sends again keeps it, neither twice nor as a change', async () => {
    const { id: product } = await make({ stock_left: 9 })
    const id = await storeOne({ order_no: 'AGAIN' })
    await store([{ order_no: 'AGAIN' }])
    await store([{ order_no: 'AGAIN', notes: [{ type: 'info', text: 'Call first' }] }])
    expect(await names(id)).toEqual(['planned 1 × Sample'])
    expect(await stockOf(product)).toBe(8)
    const order = await office.send(orders.get, { id })
    expect(order.item_count).toBe(2)
    expect((await timeline(id)).filter(text => text.startsWith('Added'))).toHaveLength(1)
  })

  it('that no longer meets the rule before it is picked loses it, and the stock gets it back', async () => {
    const heavy = { v: 1 as const, all: [{ field: 'order.item_count', op: 'gte', value: 2 }] }
    const { id: product } = await make({ conditions: heavy, stock_left: 5, qty: 2 })
    const id = await storeOne({ order_no: 'FEWER' })
    expect(await stockOf(product)).toBe(3)
    const line = { external_id: '1', sku: 'TENT', name: 'Tent', qty: 1, weight_g: 500, unit_price_incl_vat: '100.00' }
    await store([{ order_no: 'FEWER', lines: [line] }])
    expect(await names(id)).toEqual([])
    expect(await stockOf(product)).toBe(5)
    expect(await timeline(id)).toContain('No longer added: {{qty}} × {{name}}')
  })

  it('that is cancelled gives it back', async () => {
    const { id: product } = await make({ stock_left: 1 })
    const id = await storeOne({ order_no: 'BACK' })
    expect(await stockOf(product)).toBe(0)
    await cancel(id)
    expect(await names(id)).toEqual([])
    expect(await stockOf(product)).toBe(1)
  })

  it('gets the last piece only once, however many come at the same moment', async () => {
    const { id: product } = await make({ stock_left: 3 })
    const ids = (await Promise.all(Array.from({ length: 6 }, () => store([{}, {}])))).flat()
    const got = await Promise.all(ids.map(names))
    expect(got.filter(one => one.length === 1)).toHaveLength(3)
    expect(await stockOf(product)).toBe(0)
  })

  it('of the same customer gets it once, however many come at the same moment', async () => {
    await make({ per: 'customer' })
    const email = 'once@example.test'
    const [first] = await store([{ ship_to: { email } }])
    expect(await names(first!)).toEqual(['planned 1 × Sample'])
    await cancel(first!)
    const ids = (await Promise.all(Array.from({ length: 5 }, () => store([{ ship_to: { email } }, { ship_to: { email } }])))).flat()
    const got = await Promise.all(ids.map(names))
    expect(got.flat()).toEqual(['planned 1 × Sample'])
  })

  it('without a customer does not get what goes to each customer once', async () => {
    await make({ per: 'customer' })
    expect(await names(await storeOne({ ship_to: { name: '', email: null } }))).toEqual([])
  })

  it('that passes customs does not get what has no HS code, and says so', async () => {
    const { id: product, version } = await make({ stock_left: 4 })
    const id = await storeOne({ order_no: 'OSLO', ship_to: { country: 'NO', postcode: '0150', city: 'Oslo' } })
    expect(await names(id)).toEqual(['blocked 1 × Sample'])
    expect(await stockOf(product)).toBe(4)
    const body = { name: 'Sample', conditions: everyOrder, version, hs_code: '3304', value: 500, currency: 'DKK' }
    await main.send(additionalProducts.update, { id: product, body })
    await store([{ order_no: 'OSLO', ship_to: { country: 'NO', postcode: '0150', city: 'Oslo', address1: 'Ny vei 1' } }])
    expect(await names(id)).toEqual(['planned 1 × Sample'])
    expect(await stockOf(product)).toBe(3)
  })

  it('gets it within the days in which it is given, and from the companies to which it is offered', async () => {
    await make({ name: 'Past', valid_to: '2020-01-01' })
    await make({ name: 'Later', valid_from: '2999-01-01' })
    await make({ name: 'Now', valid_from: '2020-01-01', valid_to: '2999-01-01' })
    await make({ name: 'Of the shop', company_ids: [elementAt(operator.shops, 0).id] })
    expect(await names(await storeOne())).toEqual(['planned 1 × Now'])
    const [id] = await store([{}], elementAt(operator.shops, 0))
    expect((await names(id!)).toSorted()).toEqual(['planned 1 × Now', 'planned 1 × Of the shop'])
  })

  it('loses what is removed, and keeps what it has when the rule is changed while it is picked', async () => {
    const one = await make({ name: 'One', stock_left: 3 })
    const id = await storeOne()
    await main.send(additionalProducts.remove, { id: one.id })
    expect(await names(id)).toEqual([])
    await expect(main.send(additionalProducts.remove, { id: one.id })).rejects.toMatchObject({ status: 404 })
    await expect(main.send(additionalProducts.get, { id: one.id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the preview', () => {
  it('looks at the orders of all companies, or of those to which it is offered', async () => {
    await store([{}, {}])
    await store([{}], elementAt(operator.shops, 0))
    const met = async (company_ids: number[] | null) =>
      (await main.send(rulePreviews.preview, { body: { kind: 'additional_product', rule: everyOrder, company_ids } })).preview?.open_now
    expect(await met(null)).toBe(3)
    expect(await met([elementAt(operator.shops, 0).id])).toBe(1)
    expect((await shop.send(rulePreviews.preview, { body: { kind: 'additional_product', rule: everyOrder } })).preview?.open_now).toBe(1)
  })
})
