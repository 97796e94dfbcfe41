/** Shopify orders as that shop sends them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { shipped } from '#domain/order/order-warnings.ts'
import { shopifyDelivery, shopifyLine, shopifyOrder } from './shopify.fake.ts'
import { readShopifyDelivery, readShopifyOrder, type ShopifyOptions, shopifyHeaders } from './shopify.ts'

const secret = 'shpss_invented_secret'
const read = (over: Record<string, unknown> = {}, options: ShopifyOptions = {}): CanonicalOrder => {
  const { order, problems } = readShopifyOrder(shopifyOrder(over), options)
  if (!order) throw new Error(JSON.stringify(problems))
  return order
}
const items = (order: CanonicalOrder) => order.lines.filter(line => line.type === 'item').map(line => line.qty)

describe('a Shopify order', () => {
  it('has its long id and its name', () => {
    const order = read({ id: 5_940_139_491_234, name: '#1001' })
    expect([order.external_id, order.order_no]).toEqual(['5940139491234', '#1001'])
    expect(read({ name: '', order_number: 17 }).order_no).toBe('17')
  })

  it('has prices with or without VAT, as the shop sends them', () => {
    const included = read()
    expect(included.lines[0]).toMatchObject({ unit_price_incl_vat: '1000', unit_price_excl_vat: null, vat_percent: '25', weight_g: 200 })
    expect(toOrder(included)).toMatchObject({ totals: { incl_vat: 203_900, vat: 40_780, excl_vat: 163_120 } })
    expect(read({ taxes_included: false }).lines[0]).toMatchObject({ unit_price_excl_vat: '1000', unit_price_incl_vat: null })
  })

  it('sums its taxes without floating-point noise', () => {
    const tax = (rate: number) => ({ rate, price: '1.00', title: 'x' })
    expect(read({ line_items: [shopifyLine({ tax_lines: [tax(0.07)] })] }).lines[0]?.vat_percent).toBe('7')
    expect(read({ line_items: [shopifyLine({ tax_lines: [tax(0.05), tax(0.09975)] })] }).lines[0]?.vat_percent).toBe('14.975')
    expect(read({ line_items: [shopifyLine({ tax_lines: [] })] }).lines[0]?.vat_percent).toBe('0')
  })

  it('has the quantities still to be sent, not those ordered', () => {
    expect(
      items(
        read({
          line_items: [
            shopifyLine({ quantity: 5, current_quantity: 4, fulfillable_quantity: 3 }),
            shopifyLine({ quantity: 2, fulfillable_quantity: 0, current_quantity: 0 }),
          ],
        }),
      ),
    ).toEqual(['3'])
  })

  it('of an older API version subtracts its refunds', () => {
    const line = shopifyLine({ id: 9, quantity: 3, fulfillable_quantity: undefined, current_quantity: undefined })
    expect(
      items(read({ line_items: [line, shopifyLine()], refunds: [{ id: 1, refund_line_items: [{ line_item_id: 9, quantity: 1 }] }] })),
    ).toEqual(['2', '2'])
  })

  it('spreads a discount over what is left of a line', () => {
    const line = shopifyLine({
      quantity: 4,
      current_quantity: 2,
      fulfillable_quantity: 2,
      discount_allocations: [{ amount: '100.00' }, { amount: '25.00' }],
    })
    expect(read({ line_items: [line] }).lines[0]?.discount_excl_vat).toBe('50')
    expect(read({ taxes_included: false, line_items: [line] }).lines[0]?.discount_excl_vat).toBe('62.5')
  })

  it('packs no services, gift cards or tips', () => {
    const order = read({
      line_items: [
        shopifyLine(),
        shopifyLine({ title: 'Assembly', requires_shipping: false }),
        shopifyLine({ title: 'Gift card', gift_card: true, requires_shipping: false }),
        shopifyLine({ title: 'Tip', product_id: null, requires_shipping: false, quantity: 1 }),
      ],
    })
    expect(order.lines.map(line => [line.type, line.requires_shipping])).toEqual([
      ['item', true],
      ['item', false],
      ['gift_card', false],
      ['fee', false],
      ['shipping', false],
    ])
    expect(shipped(toOrder(order))).toHaveLength(1)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['paid', {}, 'ready'],
    ['authorized', { financial_status: 'authorized' }, 'ready'],
    ['pending', { financial_status: 'pending' }, 'new'],
    ['partially paid', { financial_status: 'partially_paid' }, 'new'],
    ['voided', { financial_status: 'voided' }, 'held'],
    ['refunded', { financial_status: 'refunded' }, 'cancelled'],
    ['cancelled', { cancelled_at: '2026-11-10T12:00:00+01:00' }, 'cancelled'],
    ['fulfilled', { fulfillment_status: 'fulfilled' }, 'closed'],
    ['partially fulfilled', { fulfillment_status: 'partial' }, 'ready'],
    ['emptied by an edit', { line_items: [shopifyLine({ current_quantity: 0, fulfillable_quantity: 0 })] }, 'cancelled'],
    ['held back by the shop', { line_items: [shopifyLine({ fulfillable_quantity: 0 })] }, 'held'],
  ])('that is %s is read so', (_, over, status) => {
    const order = read(over)
    expect(order.status).toBe(status)
    expect(items(order)).toEqual(['2'])
  })

  it('may be packed unpaid where the shop allows it', () => {
    expect(read({ financial_status: 'pending' }, { packUnpaid: true }).status).toBe('ready')
  })

  it('has its tags from one string, and marks a test order', () => {
    expect(read({ tags: ' a,b c , ,d', test: true }).tags).toEqual(['test', 'a', 'b c', 'd'])
    expect(read({ tags: '' }).tags).toEqual([])
  })

  it('has what the customer wrote on a product, and no empty variant', () => {
    const line = read({
      line_items: [
        shopifyLine({
          variant_title: 'Default Title',
          properties: [
            { name: 'Engraving', value: 'LH' },
            { name: '_internal', value: 'x' },
            { name: 'Pages', value: 3 },
          ],
        }),
      ],
    }).lines[0]
    expect(line).toMatchObject({ variant: null, custom: { Engraving: 'LH', Pages: '3' } })
  })

  it('without a shipping address goes to the billing address, else to the customer', () => {
    expect(read({ shipping_address: null }).ship_to.address1).toBe('Skibhusvej 52')
    expect(read({ shipping_address: null, billing_address: null }).ship_to.address1).toBe('Skibhusvej 52')
    expect(read({ shipping_address: null, billing_address: null, customer: null }, { country: 'DK' }).ship_to).toMatchObject({
      address1: '',
      country: 'DK',
    })
  })

  it('has the parcel shop that an app writes into the note attributes', () => {
    const note_attributes = [
      { name: 'pickup', value: '95558' },
      { name: 'gclid', value: 'x' },
    ]
    const order = read({ note_attributes }, { pickupKeys: { id: 'pickup' } })
    expect(order.service_point?.id).toBe('95558')
    expect(order.attributes).toMatchObject({ gclid: 'x', pickup: '95558' })
  })

  it('is read or refused without an exception, for any field values', () => {
    const keys = Object.keys(shopifyOrder())
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), fc.jsonValue(), (over, line) => {
        const { order, problems } = readShopifyOrder(
          shopifyOrder({
            ...over,
            line_items: over.line_items ?? [line, shopifyLine({ properties: line, price: line, discount_allocations: line })],
          }),
        )
        expect((order === undefined) !== (problems === undefined)).toBe(true)
        if (order) toOrder(order)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a Shopify delivery', () => {
  const deliver = (body: unknown, topic?: string) => {
    const { raw, headers } = shopifyDelivery(body, { secret, webhookId: 'w1', ...(topic && { topic }) })
    return readShopifyDelivery(raw, headers, secret)
  }

  it('contains an order and the id that identifies repeats', () => {
    for (const topic of ['orders/create', 'orders/updated', 'orders/paid', 'ORDERS_CREATE', 'ORDERS_UPDATED'])
      expect(deliver(shopifyOrder({ id: 5 }), topic)).toMatchObject({ kind: 'order', delivery_id: 'w1', order: { external_id: '5' } })
  })

  it('signed with the secret before the last rotation is accepted', () => {
    const { raw, headers } = shopifyDelivery(shopifyOrder(), { secret })
    expect(readShopifyDelivery(raw, headers, ['new', secret]).kind).toBe('order')
  })

  it('with another signature is forged', () => {
    const { raw, headers } = shopifyDelivery(shopifyOrder(), { secret: 'guess' })
    expect(readShopifyDelivery(raw, headers, secret)).toEqual({ kind: 'forged' })
  })

  it('has headers with and without x-', () => {
    expect(shopifyHeaders({ 'shopify-topic': 'orders/create', 'shopify-hmac-sha256': 's', 'shopify-webhook-id': 'w' })).toMatchObject({
      topic: 'orders/create',
      signature: 's',
      delivery_id: 'w',
    })
    expect(shopifyHeaders({ 'x-shopify-topic': 'CUSTOMERS_DATA_REQUEST' }).topic).toBe('customers/data_request')
    expect(shopifyHeaders({ 'x-shopify-topic': 'ORDERS_PARTIALLY_FULFILLED' }).topic).toBe('orders/partially_fulfilled')
  })

  it('of a cancellation cancels, also with an older snapshot', () => {
    expect(deliver(shopifyOrder(), 'orders/cancelled')).toMatchObject({ kind: 'order', order: { status: 'cancelled' } })
  })

  it('of a deleted order contains only its id', () => {
    expect(deliver({ id: 5 }, 'orders/delete')).toEqual({ kind: 'removed', delivery_id: 'w1', external_id: '5' })
  })

  it('about personal data is passed to a person', () => {
    expect(deliver({ shop_id: 1, customer: { id: 2 }, orders_to_redact: [3, 4] }, 'customers/redact')).toEqual({
      kind: 'privacy',
      delivery_id: 'w1',
      topic: 'customers/redact',
      external_ids: ['3', '4'],
      customer_external_id: '2',
    })
  })

  it('of an order with nothing to ship, or of another topic, is ignored with a sentence', () => {
    expect(deliver(shopifyOrder({ name: '#9', line_items: [shopifyLine({ gift_card: true, requires_shipping: false })] }))).toMatchObject({
      kind: 'ignored',
      text: 'Order {{order_no}} has nothing to ship',
      values: { order_no: '#9' },
    })
    expect(deliver({ id: 1 }, 'products/update')).toMatchObject({ kind: 'ignored', values: { topic: 'products/update' } })
    expect(deliver({ order_edit: { id: 1 } }, 'orders/edited')).toMatchObject({ kind: 'ignored' })
  })

  it('that is signed but is no order is refused with a sentence', () => {
    expect(deliver({})).toMatchObject({ kind: 'refused', problems: [{ text: 'The body is not an order: it has no id' }] })
  })
})
