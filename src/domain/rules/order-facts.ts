/** Facts of an order for rules, from what the import and the database both know of it. */
import type { LineFacts, MoneyValue, OrderFacts } from './rule-fields.ts'

interface AddressSource {
  name: string
  company: string | null
  address1: string
  postcode: string
  city: string
  /** Empty in a billing address that names none. */
  country: string
}

export interface LineSource {
  sku: string | null
  name: string
  qty: number
  unit_price_excl_vat: number | null
  unit_price_incl_vat: number | null
  weight_g: number | null
  hs_code: string | null
  origin: string | null
  serial_required: boolean
  has_bin: boolean
  has_barcode: boolean
  /** Of its product; null without one. */
  size_mm: readonly [length: number | null, width: number | null, height: number | null] | null
  requires_shipping: boolean
  /** Of its product. */
  tags: readonly string[]
}

/** Earlier orders of the same customer at the same company. */
export interface CustomerHistory {
  order_count: number
  orders_24h: number
  orders_30d: number
  /** The largest number for one SKU of this order. */
  same_sku_24h: number
  /** In the currency of this order. */
  value_365d: number
}

export interface OrderSource {
  currency: string
  total_incl_vat: number | null
  total_excl_vat: number | null
  item_count: number
  weight_g: number
  locale: string | null
  shop: string
  source: string
  payment_state: string
  shipping_code: string | null
  /** Its own, and words of its shop that are no tags. */
  tags: readonly string[]
  /** Null where the customer is not known. */
  customer_tags: readonly string[] | null
  created_at: string
  ordered_at: string
  ship_by: string | null
  notes: readonly string[]
  pinned: boolean
  ship_to: AddressSource
  bill_to: AddressSource | null
  customer_phone: string | null
  customer_email: string | null
  service_point: { id?: unknown } | null
  agent_code: string | null
  shipping_method: string | null
  /** Where the company sends from; empty where it is not set. */
  sender_country: string
  /** Lines of type `item`. */
  lines: readonly LineSource[]
  /** Null where the customer is not known, or no rule asks. */
  history: CustomerHistory | null
}

export function orderFactsOf(order: OrderSource): OrderFacts {
  const { ship_to, bill_to, history } = order
  const money = (amount: number | null): MoneyValue | null => (amount === null ? null : { amount, currency: order.currency })
  return {
    'order.value': money(order.total_incl_vat),
    'order.value_excl_vat': money(order.total_excl_vat),
    'order.item_count': order.item_count,
    'order.line_count': order.lines.length,
    'order.weight': order.weight_g || null,
    'order.volume': volumeOf(order.lines),
    'order.currency': order.currency,
    'order.locale': order.locale,
    'order.shop': order.shop,
    'order.source': order.source,
    'order.payment_status': order.payment_state,
    'order.method_code': order.shipping_code,
    'order.tags': order.tags,
    'order.age': order.created_at,
    'order.ordered_at': order.ordered_at,
    'order.ship_by': order.ship_by,
    'order.note': order.notes.join('\n') || null,
    'order.pinned': order.pinned,
    'order.is_abroad': order.sender_country === '' ? null : ship_to.country !== order.sender_country,
    'ship.country': ship_to.country || null,
    'ship.postcode': ship_to.postcode || null,
    'ship.city': ship_to.city || null,
    'ship.company': ship_to.company || null,
    'ship.phone_missing': !order.customer_phone,
    'ship.email_missing': !order.customer_email,
    'ship.service_point': typeof order.service_point?.id === 'string' ? order.service_point.id : null,
    'ship.agent': order.agent_code,
    'ship.method': order.shipping_method,
    'bill.country': bill_to?.country || null,
    'bill.postcode': bill_to?.postcode || null,
    'bill.differs': bill_to !== null && differs(bill_to, ship_to),
    'customer.order_count': history?.order_count ?? null,
    'customer.orders_24h': history?.orders_24h ?? null,
    'customer.orders_30d': history?.orders_30d ?? null,
    'customer.same_sku_24h': history?.same_sku_24h ?? null,
    'customer.value_365d': history && { amount: history.value_365d, currency: order.currency },
    'customer.is_new': history && history.order_count === 0,
    'customer.tags': order.customer_tags,
    // Known where returns are looked at.
    'return.reason': null,
    'return.outcome': null,
    'return.days': null,
    'return.value': null,
    'return.share': null,
    // Known where parcels are looked at.
    'shipment.stage': null,
    'shipment.agent': null,
    'shipment.weight': null,
    'shipment.parcels': null,
    lines: order.lines.map(line => lineFactsOf(line, money)),
  }
}

function lineFactsOf(line: LineSource, money: (amount: number | null) => MoneyValue | null): LineFacts {
  const price = line.unit_price_incl_vat ?? line.unit_price_excl_vat
  return {
    'line.sku': line.sku,
    'line.name': line.name,
    'line.qty': line.qty,
    'line.value': money(price === null ? null : price * line.qty),
    'line.unit_price': money(price),
    'line.weight': line.weight_g,
    'line.hs_code': line.hs_code,
    'line.origin': line.origin,
    'line.serial_required': line.serial_required,
    'line.has_bin': line.has_bin,
    'line.has_barcode': line.has_barcode,
    'line.tag': line.tags,
    'line.unknown_product': line.size_mm === null,
  }
}

/** Whole cubic centimetres; null when the size of one product is not known. */
function volumeOf(lines: readonly LineSource[]): number | null {
  let cubic_mm = 0
  for (const { qty, size_mm, requires_shipping } of lines) {
    if (!requires_shipping) continue
    const [length, width, height] = size_mm ?? []
    if (!length || !width || !height) return null
    cubic_mm += qty * length * width * height
  }
  return Math.ceil(cubic_mm / 1_000) || null
}

/** What a billing address leaves out is no difference. */
const differs = (bill: AddressSource, ship: AddressSource): boolean =>
  (['name', 'company', 'address1', 'postcode', 'city', 'country'] as const).some(
    field => (bill[field] ?? '') !== '' && bill[field] !== (ship[field] ?? ''),
  )
