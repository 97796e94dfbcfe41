/** Erasing customers: what the company in scope knows of them; the customer itself ends when no company knows anything more. */
import { sql } from 'kysely'
import { removeTagsOfCustomers } from '#features/company/tags/tags.commands.ts'
import { tagsOfCustomers } from '#features/company/tags/tags.queries.ts'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

const ours = sql`operator_id = current_operator_id() and company_id = current_company_id()`

export const eraseCustomers: ErasurePart = {
  tables: ['customers', 'customer_lookups', 'customer_companies', 'customer_words', 'customer_notes'],
  async erase(db, { customer_ids }, now) {
    const ids = sql`any (${[...customer_ids]}::bigint[])`
    const companies = await sql`update customer_companies set name = 'Erased person', name_key = '', name_postcode = null, listed = false
      where ${ours} and customer_id = ${ids} and name <> 'Erased person'`.execute(db)
    const notes = await sql`delete from customer_notes where ${ours} and customer_id = ${ids}`.execute(db)
    const flags = await sql`delete from customer_flags where ${ours} and customer_id = ${ids}`.execute(db)
    const tags = await removeTagsOfCustomers(db, customer_ids)
    const words = await sql`delete from customer_words where ${ours} and customer_id = ${ids}`.execute(db)
    const forgotten = await sql`update customer_lookups set seen_by = array_remove(seen_by, current_company_id())
      where operator_id = current_operator_id() and customer_id = ${ids} and current_company_id() = any (seen_by)`.execute(db)
    await sql`delete from customer_lookups where operator_id = current_operator_id() and customer_id = ${ids} and seen_by = '{}'`.execute(
      db,
    )
    const ended = await sql`update customers c set erased_at = ${now.toISOString()}, locale = null
      where c.operator_id = current_operator_id() and c.id = ${ids} and c.erased_at is null
        and not exists (select from customer_lookups l where l.operator_id = c.operator_id and l.customer_id = c.id)`.execute(db)
    await sql`delete from customer_suggestions where operator_id = current_operator_id() and (a_id = ${ids} or b_id = ${ids})`.execute(db)
    return {
      customer_companies: Number(companies.numAffectedRows ?? 0),
      customer_lookups: Number(forgotten.numAffectedRows ?? 0),
      customer_notes: Number(notes.numAffectedRows ?? 0),
      customer_flags: Number(flags.numAffectedRows ?? 0),
      customer_tags: tags,
      customer_words: Number(words.numAffectedRows ?? 0),
      customers: Number(ended.numAffectedRows ?? 0),
    }
  },

  async read(db, { customer_ids }) {
    const ids = sql`any (${[...customer_ids]}::bigint[])`
    return {
      customers: await rowsOf(
        db,
        sql`select id, locale, created_at from customers where operator_id = current_operator_id() and id = ${ids} order by id`,
      ),
      customer_lookups: await rowsOf(
        db,
        sql`select customer_id, check_type, check_value, created_at from customer_lookups
          where operator_id = current_operator_id() and customer_id = ${ids} and current_company_id() = any (seen_by) order by id`,
      ),
      customer_companies: await rowsOf(
        db,
        sql`select customer_id, name, name_key, name_postcode, order_count, first_order_at, last_order_at, created_at from customer_companies
          where ${ours} and customer_id = ${ids} order by customer_id`,
      ),
      customer_notes: await rowsOf(
        db,
        sql`select customer_id, type, note, until, created_at from customer_notes where ${ours} and customer_id = ${ids} order by id`,
      ),
      customer_flags: await rowsOf(
        db,
        sql`select customer_id, flag, created_at from customer_flags where ${ours} and customer_id = ${ids} order by customer_id, flag`,
      ),
      customer_tags: await tagsOfCustomers(db, customer_ids),
      customer_words: await rowsOf(
        db,
        sql`select customer_id, words::text as words from customer_words where ${ours} and customer_id = ${ids} order by customer_id`,
      ),
    }
  },
}
