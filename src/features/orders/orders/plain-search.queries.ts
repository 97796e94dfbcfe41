/** The newest page of the orders, all of them or those that a code or words mean, found and read in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { countCap } from '#contract/page.ts'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Sort } from './orders.codes.ts'
import { asOrderRows, rowsOfOrders } from './orders.queries.ts'
import type { OrderFilters, OrderRow } from './orders.schemas.ts'
import { anyExact, askedWords, beyondAll, countedAnew, countMany, foundTo, readQuery } from './search.queries.ts'

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

interface Words extends Record<string, unknown> {
  all: string
  whole: string | null
  beginning: string | null
  most: number
  offset: number
  limit: number
}

const pageOfWords = compiledQuery((db, { all, whole, beginning, most, offset, limit }: Words) =>
  db
    .with(
      'met',
      () => sql<{ id: number }>`(
      select id from find_orders(${all}::tsquery, ${beyondAll}, ${most}::integer, true, ${whole}::tsquery, ${beginning}::tsquery) id)`,
    )
    .with('page', () => sql<{ id: number }>`(select id from met order by id desc offset ${offset} limit ${limit})`)
    .selectNoFrom(() => [
      sql<number>`(select count(*) from met)`.as('met'),
      sql<number[]>`array(select id from page order by id desc)`.as('ids'),
      ...rowsOfOrders(db, sql`array(select id from page)`),
    ]),
)

interface Newest extends Record<string, unknown> {
  companies: readonly number[]
  /** To here they are counted. */
  most: number
  offset: number
  limit: number
}

const pageOfNewest = compiledQuery((db, { companies, most, offset, limit }: Newest) => {
  const newestOf = (count: RawBuilder<unknown>) => sql`unnest(${companies}::bigint[]) c(id) cross join lateral (select o.id from orders o
    where o.operator_id = current_operator_id() and o.company_id = c.id order by o.id desc limit ${count}) o`
  return db
    .with(
      'page',
      () =>
        sql<{
          id: number
        }>`(select o.id from ${newestOf(sql`${offset}::bigint + ${limit}::bigint`)} order by o.id desc offset ${offset} limit ${limit})`,
    )
    .selectNoFrom(() => [
      sql<number>`(select count(*) from (select from ${newestOf(sql`${most}::bigint`)} limit ${most}) few)`.as('met'),
      sql<number[]>`array(select id from page order by id desc)`.as('ids'),
      ...rowsOfOrders(db, sql`array(select id from page)`),
    ])
})

interface FoundPage {
  rows: OrderRow[]
  total: number
  total_is_more: boolean
}

/** The newest page of the list, or of what a text finds, in one statement; null where something else narrows or sorts it, and of an order's own code. */
export async function searchPlain(
  db: Db,
  scope: TenantScope,
  { query = '', company_id, view, ...filters }: Partial<OrderFilters>,
  { sort, offset, limit }: { sort: Sort; offset: number; limit: number },
): Promise<FoundPage | null> {
  if (sort !== 'newest' || (view !== undefined && view !== 'all')) return null
  if (Object.values(filters).some(value => value !== undefined && value !== false)) return null
  if (company_id !== undefined && !scope.companies.includes(company_id)) return null
  const companies = company_id === undefined ? scope.companies : [company_id]
  const asked = readQuery(query)
  if (!asked) {
    const [found] = await pageOfNewest(db, { companies, most: countedAnew + 1, offset, limit })
    if (!found) return null
    const shown = found.ids.length
    const ended = shown < limit && (offset === 0 || shown > 0)
    const total = ended ? offset + shown : found.met <= countedAnew ? found.met : await countMany(db, scope, companies)
    return { rows: asOrderRows(found, found.ids), total: Math.min(total, countCap), total_is_more: total > countCap }
  }
  if (asked.order) return null
  const counted = Math.max(foundTo, offset + limit)
  const paged = { most: counted + 1, offset, limit }
  const { codes, paperless = null } = asked
  let [found] =
    asked.exact.length + codes.length > 0
      ? await pageOfCodes(db, { companies, words: anyExact(companies, asked.exact), codes, paperless, ...paged })
      : []
  if (!found || found.met === 0) {
    const words = askedWords(companies, asked.words)
    if (words.all !== '') [found] = await pageOfWords(db, { ...words, ...paged })
  }
  return found
    ? { rows: asOrderRows(found, found.ids), total: Math.min(found.met, counted), total_is_more: found.met > counted }
    : { rows: [], total: 0, total_is_more: false }
}
