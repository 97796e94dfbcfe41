/** Earlier orders of the same customer at the same company, for rules that ask for them: one statement for a batch of orders. */
import type { CustomerHistory } from '#domain/rules/order-facts.ts'
import type { Db } from '#platform/database/database.ts'
import { run, unit } from './sql.queries.ts'

export interface AskedHistory {
  /** Earlier is what was stored before it; null for an order that is not stored yet. */
  order_id: number | null
  company_id: number
  customer_id: number
  ordered_at: string
  currency: string
  /** The SKUs of the order; needed only where a rule compares them. */
  skus: readonly string[]
}

/** More earlier orders than these are not counted. */
const mostEarlier = 1_000

const historyText = `
select h.n::int as n, count(h.id)::int as order_count,
  count(h.id) filter (where h.ordered_at >= h.at - interval '24 hours')::int as orders_24h,
  count(h.id) filter (where h.ordered_at >= h.at - interval '30 days')::int as orders_30d,
  coalesce(sum(h.total_incl_vat) filter (where h.earlier_currency = h.currency and h.ordered_at >= h.at - interval '365 days'), 0)::bigint as value_365d,
  coalesce((select max(s.orders) from (
    select count(distinct l.order_id)::int as orders from order_lines l
    where l.operator_id = current_operator_id() and l.order_id = any (array_agg(h.id) filter (where h.ordered_at >= h.at - interval '24 hours'))
      and upper(l.sku) = any (string_to_array(h.skus, '${unit}')) group by upper(l.sku)) s), 0) as same_sku_24h
from (
  select k.n, k.at, k.currency, k.skus, e.id, e.ordered_at, e.currency as earlier_currency, e.total_incl_vat
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::text[], $7::text[]) k(n, order_id, company_id, customer_id, at, currency, skus)
  left join lateral (
    select o.* from (
        select r.root_id as id from customers r where r.operator_id = current_operator_id() and r.id = k.customer_id
        union select m.id from customers r join customers m on m.operator_id = r.operator_id and m.root_id = r.root_id and m.root_id <> m.id
          where r.operator_id = current_operator_id() and r.id = k.customer_id) c,
      lateral (select o.id, o.ordered_at, o.currency, o.total_incl_vat from orders o
        where o.operator_id = current_operator_id() and o.customer_id = c.id and o.company_id = k.company_id and o.id < k.order_id
          and o.cancelled_at is null order by o.id desc limit ${mostEarlier}) o
    order by o.id desc limit ${mostEarlier}) e on true) h
group by h.n, h.at, h.currency, h.skus`

/** The history of each asked order, by its place. */
export async function customerHistories(db: Db, asked: readonly AskedHistory[]): Promise<CustomerHistory[]> {
  if (asked.length === 0) return []
  const rows = await run<CustomerHistory & { n: number }>(db, historyText, [
    asked.map((_, at) => at),
    asked.map(order => order.order_id ?? Number.MAX_SAFE_INTEGER),
    asked.map(order => order.company_id),
    asked.map(order => order.customer_id),
    asked.map(order => order.ordered_at),
    asked.map(order => order.currency),
    asked.map(order => order.skus.map(sku => sku.toUpperCase()).join(unit)),
  ])
  const histories: CustomerHistory[] = []
  for (const { n, ...history } of rows) histories[n] = history
  return histories
}

/** A customer who orders for the first time. */
export const noHistory: CustomerHistory = { order_count: 0, orders_24h: 0, orders_30d: 0, same_sku_24h: 0, value_365d: 0 }
