/** What is particular to Medusa: amounts in major units, two states of an order, and a parcel in two steps. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import type { ReadingOptions } from '../order-parts.ts'
import { accessTo } from '../shop-server.fake.ts'
import { type FakeMedusa, medusaItem, medusaOrder, openFakeMedusa } from './medusa.fake.ts'
import { medusa } from './medusa.ts'
import { readMedusaOrder } from './medusa-order.ts'

const read = (over: Record<string, unknown> = {}, options: ReadingOptions = {}): CanonicalOrder => {
  const { order, problems } = readMedusaOrder(medusaOrder(over), options)
  if (!order) throw new Error(JSON.stringify(problems))
  return order
}

describe('an order of Medusa', () => {
  it.each([
    ['pending', 'authorized', 'not_fulfilled', {}, 'ready', 'authorized'],
    ['pending', 'captured', 'partially_shipped', {}, 'ready', 'paid'],
    ['pending', 'captured', 'fulfilled', {}, 'ready', 'paid'],
    ['pending', 'not_paid', 'not_fulfilled', {}, 'new', 'pending'],
    ['pending', 'awaiting', 'not_fulfilled', { packUnpaid: true }, 'ready', 'pending'],
    ['pending', 'canceled', 'not_fulfilled', {}, 'held', 'voided'],
    ['pending', 'captured', 'shipped', {}, 'closed', 'paid'],
    ['pending', 'refunded', 'not_fulfilled', {}, 'cancelled', 'refunded'],
    ['completed', 'captured', 'delivered', {}, 'closed', 'paid'],
    ['archived', 'captured', 'not_fulfilled', {}, 'closed', 'paid'],
    ['canceled', 'canceled', 'not_fulfilled', {}, 'cancelled', 'voided'],
    ['requires_action', 'authorized', 'not_fulfilled', {}, 'held', 'authorized'],
  ])('with %s, %s and %s is, with %j, %s and %s', (status, payment_status, fulfillment_status, options, ours, paid) => {
    expect(read({ status, payment_status, fulfillment_status }, options)).toMatchObject({ status: ours, payment_status: paid })
  })

  it('has prices as its item says: with or without VAT', () => {
    expect(read().lines[0]).toMatchObject({ unit_price_excl_vat: '40', unit_price_incl_vat: null })
    const items = [medusaItem({ id: 'ordli_1', unit_price: 50, is_tax_inclusive: true, discount_subtotal: 8 })]
    const order = read({ items, total: null })
    expect(order.lines[0]).toMatchObject({
      unit_price_excl_vat: null,
      unit_price_incl_vat: '50',
      discount_excl_vat: '8',
      vat_percent: '25',
    })
    expect(toOrder(order).totals).toMatchObject({ excl_vat: 10_320 })
  })

  it('adds the rates of several taxes, and has none without them', () => {
    expect(read({ items: [medusaItem({ id: 'a', tax_lines: [{ rate: 5 }, { rate: 9.975 }] })] }).lines[0]?.vat_percent).toBe('14.975')
    expect(read({ items: [medusaItem({ id: 'a', tax_lines: [] })] }).lines[0]?.vat_percent).toBeNull()
  })

  it('does not pack gift cards and what is not sent', () => {
    const order = read({ items: [medusaItem({ id: 'a', is_giftcard: true }), medusaItem({ id: 'b', requires_shipping: false })] })
    expect(order.lines.slice(0, 2).map(line => [line.type, line.requires_shipping])).toEqual([
      ['gift_card', false],
      ['item', false],
    ])
  })

  it('has the upper-case codes of currency and country', () => {
    expect(read()).toMatchObject({ currency: 'DKK', ship_to: { country: 'DK' } })
  })

  it('has metadata of the shop as its own fields, and not what we wrote there', () => {
    expect(read({ metadata: { gift: 'yes', pakhus_status: 'delayed', nested: {} } }).attributes).toEqual({ gift: 'yes' })
  })
})

describe('a push to Medusa', () => {
  let shop: FakeMedusa
  beforeEach(async () => {
    shop = await openFakeMedusa()
  })
  afterEach(() => shop.close())
  const fact = (id: string, line: string, qty = 1) => {
    const parcel = {
      tracking_no: 'TRACK1',
      tracking_url: null,
      courier_code: 'gls',
      courier_name: 'GLS',
      lines: [{ external_id: line, sku: null, qty }],
    }
    return {
      kind: 'fulfilment',
      key: 'fact-1',
      external_id: id,
      order_no: id,
      refs: [],
      parcel,
      parcels: [parcel],
      is_last: false,
      notify_customer: false,
    } as const
  }

  it('goes on with its own fulfilment, found by our key, and makes no second one', async () => {
    const { id, lines } = shop.place()
    shop.faultsOf = 'writes'
    shop.server.faults.push('mute')
    await expect(medusa.push(accessTo(shop), fact(id, lines[0]))).rejects.toThrow('did not answer')
    expect(await medusa.findDone(accessTo(shop), fact(id, lines[0]))).toBeNull()
    expect(await medusa.push(accessTo(shop), fact(id, lines[0]))).toMatchObject({ kind: 'done', status: 'pending/partially_shipped' })
    expect(shop.parcels(id)).toEqual([`TRACK1 ${lines[0]}×1`])
  })

  it('is refused in the words of the shop when it holds more than was ordered', async () => {
    const { id, lines } = shop.place()
    expect(await medusa.push(accessTo(shop), fact(id, lines[0], 9))).toEqual({
      kind: 'refused',
      words: `Cannot fulfill more items than what was ordered for item ${lines[0]}.`,
    })
  })

  it('cannot cancel an order with a parcel', async () => {
    const { id, lines } = shop.place()
    await medusa.push(accessTo(shop), fact(id, lines[0]))
    expect(await medusa.push(accessTo(shop), { kind: 'cancellation', key: 'c', external_id: id, order_no: id, refs: [] })).toEqual({
      kind: 'refused',
      words: 'All fulfillments must be canceled before canceling an order',
    })
  })

  it('names the stock location that was chosen', async () => {
    const { id, lines } = shop.place()
    await medusa.push(accessTo({ ...shop, settings: { location_id: 'sloc_01M8AQRKFE2VZATWNG1W66H8QX' } }), fact(id, lines[0]))
    expect(shop.server.requests.find(request => request.path.endsWith('/fulfillments'))?.body).toMatchObject({
      location_id: 'sloc_01M8AQRKFE2VZATWNG1W66H8QX',
    })
  })

  it('writes what happened into the metadata and keeps what stands there', async () => {
    const { id } = shop.place()
    shop.orders[0]!.metadata = { gift: 'yes' }
    const head = { key: 'n', external_id: id, order_no: id, refs: [] }
    await medusa.push(accessTo(shop), { ...head, kind: 'note', text: 'Too late' })
    expect(shop.orders[0]!.metadata).toEqual({ gift: 'yes', pakhus_note: 'Too late' })
  })
})
