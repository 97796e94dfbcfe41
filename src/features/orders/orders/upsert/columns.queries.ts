/** The columns that storing writes, and where their values come from. */

import type { Attachment } from '#features/customers/customers/customers.rules.ts'
import { customerEmail, customerName, customerPhone, size } from './order-upsert.rules.ts'
import type { LineRow, Prepared, ProductRow } from './prepare-orders.server.ts'
import { type Cells, json, unit } from './sql.queries.ts'

/** The customer of an order: known, or the one of a lookup that the same statement stores. */
export const attachmentCells: Cells<Attachment> = [
  ['customer_id', 'bigint', row => row.customer_id],
  ['customer_check_type', 'text', row => row.by?.type ?? null],
  ['customer_check_value', 'text', row => row.by?.value ?? null],
]

export const orderCells: Cells<Prepared> = [
  ['n', 'int', row => row.at],
  ['shop', 'text', row => row.order.shop],
  ['external_id', 'text', row => row.order.external_id],
  ['work_state', 'text', row => (row.order.status === 'closed' ? 'closed' : row.ready ? 'ready' : 'new')],
  ['cancelled_at', 'timestamptz', row => (row.order.status === 'cancelled' ? row.created_at : null)],
  ['held', 'boolean', row => row.holds.length > 0],
  ['release_at', 'timestamptz', row => row.release_at],
  ['import_id', 'bigint', row => row.import_id],
  ['created_at', 'timestamptz', row => row.created_at],
]

/** At creation; later changes follow by `giveDeadlines`. */
export const deadlineCells: Cells<Prepared> = [
  ['ship_by', 'timestamptz', row => row.deadline.ship_by],
  ['ship_by_source', 'text', row => row.deadline.ship_by_source],
  ['deadline_id', 'bigint', row => row.deadline.deadline_id],
  ['deadline_at', 'timestamptz', row => row.deadline.deadline_at],
]

/** What an update writes too. */
export const contentCells: Cells<Prepared> = [
  ['order_no', 'text', row => row.order.order_no],
  ['source', 'text', row => row.order.source],
  ['payment_state', 'text', row => row.order.payment_status ?? 'paid'],
  ['currency', 'text', row => row.order.currency],
  ['locale', 'text', row => row.order.locale],
  ['ordered_at', 'timestamptz', row => row.ordered_at],
  ['paid_at', 'timestamptz', row => row.order.paid_at],
  ['customer_external_id', 'text', row => row.order.customer.external_id],
  ['customer_name', 'text', ({ order }) => customerName(order)],
  ['customer_email', 'text', ({ order }) => customerEmail(order)],
  ['customer_phone', 'text', ({ order }) => customerPhone(order)],
  ['ship_to', 'jsonb', row => json(row.order.ship_to)],
  ['bill_to', 'jsonb', row => row.order.bill_to && json(row.order.bill_to)],
  ['ship_country', 'text', row => row.order.ship_to.country],
  ['service_point', 'jsonb', row => row.order.service_point && json(row.order.service_point)],
  ['shipping_title', 'text', row => row.order.shipping?.title ?? null],
  ['shipping_code', 'text', row => row.order.shipping?.code ?? null],
  ['agent_code', 'text', row => row.agent_code],
  ['shipping_method', 'text', row => row.shipping_method],
  ['method_why', 'jsonb', row => row.method_why && json(row.method_why)],
  ['delivery', 'jsonb', row => json(row.order.delivery)],
  ['customs', 'jsonb', row => json(row.order.customs ?? {})],
  ['attributes', 'jsonb', row => json(row.order.attributes)],
  ['total_excl_vat', 'bigint', row => row.order.totals.excl_vat],
  ['total_vat', 'bigint', row => row.order.totals.vat],
  ['total_incl_vat', 'bigint', row => row.order.totals.incl_vat],
  ['badges', 'jsonb', row => json(row.badges)],
  ['item_count', 'int', row => row.item_count],
  ['weight_g', 'int', row => row.weight_g],
  ['source_version', 'bigint', row => row.order.version],
]

/** Sent as text and turned into what the table holds. */
export const packedCells: Cells<Prepared> = [
  ['tags', 'text', row => row.order.tags.join(unit)],
  ['fingerprint', 'text', row => row.hash],
  ['words', 'text', row => row.words],
]

export const unpacked = (alias: string) => `string_to_array(${alias}.tags, '${unit}'), decode(${alias}.fingerprint, 'hex')`

export const lineCells: Cells<LineRow> = [
  ['n', 'int', row => row.at],
  ['line_no', 'int', row => row.line.line_no],
  ['external_id', 'text', row => row.line.external_id],
  ['type', 'text', row => row.line.type],
  ['sku', 'text', row => row.line.sku],
  ['product_id', 'bigint', row => row.product_id],
  ['name', 'text', row => row.line.name],
  ['variant', 'text', row => row.line.variant],
  ['barcode', 'text', row => row.line.barcode],
  ['qty', 'int', row => row.line.qty],
  ['unit_price_excl_vat', 'bigint', row => row.line.unit_price_excl_vat],
  ['unit_price_incl_vat', 'bigint', row => row.line.unit_price_incl_vat],
  ['discount_excl_vat', 'bigint', row => row.line.discount_excl_vat],
  ['cost_price', 'bigint', row => row.line.cost_price],
  ['vat_percent', 'text', row => row.line.vat_percent],
  ['weight_g', 'int', row => row.line.weight_g],
  ['bin', 'text', row => row.line.bin],
  ['image_url', 'text', row => row.line.image_url],
  ['hs_code', 'text', row => row.line.hs_code],
  ['origin', 'text', row => row.line.origin],
  ['customs_text', 'text', row => row.line.customs_text],
  ['serial_required', 'boolean', row => row.serial_required],
  ['requires_shipping', 'boolean', row => row.line.requires_shipping],
  ['bundle_of', 'text', row => row.line.bundle_of],
  ['custom', 'jsonb', row => json(row.line.custom)],
]

export const lineColumns = lineCells.slice(1).map(([name]) => name)

export const productCells: Cells<ProductRow> = [
  ['sku', 'text', ({ line }) => line.sku],
  ['name', 'text', ({ line }) => line.name],
  ['variant', 'text', ({ line }) => line.variant],
  ['weight_g', 'int', ({ line }) => line.weight_g],
  ['length_mm', 'int', ({ line }) => size(line.length_mm)],
  ['width_mm', 'int', ({ line }) => size(line.width_mm)],
  ['height_mm', 'int', ({ line }) => size(line.height_mm)],
  ['bin', 'text', ({ line }) => line.bin],
  ['image_url', 'text', ({ line }) => line.image_url],
  ['hs_code', 'text', ({ line }) => line.hs_code],
  ['origin', 'text', ({ line }) => line.origin],
  ['customs_text', 'text', ({ line }) => line.customs_text],
  ['serial_required', 'boolean', ({ line }) => line.serial_required],
]

export const productColumns = productCells.map(([name]) => name)

export const barcodeCells: Cells<{ sku: string; product_id: number | null; barcode: string }> = [
  ['sku', 'text', row => row.sku],
  ['product_id', 'bigint', row => row.product_id],
  ['barcode', 'text', row => row.barcode],
]

export const holdCells: Cells<{ at: number; reason: string }> = [
  ['n', 'int', row => row.at],
  ['reason', 'text', row => row.reason],
]

export const commentCells: Cells<{ at: number; type: string; comment: string }> = [
  ['n', 'int', row => row.at],
  ['type', 'text', row => row.type],
  ['comment', 'text', row => row.comment],
]
