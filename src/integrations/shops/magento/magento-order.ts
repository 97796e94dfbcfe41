/**
 * Reads an order of Magento 2 and Adobe Commerce (REST API, V1) into the canonical order.
 * Source: the Adobe Commerce web API reference. Amounts are numbers in major units of the order's currency; times are UTC without a zone.
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
  micro,
  object,
  objects,
  percentText,
  shopSentences,
  text,
  type WrittenLine,
} from '../shop-order.ts'

export interface MagentoOptions extends ReadingOptions {
  /** The unit of weight that the shop is set to: an order does not say it. */
  weightUnit?: 'kg' | 'lb'
}

/** A state, unlike a status, cannot be renamed by the shop. */
const states: Record<string, CanonicalOrder['status']> = {
  new: 'new',
  pending_payment: 'new',
  processing: 'ready',
  complete: 'closed',
  closed: 'cancelled',
  canceled: 'cancelled',
  holded: 'held',
  payment_review: 'held',
}

/** Times have no zone and are UTC: `2026-11-10 10:30:00`. */
export const magentoTime = (value: unknown): string | null => {
  const written = text(value)
  return written === null ? null : readDate(written, 'iso', 'UTC')
}

const amount = (value: unknown): number => {
  const read = Number(text(value) ?? Number.NaN)
  return Number.isFinite(read) ? read : 0
}

const party = (address: Json) => {
  const [first, ...others] = list(address.street).map(text)
  return {
    name: joined(address.prefix, address.firstname, address.middlename, address.lastname, address.suffix),
    company: text(address.company),
    address1: first ?? '',
    address2: others.filter(Boolean).join(', ') || null,
    postcode: text(address.postcode) ?? '',
    city: text(address.city) ?? '',
    region: text(address.region),
    phone: text(address.telephone),
  }
}

/** How much of an item is still to be sent, and never less than nothing. */
export const remainingOf = (item: Json): number =>
  Math.max(0, amount(item.qty_ordered) - amount(item.qty_shipped) - amount(item.qty_canceled) - amount(item.qty_refunded))

function paymentOf(order: Json, state: string): CanonicalOrder['payment_status'] {
  const paid = micro(order.total_paid) ?? 0n
  const refunded = micro(order.total_refunded) ?? 0n
  const due = micro(order.total_due)
  if (refunded > 0n) return refunded >= paid ? 'refunded' : 'partially_refunded'
  if (paid > 0n) return due !== null && due > 0n ? 'partially_paid' : 'paid'
  if (state === 'canceled') return 'voided'
  return (micro(object(order.payment).amount_authorized) ?? 0n) > 0n ? 'authorized' : 'pending'
}

