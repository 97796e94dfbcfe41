/** Returns as a shop's program reads them with its key: of its own shop, without a word about the customer. */
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { closedStatuses } from './return-states.rules.ts'
import type { ShopReturn } from './returns.schemas.ts'

const ofShop = (db: Db, shop: string) =>
  db.selectFrom('returns as r').leftJoin('orders as o', 'o.id', 'r.order_id').where('r.shop', '=', shop)

const headColumns = [
  'r.id',
  'r.rma_no',
  'o.order_no',
  'o.external_id',
  'r.status',
  'r.withdrawal',
  'r.requested_at',
  'r.refund_due_at',
] as const
interface Head extends Omit<ShopReturn, 'proposals' | 'items'> {
  id: number
}

async function withContents(db: Db, heads: readonly Head[]): Promise<ShopReturn[]> {
  if (heads.length === 0) return []
  const ids = heads.map(({ id }) => id)
  const [proposals, items] = await Promise.all([
    db
      .selectFrom('refund_proposals')
      .select([
        'return_id',
        'no',
        'kind',
        'goods',
        'delivery',
        'fee',
        'deduction',
        'total',
        'currency',
        'note',
        'state',
        'proposed_at',
        'shop_ref',
      ])
      .where('return_id', 'in', ids)
      .orderBy('no')
      .execute(),
    db
      .selectFrom('return_items')
      .select([
        'return_id',
        'id as item_id',
        'sku',
        'name',
        'outcome',
        'reason_code',
        'custody',
        'money',
        'condition',
        'decision',
        'amount',
      ])
      .where('return_id', 'in', ids)
      .orderBy('id')
      .execute(),
  ])
  const proposalsOf = Map.groupBy(proposals, ({ return_id }) => return_id)
  const itemsOf = Map.groupBy(items, ({ return_id }) => return_id)
  return heads.map(({ id, ...head }) => ({
    ...head,
    proposals: (proposalsOf.get(id) ?? []).map(({ return_id: _id, ...one }) => one),
    items: (itemsOf.get(id) ?? []).map(({ return_id: _id, ...one }) => one),
  }))
}

/** Returns of one shop, the oldest first: what waits longest is answered first. */
export async function shopReturnsPage(
  db: Db,
  shop: string,
  { state, ...paging }: { state: 'proposed' | 'open' | 'all'; page: number; limit: number },
): Promise<Page<ShopReturn>> {
  let rows = ofShop(db, shop)
  if (state !== 'all') rows = rows.where('r.status', 'not in', [...closedStatuses])
  if (state === 'proposed')
    rows = rows.where(eb =>
      eb.exists(
        eb
          .selectFrom('refund_proposals as p')
          .select('p.id')
          .whereRef('p.return_id', '=', 'r.id')
          .where('p.state', 'in', ['proposed', 'in_doubt']),
      ),
    )
  const offset = pageOffset(paging)
  const heads = await rows.select(headColumns).orderBy('r.id').offset(offset).limit(paging.limit).execute()
  return { rows: await withContents(db, heads), ...(await cappedCount(db, rows)), offset, limit: paging.limit }
}

/** One return of a shop with its contents, and its id; undefined where the shop has none of this number. */
export async function shopReturn(db: Db, shop: string, rma_no: string): Promise<{ id: number; shown: ShopReturn } | undefined> {
  const head = await ofShop(db, shop).select(headColumns).where('r.rma_no', '=', rma_no.toUpperCase()).executeTakeFirst()
  const [shown] = head ? await withContents(db, [head]) : []
  return head && shown ? { id: head.id, shown } : undefined
}

/** One return with its contents for systems of its company, and whether its person was erased. */
export async function returnForWebhook(
  db: Db,
  id: number,
): Promise<{ order_id: number | null; erased: boolean; data: ShopReturn } | undefined> {
  const row = await db
    .selectFrom('returns as r')
    .leftJoin('orders as o', 'o.id', 'r.order_id')
    .select(headColumns)
    .select(['r.order_id', 'o.erased_at'])
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { order_id, erased_at, ...head } = row
  const [data] = await withContents(db, [head])
  return data && { order_id, erased: erased_at !== null, data }
}
