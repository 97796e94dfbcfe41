/**
 * Reads orders that Shopify delivers by web hook into the canonical order.
 * The body is the REST-style JSON with snake_case names, whatever API the app itself uses. Source: shopify.dev, web hooks and the Order resource.
 */
import { type CanonicalOrder, type Reading, readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import type { ReadingOptions } from './order-parts.ts'
import {
  amountText,
  clipped,
  countryOr,
  type Delivery,
  divided,
  exclusive,
  type Headers,
  header,
  type Json,
  joined,
  keepsakes,
  list,
  micro,
  object,
  objects,
  parsed,
  percentText,
  shopSentences,
  text,
  type WrittenLine,
} from './shop-order.ts'
import { isSigned } from './signature.ts'

export interface ShopifyOptions extends ReadingOptions {
  /** Names of the note attributes that hold the chosen parcel shop, one per app. */
  pickupKeys?: { id?: string; name?: string; carrier?: string; address1?: string; postcode?: string; city?: string; country?: string }
}

const payments: Record<string, NonNullable<CanonicalOrder['payment_status']>> = {
  pending: 'pending',
  authorized: 'authorized',
  partially_paid: 'partially_paid',
  paid: 'paid',
  partially_refunded: 'partially_refunded',
  refunded: 'refunded',
  voided: 'voided',
  expired: 'voided',
}

const count = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) ? value : null)

const party = (address: Json) => ({
  name: text(address.name) ?? joined(address.first_name, address.last_name),
  company: text(address.company),
  address1: text(address.address1) ?? '',
  address2: text(address.address2),
  postcode: text(address.zip) ?? '',
  city: text(address.city) ?? '',
  region: text(address.province_code) ?? text(address.province),
})

const rateOf = (line: Json): string | null => {
  const rates = objects(line.tax_lines).map(tax => (typeof tax.rate === 'number' ? tax.rate : Number(text(tax.rate) ?? Number.NaN)))
  return percentText(rates.reduce((sum, rate) => sum + rate * 100, 0))
}

/** Tips are lines without a product. */
const isTip = (item: Json): boolean =>
  'tip' in item || (text(item.product_id) === null && item.requires_shipping === false && text(item.title) === 'Tip')

/** Quantity of each line removed by refunds and edits, where the API version is too old to have `current_quantity`. */
function refunded(order: Json): Map<string, number> {
  const gone = new Map<string, number>()
  for (const refund of objects(order.refunds)) {
    for (const line of objects(refund.refund_line_items)) {
      const id = text(line.line_item_id) ?? ''
      gone.set(id, (gone.get(id) ?? 0) + (count(line.quantity) ?? 0))
    }
  }
  return gone
}

