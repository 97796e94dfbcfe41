/** Deletes approved hours after their time, in the system role. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

export async function deleteOldDays(db: Db, before: string): Promise<Record<string, number>> {
  const versions = await sql`delete from timesheet_versions where work_date < ${before}::date`.execute(db)
  const days = await sql`delete from timesheet_days where work_date < ${before}::date`.execute(db)
  return { timesheet_versions: Number(versions.numAffectedRows ?? 0), timesheet_days: Number(days.numAffectedRows ?? 0) }
}