export function readMagentoOrder(body: unknown, options: MagentoOptions = {}): Reading {
  const order = object(body)
  const external_id = text(order.entity_id)
  if (external_id === null) return { problems: [{ field: '', text: shopSentences.noOrder, values: {} }] }
  const state = text(order.state) ?? ''
  const payment_status = paymentOf(order, state)
  const billing = object(order.billing_address)
  const shipping = object(object(objects(object(order.extension_attributes).shipping_assignments)[0]).shipping)
  const given = object(shipping.address)
  const ship = text(given.country_id) !== null || list(given.street).length > 0 ? given : billing
  const email = text(order.customer_email) ?? text(billing.email)
  const phone = text(ship.telephone) ?? text(billing.telephone)

  const items = objects(order.items)
  const known = new Map(items.map(item => [text(item.item_id), item]))
  const parentOf = (item: Json): Json | undefined => {
    const parent = text(item.parent_item_id)
    return parent === null || parent === text(item.item_id) ? undefined : known.get(parent)
  }
  // A closed order was refunded as a whole: what had left before stays sent.
  const sent = items.some(item => amount(item.qty_shipped) > 0)
  let status = states[state] ?? 'held'
  if (state === 'closed' && sent) status = 'closed'
  if (state === 'new' && options.packUnpaid) status = 'ready'
  const over = status === 'cancelled' || status === 'closed'

  const variants = new Map<Json, Json>()
  for (const item of items) {
    const parent = parentOf(item)
    if (parent && text(parent.product_type) === 'configurable') variants.set(parent, item)
  }
  const lines: WrittenLine[] = []
  for (const item of items) {
    const parent = parentOf(item)
    // The product with the options is one line: the variant's number under the id by which Magento ships it.
    if (parent && text(parent.product_type) === 'configurable') continue
    const type = text(item.product_type)
    const qty = amount(item.qty_ordered) - (over ? 0 : amount(item.qty_canceled) + amount(item.qty_refunded))
    if (qty <= 0) continue
    const variant = variants.get(item)
    const price = micro(item.price)
    // What reduces a price with VAT also reduces the VAT: that part is named apart.
    const discount = (micro(item.discount_amount) ?? 0n) - (micro(item.discount_tax_compensation_amount) ?? 0n)
    const weight = Number(text(item.weight) ?? Number.NaN) * (options.weightUnit === 'lb' ? 453.592_37 : 1_000)
    lines.push({
      external_id: text(item.item_id),
      type: 'item',
      sku: clipped(variant?.sku ?? item.sku, 64),
      name: clipped(item.name, 300) ?? `#${text(item.item_id)}`,
      variant: variant && text(variant.name) !== text(item.name) ? clipped(variant.name, 200) : null,
      qty: String(qty),
      ...(price !== null && { unit_price_excl_vat: amountText(price) }),
      ...(discount > 0n && { discount_excl_vat: amountText(discount) }),
      vat_percent: percentText(Number(text(item.tax_percent) ?? Number.NaN)),
      weight_g: options.weightUnit && weight > 0 && weight <= 10_000_000 ? Math.round(weight) : null,
      bundle_of: parent ? text(parent.item_id) : null,
      // The parts of a bundle are packed, and the bundle itself is only a name on the receipt.
      requires_shipping: type !== 'bundle' && type !== 'virtual' && type !== 'downloadable' && amount(item.is_virtual) !== 1,
    })
  }
  const shippingExcl = micro(order.shipping_amount)
  const shippingIncl = micro(order.shipping_incl_tax)
  const title = clipped(order.shipping_description, 200)
  const shippingVat = vatBetween(shippingExcl, shippingIncl)
  if (shippingExcl !== null && (shippingExcl > 0n || title !== null))
    lines.push({
      external_id: 'shipping',
      type: 'shipping',
      name: title ?? 'shipping',
      qty: '1',
      unit_price_excl_vat: amountText(shippingExcl),
      vat_percent: shippingVat,
      requires_shipping: false,
    })

  const updated = magentoTime(order.updated_at)
  const note = clipped(order.customer_note, 2_000)
  const vat_no = clipped(order.customer_taxvat, 40) ?? clipped(billing.vat_id, 40)
  return readCanonical({
    external_id,
    order_no: text(order.increment_id) ?? external_id,
    ...(options.shop !== undefined && { shop: options.shop }),
    source: 'magento',
    ordered_at: magentoTime(order.created_at),
    status,
    payment_status,
    currency: text(order.order_currency_code) ?? '',
    customer: {
      external_id: text(order.customer_id),
      name: joined(order.customer_firstname, order.customer_middlename, order.customer_lastname) || party(billing).name || null,
      email,
      phone: text(billing.telephone),
      vat_no,
    },
    ship_to: { ...party(ship), country: countryOr(ship.country_id ?? billing.country_id, options.country), phone, email },
    bill_to:
      text(billing.country_id) === null && list(billing.street).length === 0
        ? null
        : { ...party(billing), country: text(billing.country_id)?.toUpperCase() ?? null, email, vat_no },
    shipping:
      title === null && text(shipping.method) === null
        ? null
        : {
            title,
            code: clipped(shipping.method, 100),
            price_incl_vat: shippingIncl === null ? null : amountText(shippingIncl),
            vat_percent: shippingVat,
          },
    lines,
    totals: totalsOf(micro(order.grand_total), micro(order.tax_amount)),
    notes: note === null ? [] : [{ type: 'customer', text: note }],
    attributes: keepsakes([
      ['payment_method', object(order.payment).method],
      ['coupon_code', order.coupon_code],
      ['store_name', order.store_name],
      ['status', order.status],
    ]),
    version: updated === null ? null : Date.parse(updated),
  } satisfies WrittenOrder)
}