/** One order, as the body of a web hook → the canonical order, or its issues by our field names. */
export function readShopifyOrder(body: unknown, options: ShopifyOptions = {}): Reading {
  const order = object(body)
  const external_id = text(order.id)
  if (external_id === null) return { problems: [{ field: '', text: shopSentences.noOrder, values: {} }] }
  const customer = object(order.customer)
  const billing = object(order.billing_address)
  const ship =
    [order.shipping_address, order.billing_address, customer.default_address]
      .map(object)
      .find(address => text(address.country_code) !== null || text(address.address1) !== null) ?? {}
  const email = text(order.email) ?? text(order.contact_email) ?? text(customer.email)
  const phone = text(ship.phone) ?? text(order.phone) ?? text(billing.phone) ?? text(customer.phone)
  const payment_status = payments[text(order.financial_status) ?? ''] ?? null
  const taxesIncluded = order.taxes_included === true

  const items = objects(order.line_items)
  const gone = refunded(order)
  const current = (item: Json): number =>
    count(item.current_quantity) ?? Math.max(0, (count(item.quantity) ?? 0) - (gone.get(text(item.id) ?? '') ?? 0))
  const open = (item: Json): number => count(item.fulfillable_quantity) ?? current(item)
  const physical = items.filter(item => item.requires_shipping !== false && item.gift_card !== true && !isTip(item))
  const sum = (quantity: (item: Json) => number) => physical.reduce((total, item) => total + quantity(item), 0)

  let status: CanonicalOrder['status']
  let quantity: (item: Json) => number = open
  if (text(order.cancelled_at) !== null || payment_status === 'refunded' || (physical.length > 0 && sum(current) === 0))
    status = 'cancelled'
  else if (text(order.fulfillment_status) === 'fulfilled' || text(order.closed_at) !== null) status = 'closed'
  else if (sum(open) === 0 && sum(current) > 0) {
    // Neither sent nor removed, and yet nothing to send: the shop holds it back.
    status = 'held'
    quantity = current
  } else if (payment_status === 'voided') status = 'held'
  else if ((payment_status === 'pending' || payment_status === 'partially_paid') && !options.packUnpaid) status = 'new'
  else status = 'ready'
  // A completed order is shown as it was ordered.
  if (status === 'cancelled' || status === 'closed') quantity = item => count(item.quantity) ?? 1

  const lines: WrittenLine[] = []
  for (const item of items) {
    const type = item.gift_card === true ? 'gift_card' : isTip(item) ? 'fee' : 'item'
    const ordered = count(item.quantity) ?? 0
    // Charges and things that are not sent have no open quantity once they are "fulfilled".
    const qty =
      type === 'item' && item.requires_shipping !== false
        ? quantity(item)
        : status === 'cancelled' || status === 'closed'
          ? ordered
          : current(item)
    if (qty <= 0) continue
    const vat_percent = rateOf(item)
    const price = micro(item.price)
    const allocations = objects(item.discount_allocations)
    const allotted =
      allocations.length > 0
        ? allocations.reduce((total, allocation) => total + (micro(allocation.amount) ?? 0n), 0n)
        : (micro(item.total_discount) ?? 0n)
    const discount = ordered > 0 ? divided(allotted * BigInt(qty), BigInt(ordered)) : 0n
    const grams = typeof item.grams === 'number' ? Math.round(item.grams) : 0
    const variant = text(item.variant_title)
    lines.push({
      external_id: text(item.id),
      type,
      sku: clipped(item.sku, 64),
      name: clipped(item.title ?? item.name, 300) ?? `#${text(item.id)}`,
      variant: variant === 'Default Title' ? null : clipped(variant, 200),
      qty: String(qty),
      ...(price !== null && { [taxesIncluded ? 'unit_price_incl_vat' : 'unit_price_excl_vat']: amountText(price) }),
      ...(discount > 0n && {
        discount_excl_vat: amountText(taxesIncluded && vat_percent !== null ? exclusive(discount, vat_percent) : discount),
      }),
      vat_percent,
      weight_g: grams > 0 && grams <= 10_000_000 ? grams : null,
      hs_code: /^[\d .]{4,14}$/.test(text(item.harmonized_system_code) ?? '') ? text(item.harmonized_system_code) : null,
      origin: /^[A-Z]{2}$/.test(text(item.country_code_of_origin) ?? '') ? text(item.country_code_of_origin) : null,
      requires_shipping: type === 'item' && item.requires_shipping !== false,
      custom: keepsakes(
        objects(item.properties).map(property => [
          property.name,
          typeof property.value === 'object' ? JSON.stringify(property.value) : property.value,
        ]),
      ),
    })
  }
  const methods = objects(order.shipping_lines).filter(line => line.is_removed !== true)
  for (const method of methods) {
    const price = micro(method.discounted_price) ?? micro(method.price)
    lines.push({
      external_id: `shipping-${text(method.id)}`,
      type: 'shipping',
      name: clipped(method.title, 300) ?? 'shipping',
      qty: '1',
      ...(price !== null && { [taxesIncluded ? 'unit_price_incl_vat' : 'unit_price_excl_vat']: amountText(price) }),
      vat_percent: rateOf(method),
      requires_shipping: false,
    })
  }

  const method = methods[0]
  const notes = objects(order.note_attributes)
  const noted = (name: string | undefined): string | null =>
    name === undefined ? null : text(notes.find(note => note.name === name)?.value)
  const keys = { id: 'service_point_id', name: 'service_point_name', carrier: 'service_point_carrier', ...options.pickupKeys }
  const pickup = noted(keys.id)
  const total = micro(order.current_total_price) ?? micro(order.total_price)
  const tax = micro(order.current_total_tax) ?? micro(order.total_tax)
  const updated = Date.parse(text(order.updated_at) ?? '')
  const methodPrice = method && (micro(method.discounted_price) ?? micro(method.price))
  const methodTax = method ? objects(method.tax_lines).reduce((sum, line) => sum + (micro(line.price) ?? 0n), 0n) : 0n
  const note = clipped(order.note, 2_000)

  return readCanonical({
    external_id,
    order_no: text(order.name) ?? text(order.order_number) ?? external_id,
    ...(options.shop !== undefined && { shop: options.shop }),
    source: 'shopify',
    ordered_at: text(order.created_at),
    // The body has no time of payment; a paid order counts as paid when it was processed.
    paid_at: payment_status === 'paid' ? text(order.processed_at) : null,
    status,
    payment_status,
    currency: text(order.currency) ?? '',
    locale: /^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/i.test(text(order.customer_locale) ?? '') ? text(order.customer_locale) : null,
    customer: {
      external_id: text(customer.id),
      name: joined(customer.first_name, customer.last_name) || text(billing.name),
      email,
      phone: text(order.phone) ?? text(customer.phone),
    },
    ship_to: { ...party(ship), country: countryOr(ship.country_code, options.country), phone, email },
    bill_to:
      text(billing.address1) === null
        ? null
        : { ...party(billing), country: text(billing.country_code)?.toUpperCase() ?? null, phone: text(billing.phone), email },
    service_point:
      pickup === null
        ? null
        : {
            id: pickup.slice(0, 60),
            name: clipped(noted(keys.name), 120),
            carrier: clipped(noted(keys.carrier), 40),
            address1: clipped(noted(keys.address1), 200),
            postcode: noted(keys.postcode),
            city: noted(keys.city),
            country: noted(keys.country),
          },
    shipping: method
      ? {
          title: clipped(method.title, 200),
          code: clipped(method.code, 100),
          price_incl_vat:
            methodPrice === null || methodPrice === undefined ? null : amountText(taxesIncluded ? methodPrice : methodPrice + methodTax),
          vat_percent: rateOf(method),
        }
      : null,
    lines,
    totals:
      total === null
        ? null
        : {
            incl_vat: amountText(total),
            vat: tax === null ? null : amountText(tax),
            excl_vat: tax === null ? null : amountText(total - tax),
          },
    notes: note === null ? [] : [{ type: 'customer', text: note }],
    tags: [
      ...(order.test === true ? ['test'] : []),
      ...(text(order.tags) ?? '')
        .split(',')
        .map(tag => clipped(tag, 60))
        .filter(tag => tag !== null),
    ].slice(0, 50),
    attributes: keepsakes([
      ['payment_gateways', list(order.payment_gateway_names).map(text).filter(Boolean).join(', ')],
      [
        'discount_codes',
        objects(order.discount_codes)
          .map(discount => text(discount.code))
          .filter(Boolean)
          .join(', '),
      ],
      ...notes.map(note => [note.name, note.value] as const),
    ]),
    version: Number.isNaN(updated) ? null : updated,
  } satisfies WrittenOrder)
}

