/** One page of the orders that a code means, found and read in one statement. */
import { sql } from 'kysely'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { asOrderRows, rowsOfOrders } from './orders.queries.ts'
import type { OrderFilters, OrderRow } from './orders.schemas.ts'
import { anyExact, foundTo, readQuery, type Sort } from './search.queries.ts'

interface AskedCodes extends Record<string, unknown> {
  companies: readonly number[]
  /** Words of orders, as a tsquery. */
  words: string
  /** On parcels and pieces. */
  codes: readonly string[]
  paperless: string | null
  most: number
  offset: number
  limit: number
}

const pageOfCodes = compiledQuery((db, { companies, words, codes, paperless, most, offset, limit }: AskedCodes) => {
  const ours = sql`operator_id = current_operator_id() and company_id = any (${companies}::bigint[])`
  return db
    .with(
      'met',
      () => sql<{ id: number }>`(
      select id from (
        select id from find_orders_by_code(${words}::tsquery, ${most}::integer) id
        union (select order_id from shipments where ${ours} and tracking_no = any (${codes}::text[]) limit ${most})
        union (select order_id from shipments where ${ours} and barcode = any (${codes}::text[]) limit ${most})
        union (select order_id from order_serials where ${ours} and serial = any (${codes}::text[]) and removed_at is null limit ${most})
        union (select order_id from paperless_codes where operator_id = current_operator_id() and digits = ${paperless}::text
          and order_company_id = any (${companies}::bigint[]) limit 1)
      ) found where id is not null order by id desc limit ${most})`,
    )
    .with('page', () => sql<{ id: number }>`(select id from met order by id desc offset ${offset} limit ${limit})`)
    .selectNoFrom(() => [
      sql<number>`(select count(*) from met)`.as('met'),
      sql<number[]>`array(select id from page order by id desc)`.as('ids'),
      ...rowsOfOrders(db, sql`array(select id from page)`),
    ])
})

/** Null where the text is no code, where something else narrows the list, and where no order has this code. */
export async function searchByCode(
  db: Db,
  scope: TenantScope,
  { query, company_id, ...filters }: Partial<OrderFilters> & { query: string },
  { sort, offset, limit }: { sort: Sort; offset: number; limit: number },
): Promise<{ rows: OrderRow[]; total: number; total_is_more: boolean } | null> {
  if (sort !== 'newest' || Object.values(filters).some(value => value !== undefined && value !== false)) return null
  if (company_id !== undefined && !scope.companies.includes(company_id)) return null
  const asked = readQuery(query)
  if (!asked || asked.order || asked.exact.length + asked.codes.length === 0) return null
  const companies = company_id === undefined ? scope.companies : [company_id]
  const counted = Math.max(foundTo, offset + limit)
  const [found] = await pageOfCodes(db, {
    companies,
    words: anyExact(companies, asked.exact),
    codes: asked.codes,
    paperless: asked.paperless ?? null,
    most: counted + 1,
    offset,
    limit,
  })
  if (!found || (found.met === 0 && asked.words.length > 0)) return null
  return {
    rows: asOrderRows(found, found.ids),
    total: Math.min(found.met, counted),
    total_is_more: found.met > counted,
  }
}
