/** Deletes what each person did on a day after its time, in the system role. That the day was counted stays, so that it is not counted again. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

export async function deleteOldFigures(db: Db, before: string): Promise<Record<string, number>> {
  const { numAffectedRows } = await sql`delete from work_daily where day < ${before}::date`.execute(db)
  return { work_daily: Number(numAffectedRows ?? 0) }
}
