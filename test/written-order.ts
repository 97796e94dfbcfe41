/** An order as a shop sends it and as the server parses it; each function takes the differences in order, line and recipient. */
import { readCanonical } from '../src/domain/order/canonical-order.ts'
import { type ImportedOrder, toOrder } from '../src/domain/order/canonical-order-checks.ts'

export type Json = Record<string, unknown>

export const written = (over: Json = {}, line: Json = {}, ship: Json = {}): Json => ({
  external_id: '5940139491234',
  order_no: '#1001',
  currency: 'dkk',
  ship_to: {
    name: 'Lene Ærø-Hansen',
    address1: 'Skibhusvej 52',
    postcode: '5000',
    city: 'Odense C',
    country: 'dk',
    phone: '20 12 34 56',
    email: 'lene@example.test',
    ...ship,
  },
  lines: [
    {
      sku: 'ts001-wh',
      name: ' T-shirt\n hvid ',
      qty: '2.0',
      unit_price_excl_vat: '800.00',
      vat_percent: '25.00',
      weight_g: 200,
      hs_code: '6109 10',
      origin: 'pt',
      ...line,
    },
  ],
  ...over,
})
export const imported = (over: Json = {}, line: Json = {}, ship: Json = {}): ImportedOrder => {
  const { order, problems } = readCanonical(written(over, line, ship))
  if (!order) throw new Error(JSON.stringify(problems))
  return toOrder(order)
}
