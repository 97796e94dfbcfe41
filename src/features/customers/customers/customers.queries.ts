/** Reading customers: what new orders are compared with, and what a company may see of a customer. */
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import type { Database, Db } from '#platform/database/database.ts'
import { type CustomerFlag, mostNotes } from './customers.codes.ts'
import type { KnownLookup, Lookup } from './customers.rules.ts'
import { lookupKey } from './customers.rules.ts'
import type { Customer, CustomerNote, CustomerOfOrder, CustomerRow, CustomerSuggestion } from './customers.schemas.ts'

/** `[n, customer_id, seen, here]` as JSON for each of the asked lookups that belongs to a customer; the places hold texts of types and values. */
export const knownLookupsText = (types: string, values: string) => `
  select coalesce(jsonb_agg(jsonb_build_array(k.n, l.customer_id, l.seen, l.here)), '[]')
  from unnest(${types}::text[], ${values}::text[]) with ordinality k(check_type, check_value, n),
    lateral (select l.customer_id, current_company_id() = any (l.seen_by) as seen,
        exists (select from customer_companies c where c.operator_id = l.operator_id and c.customer_id = l.customer_id
          and c.company_id = current_company_id()) as here
      from customer_lookups l where l.operator_id = current_operator_id() and l.check_type = k.check_type and l.check_value = k.check_value
        and l.removed_at is null and not l.ignored limit 1) l`

export type KnownLookupRow = [n: number, customer_id: number, seen: boolean, here: boolean]

export const knownLookups = (asked: readonly Lookup[], rows: readonly KnownLookupRow[]): Map<string, KnownLookup> =>
  new Map(rows.map(([n, customer_id, seen, here]) => [lookupKey(elementAt(asked, n - 1)), { customer_id, seen, here }]))

/** The customer that this one belongs to; undefined where no company in scope knows it. */
export async function rootOf(db: Db, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ root_id: number }>`
    select c.root_id from customers c where c.operator_id = current_operator_id() and c.id = ${id}
      and exists (select from customer_companies k join customers m on m.operator_id = k.operator_id and m.id = k.customer_id
        where k.operator_id = c.operator_id and k.company_id = any (current_company_ids()) and m.id in (
          select c.root_id union all
          select x.id from customers x where x.operator_id = c.operator_id and x.root_id = c.root_id and x.root_id <> x.id))`.execute(db)
  return rows[0]?.root_id
}

/** The root and everything that is merged into it. */
export async function membersOf(db: Db, root_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('customers')
    .select('id')
    .where(eb => eb.or([eb('id', '=', root_id), eb.and([eb('root_id', '=', root_id), eb('root_id', '<>', eb.ref('id'))])]))
    .orderBy('id')
    .execute()
  return rows.map(row => row.id)
}

const ids = (some: readonly number[]) => sql`${[...some]}::bigint[]`

