/** Erasing recipients: their questions are closed. A link itself names nobody. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'
import { closeLinks } from './decision-links.commands.ts'

export const eraseDecisionLinks: ErasurePart = {
  tables: ['decision_links'],
  async erase(db, { order_ids }, now) {
    return { decision_links: await closeLinks(db, order_ids, { reason: 'erased', now }) }
  },

  async read(db, { order_ids }) {
    return {
      decision_links: await rowsOf(
        db,
        sql`select order_id, channel, choices, created_at, expires_at, used_at, choice, until, closed_at from decision_links
          where operator_id = current_operator_id() and company_id = any (current_company_ids()) and order_id = any (${order_ids}::bigint[]) order by id`,
      ),
    }
  },
}
