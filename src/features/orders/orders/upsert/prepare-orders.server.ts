/** Preparing: everything of an order that is computed here rather than sent by the shop. */

import type { ImportedLine, ImportedOrder } from '#domain/order/canonical-order-checks.ts'
import { type Badge, badges, duplicateBadge } from '#domain/order/order-warnings.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import { searchWords } from '#domain/order/search-terms.ts'
import { orderFactsOf } from '#domain/rules/order-facts.ts'
import type { MethodWhy } from '#domain/rules/rule-schemas.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { type CustomerPlan, planCustomers } from '#features/customers/customers/customers.rules.ts'
import { type AssignedDeadline, assignDeadline, startOf } from '#features/orders/deadlines/pickup.rules.ts'
import type { Seen } from './existing-orders.queries.ts'
import { orderSourceOf } from './order-source.server.ts'
import { contactOf, type Draft, isGoods, type KnownOrder } from './order-upsert.rules.ts'
import { type Actor, actorOf, type StoringOptions, type StoringTools, unit } from './sql.queries.ts'

const mostGrams = 2_147_483_647
const mostPieces = 2_147_483_647

/** Everything of an order that is computed here rather than sent by the shop. */
export interface Prepared extends Draft {
  badges: Badge[]
  holds: string[]
  ready: boolean
  release_at: string | null
  deadline: AssignedDeadline
  ordered_at: string
  agent_code: string | null
  shipping_method: string | null
  method_why: MethodWhy | null
  item_count: number
  weight_g: number
  words: string
  import_id: number | null
  created_at: string
}

/** Nowhere to send it: neither a street, a postcode nor a place, and no parcel shop. */
const hasNoAddress = ({ ship_to, service_point }: ImportedOrder): boolean =>
  service_point === null && ship_to.address1 === '' && ship_to.address2 === null && ship_to.postcode === '' && ship_to.city === ''

/** What the company does not ship by itself: to a country that is not on its list, and where it is strict, to a postcode that looks wrong. */
function placeHolds(
  { ship_to: { country, postcode }, service_point }: ImportedOrder,
  { ship_countries, postcode_check }: Pick<CompanySettings, 'ship_countries' | 'postcode_check'>,
): string[] {
  const holds: string[] = []
  if (ship_countries.length > 0 && !ship_countries.some(one => one === country)) holds.push('country')
  if (postcode_check === 'strict' && service_point === null && plainPostcode(postcode, country).fits === false) holds.push('postcode')
  return holds
}

export function prepare<D extends Draft>(
  drafts: readonly D[],
  seen: Seen,
  { now, scope }: StoringTools,
  options: StoringOptions,
): (D & Prepared)[] {
  const at = now()
  const created_at = at.toISOString()
  const { settings } = seen
  const from = { country: settings.sender.country, postcode: settings.sender.postcode }
  return drafts.map(draft => {
    const { order } = draft
    const lines = order.lines.map(line => {
      const product = line.sku === null ? undefined : seen.products.get(line.sku)
      return product && isGoods(line)
        ? {
            ...line,
            weight_g: line.weight_g ?? product.weight_g,
            hs_code: line.hs_code ?? product.hs_code,
            origin: line.origin ?? product.origin,
          }
        : line
    })
    let item_count = 0
    let weight_g = 0
    for (const line of lines)
      if (line.type === 'item' && line.requires_shipping) {
        item_count += line.qty
        weight_g += line.qty * (line.weight_g ?? 0)
      }
    const holds: string[] = []
    if (order.payment_status === 'pending' || order.payment_status === 'voided') holds.push('payment')
    if (order.status === 'held') holds.push('shop')
    if (item_count > 0 && hasNoAddress(order)) holds.push('no_address')
    else if (item_count > 0) holds.push(...placeHolds(order, settings))
    const live = order.status === 'ready' || order.status === 'held'
    const ready = live && holds.length === 0 && settings.release_delay_s === 0
    const ordered_at = order.ordered_at ?? created_at
    // Rules read what the shop or the company promises: which deadline applies follows from the method that they choose.
    const promised = order.delivery.ship_by
    const ship_by = promised ?? seen.shipBy({ ordered_at, now: at, not_before: order.delivery.not_before })
    weight_g = Math.min(weight_g, mostGrams)
    const duplicate = seen.duplicates.get(draft.at)
    const source = orderSourceOf(draft, seen, { item_count, weight_g, created_at, ordered_at, ship_by })
    const method = seen.chooser.choose(orderFactsOf(source), { now: at, zone: settings.time_zone, not_compared: 0 })
    const deadline = assignDeadline(seen.deadlines, {
      company_id: scope.company_id,
      agent_code: method?.agent_code ?? null,
      shipping_method: method?.shipping_method ?? null,
      country: order.ship_to.country,
      from: startOf({ ordered_at, created_at, resumed_at: null }),
      not_before: order.delivery.not_before,
      now: at.getTime(),
      fixed: promised === null ? null : { at: promised, source: 'shop' },
      fallback: () => ship_by,
    })
    return {
      ...draft,
      badges: [...badges({ ...order, lines }, { from }), ...(duplicate ? [duplicateBadge(duplicate)] : [])],
      holds: order.status === 'cancelled' || order.status === 'closed' ? [] : holds,
      ready,
      release_at: live && !ready ? new Date(at.getTime() + settings.release_delay_s * 1_000).toISOString() : null,
      deadline,
      ordered_at,
      agent_code: method?.agent_code ?? null,
      shipping_method: method?.shipping_method ?? null,
      method_why: method?.why ?? null,
      item_count: Math.min(item_count, mostPieces),
      weight_g,
      words: searchWords(order)
        .map(word => `${scope.company_id}/${word}`)
        .join(unit),
      import_id: options.import_id ?? null,
      created_at,
    }
  })
}

