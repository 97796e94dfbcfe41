/** Bundles of an order: their order, how many are complete, what their parts are worth, and what a company's own consist of. */
import { expect, it } from 'vitest'
import { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { pricedPieces, type ValuedLine, valuesOfParts } from './bundle-values.rules.ts'
import { bundlesFirst, completeBundles } from './bundles.rules.ts'
import { unfolded } from './upsert/unfolded-orders.rules.ts'

const line = (order_item_id: number, qty: number, packed_qty = 0, part_of: number | null = null, cancelled_qty = 0) => ({
  ...{ order_item_id, qty, packed_qty, part_of, cancelled_qty, picked_qty: 0, requires_shipping: part_of !== null },
})
const notSent = (one: ReturnType<typeof line>) => ({ ...one, requires_shipping: false })

it.each([
  ['no part is packed', line(1, 2), [line(2, 2, 0, 1), line(3, 4, 0, 1)], 0],
  ['one part is missing in the second', line(1, 2), [line(2, 2, 2, 1), line(3, 4, 3, 1)], 1],
  ['everything is packed', line(1, 2), [line(2, 2, 2, 1), line(3, 4, 4, 1)], 2],
  ['a part of it was cancelled', line(1, 2), [line(2, 2, 2, 1), line(3, 4, 0, 1, 4)], 2],
  ['one of the bundles was cancelled', line(1, 2, 0, null, 1), [line(2, 2, 1, 1, 1), line(3, 4, 2, 1, 2)], 1],
  ['a part of it is not sent', line(1, 2), [line(2, 2, 2, 1), notSent(line(3, 2, 0, 1))], 2],
  ['a part is a bundle itself', line(1, 2), [line(2, 2, 2, 1), notSent(line(3, 2, 0, 1)), line(4, 4, 3, 3)], 1],
  ['it has no parts', line(1, 2), [], 0],
])('counts bundles where %s', (_, bundle, parts, packed) => {
  expect(completeBundles(bundle, [bundle, ...parts], 'packed_qty')).toBe(packed)
})

it('puts the parts of a bundle behind it, and leaves a part without its bundle where it is', () => {
  const lines = [line(1, 1, 0, 9), line(2, 1, 0, 4), line(3, 1), line(4, 1), line(5, 1, 0, 4), line(6, 1, 0, 2)]
  expect(bundlesFirst(lines).map(one => one.order_item_id)).toEqual([1, 3, 4, 2, 6, 5])
})

const kit = {
  id: 1,
  external_id: '1',
  bundle_of: null,
  combined_order_id: null,
  qty: 2,
  shop_qty: null,
  cost_price: null,
  requires_shipping: false,
  amount: 10_001,
} satisfies ValuedLine
const part = (id: number, qty: number, over: Partial<ValuedLine> = {}): ValuedLine => ({
  ...{ ...kit, id, external_id: `${id}`, bundle_of: '1', qty, requires_shipping: true, amount: null },
  ...over,
})

it.each<[string, ValuedLine[], [number, number][]]>([
  [
    'by cost prices',
    [kit, part(2, 2, { cost_price: 300 }), part(3, 4, { cost_price: 100 })],
    [
      [2, 6_001],
      [3, 4_000],
    ],
  ],
  [
    'by pieces where a part has no cost price',
    [kit, part(2, 2, { cost_price: 300 }), part(3, 6)],
    [
      [2, 2_500],
      [3, 7_501],
    ],
  ],
  [
    'by what the shop ordered, not by what is left of it',
    [kit, part(2, 1, { shop_qty: 2 }), part(3, 6)],
    [
      [2, 2_500],
      [3, 7_501],
    ],
  ],
  ['not where the shop priced a part', [kit, part(2, 2, { amount: 500 }), part(3, 6)], []],
  ['not to a part that is not sent', [kit, part(2, 2), part(3, 6, { requires_shipping: false })], [[2, 10_001]]],
  [
    'to the parts of a part',
    [kit, part(2, 2), part(3, 2, { requires_shipping: false }), part(4, 2, { bundle_of: '3' })],
    [
      [2, 5_001],
      [4, 5_000],
    ],
  ],
  ['not to the line of another order in the parcel', [kit, part(2, 2), part(3, 6, { combined_order_id: 7 })], [[2, 10_001]]],
  ['not without a price', [{ ...kit, amount: null }, part(2, 2)], []],
])('shares the price of a bundle among its parts: %s', (_, lines, shares) => {
  expect([...valuesOfParts(lines)]).toEqual(shares)
})

it.each([
  [10_001, 2, 5_001, 1],
  [10_000, 2, 5_000, 0],
  [0, 3, 0, 0],
])('writes %i for %i pieces as a price and a discount that add up to it', (amount, pieces, unit_price_excl_vat, discount_excl_vat) => {
  expect(pricedPieces(amount, pieces)).toEqual({ unit_price_excl_vat, discount_excl_vat })
})

const order = (lines: object[]) =>
  toOrder(
    CanonicalOrder.parse({
      external_id: 'X1',
      order_no: 'X1',
      currency: 'DKK',
      ship_to: { name: 'Lene Hansen', address1: 'Prøvevej 5', postcode: '5000', city: 'Odense C', country: 'DK' },
      lines: lines.map((one, at) => ({ external_id: `${at + 1}`, name: 'Product', qty: 1, ...one })),
    }),
  )
const component = (product_id: number, sku: string, qty: number, cost_currency = 'DKK') => ({
  ...{ product_id, sku, name: `The ${sku}`, variant: null, cost_price: 100, cost_currency, qty },
})
const bundles = new Map([['KIT', [component(7, 'CAM', 1), component(8, 'LENS', 2, 'EUR')]]])

it('puts the parts of a company’s bundle behind it, and leaves the bundle as a name', () => {
  const { lines } = unfolded(order([{ sku: 'MUG' }, { sku: 'KIT', qty: 3, serial_required: true }, { sku: 'CAP' }]), bundles)
  expect(lines.map(one => [one.line_no, one.external_id, one.sku, one.qty, one.requires_shipping, one.bundle_of, one.cost_price])).toEqual([
    [1, '1', 'MUG', 1, true, null, null],
    [2, '2', 'KIT', 3, false, null, null],
    [3, '2:part:7', 'CAM', 3, true, '2', 100],
    [4, '2:part:8', 'LENS', 6, true, '2', null],
    [5, '3', 'CAP', 1, true, null, null],
  ])
  expect(lines[1]?.serial_required).toBe(false)
})

it.each<[string, object[]]>([
  ['the shop sends its parts itself', [{ sku: 'KIT' }, { sku: 'CAM', bundle_of: '1' }]],
  ['it is not sent', [{ sku: 'KIT', requires_shipping: false }]],
  ['no line is one', [{ sku: 'MUG' }]],
])('leaves a bundle as it is where %s', (_, lines) => {
  const sent = order(lines)
  expect(unfolded(sent, bundles)).toBe(sent)
})
