/** Figures and search words of customers: noted with each order, counted anew by a schedule, and at once where a person changes a customer. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { EventSteps } from '#platform/database/events.ts'
import { customerWordsOf, postcodeOf } from './customer-words.rules.ts'
import { folded, type Lookup } from './customers.rules.ts'

/** Orders that came or changed, in the statement that records it. */
export const customerChangeSteps: EventSteps = {
  kinds: new Set(['order.imported', 'order.changed']),
  text: events => [
    `customer_changes_noted as (insert into customer_changes (company_id, order_id)
      select e.company_id, e.order_id from ${events} e where e.kind in ('order.imported', 'order.changed') and e.order_id is not null)`,
  ],
}

/** Orders that were attached to their customers without an event. */
export async function noteAttachedOrders(db: Db, order_ids: readonly number[]): Promise<void> {
  if (order_ids.length === 0) return
  await db
    .insertInto('customer_changes')
    .values(order_ids.map(order_id => ({ order_id })))
    .execute()
}

export interface CustomerChange {
  operator_id: number
  company_id: number
  order_id: number | null
  customer_id: number | null
}

/** Takes changes of all tenants, the oldest first. */
export async function takeCustomerChanges(db: Db, most: number): Promise<CustomerChange[]> {
  const { rows } = await sql<CustomerChange>`
    with oldest as (
      select operator_id, company_id, id from customer_changes order by operator_id, company_id, id limit ${most} for update skip locked)
    delete from customer_changes c using oldest o where c.operator_id = o.operator_id and c.company_id = o.company_id and c.id = o.id
    returning c.operator_id, c.company_id, c.order_id, c.customer_id`.execute(db)
  return rows
}

export interface Root {
  operator_id: number
  root_id: number
}

/** Joins these roots with everything that is merged into them. */
const withMembers = (roots: readonly Root[]) => sql`
  roots as materialized (select distinct r.operator_id, r.root_id from unnest(${roots.map(root => root.operator_id)}::bigint[],
    ${roots.map(root => root.root_id)}::bigint[]) as r(operator_id, root_id)),
  members as materialized (
    select operator_id, root_id, root_id as id from roots
    union all select r.operator_id, r.root_id, m.id from roots r
      join customers m on m.operator_id = r.operator_id and m.root_id = r.root_id and m.root_id <> m.id)`

const erased = 'Erased person'

interface KnownCustomer {
  operator_id: number
  root_id: number
  company_id: number
  names: string[]
  name_postcodes: string[]
  lookups: [Lookup['type'], string][]
}

/**
 * Counts the orders of these customers and writes their words anew, for each company that knows them. Rows are taken in the order of their
 * keys, so that two of these do not deadlock.
 */
export async function refreshCustomers(db: Db, roots: readonly Root[]): Promise<void> {
  if (roots.length === 0) return
  const { rows: known } = await sql<KnownCustomer>`with ${withMembers(roots)}
    select m.operator_id, m.root_id, k.company_id, array_agg(k.name order by k.customer_id = m.root_id desc, k.created_at desc) as names,
      array_remove(array_agg(k.name_postcode order by k.customer_id = m.root_id desc, k.created_at desc), null) as name_postcodes,
      coalesce((select jsonb_agg(jsonb_build_array(l.check_type, l.check_value) order by l.id) from members x
        join customer_lookups l on l.operator_id = x.operator_id and l.customer_id = x.id
        where x.operator_id = m.operator_id and x.root_id = m.root_id and l.removed_at is null and not l.ignored and k.company_id = any (l.seen_by)), '[]') as lookups
    from members m join customer_companies k on k.operator_id = m.operator_id and k.customer_id = m.id
    where k.name <> ${erased} group by m.operator_id, m.root_id, k.company_id order by 1, 2, 3`.execute(db)
  const columns = {
    operators: known.map(one => one.operator_id),
    roots: known.map(one => one.root_id),
    companies: known.map(one => one.company_id),
    names: known.map(one => one.names[0] ?? ''),
    keys: known.map(one => folded(one.names[0] ?? '').slice(0, 300)),
    postcodes: known.map(one => one.name_postcodes[0] ?? null),
  }
  await sql`with ${withMembers(roots)},
    known as materialized (select * from unnest(${columns.operators}::bigint[], ${columns.roots}::bigint[], ${columns.companies}::bigint[],
      ${columns.names}::text[], ${columns.keys}::text[], ${columns.postcodes}::text[]) as k(operator_id, root_id, company_id, name, name_key, name_postcode)),
    counted as (
      select m.operator_id, m.root_id, o.company_id, count(*)::int as n, min(o.ordered_at) as first, max(o.ordered_at) as last
      from members m join orders o on o.operator_id = m.operator_id and o.customer_id = m.id group by 1, 2, 3)
    insert into customer_companies as c (operator_id, company_id, customer_id, name, name_postcode, name_key, order_count, first_order_at, last_order_at,
      sorted_at, joined, listed)
    select k.operator_id, k.company_id, k.root_id, k.name, k.name_postcode, k.name_key, coalesce(n.n, 0), n.first, n.last, coalesce(n.last, r.created_at), true, true
    from known k join customers r on r.operator_id = k.operator_id and r.id = k.root_id
      left join counted n on n.operator_id = k.operator_id and n.root_id = k.root_id and n.company_id = k.company_id
    where r.erased_at is null order by k.operator_id, k.root_id, k.company_id
    on conflict (operator_id, customer_id, company_id) do update set order_count = excluded.order_count, first_order_at = excluded.first_order_at,
      last_order_at = excluded.last_order_at, sorted_at = excluded.sorted_at, name_key = excluded.name_key, listed = true`.execute(db)
  const words = known.map(one =>
    customerWordsOf(
      one.names,
      one.name_postcodes.flatMap(key => postcodeOf(key) ?? []),
      one.lookups.map(([type, value]) => ({ type, value })),
    )
      .map(word => `${one.company_id}/${word}`)
      .join('\u001f'),
  )
  await sql`insert into customer_words as w (operator_id, company_id, customer_id, words)
    select k.operator_id, k.company_id, k.root_id, array_to_tsvector(string_to_array(k.words, ${'\u001f'}))
    from unnest(${columns.operators}::bigint[], ${columns.companies}::bigint[], ${columns.roots}::bigint[], ${words}::text[]) as k(operator_id, company_id, root_id, words)
    order by 1, 3, 2
    on conflict (operator_id, customer_id, company_id) do update set words = excluded.words where w.words <> excluded.words`.execute(db)
  await hideMembers(db, roots)
}

