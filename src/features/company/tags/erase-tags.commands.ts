/** Erasing a person: a customer has no tags any more. Names of tags are the company's own words. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

const ours = sql`operator_id = current_operator_id() and company_id = current_company_id()`

export const eraseCustomerTags: ErasurePart = {
  tables: ['customer_tags'],
  async erase(db, { customer_ids }) {
    const { numAffectedRows } =
      await sql`delete from customer_tags where ${ours} and customer_id = any (${[...customer_ids]}::bigint[])`.execute(db)
    return { customer_tags: Number(numAffectedRows ?? 0) }
  },

  async read(db, { customer_ids }) {
    return {
      customer_tags: await rowsOf(
        db,
        sql`select x.customer_id, t.name, x.created_at from customer_tags x join tags t on t.operator_id = x.operator_id and t.id = x.tag_id
          where x.operator_id = current_operator_id() and x.company_id = current_company_id() and x.customer_id = any (${[...customer_ids]}::bigint[])
          order by x.customer_id, t.code`,
      ),
    }
  },
}
