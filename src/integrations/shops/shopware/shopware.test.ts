/** What is particular to Shopware: prices with or without VAT, three states, a token that ends, and orders that were never changed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import type { ReadingOptions } from '../order-parts.ts'
import { accessTo } from '../shop-server.fake.ts'
import { type FakeShopware, openFakeShopware, shopwareAddress, shopwareLine, shopwareOrder } from './shopware.fake.ts'
import { shopware } from './shopware.ts'
import { readShopwareOrder } from './shopware-order.ts'

const state = (technicalName: string) => ({ stateMachineState: { technicalName } })
const read = (over: Record<string, unknown> = {}, options: ReadingOptions = {}): CanonicalOrder => {
  const { order, problems } = readShopwareOrder(shopwareOrder(over), options)
  if (!order) throw new Error(JSON.stringify(problems))
  return order
}
const delivery = (over: Record<string, unknown> = {}) => ({
  id: 'd',
  shippingCosts: { totalPrice: 39 },
  shippingOrderAddress: shopwareAddress,
  ...state('open'),
  ...over,
})

describe('an order of Shopware', () => {
  it.each([
    ['open', 'open', 'paid', {}, 'ready', 'paid'],
    ['in_progress', 'shipped_partially', 'paid', {}, 'ready', 'paid'],
    ['open', 'open', 'authorized', {}, 'ready', 'authorized'],
    ['open', 'open', 'open', {}, 'new', 'pending'],
    ['open', 'open', 'open', { packUnpaid: true }, 'ready', 'pending'],
    ['open', 'open', 'paid_partially', {}, 'new', 'partially_paid'],
    ['open', 'open', 'failed', {}, 'held', 'voided'],
    ['open', 'open', 'refunded', {}, 'cancelled', 'refunded'],
    ['open', 'shipped', 'paid', {}, 'closed', 'paid'],
    ['completed', 'shipped', 'refunded', {}, 'closed', 'refunded'],
    ['open', 'cancelled', 'paid', {}, 'cancelled', 'paid'],
    ['cancelled', 'open', 'cancelled', {}, 'cancelled', 'voided'],
    ['open', 'open', 'invented', {}, 'new', null],
  ])('with %s, %s and %s is, with %j, %s and %s', (order, sent, paid, options, status, payment_status) => {
    const over = { ...state(order), deliveries: [delivery(state(sent))], transactions: [state(paid)] }
    expect(read(over, options)).toMatchObject({ status, payment_status })
  })

  it('is paid as its newest attempt to pay is', () => {
    const attempts = [
      { createdAt: '2026-11-10T10:35:00Z', ...state('paid') },
      { createdAt: '2026-11-10T10:30:00Z', ...state('failed') },
    ]
    expect(read({ transactions: attempts }).payment_status).toBe('paid')
  })

  it.each([
    ['gross', { unit_price_incl_vat: '50', unit_price_excl_vat: null, vat_percent: '25' }],
    ['net', { unit_price_incl_vat: null, unit_price_excl_vat: '50', vat_percent: '25' }],
    ['tax-free', { unit_price_incl_vat: null, unit_price_excl_vat: '50', vat_percent: '0' }],
  ])('with the prices %s has them so', (taxStatus, line) => {
    expect(read({ taxStatus }).lines[0]).toMatchObject(line)
  })

  it('has the rate of a discount only where all goods have one', () => {
    const order = read({
      lineItems: [
        shopwareLine({ id: 'a' }),
        shopwareLine({
          id: 'b',
          type: 'promotion',
          label: 'Ten off',
          quantity: 1,
          unitPrice: -10,
          payload: {},
          price: { taxRules: [{ taxRate: 25 }, { taxRate: 7 }] },
        }),
      ],
    })
    expect(order.lines[1]).toMatchObject({
      type: 'discount',
      sku: null,
      vat_percent: null,
      unit_price_incl_vat: '-10',
      requires_shipping: false,
    })
    expect(toOrder(order).totals.incl_vat).toBe(13_900)
  })

  it('does not pack downloads, and knows the parts of a set', () => {
    const order = read({
      lineItems: [
        shopwareLine({ id: 'a' }),
        shopwareLine({ id: 'b', parentId: 'a' }),
        shopwareLine({ id: 'c', parentId: 'gone' }),
        shopwareLine({ id: 'd', states: ['is-download'] }),
      ],
    })
    expect(order.lines.slice(0, 4).map(line => [line.bundle_of, line.requires_shipping])).toEqual([
      [null, true],
      ['a', true],
      [null, true],
      [null, false],
    ])
  })

  it('takes the delivery with the goods, not the one of a discount on the shipping costs', () => {
    const order = read({
      deliveries: [
        delivery({ shippingCosts: { totalPrice: -39 }, shippingOrderAddress: {}, ...state('cancelled') }),
        delivery({ shippingMethod: { name: 'GLS Pakkeshop' } }),
      ],
    })
    expect(order).toMatchObject({ status: 'ready', shipping: { title: 'GLS Pakkeshop' }, ship_to: { city: 'Odense C' } })
  })

  it('that was never changed is as old as its creation', () => {
    expect(read().version).toBe(Date.parse('2026-11-10T10:30:00.120Z'))
    expect(read({ updatedAt: '2026-11-10T11:00:00.000+00:00' }).version).toBe(Date.parse('2026-11-10T11:00:00Z'))
  })
})

describe('the connection to Shopware', () => {
  let shop: FakeShopware
  beforeEach(async () => {
    shop = await openFakeShopware()
  })
  afterEach(() => shop.close())

  it('keeps its token until the shop refuses it, and then asks for one more', async () => {
    const { id } = shop.place()
    const access = accessTo(shop)
    for (let asked = 0; asked < 3; asked++) await shopware.get(access, id)
    expect(shop.logins).toBe(1)
    shop.tokens.clear()
    expect(await shopware.get(access, id)).toMatchObject({ external_id: id })
    expect(shop.logins).toBe(2)
  })

  it('reads changed orders and ones that were never changed in one order of time', async () => {
    const ids = Array.from({ length: 150 }, () => shop.place().id)
    for (const id of ids.filter((_, index) => index % 3 === 0)) shop.move(id, 'Vestergade 1')
    const times: string[] = []
    const seen = new Set<string>()
    let page: string | null = null
    do {
      const answer = await shopware.pull(accessTo(shop), { by: 'changed', from: '2026-11-10T00:00:00.000Z', to: null, page })
      for (const row of answer.rows) {
        times.push(row.changed_at)
        seen.add(row.external_id)
      }
      page = answer.next
    } while (page !== null)
    expect(seen.size).toBe(150)
    expect(times).toEqual(times.toSorted())
    expect(times.length).toBeLessThan(160)
  })

  it('adds a number to those that stand in the delivery', async () => {
    const { id, lines } = shop.place()
    const [own] = (shop.orders[0]?.deliveries ?? []) as Record<string, unknown>[]
    own!.trackingCodes = ['OTHER']
    const parcel = {
      tracking_no: 'TRACK1',
      tracking_url: null,
      courier_code: 'gls',
      courier_name: 'GLS',
      lines: [{ external_id: lines[0], sku: null, qty: 1 }],
    }
    const fact = {
      kind: 'fulfilment',
      key: 'f',
      external_id: id,
      order_no: id,
      refs: [],
      parcel,
      parcels: [parcel],
      is_last: false,
      notify_customer: false,
    } as const
    await shopware.push(accessTo(shop), fact)
    await shopware.push(accessTo(shop), fact)
    expect(shop.parcels(id)).toEqual(['OTHER', 'TRACK1'])
  })

  it('says in the words of the shop that a step is not possible', async () => {
    const { id } = shop.place()
    const fact = {
      kind: 'status_history',
      key: 'h',
      external_id: id,
      order_no: id,
      refs: [],
      status: 'completed',
      text: '',
      visible_to_customer: false,
      notify_customer: false,
    } as const
    await expect(shopware.push(accessTo(shop), fact)).rejects.toThrow('Illegal transition "complete" from state "open"')
    expect(await shopware.push(accessTo(shop), { ...fact, status: 'in_progress' })).toMatchObject({
      kind: 'done',
      status: 'in_progress/open',
    })
  })
})
