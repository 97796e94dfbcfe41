/** WooCommerce orders as that shop sends them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { isSigned, signatureOf } from './signature.ts'
import { wooDelivery, wooLine, wooOrder, wooPing } from './woocommerce.fake.ts'
import { readWooDelivery, readWooOrder, readWooPing, type WooOptions, wooHeaders } from './woocommerce.ts'

const secret = 'whs_invented_secret'
const read = (over: Record<string, unknown> = {}, options: WooOptions = {}): CanonicalOrder => {
  const { order, problems } = readWooOrder(wooOrder(over), options)
  if (!order) throw new Error(JSON.stringify(problems))
  return order
}

describe('the signature', () => {
  const raw = new TextEncoder().encode('{"id":1}')

  it('is that of RFC 4231 test case 2', () => {
    expect(Buffer.from(signatureOf(new TextEncoder().encode('what do ya want for nothing?'), 'Jefe'), 'base64').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  it('matches the raw body and one of the secrets', () => {
    expect(isSigned(raw, signatureOf(raw, secret), secret)).toBe(true)
    expect(isSigned(raw, signatureOf(raw, 'old'), [secret, 'old'])).toBe(true)
    expect(isSigned(raw, ` ${signatureOf(raw, secret)} `, secret)).toBe(true)
  })

  it.each([
    null,
    undefined,
    '',
    'x',
    'ø',
    signatureOf(raw, 'other'),
    `${signatureOf(raw, secret)}=`,
    signatureOf(raw, secret).slice(0, 10),
    'x'.repeat(10_000),
  ])('does not fit as %j', signature => {
    expect(isSigned(raw, signature, secret)).toBe(false)
  })

  it('does not match a body with one byte more, and an empty secret matches nothing', () => {
    expect(isSigned(new TextEncoder().encode('{"id":1} '), signatureOf(raw, secret), secret)).toBe(false)
    expect(isSigned(raw, signatureOf(raw, ''), '')).toBe(false)
    expect(isSigned(raw, signatureOf(raw, ''), [])).toBe(false)
  })
})

describe('a WooCommerce order', () => {
  it('is sent to the billing address where it names no other, with the billing phone', () => {
    expect(read().ship_to).toMatchObject({
      name: 'Lene Hansen',
      address1: 'Skibhusvej 52',
      postcode: '5000',
      country: 'DK',
      phone: '12 34 56 78',
      email: 'lene@example.test',
    })
    const elsewhere = read({
      shipping: {
        first_name: 'Ola',
        last_name: 'Nordmann',
        address_1: 'Storgata 1',
        city: 'Oslo',
        postcode: '0155',
        country: 'NO',
        phone: '',
      },
    })
    expect(elsewhere.ship_to).toMatchObject({
      name: 'Ola Nordmann',
      postcode: '0155',
      country: 'NO',
      phone: '12 34 56 78',
      email: 'lene@example.test',
    })
    expect(elsewhere.bill_to).toMatchObject({ name: 'Lene Hansen', country: 'DK' })
  })

  it('has a number that is not its id', () => {
    const order = read({ id: 4711, number: 'DK-2026-17' })
    expect([order.external_id, order.order_no]).toEqual(['4711', 'DK-2026-17'])
  })

  it('has GMT dates without Z, for any time zone of this machine or of the site', () => {
    expect(read()).toMatchObject({
      ordered_at: '2026-11-10T10:30:00.000Z',
      paid_at: '2026-11-10T10:31:12.000Z',
      version: Date.parse('2026-11-10T10:31:12Z'),
    })
    expect(read({ date_created_gmt: undefined }, { timeZone: 'Europe/Copenhagen' }).ordered_at).toBe('2026-11-10T10:30:00.000Z')
  })

  it('of a guest has no customer number', () => {
    expect(read().customer?.external_id).toBeNull()
    expect(read({ customer_id: 26 }).customer?.external_id).toBe('26')
  })

  it.each([
    ['pending', 'new'],
    ['processing', 'ready'],
    ['on-hold', 'held'],
    ['completed', 'closed'],
    ['cancelled', 'cancelled'],
    ['refunded', 'cancelled'],
    ['failed', 'new'],
    ['trash', 'cancelled'],
    ['wc-processing', 'ready'],
    ['awaiting-robots', 'held'],
  ])('in status %s is %s', (status, ours) => {
    expect(read({ status }).status).toBe(ours)
  })

  it("reads a plug-in's status as the shop configured it", () => {
    expect(read({ status: 'in-production' }, { statuses: { 'in-production': 'new' } }).status).toBe('new')
  })

  it("has the shop's time of payment", () => {
    expect(read().payment_status).toBe('paid')
    expect(read({ date_paid: null, date_paid_gmt: null }).payment_status).toBe('pending')
    const refunded = read({ refunds: [{ id: 1, reason: '', total: '-10.00' }] })
    expect(refunded.payment_status).toBe('partially_refunded')
    expect(refunded.notes).toContainEqual({ type: 'packing', text: 'The shop has refunded a part of this order' })
  })

  it('has exact prices: sums are divided, the float price is not used', () => {
    const order = read({
      line_items: [wooLine({ quantity: 3, subtotal: '100.00', total: '90.00', total_tax: '22.50', price: 29.999999999999996 })],
    })
    expect(order.lines[0]).toMatchObject({ qty: '3', unit_price_excl_vat: '33.333333', discount_excl_vat: '10', vat_percent: '25' })
    expect(toOrder(order)).toMatchObject({ totals: { incl_vat: 13_900, vat: 2_780, excl_vat: 11_120 } })
  })

  it('has the VAT of its tax lines, else that of its amounts', () => {
    expect(read().lines[0]?.vat_percent).toBe('25')
    expect(
      read({ tax_lines: [], line_items: [wooLine({ subtotal: '20.92', total: '20.92', total_tax: '3.98', taxes: [] })] }).lines[0]
        ?.vat_percent,
    ).toBe('19')
  })

  it('expands a bundle: its parts are packed, the bundle is not', () => {
    const order = read({
      line_items: [
        wooLine({ id: 1, name: 'Gift box', bundled_items: [2, 3] }),
        wooLine({ id: 2, bundled_by: '1', subtotal: '0', total: '0' }),
        wooLine({ id: 3, bundled_by: 1, subtotal: '0', total: '0' }),
      ],
    })
    expect(order.lines.slice(0, 3).map(line => [line.external_id, line.bundle_of, line.requires_shipping])).toEqual([
      ['1', null, false],
      ['2', '1', true],
      ['3', '1', true],
    ])
  })

  it('recognizes bundles by their meta data too, and those that are packed as one', () => {
    const meta = (pairs: Record<string, string>) => Object.entries(pairs).map(([key, value], id) => ({ id, key, value }))
    const keyed = read({
      line_items: [
        wooLine({ id: 1, bundled_by: undefined, meta_data: meta({ _bundle_cart_key: 'abc' }) }),
        wooLine({ id: 2, bundled_by: undefined, meta_data: meta({ _bundled_by: 'abc', _bundled_item_needs_shipping: 'no' }) }),
      ],
    })
    expect(keyed.lines.slice(0, 2).map(line => [line.bundle_of, line.requires_shipping])).toEqual([
      [null, true],
      ['1', false],
    ])
  })

  it('leaves out lines that an edit has emptied, and rejects a fraction', () => {
    expect(read({ line_items: [wooLine(), wooLine({ quantity: 0 })] }).lines.filter(line => line.type === 'item')).toHaveLength(1)
    expect(readWooOrder(wooOrder({ line_items: [wooLine({ quantity: 1.5 })] })).problems?.[0]).toMatchObject({
      field: 'lines[0].qty',
      text: 'Line {{line}}: quantity {{value}} is not a whole number',
    })
  })

  it("shows variants and the customer's answers, but no key that starts with an underscore", () => {
    const line = read({
      line_items: [
        wooLine({
          meta_data: [
            { id: 1, key: 'pa_size', value: 'large', display_key: 'Size', display_value: 'Large' },
            { id: 2, key: 'Engraving', value: 'LH', display_key: 'Engraving', display_value: '<p>LH</p>' },
            { id: 3, key: '_reduced_stock', value: '2' },
          ],
        }),
      ],
    }).lines[0]
    expect(line).toMatchObject({ variant: 'Large', custom: { Size: 'large', Engraving: 'LH' } })
  })

  it('has the parcel shop that a carrier plug-in stores in the meta data, as object or as JSON', () => {
    const point = {
      id: '95558',
      name: 'Købmanden',
      address_1: 'Prøvevej 11',
      postcode: '5000',
      city: 'Odense C',
      country: 'DK',
      carrier_code: 'gls',
    }
    for (const value of [point, JSON.stringify(point)]) {
      expect(read({ meta_data: [{ id: 1, key: 'shipmondo_pickup_point', value }] }).service_point).toMatchObject({
        id: '95558',
        carrier: 'gls',
        country: 'DK',
      })
    }
    expect(
      read({ meta_data: [{ id: 1, key: 'other_plugin', value: '4711' }] }, { pickupKeys: ['other_plugin'] }).service_point,
    ).toMatchObject({ id: '4711' })
  })

  it('cuts a product name that is too long', () => {
    expect(read({ line_items: [wooLine({ name: `${'x'.repeat(400)}` })] }).lines[0]?.name).toHaveLength(300)
  })

  it('without a country has that of the shop', () => {
    const billing = { first_name: 'A', last_name: 'B', address_1: 'C 1', city: 'D', postcode: '5000', country: '', email: '', phone: '' }
    expect(read({ billing }, { country: 'DK' }).ship_to.country).toBe('DK')
    expect(readWooOrder(wooOrder({ billing })).problems?.[0]?.field).toBe('ship_to.country')
  })

  it('is read or refused without an exception, for any field values', () => {
    const keys = Object.keys(wooOrder())
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), fc.jsonValue(), (over, line) => {
        const { order, problems } = readWooOrder(
          wooOrder({ ...over, line_items: over.line_items ?? [line, wooLine({ meta_data: line, quantity: line })] }),
        )
        expect((order === undefined) !== (problems === undefined)).toBe(true)
        if (order) toOrder(order)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a WooCommerce delivery', () => {
  const deliver = (body: unknown, topic?: string) => {
    const { raw, headers } = wooDelivery(body, { secret, deliveryId: 'd1', ...(topic && { topic }) })
    return readWooDelivery(raw, headers, secret)
  }

  it('contains an order and the id that identifies repeats', () => {
    expect(deliver(wooOrder({ id: 5 }))).toMatchObject({ kind: 'order', delivery_id: 'd1', order: { external_id: '5' } })
    expect(wooHeaders(wooDelivery({}, { secret }).headers)).toMatchObject({
      topic: 'order.updated',
      source: 'https://shop.example/',
      webhook_id: '7',
    })
  })

  it('with another signature is forged, for any content', () => {
    const { raw, headers } = wooDelivery(wooOrder(), { secret: 'guess' })
    expect(readWooDelivery(raw, headers, secret)).toEqual({ kind: 'forged' })
    expect(readWooDelivery(raw, {}, secret)).toEqual({ kind: 'forged' })
  })

  it('of a deleted order contains only its id', () => {
    expect(deliver({ id: 5 }, 'order.deleted')).toEqual({ kind: 'removed', delivery_id: 'd1', external_id: '5' })
  })

  it('of a restored order brings it back', () => {
    expect(deliver(wooOrder(), 'order.restored')).toMatchObject({ kind: 'order', order: { status: 'ready' } })
  })

  it('of a draft or of another topic is ignored with a sentence', () => {
    expect(deliver(wooOrder({ status: 'checkout-draft' }))).toMatchObject({
      kind: 'ignored',
      text: 'Order {{order_no}} is a draft: it comes again when the customer has ordered',
    })
    expect(deliver({ id: 1 }, 'product.updated')).toMatchObject({ kind: 'ignored', values: { topic: 'product.updated' } })
  })

  it('that is signed but is no order is refused with a sentence', () => {
    expect(deliver([])).toMatchObject({ kind: 'refused', problems: [{ text: 'The body is not an order: it has no id' }] })
    const raw = new TextEncoder().encode('<html>')
    expect(readWooDelivery(raw, { 'x-wc-webhook-signature': signatureOf(raw, secret) }, secret)).toMatchObject({
      kind: 'refused',
      problems: [{ text: 'The body is not JSON' }],
    })
  })

  it('of a new web hook is a ping', () => {
    expect(readWooPing(wooPing(12).raw)).toBe(12)
    for (const other of ['webhook_id=', 'webhook_id=1&x=2', '{"webhook_id":1}', '', 'webhook_id=9999999999999999999999999999999999'])
      expect(readWooPing(new TextEncoder().encode(other))).toBeNull()
  })
})
