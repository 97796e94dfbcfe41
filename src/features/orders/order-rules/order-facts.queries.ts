/** What rules read of stored orders, a batch in one statement. */
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import * as z from 'zod'
import { type OrderSource, orderFactsOf } from '#domain/rules/order-facts.ts'
import { historyFields, isLineField, type OrderFacts, type RuleField, type tagFields } from '#domain/rules/rule-fields.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { customerTagNamesOfOrder, orderTagNames, productTagNames } from '#features/company/tags/tags.queries.ts'
import { customerHistories } from '#features/orders/orders/upsert/customer-history.queries.ts'
import type { Db } from '#platform/database/database.ts'

const text = z.string().nullable().catch(null)
const Address = z.object({
  name: z.string().catch(''),
  company: text,
  address1: z.string().catch(''),
  postcode: z.string().catch(''),
  city: z.string().catch(''),
  country: z.string().catch(''),
})
const noAddress = Address.parse({})
const ServicePoint = z.object({ id: z.unknown() }).nullable().catch(null)

/** An order with its facts, and the time zone of its company. */
export interface OrderWithFacts {
  id: number
  company_id: number
  order_no: string
  phase: string
  created_at: string
  ship_country: string
  zone: string
  facts: OrderFacts
  /** The order lines of `facts.lines`, in their order. */
  line_ids: readonly number[]
}

const readsLines = (field: RuleField): boolean =>
  isLineField(field) || field === 'order.volume' || field === 'order.line_count' || field === 'customer.same_sku_24h'

/**
 * The lines of these orders with what they have of their products, each table in one pass. In joins of one statement a company that the
 * database has not counted yet has all its lines read for each order, and all its products for each line.
 */
async function linesOf(db: Db, order_ids: readonly number[], tags: boolean) {
  const lines = await db
    .selectFrom('order_lines as l')
    .select(['l.id', 'l.order_id', 'l.sku', 'l.name', 'l.qty', 'l.unit_price_excl_vat', 'l.unit_price_incl_vat', 'l.barcode'])
    .select(['l.serial_required', 'l.requires_shipping', 'l.product_id', 'l.weight_g', 'l.hs_code', 'l.origin', 'l.bin'])
    .where('l.order_id', '=', sql<number>`any(${order_ids})`)
    .where('l.type', '=', sql.lit('item' as const))
    .orderBy('l.order_id')
    .orderBy('l.line_no')
    .execute()
  const ids = [...new Set(lines.flatMap(line => line.product_id ?? []))]
  const products = new Map((ids.length === 0 ? [] : await productsOf(db, ids, tags)).map(product => [product.id, product]))
  return lines.map(({ product_id, barcode, ...line }) => {
    const product = product_id === null ? undefined : products.get(product_id)
    return {
      ...line,
      product_id,
      length_mm: product?.length_mm ?? null,
      width_mm: product?.width_mm ?? null,
      height_mm: product?.height_mm ?? null,
      weight_g: line.weight_g ?? product?.weight_g ?? null,
      hs_code: line.hs_code ?? product?.hs_code ?? null,
      origin: line.origin ?? product?.origin ?? null,
      bin: line.bin ?? product?.bin ?? null,
      has_barcode: barcode !== null || product?.has_barcode === true,
      tags: product?.tags ?? [],
    }
  })
}

const productsOf = (db: Db, ids: readonly number[], tags: boolean) =>
  db
    .selectFrom('products as p')
    .select(['p.id', 'p.length_mm', 'p.width_mm', 'p.height_mm', 'p.weight_g', 'p.hs_code', 'p.origin', 'p.bin'])
    .select(eb => [
      eb(
        'p.id',
        'in',
        eb.selectFrom('product_barcodes as b').select('b.product_id').where('b.product_id', '=', sql<number>`any(${ids})`),
      ).as('has_barcode'),
      (tags ? productTagNames('p') : sql<string[]>`'{}'::text[]`).as('tags'),
    ])
    .where('p.id', '=', sql<number>`any(${ids})`)
    .execute()

