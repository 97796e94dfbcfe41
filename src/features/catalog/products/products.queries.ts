/** Reads of products and their barcodes. */

import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Page, pageOffset } from '#contract/page.ts'
import { productTagNames, tagsNamed } from '#features/company/tags/tags.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import type { DB } from '#platform/database/schema.ts'
import { mostComponents } from './products.codes.ts'
import type { Product } from './products.schemas.ts'

const columns = [
  'p.id as product_id',
  'p.company_id',
  'p.sku',
  'p.name',
  'p.variant',
  'p.weight_g',
  'p.length_mm',
  'p.width_mm',
  'p.height_mm',
  'p.bin',
  'p.hs_code',
  'p.origin',
  'p.customs_text',
  'p.cost_price',
  'p.cost_currency',
  'p.net_weight_g',
  'p.manufacturer_no',
  'p.customs_flags',
  'p.serial_required',
  'p.no_barcode',
  'p.image_url',
  'p.version',
  'p.updated_at',
] as const

const tagsOf = productTagNames('p').as('tags')

const barcodesOf = (eb: ExpressionBuilder<DB & { p: DB['products'] }, 'p'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('product_barcodes as b')
      .select(['b.barcode', 'b.quantity'])
      .whereRef('b.product_id', '=', 'p.id')
      .orderBy('b.quantity')
      .orderBy('b.barcode'),
  ).as('barcodes')

/** What a bundle consists of, or the bundles that a product is a part of. */
const partsOf = (
  eb: ExpressionBuilder<DB & { p: DB['products'] }, 'p'>,
  own: 'product_id' | 'component_id',
  other: 'product_id' | 'component_id',
) =>
  jsonArrayFrom(
    eb
      .selectFrom('product_components as c')
      .innerJoin('products as q', j => j.onRef('q.operator_id', '=', 'c.operator_id').onRef('q.id', '=', `c.${other}`))
      .select(['q.id as product_id', 'q.sku', 'q.name', 'c.qty as quantity'])
      .whereRef(`c.${own}`, '=', 'p.id')
      .orderBy('c.position')
      .orderBy('q.sku_key')
      .limit(mostComponents),
  )

const listsOf = (eb: ExpressionBuilder<DB & { p: DB['products'] }, 'p'>) =>
  [
    barcodesOf(eb),
    partsOf(eb, 'product_id', 'component_id').as('components'),
    partsOf(eb, 'component_id', 'product_id').as('bundles'),
    tagsOf,
  ] as const

export const productById = (db: Db, id: number): Promise<Product | undefined> =>
  db
    .selectFrom('products as p')
    .select(columns)
    .select(eb => [eb('p.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'), ...listsOf(eb)])
    .where('p.id', '=', id)
    .executeTakeFirst()

/** Of a product `p`: no bundle, of which the parts are weighed, measured and declared. */
export const isPackedItself = sql<boolean>`not exists (select from product_components c where c.operator_id = p.operator_id and c.product_id = p.id)`

/** Search by the start of the SKU, any part of the name, or a whole barcode. */
export async function findProducts(
  db: Db,
  {
    query,
    customs,
    tag,
    ...paging
  }: { query: string; customs?: 'missing' | undefined; tag?: string | undefined; page: number; limit: number },
): Promise<Page<Product>> {
  let from = db.selectFrom('products as p')
  if (tag) {
    const named = (await tagsNamed(db, tag)).map(one => one.id)
    from = from.where(eb =>
      eb.exists(
        eb
          .selectFrom('product_tags as x')
          .select('x.tag_id')
          .whereRef('x.product_id', '=', 'p.id')
          .where('x.tag_id', '=', sql<number>`any(${named}::bigint[])`),
      ),
    )
  }
  if (query !== '')
    from = from.where(eb =>
      eb.or([
        eb('p.sku_key', 'like', beginning(query.toUpperCase())),
        eb('p.name', 'ilike', containing(query)),
        eb.exists(
          eb.selectFrom('product_barcodes as b').select('b.barcode').whereRef('b.product_id', '=', 'p.id').where('b.barcode', '=', query),
        ),
      ]),
    )
  if (customs === 'missing')
    from = from
      .where(sql<boolean>`(length(coalesce(p.hs_code, '')) < 6 or p.origin is null or coalesce(p.weight_g, 0) = 0)`)
      .where(isPackedItself)
  const rows = await from
    .select(columns)
    .select(eb => [eb('p.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'), ...listsOf(eb)])
    .orderBy('p.sku_key')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return { rows, ...(await cappedCount(db, from)), offset: pageOffset(paging), limit: paging.limit }
}

/** Other products with one of these codes: a scan of it is ambiguous. */
export const sharingBarcodes = (db: Db, product_id: number, barcodes: readonly string[]) =>
  db
    .selectFrom('product_barcodes as b')
    .innerJoin('products as p', j => j.onRef('p.operator_id', '=', 'b.operator_id').onRef('p.id', '=', 'b.product_id'))
    .select(['b.barcode', 'p.sku'])
    .where('b.barcode', '=', sql<string>`any(${barcodes})`)
    .where('b.product_id', '<>', product_id)
    .limit(1)
    .executeTakeFirst()

/** Of stored products: the barcodes that other products have as well, with one of those products. */
export async function sharedBarcodes(db: Db, skus: readonly string[]): Promise<{ sku_key: string; barcode: string; sku: string }[]> {
  const { rows } = await sql<{ sku_key: string; barcode: string; sku: string }>`
    select p.sku_key, b.barcode, min(q.sku) as sku
    from products p
    join product_barcodes b on b.operator_id = p.operator_id and b.product_id = p.id
    join product_barcodes c on c.operator_id = b.operator_id and c.company_id = b.company_id and c.barcode = b.barcode and c.product_id <> b.product_id
    join products q on q.operator_id = c.operator_id and q.id = c.product_id
    where p.operator_id = current_operator_id() and p.company_id = current_company_id() and p.sku_key = any (select upper(s) from unnest(${skus}::text[]) s)
    group by p.sku_key, b.barcode order by p.sku_key, b.barcode`.execute(db)
  return rows
}

// ——— What shops send, in batches
