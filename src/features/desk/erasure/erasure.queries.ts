/** Reading erasures: whose orders are next, what names their person, and whether one of them is still open. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { elementAt } from '#domain/objects.ts'
import { emailKey, phoneKey } from '#features/customers/customers/customers.rules.ts'
import type { Phase } from '#features/orders/orders/orders.rules.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { ErasedSubjects } from '#platform/database/erasure.ts'
import type { DataRequest } from './erasure.schemas.ts'

export interface Erasure {
  id: number
  kind: 'erase' | 'report'
  state: 'waiting' | 'running' | 'done'
  shop: string | null
  order_ids: number[]
  /** Customers who are meant beside their orders. */
  asked_customer_ids: number[]
  done_order_id: number
  report: Record<string, number>
}

export const erasureById = (db: Db, id: number): Promise<Erasure | undefined> =>
  db
    .selectFrom('erasures')
    .select(['id', 'kind', 'state', 'shop', 'order_ids', 'asked_customer_ids', 'done_order_id', 'report'])
    .where('id', '=', id)
    .$castTo<Erasure>()
    .executeTakeFirst()

const ordersOf = ({ shop, order_ids }: Pick<Erasure, 'shop' | 'order_ids'>) =>
  shop === null ? sql`o.id = any (${order_ids}::bigint[])` : sql`o.shop = ${shop}`

/** Days after packing from which a parcel counts as delivered when no courier reports it. */
const deliveredAfterDays = 30

/** An order of the person is still worked on, its parcel is on its way, or a return of it is open: it cannot be sent to a person who is erased. */
export async function hasOpenOrder(db: Db, erasure: Pick<Erasure, 'shop' | 'order_ids'>, now: Date): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`select exists (select from orders o where o.operator_id = current_operator_id()
    and o.company_id = current_company_id() and ${ordersOf(erasure)} and o.erased_at is null and o.phase not in ('closed', 'delivered', 'cancelled')
    and not (o.phase = 'handed_over' and o.packed_at < ${now.toISOString()}::timestamptz - make_interval(days => ${deliveredAfterDays})))
    or exists (select from orders o join returns r on r.operator_id = o.operator_id and r.order_id = o.id where o.operator_id = current_operator_id()
      and o.company_id = current_company_id() and ${ordersOf(erasure)} and o.erased_at is null
      and r.status in ('approved', 'in_transit', 'arrived', 'awaiting_review', 'decided')) as open`.execute(db)
  return elementAt(rows, 0).open
}

/** A shorter word would also stand in texts about others. */
const shortestWord = 5

const longWords = (written: readonly string[]): string[] => [
  ...new Set(written.map(word => word.trim().toLowerCase()).filter(word => word.length >= shortestWord && word !== 'erased person')),
]

/** The next orders and what names their person; undefined after the last. */
export async function nextSubjects(db: Db, erasure: Erasure, most: number): Promise<ErasedSubjects | undefined> {
  const { rows } = await sql<{ id: number; words: string[] }>`
    select o.id, array_remove(array[o.customer_name, o.customer_email, o.customer_phone, o.ship_to ->> 'name', o.ship_to ->> 'company', o.ship_to ->> 'email',
      o.ship_to ->> 'phone', o.ship_to ->> 'phone_raw', o.bill_to ->> 'name', o.bill_to ->> 'company', o.bill_to ->> 'email', o.bill_to ->> 'phone',
      o.bill_to ->> 'phone_raw'], null) as words
    from orders o where o.operator_id = current_operator_id() and o.company_id = current_company_id() and ${ordersOf(erasure)}
      and o.id > ${erasure.done_order_id} order by o.id limit ${most}`.execute(db)
  if (rows.length === 0) return undefined
  return { order_ids: rows.map(row => row.id), customer_ids: [], words: longWords(rows.flatMap(row => row.words)) }
}

