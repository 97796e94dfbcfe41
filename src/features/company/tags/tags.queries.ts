/** Reading tags: the list, the names, and what an order, a product or a customer has. */
import { type RawBuilder, sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import type { TagObject } from './tags.codes.ts'
import { mostTags, usesCountedTo } from './tags.codes.ts'
import type { Tag, TagName } from './tags.schemas.ts'

const uses = (object: TagObject) => sql<number>`(select count(*)::int from (select from ${sql.table(`${object}_tags`)} x
  where x.operator_id = tags.operator_id and x.company_id = tags.company_id and x.tag_id = tags.id limit ${usesCountedTo}) few)`

const counted = (db: Db) =>
  db
    .selectFrom('tags')
    .select(['id', 'name', 'color', 'version'])
    .select([uses('order').as('orders'), uses('product').as('products'), uses('customer').as('customers')])

export async function listTags(db: Db, { query, ...paging }: { query: string; page: number; limit: number }): Promise<Page<Tag>> {
  const offset = pageOffset(paging)
  let from = counted(db)
  let all = db.selectFrom('tags').select(eb => eb.fn.countAll<number>().as('n'))
  if (query !== '') {
    from = from.where('name', 'ilike', containing(query))
    all = all.where('name', 'ilike', containing(query))
  }
  const [rows, { n }] = await Promise.all([
    from.orderBy('code').limit(paging.limit).offset(offset).$castTo<Tag>().execute(),
    all.executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(n), total_is_more: false, offset, limit: paging.limit }
}

export const tagById = (db: Db, id: number): Promise<Tag | undefined> => counted(db).where('id', '=', id).$castTo<Tag>().executeTakeFirst()

/** Of all companies in scope, the tags of each by name. */
export const tagNames = (db: Db): Promise<TagName[]> =>
  db
    .selectFrom('tags')
    .select(['company_id', 'name', 'color'])
    .orderBy('code')
    .orderBy('company_id')
    .limit(mostTags * 50)
    .$castTo<TagName>()
    .execute()

/** Codes of the tags of each of these orders. */
export async function tagCodesOfOrders(db: Db, order_ids: readonly number[]): Promise<Map<number, Set<string>>> {
  const rows = await db
    .selectFrom('order_tags as x')
    .innerJoin('tags as t', 't.id', 'x.tag_id')
    .select(['x.order_id', 't.code'])
    .where('x.order_id', '=', sql<number>`any(${[...order_ids]}::bigint[])`)
    .execute()
  const codes = new Map<number, Set<string>>()
  for (const { order_id, code } of rows) codes.set(order_id, (codes.get(order_id) ?? new Set()).add(code))
  return codes
}

/** Which tags of which companies a name means. */
export const tagsNamed = (db: Db, name: string): Promise<{ id: number; company_id: number }[]> =>
  db.selectFrom('tags').select(['id', 'company_id']).where('code', '=', sql<string>`lower(${name})`).execute()

/** Names of the tags of an object, whose row stands as `alias`; `of` narrows them. */
const namesOf = (object: TagObject, id: RawBuilder<unknown>) => sql`select t.name from ${sql.table(`${object}_tags`)} x
  join tags t on t.operator_id = x.operator_id and t.id = x.tag_id
  where x.operator_id = current_operator_id() and x.company_id = any (current_company_ids()) and x.${sql.ref(`${object}_id`)} = ${id}`

/** As an array of names: the tags of an order, and words of its shop that are no tags of its company. The order stands as `alias`. */
export const orderTagNames = (alias: string) => sql<string[]>`array(select n.name from (
    ${namesOf('order', sql.ref(`${alias}.id`))}
    union select w.name from unnest(${sql.ref(`${alias}.tags`)}) as w(name)
      where not exists (select from tags t where t.operator_id = ${sql.ref(`${alias}.operator_id`)} and t.company_id = ${sql.ref(`${alias}.company_id`)}
        and lower(w.name) = any (t.words))) n order by lower(n.name))`

export const productTagNames = (alias: string) => sql<string[]>`array(select n.name from (${namesOf('product', sql.ref(`${alias}.id`))}) n
  order by lower(n.name))`

/** Tags that the company of the order, whose row stands as `alias`, gave to its customer; null without a customer. */
export const customerTagNamesOfOrder = (alias: string) => sql<string[] | null>`case when ${sql.ref(`${alias}.customer_id`)} is not null then
  ${customerTagNames(sql.ref(`${alias}.customer_id`), sql.ref(`${alias}.company_id`))} end`

/** A customer who was merged with others has the tags of all. */
const customerTagNames = (id: RawBuilder<unknown>, company_id: RawBuilder<unknown>) => sql<string[]>`array(select distinct t.name
  from customers r join customers m on m.operator_id = r.operator_id and m.root_id = r.root_id
    join customer_tags x on x.operator_id = m.operator_id and x.customer_id = m.id and x.company_id = ${company_id}
    join tags t on t.operator_id = x.operator_id and t.id = x.tag_id
  where r.operator_id = current_operator_id() and r.id = ${id} order by t.name)`

interface TagsForRules {
  /** Of the company, with the words of shops that mean them. */
  tags: { name: string; words: string[] }[]
  orders: { id: number; names: string[] }[]
  products: { id: number; names: string[] }[]
  customers: { id: number; names: string[] }[]
}

/** What rules read of tags while orders of the company arrive: of orders, products and customers that are known already. */
export async function tagsForRules(
  db: Db,
  known: { orders: readonly number[]; products: readonly number[]; customers: readonly number[] },
): Promise<TagsForRules> {
  const each = (ids: readonly number[], names: RawBuilder<unknown>) =>
    sql`(select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'names', ${names})), '[]') from unnest(${[...ids]}::bigint[]) as k(id))`
  const { rows } = await sql<TagsForRules>`select
    (select coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'words', t.words)), '[]') from tags t
      where t.operator_id = current_operator_id() and t.company_id = current_company_id()) as tags,
    ${each(known.orders, sql`array(${namesOf('order', sql.ref('k.id'))})`)} as orders,
    ${each(known.products, productTagNames('k'))} as products,
    ${each(known.customers, customerTagNames(sql.ref('k.id'), sql`current_company_id()`))} as customers`.execute(db)
  return rows[0] ?? { tags: [], orders: [], products: [], customers: [] }
}

/** Tags that the company gave to customers, for the person's own copy. */
export async function tagsOfCustomers(db: Db, customer_ids: readonly number[]): Promise<unknown[]> {
  const { rows } = await sql`select x.customer_id, t.name, x.created_at from customer_tags x
      join tags t on t.operator_id = x.operator_id and t.id = x.tag_id
    where x.operator_id = current_operator_id() and x.company_id = current_company_id() and x.customer_id = any (${[...customer_ids]}::bigint[])
    order by x.customer_id, t.code`.execute(db)
  return rows
}
