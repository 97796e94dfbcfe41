/** Erasing the person of returns: what they and others wrote about it goes; number, pieces and amounts stay. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'

const ours = sql`r.operator_id = current_operator_id()`

export const eraseReturns: ErasurePart = {
  tables: ['returns', 'return_items', 'return_parcels', 'refund_proposals'],
  async erase(db, { order_ids, words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    const theirs = sql`(r.order_id = any (${order_ids}::bigint[]) or r.contact_name ${named} or r.contact_email ${named} or r.contact_phone ${named}
      or r.note ${named} or r.reason ${named})`
    const items = await sql`update return_items i set reason_note = null, inspect_note = null, answer = null from returns r
      where ${ours} and i.operator_id = r.operator_id and i.return_id = r.id and ${theirs}
        and (i.reason_note is not null or i.inspect_note is not null or i.answer is not null)`.execute(db)
    const proposals = await sql`update refund_proposals p set note = '', reason = null from returns r
      where ${ours} and p.operator_id = r.operator_id and p.return_id = r.id and ${theirs} and (p.note <> '' or p.reason is not null)`.execute(
      db,
    )
    const parcels = await sql`update return_parcels p set tracking_key = null from returns r
      where ${ours} and p.operator_id = r.operator_id and p.return_id = r.id and ${theirs} and p.tracking_key is not null`.execute(db)
    const returns = await sql`update returns r set contact_name = null, contact_email = null, contact_phone = null, claimed_order_no = null,
        note = null, reason = null, shelf = null, drop_off = null, version = version + 1
      where ${ours} and ${theirs} and (contact_name is not null or contact_email is not null or contact_phone is not null
        or claimed_order_no is not null or note is not null or reason is not null or shelf is not null or drop_off is not null)`.execute(db)
    return {
      returns: Number(returns.numAffectedRows ?? 0),
      return_items: Number(items.numAffectedRows ?? 0),
      return_parcels: Number(parcels.numAffectedRows ?? 0),
      refund_proposals: Number(proposals.numAffectedRows ?? 0),
    }
  },

  async read(db, { order_ids, words }) {
    const named = sql`ilike any (${wordPatterns(words)}::text[])`
    const theirs = sql`(r.order_id = any (${order_ids}::bigint[]) or r.contact_name ${named} or r.contact_email ${named} or r.contact_phone ${named}
      or r.note ${named} or r.reason ${named})`
    return {
      returns: await rowsOf(
        db,
        sql`select r.rma_no, r.requested_at, r.status, r.contact_name, r.contact_email, r.contact_phone, r.claimed_order_no, r.note, r.reason, r.drop_off
          from returns r where ${ours} and ${theirs} order by r.id`,
      ),
      return_items: await rowsOf(
        db,
        sql`select r.rma_no, i.sku, i.name, i.reason_code, i.reason_note, i.inspect_note, i.question, i.answer, i.amount from return_items i
          join returns r on r.operator_id = i.operator_id and r.id = i.return_id where ${ours} and ${theirs} order by i.id`,
      ),
      return_parcels: await rowsOf(
        db,
        sql`select r.rma_no, p.tracking_key, p.arrived_at from return_parcels p
          join returns r on r.operator_id = p.operator_id and r.id = p.return_id where ${ours} and ${theirs} order by p.id`,
      ),
      refund_proposals: await rowsOf(
        db,
        sql`select r.rma_no, p.no, p.total, p.currency, p.state, p.note, p.reason from refund_proposals p
          join returns r on r.operator_id = p.operator_id and r.id = p.return_id where ${ours} and ${theirs} order by p.id`,
      ),
    }
  },
}