/** Newer event sets use the same names without `x-`. */
const either = (headers: Headers, name: string) => header(headers, `x-shopify-${name}`, `shopify-${name}`)

/** A delivery's headers. `delivery_id` identifies repeats. Topics are written `orders/create`, also where the header says `ORDERS_CREATE`. */
export const shopifyHeaders = (headers: Headers) => {
  const topic = either(headers, 'topic')?.toLowerCase() ?? null
  return {
    topic:
      topic === null || topic.includes('/')
        ? topic
        : /_(?:data_request|redact)$/.test(topic)
          ? topic.replace(/_(data_request|redact)$/, '/$1')
          : topic.replace('_', '/'),
    shop_domain: either(headers, 'shop-domain'),
    api_version: either(headers, 'api-version'),
    delivery_id: either(headers, 'webhook-id'),
    event_id: either(headers, 'event-id'),
    triggered_at: either(headers, 'triggered-at'),
    signature: either(headers, 'hmac-sha256'),
  }
}

const orderTopics = new Set([
  'orders/create',
  'orders/updated',
  'orders/edited',
  'orders/cancelled',
  'orders/paid',
  'orders/fulfilled',
  'orders/partially_fulfilled',
])
const privacyTopics = new Set(['customers/data_request', 'customers/redact', 'shop/redact'])

/** Reads a whole delivery: raw body and headers (names in lower case). Never throws. */
export function readShopifyDelivery(
  raw: Uint8Array,
  headers: Headers,
  secrets: string | readonly string[],
  options: ShopifyOptions = {},
): Delivery {
  const { topic, delivery_id, signature } = shopifyHeaders(headers)
  if (!isSigned(raw, signature, secrets)) return { kind: 'forged' }
  const body = parsed(raw)
  if (body === undefined) return { kind: 'refused', delivery_id, problems: [{ field: '', text: shopSentences.notJson, values: {} }] }
  const order = object(body)
  const external_id = text(order.id)
  if (topic !== null && privacyTopics.has(topic)) {
    const external_ids = list(order.orders_to_redact ?? order.orders_requested)
      .map(text)
      .filter(id => id !== null)
    return { kind: 'privacy', delivery_id, topic, external_ids, customer_external_id: text(object(order.customer).id) }
  }
  if (topic === 'orders/delete' && external_id !== null) return { kind: 'removed', delivery_id, external_id }
  // The body of orders/edited holds only the edit; the order itself follows with orders/updated.
  if (topic !== null && (!orderTopics.has(topic) || (topic === 'orders/edited' && order.line_items === undefined))) {
    return { kind: 'ignored', delivery_id, text: shopSentences.topic, values: { topic: topic.slice(0, 60) } }
  }
  const items = objects(order.line_items)
  if (external_id !== null && items.length > 0 && items.every(item => item.requires_shipping === false || item.gift_card === true)) {
    return { kind: 'ignored', delivery_id, text: shopSentences.nothing, values: { order_no: text(order.name) ?? external_id } }
  }
  const reading = readShopifyOrder(body, options)
  if (reading.problems) return { kind: 'refused', delivery_id, problems: reading.problems }
  // The topic decides where the snapshot is older than the notification.
  const cancelled = topic === 'orders/cancelled' ? { ...reading.order, status: 'cancelled' as const } : reading.order
  return { kind: 'order', delivery_id, order: cancelled }
}
