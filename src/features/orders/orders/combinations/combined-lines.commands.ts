/**
 * Orders in one parcel: who goes with whom, and where their lines are. The lead has the lines of its members from the moment in which they are
 * combined until the parcel is handed over, so that picking, packing and labels know one order only.
 */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { countedOf, insertCountChangesText } from '../counts/order-counts.commands.ts'

interface Member {
  id: number
  /** The lead. */
  combined_into: number
}

const ours = sql`m.operator_id = current_operator_id() and m.company_id = any (current_company_ids())`

/** The members of these leads, in the order of their ids. */
export async function membersOf(db: Db, leads: readonly number[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select m.id, m.combined_into from orders m where ${ours} and m.combined_into = any (${leads}::bigint[]) order by m.id`.execute(db)
  return rows
}

interface LeadOfMember extends Member {
  company_id: number
  work_state: 'new' | 'ready' | 'in_pick' | 'picked' | 'in_pack' | 'packed' | 'handed_over' | 'closed'
}

/** Those of these orders that go in the parcel of another one which is still in the warehouse. */
export async function leadsOf(db: Db, ids: readonly number[]): Promise<LeadOfMember[]> {
  const { rows } = await sql<LeadOfMember>`
    select m.id, m.combined_into, m.company_id, m.work_state from orders m
    where ${ours} and m.id = any (${ids}::bigint[]) and m.combined_into is not null and m.work_state <> all ('{handed_over,closed}')
    order by m.combined_into, m.id`.execute(db)
  return rows
}

/** Lines of the members stand behind those of the lead, in the order of the orders. */
const lineStep = 10_000

const mostGrams = 10_000_000

/** Changes the leads of `moved` by what their members weigh and count, and counts them anew. */
const countedLeads = (sets: string) =>
  sql.raw(`, s as materialized (select lead, sum(item_count)::integer as items, sum(weight_g)::integer as grams
        from (select distinct id, lead from moved) d join orders x on x.operator_id = current_operator_id() and x.id = d.id group by lead),
      was as materialized (select o.id, ${countedOf('o')} from s join orders o on o.operator_id = current_operator_id()
        and o.company_id = any (current_company_ids()) and o.id = s.lead),
      changed as (update orders o set ${sets} from s
        where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = s.lead returning o.id, ${countedOf('o')})
    ${insertCountChangesText(`select ${countedOf('c')}, 1 as n from changed c union all select ${countedOf('w')}, -1 from changed c join was w using (id)`)}`)

/** Gives the lines of members to their leads, with what they weigh and count. Lines that are there already stay. */
export async function takeLines(db: Db, members: readonly Member[]): Promise<void> {
  await sql`
    with m as (select id, lead, row_number() over (partition by lead order by id) as place
        from unnest(${members.map(member => member.id)}::bigint[], ${members.map(member => member.combined_into)}::bigint[]) as m (id, lead)),
      moved as (update order_lines l set order_id = m.lead, combined_order_id = m.id, line_no = l.line_no + m.place * ${sql.lit(lineStep)}
        from m where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.order_id = m.id
        returning m.id, m.lead)
    ${countedLeads(`item_count = o.item_count + s.items, weight_g = least(o.weight_g + s.grams, ${mostGrams})`)}`.execute(db)
}

/** Gives members their lines back; where the parcel was handed over, what is packed has left with it. */
export async function returnLines(db: Db, members: readonly Member[], { shipped = false } = {}): Promise<void> {
  await sql`
    with moved as (update order_lines l set order_id = l.combined_order_id, combined_order_id = null, line_no = mod(l.line_no, ${sql.lit(lineStep)}),
          shipped_qty = case when ${shipped} then l.packed_qty else l.shipped_qty end
        from unnest(${members.map(member => member.id)}::bigint[], ${members.map(member => member.combined_into)}::bigint[]) as m (id, lead)
        where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.order_id = m.lead and l.combined_order_id = m.id
        returning m.id, m.lead)
    ${countedLeads(`item_count = greatest(o.item_count - s.items, 0), weight_g = greatest(o.weight_g - s.grams, 0)`)}`.execute(db)
}

interface SeparableMember extends Member {
  order_no: string
  lead_no: string
}

/**
 * The members among these orders, and all members of the leads among them, of parcels on which no work has begun and for which no label is
 * booked. Takes the rows of leads and members, in the order of their ids.
 */
export async function separableMembers(db: Db, ids: readonly number[]): Promise<SeparableMember[]> {
  const { rows: concerned } = await sql<{ id: number }>`
    select m.id from orders m where ${ours} and m.combined_into = any (${ids}::bigint[])
    union select m.id from orders m where ${ours} and m.id = any (${ids}::bigint[]) and m.combined_into is not null
    union select m.combined_into from orders m where ${ours} and m.id = any (${ids}::bigint[]) and m.combined_into is not null`.execute(db)
  if (concerned.length === 0) return []
  await sql`select m.id from orders m where ${ours} and m.id = any (${concerned.map(one => one.id)}::bigint[]) order by m.id for no key update`.execute(
    db,
  )
  const { rows } = await sql<SeparableMember>`
    select m.id, m.combined_into, m.order_no, l.order_no as lead_no
    from orders m join orders l on l.operator_id = m.operator_id and l.id = m.combined_into
    where ${ours} and (m.combined_into = any (${ids}::bigint[]) or m.id = any (${ids}::bigint[]))
      and l.work_state in ('new', 'ready') and l.cancelled_at is null
      and not exists (select from order_lines x where x.operator_id = l.operator_id and x.order_id = l.id and (x.picked_qty > 0 or x.packed_qty > 0))
      and not exists (select from shipments s where s.operator_id = l.operator_id and s.order_id = l.id
        and s.state not in ('cancelled', 'blocked', 'error', 'draft'))
    order by m.id`.execute(db)
  return rows
}
