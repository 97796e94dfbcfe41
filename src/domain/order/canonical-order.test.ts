/** The order format of the import API: what it accepts, and the sentences for what it rejects. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatIssue, namesOf, ordersIn, readCanonical } from './canonical-order.ts'

type Json = Record<string, unknown>

const order = (over: Json = {}, line: Json = {}): Json => ({
  external_id: '1',
  order_no: '#1001',
  currency: 'DKK',
  ship_to: { name: 'Lene Hansen', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK' },
  lines: [
    { sku: 'A', name: 'First', qty: '1' },
    { sku: 'B', name: 'Second', qty: '2', ...line },
  ],
  ...over,
})

const refusals = (body: unknown): [string, string][] =>
  (readCanonical(body).problems ?? []).map(problem => [problem.field, formatIssue(problem).message])

describe('an imported order', () => {
  it('gets its defaults', () => {
    const read = readCanonical(order()).order!
    expect(read).toMatchObject({
      shop: 'main',
      source: 'api',
      status: 'ready',
      payment_status: null,
      tags: [],
      notes: [],
      attributes: {},
      version: null,
    })
    expect(read.lines[0]).toMatchObject({ type: 'item', external_id: null, requires_shipping: true, serial_required: false, custom: {} })
  })

  it('may be sent alone, in a list or under orders', () => {
    expect(ordersIn({ order_no: '1' })).toHaveLength(1)
    expect(ordersIn([{}, {}])).toHaveLength(2)
    expect(ordersIn({ orders: [{}, {}, {}] })).toHaveLength(3)
    expect(ordersIn({ orders: [{}], order_no: '1' })).toHaveLength(1)
  })

  it('accepts the sample orders', () => {
    const orders: unknown = JSON.parse(readFileSync(new URL('../../../samples/orders.json', import.meta.url), 'utf8'))
    for (const one of orders as unknown[]) expect(readCanonical(one).problems).toBeUndefined()
  })

  it.each([
    ['1.5', 'Line 2: quantity 1.5 is not a whole number'],
    [1.5, 'Line 2: quantity 1.5 is not a whole number'],
    ['0', 'Line 2: quantity 0 is less than 1'],
    ['-3', 'Line 2: quantity -3 is less than 1'],
    ['two', 'Line 2: quantity two is not a number'],
    [null, 'Line 2: quantity null is not a number'],
    ['1000000', 'Line 2: quantity 1000000 is more than 999999'],
    [undefined, 'Line 2: qty is missing'],
  ])('refuses a quantity of %j', (qty, message) => {
    expect(refusals(order({}, { qty }))).toEqual([['lines[1].qty', message]])
  })

  it.each(['2', '2.0', '2.000', '02', 2])('takes a quantity of %j', qty => {
    expect(readCanonical(order({}, { qty })).problems).toBeUndefined()
  })

  it.each<[string, unknown, string, string]>([
    ['an unknown field', order({ custmer: {} }), 'custmer', 'custmer is not a field of an order; data of your own go into attributes'],
    [
      'an unknown field of a line',
      order({}, { colour: 'red' }),
      'lines[1].colour',
      'Line 2: colour is not a field of a line; data of your own go into custom',
    ],
    [
      'an unknown field of an address',
      order({ ship_to: { country: 'DK', street: 'x' } }),
      'ship_to.street',
      'ship_to.street is not a field of an order; data of your own go into attributes',
    ],
    ['a missing number', order({ order_no: undefined }), 'order_no', 'order_no is missing'],
    ['an empty number', order({ order_no: '  ' }), 'order_no', 'order_no is missing'],
    ['no lines', order({ lines: [] }), 'lines', 'lines is empty'],
    ['a line that is none', order({ lines: [7] }), 'lines[0]', 'Line 1 must be an object'],
    [
      'a price as a number',
      order({}, { unit_price_excl_vat: 12.5 }),
      'lines[1].unit_price_excl_vat',
      'Line 2: unit_price_excl_vat must be text',
    ],
    [
      'a price with a comma',
      order({}, { unit_price_excl_vat: '12,50' }),
      'lines[1].unit_price_excl_vat',
      'Line 2: unit_price_excl_vat 12,50 is not an amount: enter it as text such as "12.50"',
    ],
    ['no known currency', order({ currency: 'ZZZ' }), 'currency', 'currency ZZZ is not a currency code such as DKK'],
    [
      'no known country',
      order({ ship_to: { country: 'UK' } }),
      'ship_to.country',
      'ship_to.country UK is not a country code of two letters such as DK',
    ],
    [
      'a day without a clock',
      order({ ordered_at: '2026-11-10' }),
      'ordered_at',
      'ordered_at 2026-11-10 is not an instant such as 2026-11-10T10:30:00+01:00',
    ],
    [
      'a clock without an offset',
      order({ ordered_at: '2026-11-10T10:30:00' }),
      'ordered_at',
      'ordered_at 2026-11-10T10:30:00 is not an instant such as 2026-11-10T10:30:00+01:00',
    ],
    [
      'an impossible day',
      order({ delivery: { not_before: '2026-02-30' } }),
      'delivery.not_before',
      'delivery.not_before 2026-02-30 is not a day such as 2026-11-10',
    ],
    ['an unknown status', order({ status: 'shipped' }), 'status', 'status shipped is none of new, ready, held, cancelled, closed'],
    ['a weight with decimals', order({}, { weight_g: 1.5 }), 'lines[1].weight_g', 'Line 2: weight_g must be a whole number'],
    [
      'two dimensions',
      order({}, { dim_mm: [1, 2] }),
      'lines[1].dim_mm',
      'Line 2: dim_mm must be length, width and height in whole millimetres',
    ],
    [
      'a picture that is a script',
      order({}, { image_url: 'javascript:alert(1)' }),
      'lines[1].image_url',
      'Line 2: image_url must begin with https://',
    ],
    ['a name that is too long', order({}, { name: 'x'.repeat(301) }), 'lines[1].name', 'Line 2: name is longer than 300 characters'],
    [
      'a character that cannot be stored',
      order({ ship_to: { name: 'a\u0000b', country: 'DK' } }),
      'ship_to.name',
      'ship_to.name holds a character that cannot be stored',
    ],
    ['half a character', order({ tags: ['\ud800'] }), 'tags[0]', 'tags[0] holds a character that cannot be stored'],
    ['a list', [], '', 'An order must be an object'],
    ['nothing', null, '', 'An order must be an object'],
  ])('refuses %s', (_, body, field, message) => {
    expect(refusals(body)).toEqual([[field, message]])
  })

  it('keeps any scalars in attributes and custom, and rejects nested values', () => {
    const read = readCanonical(order({ attributes: { gclid: 'x', n: 1, b: true, nothing: null } }, { custom: { engraving: 'LH' } }))
    expect(read.order?.attributes).toEqual({ gclid: 'x', n: 1, b: true, nothing: null })
    expect(refusals(order({ attributes: { deep: {} } }))).toEqual([
      ['attributes.deep', 'attributes.deep must be text, a number, true, false or null'],
    ])
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 1]))
    expect(refusals(order({ attributes: many }))).toEqual([['attributes', 'attributes holds more than 100 entries']])
  })

  it('rejects two lines with one id, and parts of missing bundles', () => {
    expect(
      refusals(
        order({
          lines: [
            { external_id: '1', name: 'a', qty: '1' },
            { external_id: '1', name: 'b', qty: '1' },
          ],
        }),
      ),
    ).toEqual([['lines[1].external_id', 'Line 2: external_id 1 stands twice in this order']])
    expect(refusals(order({}, { bundle_of: '9' }))).toEqual([
      ['lines[1].bundle_of', 'Line 2: bundle_of 9 names no other line of this order'],
    ])
  })

  it('rejects an order whose total exceeds a safe integer', () => {
    expect(refusals(order({}, { qty: '999999', unit_price_excl_vat: '999999999999' }))).toEqual([
      ['lines[1]', 'Line 2 is worth more than can be counted'],
    ])
  })

  it('reports at most 20 faults of one order', () => {
    expect(refusals(order({ lines: Array.from({ length: 100 }, () => ({})) }))).toHaveLength(20)
  })

  it('validates any JSON without throwing, and never returns an order without lines', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.jsonValue().map(value => order({ ship_to: value })),
      fc.jsonValue().map(value => order({}, { qty: value, dim_mm: value, custom: value })),
    )
    fc.assert(
      fc.property(anything, body => {
        const { order: read, problems } = readCanonical(body)
        if (read) expect(read.lines.length).toBeGreaterThan(0)
        else {
          expect(problems!.length).toBeGreaterThan(0)
          for (const { text, values } of problems!)
            for (const [, name] of text.matchAll(/\{\{(\w+)\}\}/g)) expect(values).toHaveProperty(name!)
        }
        namesOf(body)
      }),
      { numRuns: 500 },
    )
  })
})
