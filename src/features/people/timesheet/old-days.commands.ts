/** Deletes approved hours after their time, in the system role: a bounded number of one operator's at a time. */
import { sql } from 'kysely'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'

export async function deleteOldDays(db: Db, operator_id: number, before: string): Promise<Record<string, number>> {
  const versions = await sql`delete from timesheet_versions where ctid = any (array(select ctid from timesheet_versions
    where operator_id = ${operator_id} and work_date < ${before}::date limit ${rowsAtOnce}))`.execute(db)
  const days = await sql`delete from timesheet_days where ctid = any (array(select ctid from timesheet_days
    where operator_id = ${operator_id} and work_date < ${before}::date limit ${rowsAtOnce}))`.execute(db)
  return { timesheet_versions: Number(versions.numAffectedRows ?? 0), timesheet_days: Number(days.numAffectedRows ?? 0) }
}