export async function customersOf(db: Db, order_ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ customer_id: number }>`
    select distinct customer_id from orders where operator_id = current_operator_id() and company_id = current_company_id()
      and id = any (${order_ids}::bigint[]) and customer_id is not null`.execute(db)
  return rows.map(row => row.customer_id)
}

/** Files of exports that ended before `before`. */
export async function oldExports(db: Db, before: Date): Promise<{ operator_id: number; company_id: number; file_id: number }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number; file_id: number }>`
    select j.operator_id, j.company_id, f.id as file_id from jobs j join files f on f.operator_id = j.operator_id and f.id = (j.result ->> 'file_id')::bigint
    where j.kind in ('customers.erase', 'orders.export') and j.state = 'done' and j.finished_at < ${before.toISOString()} and f.erased_at is null limit 500`.execute(
    db,
  )
  return rows
}

/**
 * Customers of the erased orders, and those who were asked for, of whom the company has no other order: with everything that is merged with
 * them, since notes stand with the one and orders with the other.
 */
export async function endedCustomers(db: Db, erasure: Erasure): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with roots as (
      select distinct c.root_id from customers c where c.operator_id = current_operator_id() and (
        c.id = any (${erasure.asked_customer_ids}::bigint[])
        or c.id in (select o.customer_id from orders o where o.operator_id = current_operator_id() and o.company_id = current_company_id()
          and ${ordersOf(erasure)} and o.customer_id is not null))),
    members as (
      select r.root_id, r.root_id as id from roots r
      union select r.root_id, m.id from roots r join customers m on m.operator_id = current_operator_id() and m.root_id = r.root_id)
    select m.id from members m where not exists (select from members x
      join orders o on o.operator_id = current_operator_id() and o.company_id = current_company_id() and o.customer_id = x.id and o.erased_at is null
      where x.root_id = m.root_id)
    order by m.id`.execute(db)
  return rows.map(row => row.id)
}

/** Those of these customers that are merged into no other one. */
export async function rootsOfCustomers(db: Db, customer_ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('customers')
    .select('id')
    .where('id', '=', sql<number>`any(${[...customer_ids]}::bigint[])`)
    .whereRef('root_id', '=', 'id')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** What names customers, in lower case: rows without a key of an order are found by it. */
export async function wordsOfCustomers(db: Db, customer_ids: readonly number[]): Promise<string[]> {
  const ids = sql`any (${[...customer_ids]}::bigint[])`
  const { rows } = await sql<{ word: string }>`
    select k.name as word from customer_companies k where k.operator_id = current_operator_id() and k.company_id = current_company_id() and k.customer_id = ${ids}
    union select l.check_value from customer_lookups l where l.operator_id = current_operator_id() and l.customer_id = ${ids}
      and current_company_id() = any (l.seen_by) and l.check_type <> 'shop_customer'`.execute(db)
  return longWords(rows.map(row => row.word))
}

/** Erasures that have no job: new ones, those whose open orders may have ended, and those that an error interrupted. */
export async function erasuresWithoutJob(db: Db): Promise<{ operator_id: number; company_id: number; id: number }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number; id: number }>`
    select e.operator_id, e.company_id, e.id from erasures e
    left join jobs j on j.operator_id = e.operator_id and j.id = e.job_id and j.state in ('queued', 'running')
    where e.state <> 'done' and j.id is null order by e.id limit 500`.execute(db)
  return rows
}

export interface PersonOrder {
  order_id: number
  order_no: string
  company_id: number
  phase: Phase
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
  ordered_at: string
  erased_at: string | null
}

/** The orders of every customer whom this e-mail address, phone number or order number means, newest first. */
export async function ordersOfPerson(db: Db, query: string, country: string, most: number): Promise<PersonOrder[]> {
  const email = emailKey(query)
  const phone = phoneKey(query, country)
  const numbers = [query, query.replace(/^#/, ''), `#${query}`]
  const { rows } = await sql<PersonOrder>`
    with named as (
      select id, customer_id from orders where operator_id = current_operator_id() and company_id = any (current_company_ids())
        and order_no = any (${numbers})),
    known as (
      select customer_id from named where customer_id is not null
      union select customer_id from customer_lookups where operator_id = current_operator_id() and removed_at is null and not ignored
        and ((check_type = 'email' and check_value = ${email}) or (check_type = 'phone' and check_value = ${phone}))),
    persons as (
      select c.id from customers c where c.operator_id = current_operator_id() and c.root_id in (
        select k.root_id from customers k where k.operator_id = current_operator_id() and k.id in (select customer_id from known)))
    select o.id as order_id, o.order_no, o.company_id, o.phase, o.customer_name, o.customer_email, o.customer_phone, o.ordered_at, o.erased_at
    from orders o where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids())
      and (o.id in (select id from named) or o.customer_id in (select id from persons))
    order by o.id desc limit ${most}`.execute(db)
  return rows
}

