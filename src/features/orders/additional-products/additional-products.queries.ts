/** Reads of additional products. A shop sees those that its orders get. */
import { sql } from 'kysely'
import * as z from 'zod'
import { notFound, orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { isOneOf } from '#domain/objects.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import type { Principal } from '#platform/auth/identity.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { AdditionalProduct, type AskedProducts, OrderAddition } from './additional-products.schemas.ts'

const columns = [
  'a.id',
  'a.name',
  'a.barcode',
  'a.texts',
  'a.conditions',
  'a.per',
  'a.qty',
  'a.handling',
  'a.bin',
  'a.on_pick_list',
  'a.weight_g',
  'a.hs_code',
  'a.value',
  'a.currency',
  'a.stock_left',
  'a.company_ids',
  'a.position',
  'a.active',
  'a.version',
] as const

/** Null for the main company, which sees all. */
type Reader = number | null
export const readerOf = ({ company }: Pick<Principal, 'company'>): Reader => (company.is_main ? null : company.id)

const offeredTo = (company_id: number) => sql<boolean>`(a.company_ids is null or ${company_id}::bigint = any(a.company_ids))`

function seenBy(db: Db, reader: Reader) {
  const from = db.selectFrom('additional_products as a').where('a.removed_at', 'is', null)
  return reader === null ? from : from.where(offeredTo(reader))
}

const pieces = (state: 'planned' | 'packed') => sql<number>`(select coalesce(sum(o.qty), 0)::integer from order_additions o
  where o.operator_id = a.operator_id and o.company_id = any (current_company_ids()) and o.additional_product_id = a.id and o.state = ${sql.lit(state)})`

const selected = (db: Db, reader: Reader) =>
  seenBy(db, reader)
    .select(columns)
    .select([sql<string | null>`a.valid_from::text`.as('valid_from'), sql<string | null>`a.valid_to::text`.as('valid_to')])
    .select([pieces('planned').as('planned'), pieces('packed').as('packed')])
    .select(eb => eb('a.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'))

const Stored = AdditionalProduct.omit({ broken: true }).extend({ conditions: RuleJson.catch({ v: 1, all: [] }) })
const asProduct = (row: { conditions: unknown }): AdditionalProduct => ({
  ...Stored.parse(row),
  broken: parseRule(row.conditions, 'additional_product').errors !== undefined,
})

export async function findAdditionalProduct(db: Db, id: number): Promise<AdditionalProduct | undefined> {
  const row = await selected(db, null).where('a.id', '=', id).executeTakeFirst()
  return row && asProduct(row)
}

export async function additionalProductById(db: Db, reader: Reader, id: number): Promise<AdditionalProduct> {
  const row = await selected(db, reader).where('a.id', '=', id).executeTakeFirst()
  return asProduct(orNotFound(row, 'additional_product_not_found', 'Additional product not found'))
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

export async function findAdditionalProducts(
  db: Db,
  reader: Reader,
  { query, active, company, handling, stock, sort, ...paging }: AskedProducts & { page: number; limit: number },
): Promise<Page<AdditionalProduct>> {
  const matching = <Q extends ReturnType<typeof seenBy>>(all: Q): Q => {
    let from: ReturnType<typeof seenBy> = all
    if (query !== '')
      from = from.where(eb =>
        eb.or([
          eb('a.name', 'ilike', `%${escaped(query)}%`),
          eb(sql`upper(a.barcode)`, '=', query.toUpperCase()),
          eb(sql`upper(a.bin)`, '=', query.toUpperCase()),
        ]),
      )
    if (active !== undefined) from = from.where('a.active', '=', active)
    if (company !== undefined) from = from.where(offeredTo(company))
    if (handling !== undefined) from = from.where('a.handling', '=', handling)
    if (stock !== undefined) from = from.where('a.stock_left', stock === 'out' ? '=' : '>=', 0)
    return from as Q
  }
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.replace('-', '')
  const by = isOneOf(['name', 'stock_left'] as const, column) ? (`a.${column}` as const) : 'a.position'
  const rows = await matching(selected(db, reader))
    .orderBy(by, order => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('a.id')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: rows.map(asProduct),
    ...(await cappedCount(db, matching(seenBy(db, reader)))),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

/** The stored picture: its bytes are found by their hash. One that was removed stays on the orders that have it. */
export async function additionPicture(db: Db, reader: Reader, id: number): Promise<{ sha256: string; bytes: number }> {
  const from = db.selectFrom('additional_products as a').select(['a.image_sha256', 'a.image_bytes']).where('a.id', '=', id)
  const row = await (reader === null ? from : from.where(offeredTo(reader))).executeTakeFirst()
  if (!row?.image_sha256 || row.image_bytes === null)
    throw notFound('additional_product_has_no_picture', 'This additional product has no picture')
  return { sha256: row.image_sha256, bytes: row.image_bytes }
}

const Additions = z.array(OrderAddition)

/** What rules added to the order, and what became of it; without what they took away again. */
export async function additionsOfOrder(db: Db, order_id: number): Promise<OrderAddition[]> {
  const rows = await db
    .selectFrom('order_additions as o')
    .innerJoin('additional_products as a', 'a.id', 'o.additional_product_id')
    .select(['o.id', 'o.additional_product_id', 'o.qty', 'o.state', 'o.skip_reason', 'o.decided_by', 'o.decided_at'])
    .select(['a.name', 'a.barcode', 'a.texts', 'a.handling', 'a.bin', 'a.version'])
    .select(eb => eb('a.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'))
    .where('o.order_id', '=', order_id)
    .where('o.state', '<>', 'released')
    .orderBy('a.position')
    .orderBy('o.id')
    .execute()
  return Additions.parse(rows)
}

/** What pickers take along for these orders, by order. */
export async function additionsToPick(
  db: Db,
  order_ids: readonly number[],
): Promise<Map<number, { name: string; qty: number; bin: string | null }[]>> {
  const rows = await db
    .selectFrom('order_additions as o')
    .innerJoin('additional_products as a', 'a.id', 'o.additional_product_id')
    .select(['o.order_id', 'a.name', 'o.qty', 'a.bin'])
    .where('o.order_id', '=', sql<number>`any(${order_ids})`)
    .where('o.state', '=', 'planned')
    .where('a.on_pick_list', '=', true)
    .orderBy('a.position')
    .orderBy('o.id')
    .execute()
  const shown = rows.map(({ order_id, ...addition }) => ({ order_id, addition }))
  return new Map([...Map.groupBy(shown, row => row.order_id)].map(([id, some]) => [id, some.map(row => row.addition)]))
}

/** What the packer has to confirm or to scan before the parcel is closed. */
export const openAddition = (db: Db, order_id: number): Promise<{ name: string } | undefined> =>
  db
    .selectFrom('order_additions as o')
    .innerJoin('additional_products as a', 'a.id', 'o.additional_product_id')
    .select('a.name')
    .where('o.order_id', '=', order_id)
    .where('o.state', '=', 'planned')
    .where('a.handling', '<>', 'show')
    .orderBy('a.position')
    .orderBy('o.id')
    .limit(1)
    .executeTakeFirst()

/** The addition of the order that one of these codes means. */
export const scannedAddition = (db: Db, order_id: number, codes: readonly string[]) =>
  db
    .selectFrom('order_additions as o')
    .innerJoin('additional_products as a', 'a.id', 'o.additional_product_id')
    .select(['o.id', 'o.state', 'a.name', 'a.handling'])
    .where('o.order_id', '=', order_id)
    .where('o.state', 'in', ['planned', 'packed', 'skipped'])
    .where(sql`upper(a.barcode)`, '=', sql<string>`any(${codes.map(code => code.toUpperCase())})`)
    .limit(1)
    .executeTakeFirst()

/** What rules added to this parcel of an order. */
export const additionsInParcel = (db: Db, order_id: number, parcel_no: number) =>
  db
    .selectFrom('order_additions as o')
    .innerJoin('additional_products as a', 'a.id', 'o.additional_product_id')
    .select(['a.name', 'a.weight_g', 'a.hs_code', 'a.value', 'a.currency', 'o.qty'])
    .where('o.order_id', '=', order_id)
    .where('o.parcel_no', '=', parcel_no)
    .where('o.state', '=', 'packed')
    .orderBy('o.id')
    .execute()
