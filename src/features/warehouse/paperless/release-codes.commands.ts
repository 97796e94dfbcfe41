/** Totes that are empty again: freed by the order, the slot, the wagon or by hand, and never while something lies in them. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { firstKnown } from '#platform/database/indexed-choice.ts'
import { nowhere } from './bind-codes.commands.ts'
import { type CodePlace, type CodeTools, codeText } from './paperless.queries.ts'

/** Pieces lie in the tote `c` that have to go back into their bins: it is not free before that. */
export const piecesInside = sql`exists (select from put_backs t where t.operator_id = current_operator_id() and t.company_id = any (current_company_ids())
  and t.pick_list_id = c.pick_list_id and t.wagon_no = c.wagon_no and t.slot_no = c.slot_no and t.done_at is null)`

/**
 * The order has left its totes: they are free again, and so are those kept for its slot; not those in which pieces lie that have
 * to go back. Answers their digits.
 */
export async function freeCodesOfOrder({ db, recordEvent, notify }: CodeTools, order_id: number): Promise<string[]> {
  const { rows } = await sql<{ id: number; digits: string; company_id: number | null }>`
    with gone as (
      select c.id, c.order_company_id from paperless_codes c where c.operator_id = current_operator_id() and (c.order_id = ${order_id}
        or c.order_id is null and (c.pick_list_id, c.wagon_no, c.slot_no) in (
          select s.pick_list_id, s.wagon_no, s.slot_no from pick_slots s
          where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.order_id = ${order_id}))
        and not ${piecesInside} order by c.id for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null, order_company_id = null,
      bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = current_operator_id() and c.id = gone.id
    returning c.id, c.digits, gone.order_company_id company_id`.execute(db)
  return noteFreed({ recordEvent: recordEvent, notify: notify }, order_id, rows)
}

/** The same for many orders in one statement. */
export async function freeCodesOfOrders({ db, recordEvent, notify }: CodeTools, order_ids: readonly number[]): Promise<void> {
  if (order_ids.length === 0) return
  const { rows } = await sql<{ id: number; digits: string; order_id: number | null; company_id: number | null }>`
    with gone as (
      select c.id, c.order_id, c.order_company_id from paperless_codes c where c.operator_id = current_operator_id() and (c.order_id = any (${order_ids}::bigint[])
        or c.order_id is null and (c.pick_list_id, c.wagon_no, c.slot_no) in (
          select s.pick_list_id, s.wagon_no, s.slot_no from pick_slots s
          where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.order_id = any (${order_ids}::bigint[])))
      and not ${piecesInside} order by c.id for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null, order_company_id = null,
      bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = current_operator_id() and c.id = gone.id
    returning c.id, c.digits, gone.order_id, gone.order_company_id company_id`.execute(db)
  for (const [order_id, codes] of Map.groupBy(rows, row => row.order_id))
    await noteFreed({ recordEvent: recordEvent, notify: () => {} }, order_id ?? 0, codes)
  if (rows.length > 0) notify('paperless')
}

async function noteFreed(
  { recordEvent, notify }: Pick<CodeTools, 'recordEvent' | 'notify'>,
  order_id: number,
  rows: readonly { id: number; digits: string; company_id: number | null }[],
): Promise<string[]> {
  const digits = rows.map(row => row.digits)
  const company_id = rows.find(row => row.company_id !== null)?.company_id
  // Codes that were only kept leave no trace on the order.
  if (company_id) {
    const codes = rows.filter(row => row.company_id !== null).map(row => codeText(row.digits))
    await recordEvent({ kind: 'order.tote_freed', order_id, company_id, data: { codes } })
  }
  for (const { id } of rows) notify('paperless', id)
  return digits
}

/** Codes that are only kept for slots of these wagons are free again; those that carry an order stay. */
export async function freeKept(
  { db, notify }: Pick<CodeTools, 'db' | 'notify'>,
  pick_list_id: number,
  wagons: readonly number[],
): Promise<number> {
  const rows = await db
    .updateTable('paperless_codes')
    .set(eb => ({ ...nowhere, version: eb('version', '+', 1) }))
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', sql<number>`any(${wagons}::integer[])`)
    .where('order_id', 'is', null)
    .where('lost_at', 'is', null)
    .returning('id')
    .execute()
  if (rows.length > 0) notify('paperless')
  return rows.length
}

/** A slot's totes are empty: they are free again. */
export const freeCodesOfSlot = (
  tools: CodeTools,
  { pick_list_id, wagon_no, slot_no }: Pick<CodePlace, 'pick_list_id' | 'wagon_no' | 'slot_no'>,
): Promise<string[]> => setFree(tools, sql`pick_list_id = ${pick_list_id} and wagon_no = ${wagon_no} and slot_no = ${slot_no}`)

