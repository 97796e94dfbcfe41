/** Files of erased persons: they can no longer be read at once, and their content is removed after the commit. */
import { sql } from 'kysely'
import type { Database, Db } from '#platform/database/database.ts'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'
import type { FileStore } from './file-store.ts'

export const eraseOrderFiles: ErasurePart = {
  tables: ['files', 'file_subjects'],
  async erase(db, { order_ids }, now) {
    const { numAffectedRows } = await sql`
      update files f set erased_at = ${now.toISOString()}, name = 'erased'
      from (select distinct s.file_id from file_subjects s where s.operator_id = current_operator_id() and s.subject_type = 'order'
        and s.subject_id = any (${order_ids}::bigint[])) e
      where f.operator_id = current_operator_id() and f.id = e.file_id and f.erased_at is null`.execute(db)
    return { files: Number(numAffectedRows ?? 0) }
  },

  /** The list of files; their content is what the person received, or papers of the warehouse. */
  async read(db, { order_ids }) {
    return {
      files: await rowsOf(
        db,
        sql`select distinct f.id, s.subject_id as order_id, f.name, f.media_type, f.created_at
          from file_subjects s join files f on f.operator_id = s.operator_id and f.id = s.file_id
          where s.operator_id = current_operator_id() and s.subject_type = 'order' and s.subject_id = any (${order_ids}::bigint[]) and f.erased_at is null order by f.id`,
      ),
    }
  },
}

/** Marks files as erased; answers how many. */
export async function eraseFiles(db: Db, ids: readonly number[], now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ erased_at: now.toISOString(), name: 'erased' })
    .where('id', '=', sql<number>`any (${ids}::bigint[])`)
    .where('erased_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Removes the content of erased files, unless a file that is not erased has the same. The next call does what an interruption left. */
export async function removeErasedFiles(
  { files, database }: { files: FileStore; database: Database },
  operator_id: number,
  now: Date,
): Promise<void> {
  const why = 'companies of an operator share the content of equal files'
  for (;;) {
    const erased = await database.systemTransaction(why, async db => {
      const { rows } = await sql<{ id: number; sha256: string; shared: boolean }>`
        select f.id, f.sha256, exists (select from files o where o.operator_id = f.operator_id and o.sha256 = f.sha256 and o.erased_at is null) as shared
        from files f where f.operator_id = ${operator_id} and f.erased_at is not null and f.removed_at is null limit 500`.execute(db)
      return rows
    })
    if (erased.length === 0) return
    for (const { sha256, shared } of erased) if (!shared) await files.remove(operator_id, sha256)
    const ids = erased.map(one => one.id)
    await database.systemTransaction(why, db =>
      sql`update files set removed_at = ${now.toISOString()} where operator_id = ${operator_id} and id = any (${ids}::bigint[])`.execute(
        db,
      ),
    )
  }
}
