/** Erasing customers: what the company in scope knows of them; the customer itself ends when no company knows anything more. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

export const eraseCustomers: ErasurePart = {
  tables: ['customers', 'customer_lookups', 'customer_companies'],
  async erase(db, { customer_ids }, now) {
    const ids = sql`any (${customer_ids}::bigint[])`
    const companies = await sql`update customer_companies set name = 'Erased person', name_postcode = null
      where operator_id = current_operator_id() and company_id = current_company_id() and customer_id = ${ids} and name <> 'Erased person'`.execute(
      db,
    )
    const forgotten = await sql`update customer_lookups set seen_by = array_remove(seen_by, current_company_id())
      where operator_id = current_operator_id() and customer_id = ${ids} and current_company_id() = any (seen_by)`.execute(db)
    await sql`delete from customer_lookups where operator_id = current_operator_id() and customer_id = ${ids} and seen_by = '{}'`.execute(
      db,
    )
    const ended = await sql`update customers c set erased_at = ${now.toISOString()}
      where c.operator_id = current_operator_id() and c.id = ${ids} and c.erased_at is null
        and not exists (select from customer_lookups l where l.operator_id = c.operator_id and l.customer_id = c.id)`.execute(db)
    return {
      customer_companies: Number(companies.numAffectedRows ?? 0),
      customer_lookups: Number(forgotten.numAffectedRows ?? 0),
      customers: Number(ended.numAffectedRows ?? 0),
    }
  },

  async read(db, { customer_ids }) {
    const ids = sql`any (${customer_ids}::bigint[])`
    return {
      customers: await rowsOf(
        db,
        sql`select id, created_at from customers where operator_id = current_operator_id() and id = ${ids} order by id`,
      ),
      customer_lookups: await rowsOf(
        db,
        sql`select customer_id, check_type, check_value, created_at from customer_lookups
          where operator_id = current_operator_id() and customer_id = ${ids} and current_company_id() = any (seen_by) order by id`,
      ),
      customer_companies: await rowsOf(
        db,
        sql`select customer_id, name, name_postcode, created_at from customer_companies
          where operator_id = current_operator_id() and company_id = current_company_id() and customer_id = ${ids} order by customer_id`,
      ),
    }
  },
}