/** Frees the codes that a condition chooses, and writes it down for each order that lay in them. */
async function setFree({ db, recordEvent, notify }: CodeTools, chosen: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: number; digits: string; order_id: number | null; company_id: number | null }>`
    with gone as (
      select id, order_id, order_company_id from paperless_codes where operator_id = current_operator_id() and ${chosen} order by id for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null, order_company_id = null,
      bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = current_operator_id() and c.id = gone.id
    returning c.id, c.digits, gone.order_id, gone.order_company_id company_id`.execute(db)
  for (const order_id of new Set(rows.map(row => row.order_id)))
    await noteFreed(
      { recordEvent: recordEvent, notify: notify },
      order_id ?? 0,
      rows.filter(row => row.order_id === order_id),
    )
  return rows.map(row => row.digits)
}

/** A code that stays because its order is open, with what a person needs to find it. */
export interface StillOpen {
  digits: string
  order_id: number
  company_id: number
  order_no: string
  phase: string
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
  /** Where it is open. */
  station: string | null
  /** Pieces of it that have to go back into their bins first. */
  put_backs: number
}

/**
 * Frees the codes of a wagon whose orders are done with, and names those that stay: their order is still picked or packed, or
 * pieces in them have to go back. The caller settles the list.
 */
export async function freeCodesOfWagon(
  tools: CodeTools,
  pick_list_id: number,
  wagon_no: number,
): Promise<{ freed: string[]; open: StillOpen[] }> {
  const codes = await tools.db
    .selectFrom('paperless_codes')
    .select('id')
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .execute()
  return freeDone(
    tools,
    codes.map(code => code.id),
  )
}

/** The same for any codes. With `even_open` they are freed whatever is in them; then nothing stays. */
export async function freeDone(
  tools: CodeTools,
  ids: readonly number[],
  { even_open = false }: { even_open?: boolean } = {},
): Promise<{ freed: string[]; open: StillOpen[] }> {
  const { db } = tools
  if (ids.length === 0) return { freed: [], open: [] }
  // Lock orders before codes, as all callers do: a concurrent packing or cancellation finishes first and is then seen.
  await sql`select o.id from orders o where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id in (
    select c.order_id from paperless_codes c where c.operator_id = current_operator_id() and c.id = any (${ids}::bigint[]))
    order by o.id for no key update`.execute(db)
  await db
    .selectFrom('paperless_codes')
    .select('id')
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { rows: open } = even_open ? { rows: [] } : await stillOpen(db, ids)
  const stays = new Set(open.map(code => code.digits))
  const freed = await setFree(
    tools,
    sql`id = any (${ids}::bigint[]) and digits <> all (${[...stays]}::text[]) and (order_id is not null or pick_list_id is not null)`,
  )
  return { freed: byNumber(freed), open }
}

const stillOpen = (db: Db, ids: readonly number[]) =>
  sql<StillOpen>`
    select c.digits, o.id order_id, o.company_id, o.order_no, o.phase, c.pick_list_id, c.wagon_no, c.slot_no, p.station, b.n put_backs
    from paperless_codes c
    left join pick_slots s on s.operator_id = c.operator_id and s.company_id = any (current_company_ids()) and s.pick_list_id = c.pick_list_id
      and s.wagon_no = c.wagon_no and s.slot_no = c.slot_no
    join orders o on o.operator_id = c.operator_id and o.company_id = any (current_company_ids()) and o.id = ${sql.raw(firstKnown('c.order_id', 's.order_id'))}
    left join packing_sessions p on p.operator_id = o.operator_id and p.company_id = any (current_company_ids()) and p.order_id = o.id and p.ended_at is null
    left join lateral (select count(*)::integer n from put_backs t where t.operator_id = c.operator_id and t.company_id = any (current_company_ids())
      and t.order_id = o.id and t.pick_list_id = c.pick_list_id and t.wagon_no = c.wagon_no and t.slot_no = c.slot_no and t.done_at is null) b on true
    where c.operator_id = current_operator_id() and c.id = any (${ids}::bigint[]) and (
      b.n > 0
      or c.order_id is not null and o.cancelled_at is not null and o.put_back_due
      or o.cancelled_at is null and o.work_state in ('in_pick', 'picked', 'in_pack') and (c.order_id is not null or s.live))
    order by length(c.digits), c.digits`.execute(db)

/** PP9 comes before PP10. */
const byNumber = (digits: readonly string[]): string[] => [...digits].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
