/** Orders with the parts of the company's own bundles as lines: they are picked, packed and declared in place of the bundle. */
import type { ImportedLine, ImportedOrder } from '#domain/order/canonical-order-checks.ts'
import { partMark } from '../bundles.rules.ts'
import { isGoods } from './order-upsert.rules.ts'

/** A product that a bundle of the company consists of. */
export interface Component {
  product_id: number
  sku: string
  name: string
  variant: string | null
  cost_price: number | null
  cost_currency: string | null
  /** Pieces in one bundle. */
  qty: number
}

/** The id of a line that stands for a part of a line of the shop: the same at each delivery of the order. */
const partId = (external_id: string, product_id: number): string => `${external_id}${partMark}${product_id}`

/**
 * The order with the parts of the company's bundles as lines behind them, each bundle left as a name. A bundle whose parts the shop
 * sends itself is left as it is.
 */
export function unfolded(order: ImportedOrder, bundles: ReadonlyMap<string, readonly Component[]>): ImportedOrder {
  if (bundles.size === 0) return order
  const named = new Set(order.lines.map(line => line.bundle_of))
  const lines = order.lines.flatMap(line => {
    const components = isGoods(line) && !named.has(line.external_id) ? bundles.get(line.sku ?? '') : undefined
    if (!components) return [line]
    return [
      { ...line, requires_shipping: false, serial_required: false },
      ...components.map(component => partLine(line, component, order.currency)),
    ]
  })
  return lines.length === order.lines.length ? order : { ...order, lines: lines.map((line, at) => ({ ...line, line_no: at + 1 })) }
}

const partLine = (bundle: ImportedLine, component: Component, currency: string): ImportedLine => ({
  line_no: 0,
  external_id: partId(bundle.external_id, component.product_id),
  type: 'item',
  sku: component.sku,
  sku_key: component.sku.toUpperCase(),
  barcode: null,
  name: component.name,
  variant: component.variant,
  qty: bundle.qty * component.qty,
  unit_price_excl_vat: null,
  unit_price_incl_vat: null,
  discount_excl_vat: 0,
  vat_percent: bundle.vat_percent,
  cost_price: component.cost_currency === currency ? component.cost_price : null,
  weight_g: null,
  length_mm: null,
  width_mm: null,
  height_mm: null,
  bin: null,
  image_url: null,
  hs_code: null,
  origin: null,
  customs_text: null,
  bundle_of: bundle.external_id,
  serial_required: false,
  requires_shipping: true,
  custom: {},
})
