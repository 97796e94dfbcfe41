/**
 * Reads an order of Vendure (admin API, GraphQL) into the canonical order. Amounts are whole numbers of minor units; how many decimals they
 * have is a setting of the shop and not of the currency. Source: observed with Vendure 3.5.2; docs.vendure.io.
 */
import { readDate } from '#domain/dates.ts'
import { type CanonicalOrder, type Reading, readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { type ReadingOptions, totalsOf, vatBetween } from '../order-parts.ts'
import {
  amountText,
  clipped,
  countryOr,
  type Json,
  joined,
  keepsakes,
  list,
  object,
  objects,
  percentText,
  shopSentences,
  text,
  type WrittenLine,
} from '../shop-order.ts'
import { instantOf, newest } from '../shop-pages.ts'

export interface VendureOptions extends Omit<ReadingOptions, 'packUnpaid'> {
  /** Decimals of an amount: 2 unless the shop says otherwise. */
  decimals?: number
}

const states: Record<string, CanonicalOrder['status']> = {
  PaymentAuthorized: 'new',
  PaymentSettled: 'ready',
  PartiallyShipped: 'ready',
  Shipped: 'closed',
  PartiallyDelivered: 'closed',
  Delivered: 'closed',
  Cancelled: 'cancelled',
}

/** `updatedAt` stays behind: the newest line of the history says more. */
export const vendureChangedAt = (order: Json): string | null =>
  newest([order.updatedAt, order.orderPlacedAt, ...objects(object(order.history).items).map(line => line.createdAt)].map(instantOf))

/** The customer is still choosing. */
export const vendureDrafts: ReadonlySet<string> = new Set(['Created', 'Draft', 'AddingItems', 'ArrangingPayment'])

function paymentOf(order: Json, state: string): NonNullable<CanonicalOrder['payment_status']> {
  const paid = objects(order.payments).map(payment => text(payment.state))
  if (paid.includes('Settled')) return 'paid'
  if (paid.includes('Authorized')) return 'authorized'
  return state === 'Cancelled' ? 'voided' : 'pending'
}

const party = (address: Json) => ({
  name: text(address.fullName) ?? '',
  company: text(address.company),
  address1: text(address.streetLine1) ?? '',
  address2: text(address.streetLine2),
  postcode: text(address.postalCode) ?? '',
  city: text(address.city) ?? '',
  region: text(address.province),
  phone: text(address.phoneNumber),
})

export function readVendureOrder(body: unknown, options: VendureOptions = {}): Reading {
  const order = object(body)
  const external_id = text(order.id)
  if (external_id === null) return { problems: [{ field: '', text: shopSentences.noOrder, values: {} }] }
  const state = text(order.state) ?? ''
  const scale = 10n ** BigInt(6 - Math.min(6, Math.max(0, options.decimals ?? 2)))
  const minor = (value: unknown): bigint | null => (typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) * scale : null)
  const customer = object(order.customer)
  const email = text(customer.emailAddress)
  const shipping = object(order.shippingAddress)
  const billing = object(order.billingAddress)
  const ship = text(shipping.streetLine1) !== null || text(shipping.countryCode) !== null ? shipping : billing
  const phone = text(ship.phoneNumber) ?? text(customer.phoneNumber)
  const customerName = joined(customer.title, customer.firstName, customer.lastName)
  const status = states[state] ?? 'held'
  const payment_status = paymentOf(order, state)

  const lines: WrittenLine[] = []
  for (const item of objects(order.lines)) {
    // Cancelling sets the quantity to zero: a cancelled order is shown as it was ordered.
    const qty = status === 'cancelled' ? (item.orderPlacedQuantity ?? item.quantity) : item.quantity
    if (qty === 0) continue
    const variant = object(item.productVariant)
    const price = minor(item.unitPrice)
    const before = minor(item.linePrice)
    const after = minor(item.proratedLinePrice)
    const discount = status !== 'cancelled' && before !== null && after !== null ? before - after : 0n
    lines.push({
      external_id: text(item.id),
      type: 'item',
      sku: clipped(variant.sku, 64),
      name: clipped(variant.name, 300) ?? `#${text(item.id)}`,
      qty: text(qty) ?? '',
      ...(price !== null && { unit_price_excl_vat: amountText(price) }),
      ...(discount > 0n && { discount_excl_vat: amountText(discount) }),
      vat_percent: typeof item.taxRate === 'number' ? percentText(item.taxRate) : null,
    })
  }
  for (const charge of objects(order.surcharges)) {
    const price = minor(charge.price)
    lines.push({
      external_id: `surcharge-${text(charge.id)}`,
      type: price !== null && price < 0n ? 'discount' : 'fee',
      name: clipped(charge.description, 300) ?? 'surcharge',
      qty: '1',
      ...(price !== null && { unit_price_excl_vat: amountText(price) }),
      vat_percent: typeof charge.taxRate === 'number' ? percentText(charge.taxRate) : null,
      requires_shipping: false,
    })
  }
  const methods = objects(order.shippingLines)
  for (const method of methods) {
    const excl = minor(method.discountedPrice)
    const incl = minor(method.discountedPriceWithTax)
    lines.push({
      external_id: `shipping-${text(method.id)}`,
      type: 'shipping',
      name: clipped(object(method.shippingMethod).name, 300) ?? 'shipping',
      qty: '1',
      ...(excl !== null && { unit_price_excl_vat: amountText(excl) }),
      ...(incl !== null && { unit_price_incl_vat: amountText(incl) }),
      vat_percent: vatBetween(excl, incl),
      requires_shipping: false,
    })
  }
  const [method] = methods
  const methodPrice = method ? minor(method.discountedPriceWithTax) : null
  const total = minor(order.totalWithTax)
  const net = minor(order.total)
  const placed = text(order.orderPlacedAt) ?? text(order.createdAt)
  const updated = vendureChangedAt(order)
  return readCanonical({
    external_id,
    order_no: text(order.code) ?? external_id,
    ...(options.shop !== undefined && { shop: options.shop }),
    source: 'vendure',
    ordered_at: placed === null ? null : readDate(placed, 'iso', 'UTC'),
    status,
    payment_status,
    currency: text(order.currencyCode) ?? '',
    customer: { external_id: text(customer.id), name: customerName || null, email, phone: text(customer.phoneNumber) },
    ship_to: {
      ...party(ship),
      name: party(ship).name || customerName,
      country: countryOr(ship.countryCode, options.country),
      phone,
      email,
    },
    bill_to:
      text(billing.streetLine1) === null ? null : { ...party(billing), country: text(billing.countryCode)?.toUpperCase() ?? null, email },
    shipping: method
      ? {
          title: clipped(object(method.shippingMethod).name, 200),
          code: clipped(object(method.shippingMethod).code, 100),
          price_incl_vat: methodPrice === null ? null : amountText(methodPrice),
          vat_percent: null,
        }
      : null,
    lines,
    // A cancelled order has nothing left in its sums.
    totals: status === 'cancelled' ? null : totalsOf(total, total === null || net === null ? null : total - net),
    attributes: keepsakes([
      [
        'payment_method',
        objects(order.payments)
          .map(payment => text(payment.method))
          .filter(Boolean)
          .join(', '),
      ],
      ['coupon_codes', list(order.couponCodes).map(text).filter(Boolean).join(', ')],
    ]),
    version: updated === null ? null : Date.parse(updated),
  } satisfies WrittenOrder)
}
