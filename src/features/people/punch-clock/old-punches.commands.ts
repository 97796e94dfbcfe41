/** Deletes times after their time, and what a person wrote beside them. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** In the system role: versions are never deleted otherwise. */
export async function deleteOldPunches(db: Db, { before, rejects }: { before: string; rejects: string }): Promise<Record<string, number>> {
  const old = sql`(select operator_id, id from punches where work_date < ${before}::date)`
  const count = async (statement: ReturnType<typeof sql>) => Number((await statement.execute(db)).numAffectedRows ?? 0)
  await count(sql`delete from punch_notes n using ${old} o where n.operator_id = o.operator_id and n.punch_id = o.id`)
  const punch_versions = await count(
    sql`delete from punch_versions v using ${old} o where v.operator_id = o.operator_id and v.punch_id = o.id`,
  )
  const punches = await count(sql`delete from punches where work_date < ${before}::date`)
  const kiosk_rejects = await count(sql`delete from kiosk_rejects where received_at < ${rejects}::date`)
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
