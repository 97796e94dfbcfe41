/** Reading what stands against closing a company, what the law keeps of it, and whose data are to end. */
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import { openPhases } from '#features/orders/orders/orders.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { CompanyClosing } from './company-closing.schemas.ts'
import { type BlockKind, blockKinds } from './kept-tables.codes.ts'

const most = 10_000

/** What has to end first. Invoices that were sent or handed over are kept and hinder nothing. */
export async function blocksOf(db: Db, company_id: number): Promise<CompanyClosing['blocks']> {
  const ofCompany = sql`operator_id = current_operator_id() and company_id = ${company_id} and company_id = any (current_company_ids())`
  const { rows } = await sql<Record<BlockKind, number>>`select
    (select count(*) from (select from orders where ${ofCompany} and phase = any (${[...openPhases]}::text[]) limit ${most}) o) as orders,
    (select count(distinct p.collect_list_id) from (select p.* from collect_parcels p where p.${ofCompany} and p.live limit ${most}) p
      join collect_lists l on l.operator_id = p.operator_id and l.id = p.collect_list_id where l.state <> 'handed_over') as hand_overs,
    (select count(*) from (select from trade_invoices where ${ofCompany} and state in ('draft', 'frozen', 'blocked') limit ${most}) i) as invoices,
    (select count(*) from (select from returns where ${ofCompany}
      and status in ('approved', 'in_transit', 'arrived', 'awaiting_review', 'decided') limit ${most}) r) as returns`.execute(db)
  const counts = elementAt(rows, 0)
  return blockKinds.filter(kind => counts[kind] > 0).map(kind => ({ kind, count: counts[kind] }))
}

/** Rows that outlive the erasure. Hours and pay end with the schedules for data of staff. */
export async function keptOf(db: Db, company_id: number): Promise<CompanyClosing['kept']> {
  const ofCompany = sql`operator_id = current_operator_id() and company_id = ${company_id} and company_id = any (current_company_ids())`
  const { rows } = await sql<{ what: 'invoices' | 'pay' | 'hours'; count: number; until: string | null }>`
    select 'invoices' as what, count(*) as count, max(kept_until) as until from trade_invoices where ${ofCompany} and state <> 'draft'
    union all select 'pay', count(*), make_date(extract(year from max(p.to_day))::integer + 5, 12, 31)
      from pay_exports x join pay_periods p on p.operator_id = x.operator_id and p.id = x.period_id
      where x.operator_id = current_operator_id() and x.company_id = ${company_id} and x.company_id = any (current_company_ids())
    union all select 'hours', count(*), (max(work_date) + interval '5 years 4 months')::date from punches where ${ofCompany}`.execute(db)
  return rows.flatMap(({ what, count, until }) => (count > 0 && until !== null ? [{ what, count, until }] : []))
}

export interface EndedCompany {
  operator_id: number
  id: number
  code: string
  main_id: number
}

/** Closed companies whose days have ended, and of which no job erases the data. Only the system role may ask. */
export async function endedCompanies(db: Db, now: Date): Promise<EndedCompany[]> {
  const { rows } = await sql<EndedCompany>`select c.operator_id, c.id, c.code, m.id as main_id
    from companies c join companies m on m.operator_id = c.operator_id and m.is_main
    where c.erase_from <= ${now.toISOString()} and c.erased_at is null
      and not exists (select from jobs j where j.operator_id = c.operator_id and j.company_id = m.id and j.kind = 'company.erase' and j.title = c.code
        and j.state in ('queued', 'running'))
    order by c.erase_from limit 20`.execute(db)
  return rows
}

/** The same company, unless it is open again or its data have ended already. */
export async function endedCompany(db: Db, operator_id: number, id: number, now: Date): Promise<{ code: string } | undefined> {
  return db
    .selectFrom('companies')
    .select('code')
    .where('operator_id', '=', operator_id)
    .where('id', '=', id)
    .where('erase_from', '<=', now.toISOString())
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}
