/** Deletes times after their time, and what a person wrote beside them. */
import { sql } from 'kysely'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'

/** In the system role: versions are never deleted otherwise. A bounded number of one operator's at a time. */
export async function deleteOldPunches(
  db: Db,
  operator_id: number,
  { before, rejects }: { before: string; rejects: string },
): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: number }>`select id from punches
    where operator_id = ${operator_id} and work_date < ${before}::date limit ${rowsAtOnce}`.execute(db)
  const old = sql`any (${rows.map(({ id }) => id)}::bigint[])`
  const count = async (statement: ReturnType<typeof sql>) => Number((await statement.execute(db)).numAffectedRows ?? 0)
  await count(sql`delete from punch_notes where operator_id = ${operator_id} and punch_id = ${old}`)
  const punch_versions = await count(sql`delete from punch_versions where operator_id = ${operator_id} and punch_id = ${old}`)
  const punches = await count(sql`delete from punches where operator_id = ${operator_id} and id = ${old}`)
  const kiosk_rejects = await count(sql`delete from kiosk_rejects where ctid = any (array(select ctid from kiosk_rejects
    where operator_id = ${operator_id} and received_at < ${rejects}::date limit ${rowsAtOnce}))`)
  return { punches, punch_versions, kiosk_rejects }
}

/** Deletes what was written beside the times of a person. */
export async function erasePunchWords(db: Db, user_id: number): Promise<Record<string, number>> {
  const { numAffectedRows } = await sql`delete from punch_notes n using punches p
    where n.operator_id = current_operator_id() and p.operator_id = n.operator_id and p.id = n.punch_id and p.user_id = ${user_id}`.execute(
    db,
  )
  return { punch_notes: Number(numAffectedRows ?? 0) }
}