export type LineRow = { at: number; line: ImportedLine; product_id: number | null; serial_required: boolean }

export type ProductRow = { line: ImportedLine }

export interface Batch {
  rows: Prepared[]
  lines: LineRow[]
  products: ProductRow[]
  barcodes: { sku: string; product_id: number | null; barcode: string }[]
  holds: { at: number; reason: string }[]
  comments: { at: number; type: string; comment: string }[]
  /** The attachments stand in the order of the rows. */
  customers: CustomerPlan
  actor: Actor
}

/** The name of a bundle of the company: its own code shows its parts. */
const isUnfolded = (line: ImportedLine, seen: Seen): boolean => line.type === 'item' && line.sku !== null && seen.bundles.has(line.sku)

/** The lines of a batch, and what the catalogue learns from them. */
function goodsOf(rows: readonly Prepared[], seen: Seen): Pick<Batch, 'lines' | 'products' | 'barcodes'> {
  const lines: LineRow[] = []
  const products = new Map<string, ProductRow>()
  const barcodes = new Map<string, Batch['barcodes'][number]>()
  for (const { at, order } of rows)
    for (const line of order.lines) {
      const product = line.sku !== null && (isGoods(line) || isUnfolded(line, seen)) ? seen.products.get(line.sku) : undefined
      lines.push({
        at,
        line,
        product_id: product?.id ?? null,
        serial_required: line.serial_required || (isGoods(line) && (product?.serial_required ?? false)),
      })
      if (!isGoods(line)) continue
      const sku = line.sku!
      if (!product && !products.has(sku)) products.set(sku, { line })
      if (line.barcode !== null && !product?.barcodes.includes(line.barcode))
        barcodes.set(`${sku}\n${line.barcode}`, { sku, product_id: product?.id ?? null, barcode: line.barcode })
    }
  return { lines, products: [...products.values()], barcodes: [...barcodes.values()] }
}

const commentTypes: Record<string, string> = { praise: 'praise', advice: 'advice', warning: 'warning', packing: 'warning', gift: 'advice' }

const commentsOf = ({ at, order }: Prepared): Batch['comments'] =>
  order.notes.filter(note => note.text !== '').map(note => ({ at, type: commentTypes[note.type] ?? 'info', comment: note.text }))

export const batchOf = (rows: (Prepared & { known?: KnownOrder })[], seen: Seen, tools: StoringTools, options: StoringOptions): Batch => ({
  rows,
  ...goodsOf(rows, seen),
  holds: rows.flatMap(row => row.holds.map(reason => ({ at: row.at, reason }))),
  comments: rows.flatMap(commentsOf),
  customers: planCustomers(
    rows.map(row => contactOf(row.order)),
    rows.map(row => seen.lookups.get(row.at) ?? []),
    seen.customers,
    rows.map(row => row.known?.customer_id ?? null),
  ),
  actor: actorOf(tools, options),
})
