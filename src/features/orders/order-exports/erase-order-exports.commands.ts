/** Erasing a person from exports: files that may hold the person are erased, since they can be made again; searches that name the person end. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'

export const eraseOrderExports: ErasurePart = {
  tables: ['order_exports'],
  async erase(db, { words }, now) {
    const { rows } = await sql<{
      id: number
    }>`select f.id from jobs j join files f on f.operator_id = j.operator_id and f.id = (j.result ->> 'file_id')::bigint
      where j.operator_id = current_operator_id() and j.company_id = any (current_company_ids()) and j.kind = 'orders.export' and j.state = 'done'
        and f.erased_at is null`.execute(db)
    const files =
      rows.length === 0
        ? 0
        : await eraseFiles(
            db,
            rows.map(row => row.id),
            now,
          )
    const { numAffectedRows } = await sql`delete from order_exports
      where operator_id = current_operator_id() and filters::text ilike any (${wordPatterns(words)}::text[])`.execute(db)
    return { files, order_exports: Number(numAffectedRows ?? 0) }
  },

  async read(db, { words }) {
    return {
      order_exports: await rowsOf(
        db,
        sql`select format, filters, created_at from order_exports
          where operator_id = current_operator_id() and filters::text ilike any (${wordPatterns(words)}::text[]) order by job_id`,
      ),
    }
  },
}
