/** What edits by hand read: products to choose from, and the lines of an order. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import type { FoundProduct } from './order-edits.schemas.ts'

const most = 20

/** By the start of the SKU, any part of the name, or a whole barcode. */
export const productsOfCompany = (db: Db, company_id: number, query: string): Promise<FoundProduct[]> =>
  db
    .selectFrom('products as p')
    .select(['p.id as product_id', 'p.sku', 'p.name', 'p.variant', 'p.bin', 'p.weight_g'])
    .select(eb =>
      eb
        .selectFrom('product_barcodes as b')
        .select('b.barcode')
        .whereRef('b.product_id', '=', 'p.id')
        .orderBy('b.quantity')
        .orderBy('b.barcode')
        .limit(1)
        .as('barcode'),
    )
    .where('p.company_id', '=', company_id)
    .$if(query !== '', found =>
      found.where(eb =>
        eb.or([
          eb('p.sku_key', 'like', beginning(query.toUpperCase())),
          eb('p.name', 'ilike', containing(query)),
          eb.exists(
            eb.selectFrom('product_barcodes as b').select('b.barcode').whereRef('b.product_id', '=', 'p.id').where('b.barcode', '=', query),
          ),
        ]),
      ),
    )
    .orderBy('p.sku_key')
    .limit(most)
    .execute()

/** The goods of an order. */
export const goodsOf = (db: Db, order_id: number) =>
  db
    .selectFrom('order_lines')
    .select(['id as order_item_id', 'external_id', 'line_no', 'name', 'qty', 'cancelled_qty', 'packed_qty', 'picked_qty'])
    .select(['product_id', 'split_from_line_id'])
    .where('order_id', '=', order_id)
    .where('type', '=', 'item')
    .where('requires_shipping', '=', true)
    .orderBy('line_no')
    .execute()

/** How many parts the order has, itself among them; parts that were put back count, so that no number comes twice. */
export async function partsOf(db: Db, root_id: number): Promise<number> {
  const { last } = await db
    .selectFrom('orders')
    .select(sql<number>`coalesce(max(part_no), 1)::integer`.as('last'))
    .where('split_of', '=', root_id)
    .executeTakeFirstOrThrow()
  return last
}
