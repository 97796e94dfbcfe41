/** Deletes what was handed to the payroll system after the years of bookkeeping, in the system role. */
import { sql } from 'kysely'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'

/** `before` is the first day of a financial year. A file is kept as long as it holds a line of a later period. */
export async function deleteOldPay(db: Db, operator_id: number, before: string): Promise<Record<string, number>> {
  const old = sql`(select x.id from pay_exports x join pay_periods p on p.operator_id = x.operator_id and p.id = x.period_id
    where x.operator_id = ${operator_id} and p.to_day < ${before}::date)`
  const lines = await sql`delete from pay_export_lines where ctid = any (array(select l.ctid from pay_export_lines l
    where l.operator_id = ${operator_id} and l.export_id in ${old} limit ${rowsAtOnce}))`.execute(db)
  const exports = await sql`delete from pay_exports where ctid = any (array(select x.ctid from pay_exports x
    where x.operator_id = ${operator_id} and x.id in ${old}
      and not exists (select from pay_export_lines l where l.operator_id = x.operator_id and l.export_id = x.id) limit ${rowsAtOnce}))`.execute(
    db,
  )
  return { pay_export_lines: Number(lines.numAffectedRows ?? 0), pay_exports: Number(exports.numAffectedRows ?? 0) }
}
