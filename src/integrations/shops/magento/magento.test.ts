/** What is particular to Magento: items inside items, what its numbers mean, and what it ships. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import type { FulfilmentFact, PushedParcel } from '../shop-connector.ts'
import { accessTo } from '../shop-server.fake.ts'
import { type FakeMagento, magentoItem, magentoOrder, openFakeMagento } from './magento.fake.ts'
import { magento } from './magento.ts'
import { type MagentoOptions, readMagentoOrder } from './magento-order.ts'

const read = (over: Record<string, unknown> = {}, options: MagentoOptions = {}): CanonicalOrder => {
  const { order, problems } = readMagentoOrder(magentoOrder(over), options)
  if (!order) throw new Error(JSON.stringify(problems))
  return order
}

describe('an order of Magento', () => {
  it.each([
    ['new', {}, 'new'],
    ['pending_payment', {}, 'new'],
    ['processing', {}, 'ready'],
    ['complete', {}, 'closed'],
    ['canceled', {}, 'cancelled'],
    ['closed', {}, 'cancelled'],
    ['holded', {}, 'held'],
    ['payment_review', {}, 'held'],
    ['invented_by_a_module', {}, 'held'],
    ['new', { packUnpaid: true }, 'ready'],
    ['pending_payment', { packUnpaid: true }, 'new'],
  ])('in the state %s is, with %j, %s', (state, options, ours) => {
    expect(read({ state, status: 'renamed_by_the_shop' }, options).status).toBe(ours)
  })

  it('that was refunded after it was sent stays sent', () => {
    expect(read({ state: 'closed', items: [magentoItem({ item_id: 1, qty_shipped: 2, qty_refunded: 2 })] })).toMatchObject({
      status: 'closed',
      lines: [{ qty: '2' }, {}],
    })
  })

  it.each([
    [{ total_paid: 139, total_due: 0 }, 'paid'],
    [{ total_paid: 100, total_due: 39 }, 'partially_paid'],
    [{ total_paid: 139, total_refunded: 20 }, 'partially_refunded'],
    [{ total_paid: 139, total_refunded: 139 }, 'refunded'],
    [{ total_paid: null, payment: { amount_authorized: 139 } }, 'authorized'],
    [{ total_paid: null, payment: {} }, 'pending'],
    [{ total_paid: null, payment: {}, state: 'canceled' }, 'voided'],
  ])('with %j is %s', (over, payment) => {
    expect(read(over).payment_status).toBe(payment)
  })

  it('has times in UTC, for any time zone of this machine', () => {
    expect(read()).toMatchObject({ ordered_at: '2026-11-10T10:30:00.000Z', version: Date.parse('2026-11-10T10:31:12Z') })
  })

  it('is one line for a product with options: the variant, under the id by which it is shipped', () => {
    const { lines } = read({
      items: [
        magentoItem({ item_id: 1, product_type: 'configurable', sku: 'SHIRT-L', name: 'Shirt' }),
        magentoItem({ item_id: 2, parent_item_id: 1, sku: 'SHIRT-L', name: 'Shirt-L', price: 0, price_incl_tax: 0 }),
      ],
    })
    expect(lines.filter(line => line.type === 'item')).toMatchObject([
      { external_id: '1', sku: 'SHIRT-L', name: 'Shirt', variant: 'Shirt-L', unit_price_excl_vat: '40', requires_shipping: true },
    ])
  })

  it('has the parts of a bundle as lines to pack, and the bundle as a name', () => {
    const { lines } = read({
      items: [
        magentoItem({ item_id: 1, product_type: 'bundle', name: 'Gift box' }),
        magentoItem({ item_id: 2, parent_item_id: 1, qty_ordered: 4 }),
        magentoItem({ item_id: 3, product_type: 'downloadable', is_virtual: 1 }),
      ],
    })
    expect(lines.slice(0, 3).map(line => [line.external_id, line.bundle_of, line.requires_shipping])).toEqual([
      ['1', null, false],
      ['2', '1', true],
      ['3', null, false],
    ])
  })

  it('does not change when goods are sent, and is less what was cancelled or refunded', () => {
    expect(read({ items: [magentoItem({ item_id: 1, qty_shipped: 1 })] }).lines[0]?.qty).toBe('2')
    expect(read({ items: [magentoItem({ item_id: 1, qty_canceled: 1 })] }).lines[0]?.qty).toBe('1')
    expect(
      read({ items: [magentoItem({ item_id: 1 }), magentoItem({ item_id: 2, qty_refunded: 2 })] }).lines.filter(
        line => line.type === 'item',
      ),
    ).toHaveLength(1)
  })

  it('has the discount without the VAT that it saves', () => {
    const order = read({
      items: [magentoItem({ item_id: 1, discount_amount: 10, discount_tax_compensation_amount: 2 })],
      grand_total: null,
    })
    expect(order.lines[0]).toMatchObject({ discount_excl_vat: '8' })
    expect(toOrder(order).totals).toMatchObject({ excl_vat: 10_320, incl_vat: 12_900 })
  })

  it('has weights only in a unit that is known', () => {
    expect(read().lines[0]?.weight_g).toBeNull()
    expect(read({}, { weightUnit: 'kg' }).lines[0]?.weight_g).toBe(200)
    expect(read({}, { weightUnit: 'lb' }).lines[0]?.weight_g).toBe(91)
  })

  it('without an address of its own goes to the billing address', () => {
    expect(read({ extension_attributes: {} }).ship_to).toMatchObject({ name: 'Lene Hansen', country: 'DK' })
  })
})

describe('a push to Magento', () => {
  let shop: FakeMagento
  beforeEach(async () => {
    shop = await openFakeMagento()
  })
  afterEach(() => shop.close())

  const parcel = (tracking_no: string, ...lines: [string, number][]): PushedParcel => ({
    tracking_no,
    tracking_url: null,
    courier_code: 'gls',
    courier_name: 'GLS Denmark',
    lines: lines.map(([external_id, qty]) => ({ external_id, sku: null, qty })),
  })
  const push = (one: PushedParcel, is_last: boolean) =>
    magento.push(accessTo(shop), {
      kind: 'fulfilment',
      key: one.tracking_no,
      external_id: '1',
      order_no: '000000001',
      refs: [],
      parcel: one,
      parcels: [one],
      is_last,
      notify_customer: false,
    } satisfies FulfilmentFact)

  it('ships a bundle once, with its first parcel, and adds the number of the second', async () => {
    shop.orders.push(
      magentoOrder({
        entity_id: 1,
        items: [
          magentoItem({ item_id: 1, product_type: 'bundle', qty_ordered: 1 }),
          magentoItem({ item_id: 2, parent_item_id: 1, qty_ordered: 3 }),
          magentoItem({ item_id: 3, parent_item_id: 1, qty_ordered: 1 }),
        ],
      }),
    )
    expect(await push(parcel('T1', ['2', 3]), false)).toMatchObject({ kind: 'done' })
    expect(await push(parcel('T2', ['3', 1]), true)).toMatchObject({ kind: 'done' })
    expect(shop.shipments).toMatchObject([
      { items: [{ order_item_id: 1, qty: 1 }], tracks: [{ track_number: 'T1' }, { track_number: 'T2' }] },
    ])
  })

  it('sends no more of an item than remains there', async () => {
    shop.orders.push(magentoOrder({ entity_id: 1, items: [magentoItem({ item_id: 1, qty_shipped: 1 }), magentoItem({ item_id: 2 })] }))
    expect(await push(parcel('T1', ['1', 2], ['2', 2]), true)).toMatchObject({ kind: 'done', status: 'complete' })
    expect(shop.shipments[0]?.items).toEqual([
      { order_item_id: 1, qty: 1 },
      { order_item_id: 2, qty: 2 },
    ])
  })

  it('is refused when the shop has nothing left to send', async () => {
    shop.orders.push(magentoOrder({ entity_id: 1, items: [magentoItem({ item_id: 1, qty_canceled: 2 })] }))
    expect(await push(parcel('T1', ['1', 2]), true)).toEqual({ kind: 'refused', words: 'The shop has nothing left to send of this order' })
  })

  it('is refused with the words of the shop when a sent order is to be cancelled', async () => {
    shop.orders.push(magentoOrder({ entity_id: 1, state: 'complete' }))
    expect(await magento.push(accessTo(shop), { kind: 'cancellation', key: 'c', external_id: '1', order_no: '1', refs: [] })).toEqual({
      kind: 'refused',
      words: 'The shop does not let this order be cancelled',
    })
  })

  it('that is refused says the words of the shop with their values', async () => {
    const access = accessTo(shop, { credentials: { access_token: 'wrong' } })
    await expect(magento.test(access)).rejects.toThrow("The consumer isn't authorized to access Magento_Sales::actions_view.")
  })
})
