/** What is particular to Vendure: amounts in minor units, refusals that come with the status 200, and quantities that a cancellation empties. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { accessTo } from '../shop-server.fake.ts'
import { type FakeVendure, openFakeVendure, vendureLine, vendureOrder } from './vendure.fake.ts'
import { vendure } from './vendure.ts'
import { readVendureOrder, type VendureOptions } from './vendure-order.ts'

const read = (over: Record<string, unknown> = {}, options: VendureOptions = {}): CanonicalOrder => {
  const { order, problems } = readVendureOrder(vendureOrder(over), options)
  if (!order) throw new Error(JSON.stringify(problems))
  return order
}

describe('an order of Vendure', () => {
  it.each([
    ['PaymentAuthorized', 'new'],
    ['PaymentSettled', 'ready'],
    ['PartiallyShipped', 'ready'],
    ['Shipped', 'closed'],
    ['PartiallyDelivered', 'closed'],
    ['Delivered', 'closed'],
    ['Cancelled', 'cancelled'],
    ['Modifying', 'held'],
  ])('in the state %s is %s', (state, ours) => {
    expect(read({ state }).status).toBe(ours)
  })

  it.each([
    [2, '40', '139'],
    [3, '4', '13.9'],
    [0, '4000', '13900'],
  ])('has amounts with %i decimals, whatever its currency has', (decimals, price, total) => {
    for (const currencyCode of ['DKK', 'JPY']) {
      const order = read({ currencyCode }, { decimals })
      expect([order.lines[0]?.unit_price_excl_vat, order.totals?.incl_vat]).toEqual([price, total])
    }
  })

  it('has its discounts in the lines that they reduce', () => {
    const order = read({ lines: [vendureLine({ id: '1', proratedLinePrice: 7_200 })], totalWithTax: null })
    expect(order.lines[0]).toMatchObject({ unit_price_excl_vat: '40', discount_excl_vat: '8' })
    expect(toOrder(order).totals).toMatchObject({ excl_vat: 10_320, incl_vat: 12_900 })
  })

  it('has charges beside the goods, and a negative one as a discount', () => {
    const surcharges = [
      { id: '1', description: 'Gift wrapping', price: 400, taxRate: 25 },
      { id: '2', description: 'Regret', price: -400, taxRate: 25 },
    ]
    expect(read({ surcharges }).lines.slice(1, 3)).toMatchObject([
      { type: 'fee', unit_price_excl_vat: '4' },
      { type: 'discount', unit_price_excl_vat: '-4' },
    ])
  })

  it('without a name in its address is sent to the customer', () => {
    const shippingAddress = { fullName: null, streetLine1: 'Vestergade 1', city: 'Odense', postalCode: '5000', countryCode: 'DK' }
    expect(read({ shippingAddress }).ship_to).toMatchObject({ name: 'Lene Hansen', address1: 'Vestergade 1', phone: '12 34 56 78' })
  })
})

describe('the connection to Vendure', () => {
  let shop: FakeVendure
  beforeEach(async () => {
    shop = await openFakeVendure()
  })
  afterEach(() => shop.close())
  const parcel = (qty: number, line: string) => ({
    tracking_no: 'TRACK1',
    tracking_url: null,
    courier_code: 'gls',
    courier_name: 'GLS',
    lines: [{ external_id: line, sku: null, qty }],
  })
  const fact = (id: string, line: string, qty = 1) =>
    ({
      kind: 'fulfilment',
      key: 'f',
      external_id: id,
      order_no: id,
      refs: [],
      parcel: parcel(qty, line),
      parcels: [],
      is_last: false,
      notify_customer: false,
    }) as const

  it('keeps its token until the shop has forgotten it, and asks how many decimals amounts have', async () => {
    shop.precision = 3
    const { id } = shop.place()
    const access = accessTo(shop)
    expect(await vendure.get(access, id)).toMatchObject({ order: { totals: { incl_vat: '13.9' } } })
    await vendure.get(access, id)
    expect(shop.logins).toBe(1)
    shop.tokens.clear()
    expect(await vendure.get(access, id)).toMatchObject({ external_id: id })
    expect(shop.logins).toBe(2)
  })

  it('says in the words of the shop why it does not take a parcel', async () => {
    const { id, lines } = shop.place()
    expect(await vendure.push(accessTo(shop), fact(id, lines[0], 9))).toEqual({
      kind: 'refused',
      words: 'One or more OrderItems are already part of a Fulfillment',
    })
  })

  it('goes on with a fulfilment that was made and not yet shipped', async () => {
    const { id, lines } = shop.place()
    ;(shop.orders[0]!.fulfillments as object[]).push({
      id: '900',
      state: 'Pending',
      trackingCode: 'TRACK1',
      lines: [{ orderLineId: lines[0], quantity: 1 }],
    })
    expect(await vendure.push(accessTo(shop), fact(id, lines[0]))).toMatchObject({
      kind: 'done',
      status: 'PartiallyShipped',
      refs: [{ external_id: '900' }],
    })
    expect(shop.parcels(id)).toEqual([`TRACK1 ${lines[0]}×1`])
  })

  it('finds what happened to an order whose own time stays as it was', async () => {
    const { id } = shop.place()
    const other = shop.place()
    const before = shop.orders[0]?.updatedAt
    const from = shop.clock.tick()
    shop.cancel(id)
    expect(shop.orders[0]?.updatedAt).toBe(before)
    const { rows } = await vendure.pull(accessTo(shop), { by: 'changed', from, to: null, page: null })
    expect(rows).toMatchObject([{ external_id: id, order: { status: 'cancelled' } }])
    expect(rows.some(row => row.external_id === other.id)).toBe(false)
  })

  it('leaves out baskets, and says of one that is asked for that nothing was ordered', async () => {
    shop.orders.push(vendureOrder({ id: '1', state: 'AddingItems' }))
    expect((await vendure.pull(accessTo(shop), { by: 'changed', from: '2026-11-10T00:00:00Z', to: null, page: null })).rows).toEqual([])
    expect(await vendure.get(accessTo(shop), '1')).toMatchObject({ kind: 'ignored', words: 'The customer has not ordered yet' })
  })
})
