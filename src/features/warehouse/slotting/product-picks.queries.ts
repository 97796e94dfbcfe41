/** How often products were fetched, and where they lie. */
import { type NotNull, sql } from 'kysely'
import { orderedLines } from '#features/warehouse/map-results/past-walks.queries.ts'
import type { PastWalk } from '#features/warehouse/map-results/walks.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { SlottedProduct } from './slotting.rules.ts'
import type { HotSpot } from './slotting.schemas.ts'

/** The products that were fetched most often since then, and where they lie now. */
export async function mostFetched(
  db: Db,
  since: Date,
  until: Date,
  most: number,
): Promise<(Omit<HotSpot['products'][number], 'picks'> & { bin: string; picks: number; pieces: number })[]> {
  return orderedLines(db, since, until)
    .innerJoin('companies as c', 'c.id', 'l.company_id')
    .select(eb => [
      'l.product_id',
      'c.name as company',
      sql<string>`coalesce(p.sku, l.sku, '')`.as('sku'),
      sql<string>`max(coalesce(p.name, l.name))`.as('name'),
      sql<string>`coalesce(p.bin, l.bin)`.as('bin'),
      eb.fn.countAll<number>().as('picks'),
      sql<number>`sum(l.qty - l.cancelled_qty)::int`.as('pieces'),
    ])
    .where(eb => eb(eb.fn.coalesce('p.bin', 'l.bin'), 'is not', null))
    .groupBy(['l.product_id', 'c.name', sql`coalesce(p.sku, l.sku, '')`, sql`coalesce(p.bin, l.bin)`])
    .orderBy('picks', 'desc')
    .orderBy('pieces', 'desc')
    .orderBy('sku')
    .limit(most)
    .execute()
}

/** Every product that lies somewhere, of all companies in reach, with how often it was fetched. */
export async function placedProducts(db: Db, walks: readonly PastWalk[]): Promise<SlottedProduct[]> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('companies as c', 'c.id', 'p.company_id')
    .select(['p.id as product_id', 'c.name as company', 'p.sku', 'p.name', 'p.bin'])
    .where('p.bin', 'is not', null)
    .$narrowType<{ bin: NotNull }>()
    .orderBy('p.id')
    .execute()
  const picks = new Map<number, number>()
  for (const { lines } of walks)
    for (const { product_id } of lines) if (product_id !== null) picks.set(product_id, (picks.get(product_id) ?? 0) + 1)
  return rows.map(row => ({ ...row, picks: picks.get(row.product_id) ?? 0 }))
}
