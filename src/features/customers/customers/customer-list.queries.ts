/** Lists of customers: pages of ids, along the index of each company. */
import { sql } from 'kysely'
import { countCap } from '#contract/page.ts'
import type { Db } from '#platform/database/database.ts'
import { askedWords } from './customer-words.rules.ts'
import type { CustomerFlag, CustomerSort } from './customers.codes.ts'

export interface WantedCustomers {
  companies: readonly number[]
  query: string
  view: 'all' | 'duplicates' | 'blocked'
  flag?: CustomerFlag | undefined
  tag?: string | undefined
  sort: CustomerSort
}

/** What very many customers share is counted to here: no one reads on, everybody adds a word. */
const foundTo = 200

const sorts = {
  last_order: { key: sql.raw('sorted_at'), direction: sql.raw('desc'), overall: sql.raw('max') },
  orders: { key: sql.raw('order_count'), direction: sql.raw('desc'), overall: sql.raw('max') },
  name: { key: sql.raw('name_key'), direction: sql.raw('asc'), overall: sql.raw('min') },
  '-last_order': { key: sql.raw('sorted_at'), direction: sql.raw('asc'), overall: sql.raw('max') },
  '-orders': { key: sql.raw('order_count'), direction: sql.raw('asc'), overall: sql.raw('max') },
  '-name': { key: sql.raw('name_key'), direction: sql.raw('desc'), overall: sql.raw('max') },
} as const

const ids = (some: readonly number[]) => sql`${[...some]}::bigint[]`

export interface FoundCustomers {
  ids: number[]
  total: number
  total_is_more: boolean
}

/** One page, as the ids of roots. */
export async function listCustomers(db: Db, wanted: WantedCustomers, offset: number, limit: number): Promise<FoundCustomers> {
  const found = wanted.query === '' ? null : await foundBy(db, wanted)
  const among = await narrowed(db, wanted, found?.ids ?? null)
  if (among !== null) {
    const sorted = await sortedAmong(db, wanted, among, offset, limit)
    return { ...sorted, total_is_more: sorted.total_is_more || found?.more === true }
  }
  const listed =
    wanted.sort.endsWith('orders') && wanted.companies.length > 1
      ? await byAllOrders(db, wanted.sort, offset, limit)
      : await merged(db, wanted, offset, limit)
  const isLast = listed.length < limit && (offset === 0 || listed.length > 0)
  const total = isLast ? offset + listed.length : await countListed(db, wanted.companies)
  return { ids: listed, total: Math.min(total, countCap), total_is_more: total > countCap }
}

/** Roots that the text means; `more` where it means more than are looked at. */
async function foundBy(db: Db, { query, companies }: WantedCustomers): Promise<{ ids: number[]; more: boolean }> {
  const words = askedWords(query, companies)
  if (words === null) return { ids: [], more: false }
  const { rows } = await sql<{ id: number | null }>`select c.root_id as id from find_customers(${words}::tsquery, ${foundTo}) as f(id)
    left join customers c on c.operator_id = current_operator_id() and c.id = f.id`.execute(db)
  return { ids: [...new Set(rows.flatMap(row => row.id ?? []))], more: rows.some(row => row.id === null) }
}

/** The roots to which a filter narrows the list; null for all. */
async function narrowed(
  db: Db,
  { view, flag, tag, companies }: WantedCustomers,
  found: readonly number[] | null,
): Promise<readonly number[] | null> {
  const asked = view === 'blocked' ? 'known_problem' : flag
  let among = found
  const keep = (some: readonly number[]) => {
    const known = new Set(some)
    among = among === null ? some : among.filter(id => known.has(id))
  }
  if (asked) {
    const { rows } = await sql<{ id: number }>`select distinct c.root_id as id from customer_flags f
      join customers c on c.operator_id = f.operator_id and c.id = f.customer_id
      where f.operator_id = current_operator_id() and f.company_id = any (current_company_ids()) and f.flag = ${asked} limit ${countCap}`.execute(
      db,
    )
    keep(rows.map(row => row.id))
  }
  if (tag) {
    const { rows } = await sql<{ id: number }>`select distinct c.root_id as id from tags t
      join customer_tags x on x.operator_id = t.operator_id and x.company_id = t.company_id and x.tag_id = t.id
      join customers c on c.operator_id = x.operator_id and c.id = x.customer_id
      where t.operator_id = current_operator_id() and t.company_id = any (current_company_ids()) and t.code = lower(${tag}) limit ${countCap}`.execute(
      db,
    )
    keep(rows.map(row => row.id))
  }
  if (view === 'duplicates') {
    const { rows } = await sql<{ id: number }>`select distinct c.root_id as id from (
        select a_id as id from customer_suggestions where operator_id = current_operator_id() and state = 'open'
        union select b_id from customer_suggestions where operator_id = current_operator_id() and state = 'open') s
      join customers c on c.operator_id = current_operator_id() and c.id = s.id
      where exists (select from customer_companies k where k.operator_id = c.operator_id and k.customer_id = c.root_id
        and k.company_id = any (${ids(companies)})) limit ${countCap}`.execute(db)
    keep(rows.map(row => row.id))
  }
  return among
}