/** The companies of these orders, each with its own; orders out of reach are left out. */
export async function companiesOfOrders(db: Db, ids: readonly number[]): Promise<{ company_id: number; order_ids: number[] }[]> {
  const rows = await db.selectFrom('orders').select(['company_id', 'id']).where('id', '=', sql<number>`any(${ids})`).orderBy('id').execute()
  const companies = Map.groupBy(rows, row => row.company_id)
  return [...companies].map(([company_id, orders]) => ({ company_id, order_ids: orders.map(({ id }) => id) }))
}

/** What was asked for about persons, the newest first. */
export async function dataRequests(
  db: Db,
  query: { page: number; limit: number },
  customer_ids?: readonly number[],
): Promise<Page<DataRequest>> {
  const every = db.selectFrom('erasures as e')
  const all = customer_ids ? every.where(sql<boolean>`e.asked_customer_ids && ${[...customer_ids]}::bigint[]`) : every
  const rows = await all
    .leftJoin('jobs as j', join => join.onRef('j.operator_id', '=', 'e.operator_id').onRef('j.id', '=', 'e.job_id'))
    .leftJoin('users as u', join => join.onRef('u.operator_id', '=', 'e.operator_id').onRef('u.id', '=', 'e.requested_by'))
    .leftJoin('files as f', join =>
      join
        .onRef('f.operator_id', '=', 'j.operator_id')
        .on('f.id', '=', sql<number>`(j.result ->> 'file_id')::bigint`)
        .on('f.erased_at', 'is', null),
    )
    .select(['e.id', 'e.company_id', 'e.kind', 'e.reason', 'e.created_at', 'e.finished_at', 'u.name as requested_by'])
    .select([
      sql<DataRequest['state']>`case when e.state <> 'done' and j.state = 'failed' then 'failed' else e.state end`.as('state'),
      sql<number | null>`case when e.shop is null then cardinality(e.order_ids) end`.as('orders'),
      sql<number>`coalesce(j.done, 0)`.as('done'),
      sql<number>`(select coalesce(sum(value::integer), 0)::integer from jsonb_each_text(e.report))`.as('rows'),
      sql<boolean>`f.id is not null`.as('has_file'),
    ])
    .orderBy('e.id', 'desc')
    .limit(query.limit)
    .offset(pageOffset(query))
    .execute()
  return { rows, ...(await cappedCount(db, all)), offset: pageOffset(query), limit: query.limit }
}

/** The archive of a request, while it is kept. */
export async function fileOfRequest(db: Db, id: number) {
  return db
    .selectFrom('erasures as e')
    .innerJoin('jobs as j', join => join.onRef('j.operator_id', '=', 'e.operator_id').onRef('j.id', '=', 'e.job_id'))
    .innerJoin('files as f', join =>
      join.onRef('f.operator_id', '=', 'j.operator_id').on('f.id', '=', sql<number>`(j.result ->> 'file_id')::bigint`),
    )
    .select(['f.sha256', 'f.bytes', 'f.media_type', 'f.name'])
    .where('e.id', '=', id)
    .where('f.erased_at', 'is', null)
    .executeTakeFirst()
}
