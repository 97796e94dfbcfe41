/** Reads serial numbers: their rules, and those that went out. */
import { sql } from 'kysely'
import type * as z from 'zod'
import { type Page, pageOffset } from '#contract/page.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import { serialKey } from './serial-numbers.rules.ts'
import type { Serial, SerialCheck } from './serial-numbers.schemas.ts'

export async function serialChecks(db: Db, company_id: number): Promise<SerialCheck[]> {
  return db
    .selectFrom('serial_rule_products as c')
    .innerJoin('serial_rules as r', j => j.onRef('r.operator_id', '=', 'c.operator_id').onRef('r.id', '=', 'c.rule_id'))
    .select(['c.id', 'r.regex', 'r.scope', 'c.barcode', 'c.created_at'])
    .select(eb =>
      eb
        .selectFrom('products as p')
        .leftJoin('product_barcodes as b', j => j.onRef('b.operator_id', '=', 'p.operator_id').onRef('b.product_id', '=', 'p.id'))
        .select('p.name')
        .where('p.company_id', '=', company_id)
        .where(or => or.or([or('b.barcode', '=', or.ref('c.barcode')), or('p.sku_key', '=', or.fn<string>('upper', ['c.barcode']))]))
        .limit(1)
        .as('product'),
    )
    .where('c.company_id', '=', company_id)
    .orderBy('c.barcode')
    .limit(1_000)
    .execute()
}

/** How serials of an order's products are judged. */
export interface SerialPolicy {
  settings: SerialSettings
  /** By product; a product without a rule takes any serial. */
  rules: ReadonlyMap<number, SerialRule>
}
interface SerialRule {
  scope: SerialSettings['default_scope']
  matches(serial: string): boolean
}

/** The policy of the order's company for these products, by their barcodes and SKUs. */
export async function serialPolicy(db: Db, company_id: number, product_ids: readonly number[]): Promise<SerialPolicy> {
  const { serials: settings } = await companySettings(db, company_id)
  if (product_ids.length === 0) return { settings, rules: new Map() }
  const rows = await db
    .selectFrom('products as p')
    .leftJoin('product_barcodes as b', 'b.product_id', 'p.id')
    .innerJoin('serial_rule_products as c', j =>
      j
        .onRef('c.company_id', '=', 'p.company_id')
        .on(eb => eb.or([eb('c.barcode', '=', eb.ref('b.barcode')), eb('c.barcode', '=', eb.ref('p.sku'))])),
    )
    .innerJoin('serial_rules as r', j => j.onRef('r.operator_id', '=', 'c.operator_id').onRef('r.id', '=', 'c.rule_id'))
    .select(['p.id', 'r.regex', 'r.scope'])
    .where('p.company_id', '=', company_id)
    .where('p.id', '=', sql<number>`any(${product_ids})`)
    .orderBy('c.id', 'desc')
    .execute()
  // Descending, so that of several rules the first one stays.
  return { settings, rules: new Map(rows.map(({ id, regex, scope }) => [id, { scope, matches: matcher(regex, settings) }])) }
}

/** A pattern that can no longer be read lets nothing through: better a question than a wrong serial. */
function matcher(regex: string, { letters }: SerialSettings): (serial: string) => boolean {
  const pattern = compileSafeRegExp(regex)
  return serial => pattern?.matches(serialKey(serial, letters)) ?? false
}

/**
 * Whether a line `l` with its product `p` needs a serial for each piece: by the property of the line or of the product, unless the
 * company of the line records none.
 */
export const lineNeedsSerial = sql<boolean>`(l.serial_required or coalesce(p.serial_required, false)) and coalesce(
  (select (c.settings->'serials'->>'enabled')::boolean from companies c where c.operator_id = l.operator_id and c.id = l.company_id), true)`

/** The order with which a serial went out, while it has not come back: of the same product, or of any where it must be unique in the company. */
export const serialUsed = (db: Db, company_id: number, scope: 'product' | 'company', serial: { sku_key: string; serial_key: string }) =>
  db
    .selectFrom('order_serials as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .select(['o.order_no', 's.created_at'])
    .where('s.company_id', '=', company_id)
    .where('s.serial_key', '=', serial.serial_key)
    .$if(scope === 'product', query => query.where('s.sku_key', '=', serial.sku_key))
    .where('s.removed_at', 'is', null)
    .where('s.returned_at', 'is', null)
    .limit(1)
    .executeTakeFirst()

/** Serials of the company that are out more than once, the first of them. */
export const duplicateSerials = (db: Db, company_id: number) =>
  db
    .selectFrom('order_serials')
    .select('serial_key as serial')
    .where('company_id', '=', company_id)
    .where('removed_at', 'is', null)
    .where('returned_at', 'is', null)
    .groupBy('serial_key')
    .having(eb => eb(eb.fn.countAll(), '>', 1))
    .orderBy('serial_key')
    .limit(shownDuplicates)
    .execute()
const shownDuplicates = 20

const serials = (db: Db) =>
  db
    .selectFrom('order_serials as s')
    .innerJoin('orders as o', j => j.onRef('o.operator_id', '=', 's.operator_id').onRef('o.id', '=', 's.order_id'))
    .innerJoin('order_lines as l', j => j.onRef('l.operator_id', '=', 's.operator_id').onRef('l.id', '=', 's.order_line_id'))
    .where('s.removed_at', 'is', null)

/** The newest first; with `query` those that begin with it, in any letters where letters make no difference. */
export async function findSerials(db: Db, query: string, paging: { page: number; limit: number }): Promise<Page<z.infer<typeof Serial>>> {
  let from = serials(db)
  if (query !== '') {
    const begins = (text: string) => `${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`
    from = from.where(eb => eb.or([eb('s.serial', 'like', begins(query)), eb('s.serial_key', 'like', begins(query.toUpperCase()))]))
  }
  const rows = await from
    .select([
      's.id',
      's.serial',
      'l.sku',
      'l.name as product',
      's.order_id',
      'o.order_no',
      'o.customer_name',
      's.created_at',
      's.returned_at',
    ])
    .orderBy('s.id', 'desc')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: rows.map(row => ({ ...row, sku: row.sku ?? '' })),
    ...(await cappedCount(db, from)),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}
