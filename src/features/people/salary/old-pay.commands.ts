/** Deletes what was handed to the payroll system after the years of bookkeeping, in the system role. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** `before` is the first day of a financial year. A file is kept as long as it holds a line of a later period. */
export async function deleteOldPay(db: Db, before: string): Promise<Record<string, number>> {
  const old = sql`(select x.operator_id, x.id from pay_exports x
    join pay_periods p on p.operator_id = x.operator_id and p.id = x.period_id where p.to_day < ${before}::date)`
  const lines = await sql`delete from pay_export_lines l using ${old} o where l.operator_id = o.operator_id and l.export_id = o.id`.execute(
    db,
  )
  const exports = await sql`delete from pay_exports x using ${old} o where x.operator_id = o.operator_id and x.id = o.id`.execute(db)
  return { pay_export_lines: Number(lines.numAffectedRows ?? 0), pay_exports: Number(exports.numAffectedRows ?? 0) }
}
