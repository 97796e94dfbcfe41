/** Erasing recipients: addresses and texts of their messages; what is not sent stays unsent. The code of an opt-out stays. */
import { sql } from 'kysely'
import { closeLinks } from '#features/messages/decision-links/decision-links.commands.ts'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

/** Messages of the person: of the orders and the customer, and those to or from one of the person's addresses. */
const ofPerson = (order_ids: readonly number[], customer_ids: readonly number[], words: readonly string[]) =>
  sql`(m.order_id = any (${order_ids}::bigint[]) or m.customer_id = any (${customer_ids}::bigint[])
    or exists (select from message_bodies x where x.operator_id = m.operator_id and x.message_id = m.id and lower(x.address) = any (${words}::text[])))`

/** Sendings are titled by their text: one to a single order may name the person, others only where a word of the person stands in it. */
const titledByPerson = (order_ids: readonly number[], customer_ids: readonly number[], words: readonly string[]) =>
  sql`g.operator_id = current_operator_id() and g.company_id = current_company_id() and g.title <> '' and (g.title ilike any (${wordPatterns(words)}::text[])
    or g.asked = 1 and g.template_id is null and g.id in (select m.group_id from messages m
      where m.operator_id = current_operator_id() and m.company_id = current_company_id() and ${ofPerson(order_ids, customer_ids, words)}))`

export const eraseMessages: ErasurePart = {
  tables: ['messages', 'message_bodies', 'message_groups', 'message_opt_outs'],
  async erase(db, { order_ids, customer_ids, words }, now) {
    const person = ofPerson(order_ids, customer_ids, words)
    // A link names no one, and answers for the person.
    await closeLinks(db, order_ids, { reason: 'erased', now })
    // Before the texts go, by whose addresses messages without an order are found.
    const titles = await sql`update message_groups g set title = '' where ${titledByPerson(order_ids, customer_ids, words)}`.execute(db)
    const stopped =
      await sql`update messages m set state = 'skipped', reason = 'erased', final_at = ${now.toISOString()}, leased_until = null
      where m.operator_id = current_operator_id() and m.company_id = current_company_id() and m.state = 'queued' and ${person}`.execute(db)
    await sql`update messages m set answer = null
      where m.operator_id = current_operator_id() and m.company_id = current_company_id() and m.answer is not null and ${person}`.execute(
      db,
    )
    const bodies = await sql`delete from message_bodies b using messages m
      where b.operator_id = current_operator_id() and b.company_id = current_company_id() and m.operator_id = b.operator_id and m.id = b.message_id
        and ${person}`.execute(db)
    const optOuts = await sql`update message_opt_outs set address = null
      where operator_id = current_operator_id() and company_id = current_company_id() and lower(address) = any (${words}::text[])`.execute(
      db,
    )
    return {
      messages: Number(stopped.numAffectedRows ?? 0),
      message_bodies: Number(bodies.numAffectedRows ?? 0),
      message_groups: Number(titles.numAffectedRows ?? 0),
      message_opt_outs: Number(optOuts.numAffectedRows ?? 0),
    }
  },

  async read(db, { order_ids, customer_ids, words }) {
    const person = ofPerson(order_ids, customer_ids, words)
    return {
      messages: await rowsOf(
        db,
        sql`select m.id, m.order_id, m.direction, m.channel, m.state, m.answer, m.created_at, m.sent_at from messages m
          where m.operator_id = current_operator_id() and m.company_id = current_company_id() and ${person} order by m.id`,
      ),
      message_bodies: await rowsOf(
        db,
        sql`select b.message_id, b.address, b.name, b.subject, b.text, b.html
          from messages m join message_bodies b on b.operator_id = m.operator_id and b.message_id = m.id
          where m.operator_id = current_operator_id() and m.company_id = current_company_id() and ${person} order by m.id`,
      ),
      message_groups: await rowsOf(
        db,
        sql`select g.id, g.channel, g.title, g.created_at from message_groups g where ${titledByPerson(order_ids, customer_ids, words)} order by g.id`,
      ),
      message_opt_outs: await rowsOf(
        db,
        sql`select channel, address, source, at, ended_at from message_opt_outs
          where operator_id = current_operator_id() and company_id = current_company_id() and lower(address) = any (${words}::text[]) order by id`,
      ),
    }
  },
}