/** As rows of a list, in the order of `roots`; whom no company in scope knows is left out. */
export async function customerRows(db: Db, roots: readonly number[]): Promise<CustomerRow[]> {
  if (roots.length === 0) return []
  const { rows } = await sql<CustomerRow>`
    with asked as materialized (select a.id, a.n from unnest(${ids(roots)}) with ordinality a(id, n)),
    members as materialized (
      select a.id as root, a.id from asked a
      union all select a.id, m.id from asked a join customers m on m.operator_id = current_operator_id() and m.root_id = a.id and m.root_id <> m.id),
    lookups as materialized (
      select m.root, l.id, l.check_type, l.check_value from members m
        join customer_lookups l on l.operator_id = current_operator_id() and l.customer_id = m.id and l.removed_at is null and not l.ignored
      where l.seen_by && current_company_ids())
    select a.id as customer_id, k.name, k.order_count, k.last_order_at, k.company_ids,
      (select l.check_value from lookups l where l.root = a.id and l.check_type = 'email' order by l.id limit 1) as email,
      (select l.check_value from lookups l where l.root = a.id and l.check_type = 'phone' order by l.id limit 1) as phone,
      array(select distinct f.flag from members m join customer_flags f on f.operator_id = current_operator_id() and f.customer_id = m.id
        where m.root = a.id and f.company_id = any (current_company_ids()) order by 1) as flags,
      array(select n.name from (select distinct on (t.code) t.code, t.name from members m
          join customer_tags x on x.operator_id = current_operator_id() and x.customer_id = m.id and x.company_id = any (current_company_ids())
          join tags t on t.operator_id = x.operator_id and t.id = x.tag_id where m.root = a.id order by t.code, t.company_id) n order by n.code) as tags,
      (select count(*)::int from members m join customer_notes n on n.operator_id = current_operator_id() and n.customer_id = m.id
        where m.root = a.id and n.company_id = any (current_company_ids()) and n.type = 'warning' and (n.until is null or n.until >= current_date)) as warnings,
      (exists (select from members m join customer_suggestions s on s.operator_id = current_operator_id() and s.a_id = m.id
          where m.root = a.id and s.state = 'open')
        or exists (select from members m join customer_suggestions s on s.operator_id = current_operator_id() and s.b_id = m.id
          where m.root = a.id and s.state = 'open')) as has_double
    from asked a, lateral (
      select (array_agg(c.name order by c.joined, c.sorted_at desc, c.company_id))[1] as name, sum(c.order_count)::int as order_count,
        max(c.last_order_at) as last_order_at, array_agg(c.company_id order by c.company_id) as company_ids
      from customer_companies c
      where c.operator_id = current_operator_id() and c.customer_id = a.id and c.company_id = any (current_company_ids())) k
    where k.company_ids is not null order by a.n`.execute(db)
  return rows
}

/** What is known of the customer by what it is recognized by: who it belongs to among those in scope. */
export async function ownerOfLookup(
  db: Db,
  { type, value }: Lookup,
): Promise<{ customer_id: number; root_id: number; seen: boolean } | undefined> {
  const { rows } = await sql<{ customer_id: number; root_id: number; seen: boolean }>`
    select l.customer_id, c.root_id, l.seen_by && current_company_ids() as seen
    from customer_lookups l join customers c on c.operator_id = l.operator_id and c.id = l.customer_id
    where l.operator_id = current_operator_id() and l.check_type = ${type} and l.check_value = ${value} and l.removed_at is null and not l.ignored`.execute(
    db,
  )
  return rows[0]
}

/** Notes of the customer that companies in scope wrote, the newest first. */
const notesOf = (db: Db, members: readonly number[]): Promise<CustomerNote[]> =>
  db
    .selectFrom('customer_notes')
    .select(['id', 'company_id', 'type', 'note', 'at_station', 'until', 'actor', 'created_at'])
    .where('customer_id', '=', sql<number>`any(${members})`)
    .orderBy('id', 'desc')
    .limit(mostNotes)
    .execute()

export async function suggestionsOf(db: Db, root_id: number, members: readonly number[]): Promise<CustomerSuggestion[]> {
  const { rows: pairs } = await sql<{ customer_id: number; reason: CustomerSuggestion['reason'] }>`
    select distinct on (c.root_id) c.root_id as customer_id, s.reason from (
        select b_id as id, reason from customer_suggestions where operator_id = current_operator_id() and state = 'open' and a_id = any (${ids(members)})
        union all
        select a_id, reason from customer_suggestions where operator_id = current_operator_id() and state = 'open' and b_id = any (${ids(members)})) s
      join customers c on c.operator_id = current_operator_id() and c.id = s.id
    where c.root_id <> ${root_id} and c.erased_at is null order by c.root_id desc, s.reason limit 20`.execute(db)
  const known = new Map((await customerRows(db, [...new Set(pairs.map(pair => pair.customer_id))])).map(row => [row.customer_id, row]))
  return pairs.flatMap(({ customer_id, reason }) => {
    const row = known.get(customer_id)
    return row
      ? [
          {
            customer_id,
            reason,
            name: row.name,
            email: row.email,
            phone: row.phone,
            order_count: row.order_count,
            last_order_at: row.last_order_at,
          },
        ]
      : []
  })
}

