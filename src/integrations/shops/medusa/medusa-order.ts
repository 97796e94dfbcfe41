/**
 * Reads an order of Medusa 2 (admin API) into the canonical order. Amounts are numbers in major units.
 * Source: observed with Medusa 2.12.3; docs.medusajs.com.
 */
import { readDate } from '#domain/dates.ts'
import { type CanonicalOrder, type Reading, readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { type ReadingOptions, statusByPayment, totalsOf } from '../order-parts.ts'
import {
  amountText,
  clipped,
  countryOr,
  type Json,
  joined,
  keepsakes,
  micro,
  object,
  objects,
  percentText,
  shopSentences,
  text,
  type WrittenLine,
} from '../shop-order.ts'
import { instantOf } from '../shop-pages.ts'

const payments: Record<string, NonNullable<CanonicalOrder['payment_status']>> = {
  not_paid: 'pending',
  awaiting: 'pending',
  requires_action: 'pending',
  authorized: 'authorized',
  partially_authorized: 'authorized',
  captured: 'paid',
  partially_captured: 'partially_paid',
  refunded: 'refunded',
  partially_refunded: 'partially_refunded',
  canceled: 'voided',
}

/** Sent, as far as Medusa knows. */
const sent = new Set(['shipped', 'delivered', 'partially_delivered'])

const rateOf = (holder: Json): string | null => {
  const rates = objects(holder.tax_lines).map(line => Number(text(line.rate) ?? Number.NaN))
  return rates.length === 0 ? null : percentText(rates.reduce((sum, rate) => sum + rate, 0))
}

const priced = (holder: Json, price: unknown) => {
  const amount = micro(price)
  return amount === null ? {} : { [holder.is_tax_inclusive === true ? 'unit_price_incl_vat' : 'unit_price_excl_vat']: amountText(amount) }
}

const party = (address: Json) => ({
  name: joined(address.first_name, address.last_name),
  company: text(address.company),
  address1: text(address.address_1) ?? '',
  address2: text(address.address_2),
  postcode: text(address.postal_code) ?? '',
  city: text(address.city) ?? '',
  region: text(address.province),
  phone: text(address.phone),
})

const image = (value: unknown): string | null => {
  const url = text(value)
  return url !== null && url.length <= 2_000 && /^https?:\/\/\S+$/i.test(url) ? url : null
}

/** Order and fulfilment have states of their own; both come back after a push. */
export const medusaStatus = (order: Json): string => [order.status, order.fulfillment_status].map(text).filter(Boolean).join('/')

export function readMedusaOrder(body: unknown, options: ReadingOptions = {}): Reading {
  const order = object(body)
  const external_id = text(order.id)
  if (external_id === null) return { problems: [{ field: '', text: shopSentences.noOrder, values: {} }] }
  const given = object(order.shipping_address)
  const billing = object(order.billing_address)
  const ship = text(given.address_1) !== null || text(given.country_code) !== null ? given : billing
  const customer = object(order.customer)
  const email = text(order.email) ?? text(customer.email)
  const payment_status = payments[text(order.payment_status) ?? ''] ?? null
  const state = text(order.status)
  let status: CanonicalOrder['status']
  if (state === 'canceled') status = 'cancelled'
  else if (state === 'completed' || state === 'archived' || sent.has(text(order.fulfillment_status) ?? '')) status = 'closed'
  else if (payment_status === 'refunded') status = 'cancelled'
  else if (state !== 'pending') status = 'held'
  else status = statusByPayment(payment_status, options)

  const lines: WrittenLine[] = []
  for (const item of objects(order.items)) {
    const qty = Number(text(item.quantity) ?? text(object(item.detail).quantity) ?? Number.NaN)
    if (qty === 0) continue
    const discount = micro(item.discount_subtotal) ?? 0n
    const type = item.is_giftcard === true ? 'gift_card' : 'item'
    lines.push({
      external_id: text(item.id),
      type,
      sku: clipped(item.variant_sku, 64),
      barcode: clipped(item.variant_barcode, 256),
      name: clipped(item.product_title, 300) ?? clipped(item.title, 300) ?? `#${text(item.id)}`,
      variant: clipped(item.variant_title, 200),
      qty: Number.isFinite(qty) ? String(qty) : '',
      ...priced(item, item.unit_price),
      ...(discount > 0n && { discount_excl_vat: amountText(discount) }),
      vat_percent: rateOf(item),
      image_url: image(item.thumbnail),
      requires_shipping: type === 'item' && item.requires_shipping !== false,
      custom: keepsakes(Object.entries(object(item.metadata)).filter(([, value]) => typeof value !== 'object')),
    })
  }
  const methods = objects(order.shipping_methods)
  for (const method of methods)
    lines.push({
      external_id: `shipping-${text(method.id)}`,
      type: 'shipping',
      name: clipped(method.name, 300) ?? 'shipping',
      qty: '1',
      ...priced(method, method.amount),
      vat_percent: rateOf(method),
      requires_shipping: false,
    })
  const [method] = methods
  const methodTotal = method ? micro(method.total) : null
  const total = micro(order.total)
  const created = text(order.created_at)
  const updated = instantOf(order.updated_at)
  return readCanonical({
    external_id,
    order_no: text(order.display_id) ?? external_id,
    ...(options.shop !== undefined && { shop: options.shop }),
    source: 'medusa',
    ordered_at: created === null ? null : readDate(created, 'iso', 'UTC'),
    status,
    payment_status,
    currency: (text(order.currency_code) ?? '').toUpperCase(),
    customer: {
      external_id: text(customer.id),
      name: joined(customer.first_name, customer.last_name) || party(billing).name || party(ship).name || null,
      email,
      phone: text(customer.phone),
    },
    ship_to: { ...party(ship), country: countryOr(ship.country_code, options.country), email },
    bill_to:
      text(billing.address_1) === null ? null : { ...party(billing), country: text(billing.country_code)?.toUpperCase() ?? null, email },
    shipping: method
      ? {
          title: clipped(method.name, 200),
          code: clipped(method.shipping_option_id, 100),
          price_incl_vat: methodTotal === null ? null : amountText(methodTotal),
          vat_percent: rateOf(method),
        }
      : null,
    lines,
    totals: state === 'canceled' ? null : totalsOf(total, micro(order.tax_total)),
    // Our own lines in the metadata of the order are not the shop's.
    attributes: keepsakes(
      Object.entries(object(order.metadata)).filter(([name, value]) => typeof value !== 'object' && !name.startsWith('pakhus_')),
    ),
    version: updated === null ? null : Date.parse(updated),
  } satisfies WrittenOrder)
}
