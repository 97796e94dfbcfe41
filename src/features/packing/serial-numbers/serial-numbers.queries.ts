/** Rules for serial numbers, and the serials that left the warehouse. */
import { sql } from 'kysely'
import type * as z from 'zod'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { compileSafeRegExp } from '#platform/http/tenant-host.ts'
import type { Serial, SerialCheck } from './serial-numbers.contract.ts'

export async function serialChecks(db: Db, company_id: number): Promise<SerialCheck[]> {
  return db
    .selectFrom('serial_checks as c')
    .select(['c.id', 'c.regex', 'c.barcode', 'c.created_at'])
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

/** The rule for a product by its SKU and its barcodes, or null when it has none. Asked where a serial is scanned. */
export async function serialRule(
  db: Db,
  company_id: number,
  product: { sku: string | null; barcodes: readonly string[] },
): Promise<{ id: number; regex: string; matches(serial: string): boolean } | null> {
  const names = [...product.barcodes, ...(product.sku ? [product.sku] : [])]
  const row = await db
    .selectFrom('serial_checks')
    .select(['id', 'regex'])
    .where('company_id', '=', company_id)
    .where('barcode', '=', sql<string>`any(${names})`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  // A pattern that can no longer be read lets nothing through: better a question than a wrong serial.
  return row ? { ...row, matches: serial => compileSafeRegExp(row.regex)?.matches(serial) ?? false } : null
}

const serials = (db: Db) =>
  db
    .selectFrom('order_serials as s')
    .innerJoin('orders as o', j => j.onRef('o.operator_id', '=', 's.operator_id').onRef('o.id', '=', 's.order_id'))
    .innerJoin('order_lines as l', j => j.onRef('l.operator_id', '=', 's.operator_id').onRef('l.id', '=', 's.order_line_id'))
    .where('s.removed_at', 'is', null)

/** The newest first; with `query` those that begin with it. */
export async function findSerials(db: Db, query: string, paging: { page: number; limit: number }): Promise<Page<z.infer<typeof Serial>>> {
  let from = serials(db)
  if (query !== '') from = from.where('s.serial', 'like', `${query.replace(/[\\%_]/g, '\\$&')}%`)
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