async function figuresOf(db: Db, members: readonly number[]): Promise<Customer['figures'] & { parcel_shop: string | null }> {
  const orders = sql`from orders o where o.operator_id = current_operator_id() and o.customer_id = any (${ids(members)})
    and o.company_id = any (current_company_ids())`
  const { rows } = await sql<Customer['figures'] & { parcel_shop: string | null }>`
    select o.*, i.shipped_items, i.returned_items, p.name as parcel_shop from (
      select count(*)::int as orders, count(*) filter (where o.phase not in ('closed', 'delivered', 'handed_over', 'cancelled', 'cancelled_return_to_stock'))::int as open,
        count(*) filter (where o.cancelled_at is not null)::int as cancelled, min(o.ordered_at) as first_order_at, max(o.ordered_at) as last_order_at ${orders}) o,
      (select coalesce(sum(l.shipped_qty), 0)::int as shipped_items, coalesce(sum(l.returned_qty), 0)::int as returned_items
        from order_lines l where l.operator_id = current_operator_id() and l.order_id in (select o.id ${orders} order by o.id desc limit 500)) i
      left join lateral (select nullif(concat_ws(', ', o.service_point ->> 'name', o.service_point ->> 'city'), '') as name ${orders} and o.service_point is not null
        order by o.id desc limit 1) p on true`.execute(db)
  return elementAt(rows, 0)
}

/** The customer as the companies in scope know it; undefined where none of them does. */
export async function customerById(db: Db, asked_id: number): Promise<Customer | undefined> {
  const root_id = await rootOf(db, asked_id)
  if (root_id === undefined) return undefined
  const members = await membersOf(db, root_id)
  const of = sql<number>`any(${members})`
  const [row] = await customerRows(db, [root_id])
  const root = await db.selectFrom('customers').select(['version', 'locale', 'created_at']).where('id', '=', root_id).executeTakeFirst()
  if (!row || !root) return undefined
  const companies = await db
    .selectFrom('customer_companies')
    .select(['company_id', 'name', 'order_count', 'first_order_at', 'last_order_at'])
    .where('customer_id', '=', root_id)
    .orderBy('company_id')
    .execute()
  const { rows: lookups } = await sql<Customer['lookups'][number]>`
    select l.id, l.check_type, l.check_value, array(select c from unnest(l.seen_by) c where c = any (current_company_ids()) order by c) as company_ids
    from customer_lookups l where l.operator_id = current_operator_id() and l.customer_id = ${of} and l.removed_at is null and not l.ignored
      and l.seen_by && current_company_ids() order by l.id`.execute(db)
  const flags = await db
    .selectFrom('customer_flags')
    .select(['company_id', 'flag', 'actor', 'created_at'])
    .where('customer_id', '=', of)
    .orderBy('flag')
    .orderBy('company_id')
    .execute()
  const { rows: merges } = await sql<Customer['merges'][number]>`
    select g.id, g.former_root_id, g.actor, g.created_at, coalesce((select k.name from customer_companies k
      where k.operator_id = g.operator_id and k.customer_id = g.former_root_id and k.company_id = any (current_company_ids()) order by k.sorted_at desc limit 1), '') as name
    from customer_merges g where g.operator_id = current_operator_id() and g.root_id = ${root_id} and g.undone_at is null
      and exists (select from customer_companies k where k.operator_id = g.operator_id and k.customer_id = g.former_root_id
        and k.company_id = any (current_company_ids())) order by g.id desc limit 50`.execute(db)
  const { parcel_shop, ...figures } = await figuresOf(db, members)
  return {
    customer_id: root_id,
    asked_id,
    ...root,
    name: row.name,
    companies,
    lookups,
    notes: await notesOf(db, members),
    flags,
    figures,
    parcel_shop,
    tags: row.tags,
    merges,
    suggestions: await suggestionsOf(db, root_id, members),
  }
}

