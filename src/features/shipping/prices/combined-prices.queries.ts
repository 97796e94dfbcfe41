/** What labels cost less when orders go in one parcel, by today's price tables. */
import { sql } from 'kysely'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import type { Db } from '#platform/database/database.ts'
import { priceTable } from './prices.queries.ts'
import { type PricedOrder, type PriceTable, type Saving, savingOf } from './prices.rules.ts'

export interface SavingOrder extends PricedOrder {
  company_id: number
  agent_code: string
  shipping_method: string
}

/** What each of these parcels saves together; those without a price are counted. The orders of a parcel have one shipping method. */
export async function savingsOf(
  db: Db,
  parcels: readonly (readonly SavingOrder[])[],
  now: Date,
): Promise<{ parcels: number; saved: Saving[]; unpriced: number }> {
  const tables = new Map<string, PriceTable>()
  const days = new Map<number, string>()
  const saved = new Map<string, number>()
  let unpriced = 0
  for (const orders of parcels) {
    const [first] = orders
    if (!first) continue
    const { company_id, agent_code, shipping_method } = first
    const day = days.get(company_id) ?? localDay(now, (await companySettings(db, company_id)).time_zone)
    days.set(company_id, day)
    const key = `${company_id}/${agent_code}/${shipping_method}`
    const table = tables.get(key) ?? (await priceTable(db, company_id, { agent_code, shipping_method, day }))
    tables.set(key, table)
    const saving = savingOf(table, orders)
    if (saving) saved.set(saving.currency, (saved.get(saving.currency) ?? 0) + saving.amount)
    else unpriced++
  }
  return { parcels: parcels.length, saved: [...saved].map(([currency, amount]) => ({ currency, amount })), unpriced }
}

/** Orders that go by one method of one company; none where they differ. */
export async function ordersOfOneMethod(db: Db, ids: readonly number[]): Promise<SavingOrder[]> {
  const { rows } = await sql<SavingOrder>`
    select id, company_id, agent_code, shipping_method, ship_country, coalesce(ship_to->>'postcode', '') as postcode, weight_g from orders
    where operator_id = current_operator_id() and company_id = any (current_company_ids()) and id = any (${ids}::bigint[])
      and agent_code is not null and shipping_method is not null
    order by id`.execute(db)
  const [first] = rows
  const alike = rows.every(
    row => row.company_id === first?.company_id && row.agent_code === first.agent_code && row.shipping_method === first.shipping_method,
  )
  return alike && rows.length === ids.length ? rows : []
}