/** The orders of these ids in the order of the ids; lines, notes and tags are read only where a rule asks for them. */
export async function ordersWithFacts(db: Db, ids: readonly number[], fields: ReadonlySet<RuleField>): Promise<OrderWithFacts[]> {
  if (ids.length === 0) return []
  const lines = [...fields].some(readsLines)
  const notes = fields.has('order.note')
  const asks = (field: (typeof tagFields)[number]) => fields.has(field)
  const orders = db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select(['o.id', 'o.company_id', 'o.order_no', 'o.phase', 'o.created_at', 'o.ship_country', 'o.currency', 'o.total_incl_vat'])
    .select(['o.total_excl_vat', 'o.item_count', 'o.weight_g', 'o.locale', 'o.shop', 'o.source', 'o.payment_state', 'o.shipping_code'])
    .select([asks('order.tags') ? orderTagNames('o').as('tags') : 'o.tags'])
    .select([(asks('customer.tags') ? customerTagNamesOfOrder('o') : sql<null>`null`).as('customer_tags')])
    .select(['o.ordered_at', 'o.ship_by', 'o.pinned_at', 'o.ship_to', 'o.bill_to', 'o.customer_phone', 'o.customer_email'])
    .select(['o.service_point', 'o.agent_code', 'o.shipping_method', 'o.customer_id', 'c.settings'])
    .select(eb => [
      jsonArrayFrom(
        eb
          .selectFrom('order_comments as n')
          .select('n.comment')
          .whereRef('n.order_id', '=', 'o.id')
          .where(sql.lit(notes))
          .orderBy('n.id')
          .limit(100),
      ).as('notes'),
    ])
    .where('o.id', '=', sql<number>`any(${ids})`)
    .orderBy('o.id')
    .execute()
  const [found, found_lines] = await Promise.all([orders, lines ? linesOf(db, ids, asks('line.tag')) : []])
  const byOrder = Map.groupBy(found_lines, line => line.order_id)
  const rows = found.map(row => ({ ...row, lines: byOrder.get(row.id) ?? [] }))
  const withCustomer = historyFields.some(field => fields.has(field)) ? rows.filter(row => row.customer_id !== null) : []
  const read = await customerHistories(
    db,
    withCustomer.map(({ id, company_id, customer_id, ordered_at, currency, lines: own }) => ({
      order_id: id,
      company_id,
      customer_id: customer_id!,
      ordered_at,
      currency,
      skus: own.flatMap(line => line.sku ?? []),
    })),
  )
  const histories = new Map(withCustomer.map(({ id }, at) => [id, read[at] ?? null]))
  const settingsOf = new Map<number, CompanySettings>()
  return rows.map(row => {
    const settings = settingsOf.get(row.company_id) ?? CompanySettings.parse(row.settings ?? {})
    settingsOf.set(row.company_id, settings)
    const source: OrderSource = {
      ...row,
      notes: row.notes.map(note => note.comment),
      pinned: row.pinned_at !== null,
      ship_to: Address.catch(noAddress).parse(row.ship_to),
      bill_to: Address.nullable().catch(null).parse(row.bill_to),
      service_point: ServicePoint.parse(row.service_point),
      sender_country: settings.sender.country,
      lines: row.lines.map(({ id: _id, order_id: _order, bin, product_id, length_mm, width_mm, height_mm, has_barcode, ...line }) => ({
        ...line,
        has_bin: bin !== null,
        has_barcode,
        size_mm: product_id === null ? null : [length_mm, width_mm, height_mm],
      })),
      history: histories.get(row.id) ?? null,
    }
    const { id, company_id, order_no, phase, created_at, ship_country } = row
    return {
      ...{ id, company_id, order_no, phase, created_at, ship_country },
      zone: settings.time_zone,
      facts: orderFactsOf(source),
      line_ids: row.lines.map(line => line.id),
    }
  })
}
