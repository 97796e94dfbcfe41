/** Totes of an order at a packing station: opened, left, packed. */

import { sql } from 'kysely'
import { type CodeTools, codeText, type WagonKey } from './paperless.queries.ts'
import { piecesInside } from './release-codes.commands.ts'

/** The wagon of an order that came to a station or left it. */
export interface WagonOfOrder extends WagonKey {
  state: string
}

/**
 * The order was opened at a station, or left it unpacked: one statement, which changes nothing for an order without totes.
 * Answers its wagon, if it still stands on one, for the caller to settle.
 */
export async function atPacking(
  { db, notify }: Pick<CodeTools, 'db' | 'notify'>,
  order_id: number,
  on: boolean,
): Promise<WagonOfOrder | undefined> {
  const { rows } = await sql<WagonOfOrder & { ids: number[] }>`
    with moved as (
      update paperless_codes set at_packing_at = case when ${on} then now() end, version = version + 1
      where operator_id = current_operator_id() and order_id = ${order_id} and (at_packing_at is null) = ${on} and lost_at is null
      returning id)
    select w.pick_list_id, w.wagon_no, w.state, array(select id from moved) ids from (select 1) one
    left join pick_slots s on s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.order_id = ${order_id} and s.live
    left join pick_wagons w on w.operator_id = s.operator_id and w.pick_list_id = s.pick_list_id and w.wagon_no = s.wagon_no`.execute(db)
  const row = rows[0]
  for (const id of row?.ids ?? []) notify('paperless', id)
  return row && row.pick_list_id !== null ? row : undefined
}

/** The order is packed: its totes are free, and so are those kept for its slot. Answers the wagon of one of them. */
export async function freePackedTotes(
  { db, recordEvent, notify }: CodeTools,
  order_id: number,
  slot: { pick_list_id: number; wagon_no: number; slot_no: number } | undefined,
): Promise<WagonKey | undefined> {
  const { rows } = await sql<{ id: number; digits: string; order_id: number | null; order_company_id: number | null } & Partial<WagonKey>>`
    with gone as (
      select c.id, c.order_id, c.order_company_id, c.pick_list_id, c.wagon_no from paperless_codes c
      where c.operator_id = current_operator_id() and (c.order_id = ${order_id}
        or c.order_id is null and c.pick_list_id = ${slot?.pick_list_id ?? null}::bigint and c.wagon_no = ${slot?.wagon_no ?? null}::integer
          and c.slot_no = ${slot?.slot_no ?? null}::integer)
        and not ${piecesInside} order by c.id for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null,
      order_company_id = null, bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = current_operator_id() and c.id = gone.id
    returning c.id, c.digits, gone.order_id, gone.order_company_id, gone.pick_list_id, gone.wagon_no`.execute(db)
  const carried = rows
    .filter(row => row.order_id !== null)
    .sort((a, b) => a.digits.length - b.digits.length || (a.digits < b.digits ? -1 : 1))
  const company_id = carried[0]?.order_company_id
  if (company_id)
    await recordEvent({ kind: 'order.tote_freed', order_id, company_id, data: { codes: carried.map(row => codeText(row.digits)) } })
  for (const { id } of rows) notify('paperless', id)
  const wagon = rows.find(row => row.pick_list_id != null && row.wagon_no != null)
  return wagon?.pick_list_id && wagon.wagon_no ? { pick_list_id: wagon.pick_list_id, wagon_no: wagon.wagon_no } : undefined
}
