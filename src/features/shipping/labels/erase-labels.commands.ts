/** Erasing the person of parcels: state, weight and courier stay; a courier shows a name to those who have the tracking number. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import { erasedParty } from './stored-request.server.ts'

/** Shipments without an order are found by what stands on them. */
async function withoutOrder(db: Db, words: readonly string[]): Promise<number[]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select distinct s.id from shipments s join shipment_parties p on p.operator_id = s.operator_id and p.shipment_id = s.id
    where s.operator_id = current_operator_id() and s.order_id is null and p.party::text ilike any (${wordPatterns(words)}::text[])`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Labels and other papers of shipments without an order: the index of files names orders only. */
async function filesOf(db: Db, shipment_ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ file_id: number }>`
    select f.file_id from shipments s, unnest(array[s.label_pdf_file_id, s.label_a4_file_id, s.label_zpl_file_id]) f(file_id)
    where s.operator_id = current_operator_id() and s.id = any (${shipment_ids}::bigint[]) and f.file_id is not null
    union select d.file_id from shipment_documents d where d.operator_id = current_operator_id() and d.shipment_id = any (${shipment_ids}::bigint[])`.execute(
    db,
  )
  return rows.map(row => row.file_id)
}

export const eraseLabels: ErasurePart = {
  tables: ['shipments', 'shipment_parties', 'shipment_events', 'label_log', 'label_log_personal'],
  async erase(db, { order_ids, words }, now) {
    const ids = sql`any (${order_ids}::bigint[])`
    const without = await withoutOrder(db, words)
    const free = sql`any (${without}::bigint[])`
    const files = await eraseFiles(db, await filesOf(db, without), now)
    const shipments = await sql`
      update shipments set request = request - 'sender' - 'receiver', error = null, error_field = null, cancel_answers = null, tracking_no = null, barcode = null,
        label_pdf_file_id = null, label_a4_file_id = null, label_zpl_file_id = null, qr_link = null, version = version + 1
      where operator_id = current_operator_id() and (order_id = ${ids} or id = ${free})
        and (request ? 'receiver' or coalesce(error, error_field, cancel_answers::text, tracking_no, barcode, qr_link) is not null)`.execute(
      db,
    )
    // The person of a return is its sender. The stored request stays readable: it needs its parties.
    const erased = JSON.stringify(erasedParty)
    const parties = await sql`
      update shipment_parties p set party = ${erased}::jsonb from shipments s
      where p.operator_id = current_operator_id() and s.operator_id = p.operator_id and s.id = p.shipment_id and (s.order_id = ${ids} or s.id = ${free})
        and (p.role <> 'sender' or s.kind = 'return') and p.party <> ${erased}::jsonb`.execute(db)
    const events = await sql`update shipment_events set place = null, text = ''
      where operator_id = current_operator_id() and (order_id = ${ids} or shipment_id = ${free}) and (place is not null or text <> '')`.execute(
      db,
    )
    const exchanges =
      await sql`delete from label_log_personal where operator_id = current_operator_id() and (order_id = ${ids} or label_log_id in (select g.id from label_log g
        where g.operator_id = current_operator_id() and g.shipment_id = ${free}))`.execute(db)
    // Entries from before the side rows hold their exchange themselves.
    const log = await sql`update label_log set request = null, response = null, error = null
      where operator_id = current_operator_id() and (order_id = ${ids} or shipment_id = ${free}) and coalesce(request::text, response::text, error) is not null`.execute(
      db,
    )
    return {
      files,
      shipments: Number(shipments.numAffectedRows ?? 0),
      shipment_parties: Number(parties.numAffectedRows ?? 0),
      shipment_events: Number(events.numAffectedRows ?? 0),
      label_log_personal: Number(exchanges.numAffectedRows ?? 0),
      label_log: Number(log.numAffectedRows ?? 0),
    }
  },

  async read(db, { order_ids, words }) {
    const without = await withoutOrder(db, words)
    const found = sql`select s.* from shipments s where s.operator_id = current_operator_id()
      and (s.order_id = any (${order_ids}::bigint[]) or s.id = any (${without}::bigint[]))`
    return {
      shipments: await rowsOf(
        db,
        sql`select id, kind, order_id, parcel_no, agent_code, shipping_method, operation_code, state, tracking_no, barcode, weight_g, request, error, error_field,
          cancel_answers, created_at, booked_at, handed_over_at, delivered_at, cancelled_at from (${found}) s order by id`,
      ),
      shipment_parties: await rowsOf(
        db,
        sql`select p.shipment_id, p.role, p.party from (${found}) s join shipment_parties p on p.operator_id = s.operator_id and p.shipment_id = s.id
          where p.role <> 'sender' or s.kind = 'return' order by p.shipment_id, p.role`,
      ),
      shipment_events: await rowsOf(
        db,
        sql`select e.shipment_id, e.at, e.state, e.place, e.text from (${found}) s
          join shipment_events e on e.operator_id = s.operator_id and e.shipment_id = s.id order by e.at`,
      ),
      label_log_personal: await rowsOf(
        db,
        sql`select g.shipment_id, g.agent_code, g.action, g.outcome, g.created_at, p.request, p.response, p.error from (${found}) s
          join label_log g on g.operator_id = s.operator_id and g.shipment_id = s.id
          join label_log_personal p on p.operator_id = g.operator_id and p.label_log_id = g.id order by g.id`,
      ),
      label_log: await rowsOf(
        db,
        sql`select g.shipment_id, g.agent_code, g.action, g.outcome, g.created_at, g.request, g.response, g.error from (${found}) s
          join label_log g on g.operator_id = s.operator_id and g.shipment_id = s.id
          where coalesce(g.request::text, g.response::text, g.error) is not null order by g.id`,
      ),
    }
  },
}
