/** Editing an order: what it says is checked again, and it is found by its new words. */
import * as z from 'zod'
import type { ImportedLine, ImportedOrder } from '#domain/order/canonical-order-checks.ts'
import { type Badge, badges } from '#domain/order/order-warnings.ts'
import { searchWords } from '#domain/order/search-terms.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { orderLines, orderRowById, writeWords } from './orders.queries.ts'
import { ShipTo, Badge as StoredBadge } from './orders.schemas.ts'

const Mark = StoredBadge.extend({ kind: z.literal('duplicate') })

interface StoredForm {
  order: ImportedOrder
  company_id: number
  /** Badges that do not follow from the order itself. */
  marks: Badge[]
}

/** The stored order as the import's rules know orders. */
export async function asImported(db: Db, id: number): Promise<StoredForm | undefined> {
  const [row, lines] = await Promise.all([orderRowById(db, id), orderLines(db, id)])
  if (!row) return undefined
  const bill = row.bill_to as ImportedOrder['bill_to']
  const order: ImportedOrder = {
    external_id: row.external_id,
    order_no: row.order_no,
    shop: row.shop,
    source: row.source,
    ordered_at: row.ordered_at,
    paid_at: null,
    status: 'ready',
    payment_status: null,
    currency: row.currency,
    locale: row.locale,
    customer: {
      external_id: row.customer_external_id,
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone,
      vat_no: null,
    },
    ship_to: ShipTo.parse(row.ship_to),
    bill_to: bill,
    service_point: null,
    shipping: null,
    delivery: { not_before: null, wished_date: null, ship_by: null, partial_allowed: true },
    lines: lines.map(
      (line): ImportedLine => ({
        line_no: line.line_no,
        external_id: String(line.order_item_id),
        type: line.type,
        sku: line.sku,
        sku_key: line.sku?.toUpperCase() ?? null,
        barcode: line.barcode,
        name: line.name,
        variant: line.variant,
        qty: line.qty,
        unit_price_excl_vat: line.unit_price_excl_vat,
        unit_price_incl_vat: line.unit_price_incl_vat,
        discount_excl_vat: line.discount_excl_vat,
        vat_percent: line.vat_percent,
        cost_price: null,
        weight_g: line.weight_g,
        length_mm: null,
        width_mm: null,
        height_mm: null,
        bin: line.bin,
        image_url: null,
        hs_code: line.hs_code,
        origin: line.origin,
        customs_text: line.customs_text,
        bundle_of: line.part_of === null ? null : String(line.part_of),
        serial_required: line.serial_required,
        requires_shipping: line.requires_shipping,
        custom: {},
      }),
    ),
    totals: { excl_vat: row.total_excl_vat, vat: row.total_vat, incl_vat: row.total_incl_vat },
    customs: null,
    notes: [],
    tags: row.tags,
    attributes: {},
    version: row.source_version,
  }
  // That an order came in two ways is found when it comes, and stays said.
  const badges = z.array(z.unknown()).parse(row.badges)
  return { order, company_id: row.company_id, marks: badges.flatMap(badge => Mark.safeParse(badge).data ?? []) }
}

/** Badges as the order stands now, judged from where its company sends. */
export async function badgesNow(
  db: Db,
  { order, company_id, marks }: { order: ImportedOrder; company_id: number; marks: readonly Badge[] },
): Promise<Badge[]> {
  const { sender } = await companySettings(db, company_id)
  return [...badges(order, { from: { country: sender.country, postcode: sender.postcode } }), ...marks]
}

export const findAnew = (db: Db, id: number, { order, company_id }: { order: ImportedOrder; company_id: number }): Promise<void> =>
  writeWords(db, { id, company_id }, searchWords(order))
