/** Deletes what each person did on a day after its time, in the system role. That the day was counted stays, so that it is not counted again. */
import { sql } from 'kysely'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'

export async function deleteOldFigures(db: Db, operator_id: number, before: string): Promise<Record<string, number>> {
  const { numAffectedRows } = await sql`delete from work_daily where ctid = any (array(select ctid from work_daily
    where operator_id = ${operator_id} and day < ${before}::date limit ${rowsAtOnce}))`.execute(db)
  return { work_daily: Number(numAffectedRows ?? 0) }
}