async function sortedAmong(
  db: Db,
  { companies, sort }: WantedCustomers,
  among: readonly number[],
  offset: number,
  limit: number,
): Promise<FoundCustomers> {
  if (among.length === 0) return { ids: [], total: 0, total_is_more: false }
  const { key, direction, overall } = sorts[sort]
  const { rows } = await sql<{ id: number; total: number }>`
    select k.customer_id as id, count(*) over ()::int as total from customer_companies k
    where k.operator_id = current_operator_id() and k.company_id = any (${ids(companies)}) and k.customer_id = any (${ids(among)}) and k.listed
    group by k.customer_id order by ${overall}(k.${key}) ${direction}, k.customer_id desc limit ${limit} offset ${offset}`.execute(db)
  const total = rows[0]?.total ?? 0
  return { ids: rows.map(row => row.id), total, total_is_more: false }
}

/**
 * Each company's rows are read along its own index and then merged. What stands among the first n of all stands among the first n of the
 * company by which it is sorted, so n rows of each are enough. Who was away for longest is sorted by the latest order in any company, so only
 * the row of that company counts.
 */
async function merged(db: Db, { companies, sort }: WantedCustomers, offset: number, limit: number): Promise<number[]> {
  const { key, direction, overall } = sorts[sort]
  const latest = sql`and not exists (select from customer_companies l where l.operator_id = k.operator_id and l.customer_id = k.customer_id
    and l.company_id = any (${ids(companies)}) and l.listed and (l.sorted_at, l.company_id) > (k.sorted_at, k.company_id))`
  const { rows } = await sql<{ id: number }>`
    select k.customer_id as id from unnest(${ids(companies)}) as c(id), lateral (
      select k.customer_id, k.${key} as key from customer_companies k
      where k.operator_id = current_operator_id() and k.company_id = c.id and k.listed ${sort === '-last_order' && companies.length > 1 ? latest : sql``}
      order by k.${key} ${direction}, k.customer_id ${direction} limit ${offset + limit}) k
    group by k.customer_id order by ${overall}(k.key) ${direction}, k.customer_id ${direction} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(row => row.id)
}

/** By the orders of all companies together, which are stored with the root. */
async function byAllOrders(db: Db, sort: CustomerSort, offset: number, limit: number): Promise<number[]> {
  const { direction } = sorts[sort]
  const { rows } = await sql<{ id: number }>`select c.id from customers c
    where c.operator_id = current_operator_id() and c.root_id = c.id and c.erased_at is null
      and exists (select from customer_companies k where k.operator_id = c.operator_id and k.customer_id = c.id and k.listed)
    order by c.order_count ${direction}, c.id ${direction} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(row => row.id)
}

/** How many there are, counted to where a list ends. */
async function countListed(db: Db, companies: readonly number[]): Promise<number> {
  const { rows } = await sql<{ n: number; customers: number }>`
    with few as materialized (select k.customer_id from customer_companies k
      where k.operator_id = current_operator_id() and k.company_id = any (${ids(companies)}) and k.listed limit ${countCap + 1})
    select count(*)::int as n, count(distinct customer_id)::int as customers from few`.execute(db)
  const counted = rows[0] ?? { n: 0, customers: 0 }
  return counted.n > countCap ? countCap + 1 : counted.customers
}
