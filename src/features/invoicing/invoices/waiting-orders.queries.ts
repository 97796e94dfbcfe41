/** Reads of what waits for an invoice, by courier and country. */
import { type RawBuilder, sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { valueAt } from '#domain/objects.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { gapsOf } from './invoice-calculation.rules.ts'
import type { WaitingCount, WaitingOrder } from './invoices.schemas.ts'
import { isBooked, isClearedAlone, isInvoiced, isSkipped, itemsOfParcels } from './parcels.queries.ts'

interface Counted {
  agent_code: string
  country: string
  ready: number
  incomplete: number
  drafts: number
  blocked: number
}

export const agentName = (agent_code: string): string => courier(agent_code)?.capabilities.name ?? agent_code

/** How much waits for each courier and country with bulk invoicing, over the companies in reach. */
export async function waitingCounts(db: Db, company_id?: number): Promise<(WaitingCount & { blocked: number })[]> {
  const of = company_id === undefined ? sql`any (current_company_ids())` : sql`${company_id}`
  const rows = await executeWithGenericPlan(
    db,
    sql<Counted>`
    select c.agent_code, c.country, sum(w.ready)::integer ready, sum(w.incomplete)::integer incomplete, sum(i.drafts)::integer drafts,
      sum(i.blocked)::integer blocked
    from bulk_invoice_configs c
    cross join lateral (select coalesce(sum(n.ready), 0) ready, coalesce(sum(n.incomplete), 0) incomplete from invoice_queue_counts n
      where n.operator_id = c.operator_id and n.company_id = c.company_id and n.agent_code = c.agent_code and n.country = c.country) w
    cross join lateral (select count(*) filter (where v.state = 'draft') drafts, count(*) filter (where v.state = 'blocked') blocked
      from trade_invoices v where v.operator_id = c.operator_id and v.company_id = c.company_id and v.agent_code = c.agent_code
        and v.country = c.country and v.state in ('draft', 'blocked')) i
    where c.operator_id = current_operator_id() and c.company_id = any (current_company_ids()) and c.company_id = ${of} and c.active
    group by c.agent_code, c.country order by c.agent_code, c.country`,
  )
  return rows.map(row => ({ ...row, agent: agentName(row.agent_code) }))
}

interface Way {
  agent_code: string
  country: string
  company_id?: number | undefined
}

/** Complete parcels of one company that wait, the oldest first. */
export async function readyParcels(db: Db, { company_id, agent_code, country }: Required<Way>, most: number): Promise<number[]> {
  const { rows } = await sql<{ shipment_id: number }>`
    select q.shipment_id from invoice_queue q
    where q.operator_id = current_operator_id() and q.company_id = any (current_company_ids()) and q.company_id = ${company_id}
      and q.agent_code = ${agent_code} and q.country = ${country} and q.complete
    order by q.queued_at, q.shipment_id limit ${most}`.execute(db)
  return rows.map(row => row.shipment_id)
}

/** Parcels of one company that wait and stand on these collect lists, complete or not. */
export async function parcelsOnLists(
  db: Db,
  { company_id, agent_code, country }: Required<Way>,
  lists: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ shipment_id: number }>`
    select q.shipment_id from invoice_queue q join collect_parcels c on c.operator_id = q.operator_id and c.shipment_id = q.shipment_id
    where q.operator_id = current_operator_id() and q.company_id = any (current_company_ids()) and q.company_id = ${company_id}
      and q.agent_code = ${agent_code} and q.country = ${country} and c.collect_list_id = any (${lists}::bigint[]) and c.live
    order by q.shipment_id`.execute(db)
  return rows.map(row => row.shipment_id)
}

interface Filter extends Way {
  missing?: 'only' | undefined
  skipped?: 'only' | undefined
  collect_list_id?: number | undefined
  query: string
  page: number
  limit: number
}

interface Row {
  shipment_id: number
  order_id: number | null
  order_no: string | null
  company_id: number
  company: string
  tracking_no: string | null
  weight_g: number
  state: string
  queued_at: string | null
}

