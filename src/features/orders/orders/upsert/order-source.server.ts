/** What rules read of an order that arrives: the same as of a stored one. */
import type { ImportedLine } from '#domain/order/canonical-order-checks.ts'
import type { LineSource, OrderSource } from '#domain/rules/order-facts.ts'
import type { Seen } from './existing-orders.queries.ts'
import { type Draft, isGoods, size } from './order-upsert.rules.ts'

type Computed = Pick<OrderSource, 'item_count' | 'weight_g' | 'created_at' | 'ordered_at' | 'ship_by'>

export function orderSourceOf({ at, order, key }: Draft, seen: Seen, computed: Computed): OrderSource {
  const items = order.lines.filter(line => line.type === 'item')
  // Of two lines with one new product the first one describes it.
  const first = new Map<string, ImportedLine>()
  for (const line of items) if (isGoods(line) && !first.has(line.sku!)) first.set(line.sku!, line)
  return {
    ...computed,
    currency: order.currency,
    total_incl_vat: order.totals.incl_vat,
    total_excl_vat: order.totals.excl_vat,
    locale: order.locale,
    shop: order.shop,
    source: order.source,
    payment_state: order.payment_status ?? 'paid',
    shipping_code: order.shipping?.code ?? null,
    tags: seen.tags?.ofOrder(order.tags, seen.known.get(key)?.id) ?? order.tags,
    customer_tags: seen.tags?.ofCustomer(at) ?? null,
    notes: order.notes.map(note => note.text).filter(text => text !== ''),
    pinned: false,
    ship_to: order.ship_to,
    bill_to: order.bill_to,
    customer_phone: order.customer.phone ?? order.ship_to.phone,
    customer_email: order.customer.email ?? order.ship_to.email,
    service_point: order.service_point,
    agent_code: null,
    shipping_method: null,
    sender_country: seen.settings.sender.country,
    lines: items.map(line => lineSourceOf(line, isGoods(line) ? first.get(line.sku!) : undefined, seen)),
    history: seen.histories.get(at) ?? null,
  }
}

function lineSourceOf(line: ImportedLine, first: ImportedLine | undefined, seen: Seen): LineSource {
  const product = first && seen.products.get(line.sku!)
  const sizes = (['length_mm', 'width_mm', 'height_mm'] as const).map(name => product?.[name] ?? size(first?.[name] ?? null))
  return {
    sku: line.sku,
    name: line.name,
    qty: line.qty,
    unit_price_excl_vat: line.unit_price_excl_vat,
    unit_price_incl_vat: line.unit_price_incl_vat,
    weight_g: line.weight_g ?? product?.weight_g ?? first?.weight_g ?? null,
    hs_code: line.hs_code ?? product?.hs_code ?? first?.hs_code ?? null,
    origin: line.origin ?? product?.origin ?? first?.origin ?? null,
    serial_required: line.serial_required || (product?.serial_required ?? first?.serial_required ?? false),
    has_bin: (line.bin ?? product?.bin ?? first?.bin ?? null) !== null,
    has_barcode: line.barcode !== null || (product?.barcodes.length ?? 0) > 0 || (first?.barcode ?? null) !== null,
    size_mm: first ? [sizes[0] ?? null, sizes[1] ?? null, sizes[2] ?? null] : null,
    requires_shipping: line.requires_shipping,
    tags: product ? (seen.tags?.ofProduct(product.id) ?? []) : [],
  }
}
