/** Erasing the person of printed documents: the print keeps its kind, printer and times. */
import { sql } from 'kysely'
import type { ErasurePart } from '#platform/database/erasure.ts'

export const erasePrintJobs: ErasurePart = {
  tables: ['print_jobs'],
  async erase(db, { order_ids }) {
    const { numAffectedRows } = await sql`update print_jobs set title = document, error = null
      where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) and (title <> document or error is not null)`.execute(
      db,
    )
    return { print_jobs: Number(numAffectedRows ?? 0) }
  },
}
