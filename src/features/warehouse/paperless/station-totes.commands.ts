/** Totes at the bench, each in one statement: opened, left, packed. */

import { sql } from 'kysely'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { type CodeTools, codeText } from './paperless.queries.ts'
import { piecesInside } from './release-codes.commands.ts'

/** A wagon on which an order stands that came to a bench or left it. */
export interface WagonOfOrder {
  pick_list_id: number
  wagon_no: number
  state: string
}

/**
 * The order was opened at a bench, or left it unpacked: one statement, which changes nothing for an order without totes.
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
  return toldOf(notify, rows[0])
}

/** The order is packed: its totes are free, and its slot claims it no longer. One statement. Answers its wagon for the caller to settle. */
export async function packedOut({ db, recordEvent, notify }: CodeTools, order_id: number): Promise<WagonOfOrder | undefined> {
  const { rows } = await sql<WagonOfOrder & { ids: number[]; codes: string[]; company_id: number | null }>`
    with slot as (
      update pick_slots set state = 'packed', live = false
      where operator_id = current_operator_id() and company_id = any (current_company_ids()) and order_id = ${order_id} and live
      returning pick_list_id, wagon_no, slot_no
    ), gone as (
      select c.id, c.order_id, c.order_company_id, c.pick_list_id, c.wagon_no from paperless_codes c
      where c.operator_id = current_operator_id() and (c.order_id = ${order_id}
        or c.order_id is null and (c.pick_list_id, c.wagon_no, c.slot_no) in (select pick_list_id, wagon_no, slot_no from slot))
        and not ${piecesInside} order by c.id for update
    ), freed as (
      update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null,
        order_company_id = null, bound_at = null, at_packing_at = null, version = c.version + 1
      from gone where c.operator_id = current_operator_id() and c.id = gone.id
      returning c.id, c.digits, gone.order_id, gone.order_company_id
    )
    select w.pick_list_id, w.wagon_no, w.state, array(select id from freed) ids,
      array(select digits from freed where order_id is not null order by length(digits), digits) codes,
      (select max(order_company_id) from freed) company_id
    from (select 1) one
    left join lateral (
      select pick_list_id, wagon_no from slot union all select pick_list_id, wagon_no from gone where pick_list_id is not null limit 1) s on true
    left join pick_wagons w on w.operator_id = current_operator_id() and w.pick_list_id = s.pick_list_id and w.wagon_no = s.wagon_no`.execute(
    db,
  )
  const row = rows[0]
  if (row?.company_id)
    await recordEvent({ kind: 'order.tote_freed', order_id, company_id: row.company_id, data: { codes: row.codes.map(codeText) } })
  return toldOf(notify, row)
}

function toldOf(tell: TransactionContext['notify'], row: (WagonOfOrder & { ids: number[] }) | undefined): WagonOfOrder | undefined {
  for (const id of row?.ids ?? []) tell('paperless', id)
  return row && row.pick_list_id !== null ? row : undefined
}