/** Rows of another company's notes and flags never count; those of the main company count for every order that it sees. */
const countsFor = (company: string, company_id: number) =>
  sql<boolean>`${sql.ref(company)} in (${company_id}, (select c.id from companies c where c.operator_id = current_operator_id() and c.is_main))`

interface CustomerState {
  customer_id: number
  flags: CustomerFlag[]
  notes: CustomerNote[]
}

/** What counts for orders of this company: flags, and notes that have not ended, the warnings first. */
async function customerState(db: Db, id: number, company_id: number): Promise<CustomerState | undefined> {
  const root_id = await rootOf(db, id)
  if (root_id === undefined) return undefined
  const of = sql<number>`any(${await membersOf(db, root_id)})`
  const flags = await db
    .selectFrom('customer_flags')
    .select('flag')
    .distinct()
    .where('customer_id', '=', of)
    .where(countsFor('company_id', company_id))
    .orderBy('flag')
    .execute()
  const notes = await db
    .selectFrom('customer_notes')
    .select(['id', 'company_id', 'type', 'note', 'at_station', 'until', 'actor', 'created_at'])
    .where('customer_id', '=', of)
    .where(countsFor('company_id', company_id))
    .where(eb => eb.or([eb('until', 'is', null), eb('until', '>=', sql<string>`current_date`)]))
    .orderBy(sql`type <> 'warning'`)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return { customer_id: root_id, flags: flags.map(one => one.flag), notes }
}

/** Flags of a customer that count for orders of a company: its own, and those of the main company, which the company itself does not see. */
export async function flagsThatCount(
  database: Database,
  { operator_id, company_id }: { operator_id: number; company_id: number },
  customer_id: number,
): Promise<CustomerFlag[]> {
  const { rows } = await database.systemRead('the flags of the main company count for its shops', db =>
    sql<{ flag: CustomerFlag }>`
      select distinct f.flag from customers c
        cross join lateral (select c.root_id as id union all
          select x.id from customers x where x.operator_id = c.operator_id and x.root_id = c.root_id and x.root_id <> x.id) m
        join customer_flags f on f.operator_id = c.operator_id and f.customer_id = m.id
      where c.operator_id = ${operator_id} and c.id = ${customer_id}
        and f.company_id in (${company_id}, (select y.id from companies y where y.operator_id = ${operator_id} and y.is_main))`.execute(db),
  )
  return rows.map(row => row.flag)
}

/** What the packer of the order is to read of its customer, the newest first. */
export async function stationNotes(
  db: Db,
  order_id: number,
): Promise<Pick<CustomerNote, 'id' | 'type' | 'note' | 'actor' | 'created_at'>[]> {
  const { rows } = await sql<Pick<CustomerNote, 'id' | 'type' | 'note' | 'actor' | 'created_at'>>`
    select n.id, n.type, n.note, n.actor, n.created_at from orders o
      join customers c on c.operator_id = o.operator_id and c.id = o.customer_id
      cross join lateral (select c.root_id as id union all
        select x.id from customers x where x.operator_id = c.operator_id and x.root_id = c.root_id and x.root_id <> x.id) m
      join customer_notes n on n.operator_id = o.operator_id and n.customer_id = m.id
    where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = ${order_id}
      and n.at_station and (n.until is null or n.until >= current_date) and n.company_id = any (current_company_ids())
      and n.company_id in (o.company_id, (select y.id from companies y where y.operator_id = o.operator_id and y.is_main))
    order by n.id desc limit 20`.execute(db)
  return rows
}

export async function customerOfOrder(db: Db, order: { customer_id: number | null; company_id: number }): Promise<CustomerOfOrder> {
  const state = order.customer_id === null ? undefined : await customerState(db, order.customer_id, order.company_id)
  const [row] = state ? await customerRows(db, [state.customer_id]) : []
  if (!state || !row) return { customer: null }
  const { customer_id, name, last_order_at, has_double } = row
  // Counts follow a moment after an order came in.
  const order_count = Math.max(row.order_count, 1)
  return { customer: { customer_id, name, order_count, last_order_at, has_double, flags: state.flags, notes: state.notes } }
}
