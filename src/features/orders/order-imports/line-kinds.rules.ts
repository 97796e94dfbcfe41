/** How shop systems write the kinds of their rows: products, charges, payments, and the row of the order itself. */
import { LineType } from '#domain/order/canonical-order.ts'

const lineTypes: ReadonlySet<string> = new Set(LineType.options)
const otherWords: Readonly<Record<string, string>> = {
  item: 'line item, line items, lineitem, lineitems, items, product, products, physical, goods, artikel, article, produkt, vare, ware',
  shipping:
    'shipping line, shipping cost, shipping costs, delivery, freight, postage, versand, versandkosten, versandposition, fragt, frakt, porto',
  discount: 'discount line, discounts, promotion, coupon, voucher, rabatt, rabat, gutschein',
  // What a way to pay costs is a charge of the order.
  fee: 'surcharge, handling, billing, gebyr, avgift, zuschlag',
  payment: 'payment, transaction',
  order: 'order',
}
const kinds = new Map([
  ...[...lineTypes].map(type => [type.replaceAll('_', ' '), type] as const),
  ...Object.entries(otherWords).flatMap(([kind, words]) => words.split(', ').map(word => [word, kind] as const)),
])

/** The kind that a cell names; what is not known comes back as it is. A payment is no line of an order. */
export function kindOf(written: string): string {
  const plain = written.trim().toLowerCase().replace(/[_-]/g, ' ')
  return plain === '' ? 'item' : (kinds.get(plain) ?? written.toLowerCase())
}
export const isLineType = (kind: string): kind is LineType => lineTypes.has(kind)
export const isKind = (written: string): boolean => kinds.has(written.trim().toLowerCase().replace(/[_-]/g, ' '))
