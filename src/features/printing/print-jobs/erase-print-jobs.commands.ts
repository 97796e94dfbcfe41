/** Erasing the person of printed documents: the print keeps its kind, printer and times. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const erasePrintJobs: ErasurePart = {
  tables: ['print_jobs'],
  async erase(db, { order_ids }) {
    const { numAffectedRows } = await sql`update print_jobs set title = document, error = null
      where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) and (title <> document or error is not null)`.execute(
      db,
    )
    return { print_jobs: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      print_jobs: await rowsOf(
        db,
        sql`select order_id, created_at, document, title, error from print_jobs where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
