/**
 * Reads orders that WooCommerce delivers by web hook (REST API wc/v3) into the canonical order.
 * Source: the WooCommerce REST API reference; line fields `bundled_by` and `composite_parent` from the extensions Product Bundles and Composite Products.
 */

import { readDate } from '#domain/dates.ts'
import { type CanonicalOrder, type Reading, readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import {
  amountText,
  clipped,
  countryOr,
  type Delivery,
  divided,
  type Headers,
  header,
  type Json,
  joined,
  keepsakes,
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

export interface WooOptions {
  /** Code of the shop in this system. */
  shop?: string
  /** The shop's own country, for orders that name none. */
  country?: string
  /** The site's time zone, for plug-ins that leave out the GMT dates. */
  timeZone?: string
  /** Statuses that plug-ins add, without `wc-`, and their meaning here. */
  statuses?: Record<string, CanonicalOrder['status']>
  /** More meta keys that hold the chosen parcel shop. */
  pickupKeys?: readonly string[]
}

/** WooCommerce has no "shipped"; `completed` is the nearest. A failed payment may still be repeated, so the order waits. */
const statuses: Record<string, CanonicalOrder['status']> = {
  pending: 'new',
  failed: 'new',
  processing: 'ready',
  'on-hold': 'held',
  completed: 'closed',
  cancelled: 'cancelled',
  refunded: 'cancelled',
  trash: 'cancelled',
}
const drafts = new Set(['checkout-draft', 'auto-draft', 'draft'])

const metaValue = (holder: Json, key: string): unknown => objects(holder.meta_data).find(meta => meta.key === key)?.value

const gmt = (at: unknown, local: unknown, timeZone = 'UTC'): string | null => {
  // GMT fields have no Z; reading them as local time would shift every order.
  const written = text(at)
  if (written !== null) return readDate(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`, 'iso', 'UTC')
  const localTime = text(local)
  return localTime === null ? null : readDate(localTime.replace('T', ' '), 'iso', timeZone)
}

function vatOf(line: Json, rates: Map<string, number>): string | null {
  const taxes = objects(line.taxes).filter(tax => (micro(tax.total) ?? 0n) !== 0n)
  const knownRates = taxes.map(tax => rates.get(text(tax.id) ?? ''))
  if (knownRates.length > 0 && knownRates.every(rate => rate !== undefined))
    return percentText(knownRates.reduce((sum, rate) => sum + rate, 0))
  const total = micro(line.total)
  const tax = micro(line.total_tax)
  if (total === null || tax === null || total <= 0n || tax < 0n) return null
  // The amounts are rounded, so a tenth of a percent is the best precision.
  return percentText(Number(divided(tax * 1_000n, total)) / 10)
}

/** A line's unit price and discount. `price` is a float of the discounted price, so the exact sums are divided instead. */
function prices(line: Json, qty: number): Pick<WrittenLine, 'unit_price_excl_vat' | 'discount_excl_vat'> {
  const total = micro(line.total)
  const before = micro(line.subtotal) ?? total
  if (before === null || !Number.isSafeInteger(qty) || qty < 1) return {}
  const discount = total === null ? 0n : before - total
  return {
    unit_price_excl_vat: amountText(divided(before, BigInt(qty))),
    ...(discount > 0n && { discount_excl_vat: amountText(discount) }),
  }
}

/** The line that sells this one as its part; null for a line of its own. */
function parentOf(line: Json, lines: readonly Json[]): string | null {
  const direct = text(line.bundled_by) ?? text(line.composite_parent)
  if (direct !== null && lines.some(other => text(other.id) === direct)) return direct
  for (const [theirs, ours] of [
    ['_bundled_by', '_bundle_cart_key'],
    ['_composite_parent', '_composite_cart_key'],
  ] as const) {
    const key = text(metaValue(line, theirs))
    const parent = key === null ? undefined : lines.find(other => other !== line && text(metaValue(other, ours)) === key)
    if (parent) return text(parent.id)
  }
  const product = text(metaValue(line, '_woosb_parent_id'))
  const parent = product === null ? undefined : lines.find(other => other !== line && text(other.product_id) === product)
  return parent ? text(parent.id) : null
}

function servicePoint(order: Json, keys: readonly string[]): WrittenOrder['service_point'] {
  for (const holder of [...objects(order.shipping_lines), order]) {
    for (const key of keys) {
      const value = metaValue(holder, key)
      const point = typeof value === 'string' ? object(parsed(Buffer.from(value))) : object(value)
      const id = clipped(point.id ?? point.service_point_id ?? (typeof value === 'string' && !value.startsWith('{') ? value : null), 60)
      if (id === null) continue
      return {
        id,
        carrier: clipped(point.carrier_code ?? point.carrier, 40),
        name: clipped(point.name ?? point.company_name, 120),
        address1: clipped(point.address_1 ?? point.address, 200),
        postcode: clipped(point.postcode ?? point.zipcode, 20),
        city: clipped(point.city, 100),
        country: text(point.country ?? point.country_code)?.toUpperCase() ?? null,
      }
    }
  }
  return null
}

const party = (address: Json) => ({
  name: joined(address.first_name, address.last_name),
  company: text(address.company),
  address1: text(address.address_1) ?? '',
  address2: text(address.address_2),
  postcode: text(address.postcode) ?? '',
  city: text(address.city) ?? '',
  region: text(address.state),
})

/** Variant attributes and the customer's answers to plug-ins: visible meta data. Keys of taxonomies start with `pa_`. */
const visible = (line: Json): [string, unknown][] =>
  objects(line.meta_data)
    .filter(meta => typeof meta.key === 'string' && !meta.key.startsWith('_'))
    .map(meta => [text(meta.display_key) ?? String(meta.key), typeof meta.value === 'object' ? JSON.stringify(meta.value) : meta.value])

/** One order, as the body of a web hook or an answer of `GET /orders/{id}` → the canonical order, or its issues by our field names. Drafts are read too. */
export function readWooOrder(body: unknown, options: WooOptions = {}): Reading {
  const order = object(body)
  const external_id = text(order.id)
  if (external_id === null) return { problems: [{ field: '', text: shopSentences.noOrder, values: {} }] }
  const billing = object(order.billing)
  const shipping = object(order.shipping)
  const shipsElsewhere = [shipping.address_1, shipping.address_2, shipping.city, shipping.postcode].some(part => text(part) !== null)
  const ship = shipsElsewhere ? shipping : billing
  const billingCountry = text(billing.country)?.toUpperCase() ?? null
  const phone = text(shipping.phone) ?? text(billing.phone)
  const email = text(billing.email)

  const status = (text(order.status) ?? '').replace(/^wc-/, '')
  const refunds = objects(order.refunds)
  const paid_at = gmt(order.date_paid_gmt, order.date_paid, options.timeZone)
  const payment_status =
    status === 'refunded'
      ? 'refunded'
      : refunds.length > 0
        ? 'partially_refunded'
        : paid_at !== null
          ? 'paid'
          : status === 'cancelled' || status === 'trash'
            ? 'voided'
            : 'pending'

  const rates = new Map<string, number>()
  for (const tax of objects(order.tax_lines)) if (typeof tax.rate_percent === 'number') rates.set(text(tax.rate_id) ?? '', tax.rate_percent)

  const items = objects(order.line_items)
  const parents = new Map(items.map(item => [item, parentOf(item, items)]))
  const shippedApart = (item: Json) => text(metaValue(item, '_bundled_item_needs_shipping')) !== 'no'
  /** Bundles whose parts are packed one by one: the bundle itself is only a name on the receipt. */
  const unfolded = new Set(items.filter(item => parents.get(item) && shippedApart(item)).map(item => parents.get(item)))

  const lines: WrittenLine[] = []
  for (const item of items) {
    const qty = typeof item.quantity === 'number' ? item.quantity : Number(text(item.quantity) ?? Number.NaN)
    // An edit in the shop leaves a quantity of zero behind.
    if (qty === 0) continue
    const id = text(item.id)
    const bundle_of = parents.get(item) ?? null
    const attributes = visible(item)
    lines.push({
      external_id: id,
      type: 'item',
      sku: clipped(item.sku, 64),
      barcode: clipped(item.global_unique_id, 256),
      name: clipped(item.parent_name ?? item.name, 300) ?? text(item.name) ?? `#${id}`,
      variant: clipped(
        objects(item.meta_data)
          .filter(meta => typeof meta.key === 'string' && meta.key.startsWith('pa_'))
          .map(meta => text(meta.display_value) ?? text(meta.value))
          .filter(value => value !== null)
          .join(' / '),
        200,
      ),
      qty: Number.isFinite(qty) ? String(qty) : '',
      ...prices(item, qty),
      vat_percent: vatOf(item, rates),
      image_url: image(object(item.image).src),
      bundle_of,
      requires_shipping: bundle_of !== null ? shippedApart(item) : !unfolded.has(id),
      custom: keepsakes(attributes),
    })
  }
  for (const [type, others] of [
    ['shipping', objects(order.shipping_lines)],
    ['fee', objects(order.fee_lines)],
  ] as const) {
    for (const other of others) {
      lines.push({
        external_id: `${type}-${text(other.id)}`,
        type,
        name: clipped(other.method_title ?? other.name, 300) ?? type,
        qty: '1',
        ...prices(other, 1),
        vat_percent: vatOf(other, rates),
        requires_shipping: false,
      })
    }
  }

  const method = objects(order.shipping_lines)[0]
  const methodTotal = method && micro(method.total)
  const note = text(order.customer_note)
  const total = micro(order.total)
  const tax = micro(order.total_tax)
  const modified = gmt(order.date_modified_gmt, order.date_modified, options.timeZone)
  const coupons = objects(order.coupon_lines)
    .map(coupon => text(coupon.code))
    .filter(code => code !== null)
  const customer = text(order.customer_id)

  return readCanonical({
    external_id,
    // Plug-ins for sequential numbers make `number` differ from `id`.
    order_no: text(order.number) ?? external_id,
    ...(options.shop !== undefined && { shop: options.shop }),
    source: 'woocommerce',
    ordered_at: gmt(order.date_created_gmt, order.date_created, options.timeZone),
    paid_at,
    // Hold an unknown status: the order must not be packed by mistake.
    status: options.statuses?.[status] ?? statuses[status] ?? 'held',
    payment_status,
    currency: text(order.currency) ?? '',
    customer: {
      external_id: customer === '0' ? null : customer,
      name: joined(billing.first_name, billing.last_name) || null,
      email,
      phone: text(billing.phone),
    },
    ship_to: { ...party(ship), country: countryOr(ship.country ?? billing.country, options.country), phone, email },
    bill_to:
      billingCountry === null && text(billing.address_1) === null
        ? null
        : { ...party(billing), country: billingCountry, phone: text(billing.phone), email },
    service_point: servicePoint(order, ['shipmondo_pickup_point', ...(options.pickupKeys ?? [])]),
    shipping: method
      ? {
          title: clipped(method.method_title, 200),
          code: clipped([method.method_id, method.instance_id].map(text).filter(Boolean).join(':'), 100),
          price_incl_vat:
            methodTotal === null || methodTotal === undefined ? null : amountText(methodTotal + (micro(method.total_tax) ?? 0n)),
          vat_percent: vatOf(method, rates),
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
    notes: [
      ...(note === null ? [] : [{ type: 'customer', text: clipped(note, 2_000)! }]),
      // A refund names no lines here: a person has to check which goods still go out.
      ...(refunds.length > 0 && status !== 'refunded' ? [{ type: 'packing', text: 'The shop has refunded a part of this order' }] : []),
    ],
    attributes: keepsakes([
      ['payment_method', order.payment_method],
      ['transaction_id', order.transaction_id],
      ['coupons', coupons.join(', ')],
      ...objects(order.meta_data).map(meta => [meta.key, meta.value] as const),
    ]),
    version: modified === null ? null : Date.parse(modified),
  } satisfies WrittenOrder)
}

const image = (address: unknown): string | null => {
  const url = text(address)
  return url !== null && url.length <= 2_000 && /^https?:\/\/\S+$/i.test(url) ? url : null
}

/** The number of a new web hook's ping (`webhook_id=7`), which is unsigned form data and is answered with 200; null for anything else. */
export function readWooPing(raw: Uint8Array): number | null {
  if (raw.length > 40) return null
  const ping = /^webhook_id=(\d{1,15})$/.exec(new TextDecoder().decode(raw))
  return ping ? Number(ping[1]) : null
}

const wooSignature = (headers: Headers): string | null => header(headers, 'x-wc-webhook-signature')

/** A delivery's headers. The delivery's id identifies repeats: no time stamp is signed. */
export const wooHeaders = (headers: Headers) => ({
  topic: header(headers, 'x-wc-webhook-topic'),
  source: header(headers, 'x-wc-webhook-source'),
  webhook_id: header(headers, 'x-wc-webhook-id'),
  delivery_id: header(headers, 'x-wc-webhook-delivery-id'),
  signature: wooSignature(headers),
})

/** Reads a whole delivery: raw body and headers (names in lower case). Never throws. Check for a ping first. */
export function readWooDelivery(
  raw: Uint8Array,
  headers: Headers,
  secrets: string | readonly string[],
  options: WooOptions = {},
): Delivery {
  const { topic, delivery_id, signature } = wooHeaders(headers)
  if (!isSigned(raw, signature, secrets)) return { kind: 'forged' }
  const body = parsed(raw)
  if (body === undefined) return { kind: 'refused', delivery_id, problems: [{ field: '', text: shopSentences.notJson, values: {} }] }
  if (topic !== null && !/^order\.(created|updated|deleted|restored)$/.test(topic))
    return { kind: 'ignored', delivery_id, text: shopSentences.topic, values: { topic: topic.slice(0, 60) } }
  const external_id = text(object(body).id)
  if (topic === 'order.deleted' && external_id !== null) return { kind: 'removed', delivery_id, external_id }
  const status = text(object(body).status)?.replace(/^wc-/, '') ?? ''
  if (drafts.has(status))
    return { kind: 'ignored', delivery_id, text: shopSentences.draft, values: { order_no: text(object(body).number) ?? external_id ?? '' } }
  const reading = readWooOrder(body, options)
  return reading.problems
    ? { kind: 'refused', delivery_id, problems: reading.problems }
    : { kind: 'order', delivery_id, order: reading.order }
}