/** Counts the orders at all companies together: only who sees all of them may. */
export async function refreshTotals(db: Db, roots: readonly Root[]): Promise<void> {
  if (roots.length === 0) return
  await sql`with ${withMembers(roots)}
    update customers c set order_count = n.orders from (
      select r.operator_id, r.root_id, (select count(*)::int from members m join orders o on o.operator_id = m.operator_id and o.customer_id = m.id
        where m.operator_id = r.operator_id and m.root_id = r.root_id) as orders from roots r order by 1, 2) n
    where c.operator_id = n.operator_id and c.id = n.root_id and c.order_count <> n.orders`.execute(db)
}

/** What is merged into another customer, or erased, stands in no list and is not found by itself. */
async function hideMembers(db: Db, roots: readonly Root[]): Promise<void> {
  await sql`with ${withMembers(roots)},
    hidden as materialized (select k.operator_id, k.customer_id, k.company_id from members m
      join customer_companies k on k.operator_id = m.operator_id and k.customer_id = m.id where m.id <> m.root_id or k.name = ${erased})
    update customer_companies k set listed = false from hidden h
    where k.operator_id = h.operator_id and k.customer_id = h.customer_id and k.company_id = h.company_id and k.listed`.execute(db)
  await sql`with ${withMembers(roots)}
    delete from customer_words w using members m where w.operator_id = m.operator_id and w.customer_id = m.id
      and (m.id <> m.root_id or exists (select from customer_companies k where k.operator_id = w.operator_id and k.customer_id = w.customer_id
        and k.company_id = w.company_id and not k.listed))`.execute(db)
}

/** Rows that a root has only by what was merged into it. */
export async function forgetJoined(db: Db, root_ids: readonly number[]): Promise<void> {
  const of = sql<number>`any(${[...root_ids]})`
  await db
    .deleteFrom('customer_words')
    .where('customer_id', '=', of)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('customer_companies as k')
          .select('k.customer_id')
          .whereRef('k.customer_id', '=', 'customer_words.customer_id')
          .whereRef('k.company_id', '=', 'customer_words.company_id')
          .where('k.joined', '=', true),
      ),
    )
    .execute()
  await db.deleteFrom('customer_companies').where('customer_id', '=', of).where('joined', '=', true).execute()
}

/** A name at a postcode that more customers share is common, and says nothing. */
const mostAlike = 4

/** Suggests customers with the same name at the same postcode, of one company. */
export async function suggestAlike(db: Db, roots: readonly Root[]): Promise<void> {
  await sql`with ${withMembers(roots)},
    alike as (
      select k.operator_id, least(k.customer_id, o.customer_id) as a, greatest(k.customer_id, o.customer_id) as b
      from roots r join customer_companies k on k.operator_id = r.operator_id and k.customer_id = r.root_id and k.listed and k.name_postcode is not null,
        lateral (select x.customer_id, count(*) over () as n from customer_companies x
          where x.operator_id = k.operator_id and x.company_id = k.company_id and x.name_postcode = k.name_postcode and x.listed
            and x.customer_id <> k.customer_id limit ${mostAlike + 1}) o
      where o.n <= ${mostAlike})
    insert into customer_suggestions (operator_id, a_id, b_id, reason)
    select distinct operator_id, a, b, 'name_postcode' from alike order by 1, 2, 3 on conflict do nothing`.execute(db)
}

export interface FoundDouble {
  operator_id: number
  /** The customer of the order, and the lookup of the order that may be another one's. */
  root_id: number
  lookup: Lookup
}

/** Suggests the customers whose lookups stand on orders of others. */
export async function suggestByLookups(db: Db, doubles: readonly FoundDouble[]): Promise<void> {
  if (doubles.length === 0) return
  await sql`insert into customer_suggestions (operator_id, a_id, b_id, reason)
    select distinct on (operator_id, a, b) operator_id, a, b, check_type from (
      select d.operator_id, least(d.root_id, c.root_id) as a, greatest(d.root_id, c.root_id) as b, d.check_type
      from unnest(${doubles.map(one => one.operator_id)}::bigint[], ${doubles.map(one => one.root_id)}::bigint[],
        ${doubles.map(one => one.lookup.type)}::text[], ${doubles.map(one => one.lookup.value)}::text[]) as d(operator_id, root_id, check_type, check_value)
        join customer_lookups l on l.operator_id = d.operator_id and l.check_type = d.check_type and l.check_value = d.check_value
          and l.removed_at is null and not l.ignored
        join customers c on c.operator_id = l.operator_id and c.id = l.customer_id and c.erased_at is null
      where c.root_id <> d.root_id) p
    order by operator_id, a, b on conflict do nothing`.execute(db)
}
