/** Stations in the database: one list an operator, names alike whatever their letters' case. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { KnownStation } from './stations.schemas.ts'

export const stationColumns = ['id', 'name', 'first_used_at', 'last_used_at', 'scanner'] as const
type Row = Omit<KnownStation, 'scanner'> & { scanner: unknown }
export const stationOf = (row: Row): KnownStation => ({ ...row, scanner: (row.scanner ?? null) as KnownStation['scanner'] })

export async function allStations(db: Db): Promise<KnownStation[]> {
  const rows = await db.selectFrom('stations').select(stationColumns).orderBy(sql`lower(name)`).limit(500).execute()
  return rows.map(stationOf)
}

/** Codes of sheets and labels, whatever they belong to: `12:345` of an order, `PP123` of a tote, and runs of eight digits. */
const writtenAsCode = /^\d+:\d+$|^PP\d+$|\d{8}/i

/** Whether the name of a station that is not known yet is what a scanner reads: typed slowly, it lands in the field for the name. */
export async function isCode(db: Db, name: string): Promise<boolean> {
  const plain = name.replace(/^#/, '')
  const { rows } = await sql<{ known: boolean; code: boolean }>`
    select exists (select from stations s where s.operator_id = current_operator_id() and lower(s.name) = lower(${name}::text)) as known,
      exists (select from orders o where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids())
          and o.order_no in (${plain}::text, ${`#${plain}`}::text))
        or exists (select from shipments s where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids())
          and s.tracking_no = upper(${name}::text))
        or exists (select from product_barcodes b where b.operator_id = current_operator_id() and b.company_id = any (current_company_ids())
          and b.barcode = ${name}::text) as code`.execute(db)
  const [found] = rows
  return found?.known !== true && (writtenAsCode.test(name) || found?.code === true)
}