/** One row for each order, and one for each parcel without an order. */
export async function waitingOrders(db: Db, filter: Filter): Promise<Page<WaitingOrder>> {
  const { agent_code, country, company_id, query } = filter
  const skipped = filter.skipped === 'only'
  const conditions: RawBuilder<unknown>[] = [
    ...(company_id === undefined ? [] : [sql`s.company_id = ${company_id}`]),
    ...(query === '' ? [] : [sql`(o.order_no ilike ${containing(query)} or s.tracking_no ilike ${containing(query)})`]),
    ...(filter.missing === 'only' && !skipped ? [sql`not q.complete`] : []),
    ...(filter.collect_list_id === undefined
      ? []
      : [
          sql`exists (select from collect_parcels c where c.operator_id = s.operator_id and c.shipment_id = s.id and c.live
            and c.collect_list_id = ${filter.collect_list_id})`,
        ]),
  ]
  // What waits is found through the queue, what is left out through its order.
  const from = skipped
    ? sql`(select distinct k.operator_id, k.company_id, k.order_id from bulk_invoice_skips k
        where k.operator_id = current_operator_id() and k.company_id = any (current_company_ids())) k
      join shipments s on s.operator_id = k.operator_id and s.order_id = k.order_id and s.agent_code = ${agent_code}
        and ${isBooked} and ${isSkipped} and not ${isClearedAlone} and not ${isInvoiced}
      join shipment_parties r on r.operator_id = s.operator_id and r.shipment_id = s.id and r.role = 'recipient' and r.party ->> 'country' = ${country}
      left join invoice_queue q on q.operator_id = s.operator_id and q.shipment_id = s.id`
    : sql`invoice_queue q join shipments s on s.operator_id = q.operator_id and s.id = q.shipment_id`
  const where = sql.join(
    [
      ...(skipped
        ? [sql`true`]
        : [
            sql`q.operator_id = current_operator_id() and q.company_id = any (current_company_ids()) and q.agent_code = ${agent_code} and q.country = ${country}`,
          ]),
      ...conditions,
    ],
    sql` and `,
  )
  const { rows } = await sql<Row & { total: number }>`
    with found as (
      select s.id shipment_id, s.order_id, o.order_no, s.company_id, c.name company, s.tracking_no, s.weight_g, s.state, q.queued_at
      from ${from}
      left join orders o on o.operator_id = s.operator_id and o.id = s.order_id
      join companies c on c.operator_id = s.operator_id and c.id = s.company_id
      where ${where}),
    keys as (select coalesce(order_id, -shipment_id) key, min(queued_at) first, min(shipment_id) least, count(*) over () total
      from found group by 1 order by first nulls last, least limit ${filter.limit} offset ${pageOffset(filter)})
    select f.*, k.total::integer total from keys k join found f on coalesce(f.order_id, -f.shipment_id) = k.key
    order by k.first nulls last, k.least, f.shipment_id`.execute(db)
  const contents = await itemsOfParcels(
    db,
    rows.map(row => row.shipment_id),
  )
  const orders = Map.groupBy(rows, row => row.order_id ?? -row.shipment_id)
  return {
    rows: [...orders.values()].flatMap(of => {
      const [first] = of
      if (!first) return []
      const shipments = of.map(({ shipment_id, tracking_no, weight_g, state }) => {
        const found = valueAt(contents, shipment_id)
        return { shipment_id, tracking_no, weight_g, state, gaps: gapsOf(found) }
      })
      const inside = of.flatMap(row => valueAt(contents, row.shipment_id))
      const currencies = new Set(inside.map(item => item.currency))
      const [currency = null] = currencies
      return {
        ...{ order_id: first.order_id, order_no: first.order_no, company_id: first.company_id, company: first.company },
        shipments,
        value: currencies.size === 1 && currency !== null ? inside.reduce((sum, item) => sum + (item.value ?? 0), 0) : null,
        currency: currencies.size === 1 ? currency : null,
        lines: inside.length,
        missing: [...new Set(shipments.flatMap(parcel => parcel.gaps))],
        queued: first.queued_at !== null,
        skip: skipped,
        queued_at: first.queued_at,
      }
    }),
    total: rows[0]?.total ?? 0,
    total_is_more: false,
    offset: pageOffset(filter),
    limit: filter.limit,
  }
}
