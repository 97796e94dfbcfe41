/** How products and a drawing fit together. */
import type { Db } from '#platform/database/database.ts'
import { binKey } from './bins.rules.ts'
import type { Drawing } from './drawing.schemas.ts'
import { listedFindings } from './warehouse-maps.contract.ts'
import type { Finding } from './warehouse-maps.schemas.ts'

/** How products and a drawing fit: products whose bin is not drawn or that have none, and bins in which nothing lies. */
export async function productFindings(
  db: Db,
  drawing: Drawing,
): Promise<{
  products: number
  findings: { kind: 'product_off_map' | 'product_no_bin' | 'empty'; count: number; items: Finding['items'] }[]
}> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('companies as c', 'c.id', 'p.company_id')
    .select(['p.id as product_id', 'c.name as company', 'p.sku', 'p.bin'])
    .orderBy('c.name')
    .orderBy('p.sku')
    .execute()
  const drawn = new Set(drawing.locations.map(one => binKey(one.code)))
  const used = new Set<string>()
  const lost: typeof rows = []
  const homeless: typeof rows = []
  for (const row of rows) {
    if (row.bin === null || row.bin.trim() === '') homeless.push(row)
    else if (!drawn.has(binKey(row.bin))) lost.push(row)
    else used.add(binKey(row.bin))
  }
  const empty = drawing.locations.filter(one => !used.has(binKey(one.code)))
  const listed = (some: typeof rows) =>
    some
      .slice(0, listedFindings)
      .map(({ product_id, company, sku, bin }) => ({ text: bin ?? '', x: null, y: null, product_id, company, sku }))
  return {
    products: rows.length,
    findings: [
      { kind: 'product_off_map' as const, count: lost.length, items: listed(lost) },
      { kind: 'product_no_bin' as const, count: homeless.length, items: listed(homeless) },
      {
        kind: 'empty' as const,
        count: empty.length,
        items: empty.slice(0, listedFindings).map(({ code, x, y }) => ({ text: code, x, y })),
      },
    ].filter(one => one.count > 0),
  }
}
