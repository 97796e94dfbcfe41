/** Erasing the person of packed orders: the reasons of approvals. Who asked and who answered stays. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseApprovals: ErasurePart = {
  tables: ['approval_requests'],
  async erase(db, { order_ids }) {
    const { numAffectedRows } = await sql`update approval_requests set reason = null
      where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) and reason is not null`.execute(db)
    return { approval_requests: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids }) {
    return {
      approval_requests: await rowsOf(
        db,
        sql`select order_id, act, rule_name, state, reason, asked_at, decided_at from approval_requests
          where operator_id = current_operator_id() and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
