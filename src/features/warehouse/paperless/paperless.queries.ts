/** Paperless codes in the database: every change of where a tote stands. Each is one conditional step, so that no code is bound twice. */
import { sql } from 'kysely'
import { conflict, notFound } from '#contract/errors.ts'
import type { Db } from '#server/database.ts'
import type { Tools } from '#server/serve.ts'

export type CodeTools = Pick<Tools, 'db' | 'record' | 'tell'>

/** A slot of a wagon, and the order that stands in it; without a list, an order whose tote was named by hand. */
export interface CodePlace {
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
  order_id: number
  company_id: number
}

export interface WantedCode {
  wagon_no: number
  slot_no: number
  order_id: number
  company_id: number
  /** `now` binds the tote to its order at once; `first_scan` keeps it for the slot until it is scanned there. */
  bind: 'now' | 'first_scan'
}

export interface CodeOfOrder {
  digits: string
  state: CodeState
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
}

export type CodeState = 'free' | 'reserved' | 'bound' | 'at_packing' | 'lost'

/** What the code says, as printed on the tote. */
export const codeText = (digits: string): string => `PP${digits}`

/** What a code is without list, wagon, slot and order; a lost one stays lost. */
const nowhere = {
  pick_list_id: null,
  wagon_no: null,
  slot_no: null,
  reserved_at: null,
  order_id: null,
  order_company_id: null,
  bound_at: null,
  at_packing_at: null,
} as const

/**
 * Keeps a free code for each slot, the lowest digits first, in the order of wagons and slots. Slots for which the pool has none
 * left stay without: any free tote can be scanned into them. Two lists made at once never share a code.
 * Answers the codes with their slots.
 */
export async function reserveCodes(
  { db, tell }: Pick<CodeTools, 'db' | 'tell'>,
  { pick_list_id, slots }: { pick_list_id: number; slots: readonly WantedCode[] },
): Promise<{ digits: string; wagon_no: number; slot_no: number; order_id: number | null }[]> {
  if (slots.length === 0) return []
  const { rows } = await sql<{ digits: string; wagon_no: number; slot_no: number; order_id: number | null }>`
    with wanted as (
      select row_number() over (order by w.wagon_no, w.slot_no) n, w.* from unnest(
        ${slots.map(slot => slot.wagon_no)}::integer[], ${slots.map(slot => slot.slot_no)}::integer[], ${slots.map(slot => slot.order_id)}::bigint[],
        ${slots.map(slot => slot.company_id)}::bigint[], ${slots.map(slot => slot.bind === 'now')}::boolean[]
      ) w (wagon_no, slot_no, order_id, company_id, bind)
    ), taken as (
      select id, digits from paperless_codes
      where operator_id = scope_operator() and lost_at is null and order_id is null and pick_list_id is null
      order by length(digits), digits limit ${slots.length} for update skip locked
    ), lowest as (
      select id, row_number() over (order by length(digits), digits) n from taken
    )
    update paperless_codes c set pick_list_id = ${pick_list_id}, wagon_no = w.wagon_no, slot_no = w.slot_no, reserved_at = now(),
      order_id = case when w.bind then w.order_id end, order_company_id = case when w.bind then w.company_id end,
      bound_at = case when w.bind then now() end, at_packing_at = null, version = c.version + 1
    from wanted w join lowest l using (n)
    where c.operator_id = scope_operator() and c.id = l.id
    returning c.digits, c.wagon_no, c.slot_no, c.order_id`.execute(db)
  if (rows.length > 0) tell('paperless')
  return rows.sort((a, b) => a.wagon_no - b.wagon_no || a.slot_no - b.slot_no)
}

/**
 * Binds a tote to an order in a slot: the reserved one, or any free one, which then takes the reserved one's place. A tote that
 * is kept for another slot of the same wagon changes places with this slot's. Bound here already, nothing changes.
 *
 * @throws {Refusal} 404 unknown; 409 lost, kept for another wagon, or bound to another order, which it names with its place
 */
export async function bindCode(
  { db, record, tell }: CodeTools,
  digits: string,
  place: CodePlace,
): Promise<{ code_id: number; already: boolean }> {
  // All the rows that may change, taken in one order: two pickers who change totes at once wait instead of standing against each other.
  const taken = await db
    .selectFrom('paperless_codes')
    .select(['id', 'digits', 'state', 'pick_list_id', 'wagon_no', 'slot_no', 'order_id', 'lost_at'])
    .where(eb =>
      eb.or([
        eb('digits', '=', digits),
        eb.and([
          eb('pick_list_id', '=', place.pick_list_id),
          eb('wagon_no', '=', place.wagon_no),
          eb('slot_no', '=', place.slot_no),
          eb('order_id', 'is', null),
        ]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  const code = taken.find(one => one.digits === digits)
  if (!code) throw unknownCode(digits)
  const sameWagon = place.pick_list_id !== null && code.pick_list_id === place.pick_list_id && code.wagon_no === place.wagon_no
  const here = code.pick_list_id === place.pick_list_id && code.wagon_no === place.wagon_no && code.slot_no === place.slot_no
  if (code.order_id === place.order_id && here && code.lost_at === null) return { code_id: code.id, already: true }
  await mustBeUsable(db, code, sameWagon)
  await db
    .updateTable('paperless_codes')
    .set(eb => ({
      pick_list_id: place.pick_list_id,
      wagon_no: place.wagon_no,
      slot_no: place.slot_no,
      order_id: place.order_id,
      order_company_id: place.company_id,
      reserved_at: eb.fn.coalesce('reserved_at', sql<string>`now()`),
      bound_at: sql<string>`now()`,
      at_packing_at: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', code.id)
    .execute()
  const kept = taken.find(one => one.id !== code.id && one.order_id === null && one.pick_list_id === place.pick_list_id)
  if (kept && kept.lost_at === null) {
    const swapped = sameWagon && !here ? { slot_no: code.slot_no } : nowhere
    await db
      .updateTable('paperless_codes')
      .set(eb => ({ ...swapped, version: eb('version', '+', 1) }))
      .where('id', '=', kept.id)
      .execute()
    tell('paperless', kept.id)
  }
  await record({
    kind: 'order.tote_bound',
    order_id: place.order_id,
    company_id: place.company_id,
    subject: 'paperless_code',
    subject_id: code.id,
    data: { code: codeText(digits), list: place.pick_list_id, wagon: place.wagon_no, slot: place.slot_no },
  })
  tell('paperless', code.id)
  return { code_id: code.id, already: false }
}

interface TakenCode {
  id: number
  digits: string
  lost_at: string | null
  order_id: number | null
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
}

/** @throws {Refusal} 409 unless the code is free, or only kept and `may_take_kept` */
export async function mustBeUsable(db: Db, code: TakenCode, may_take_kept: boolean): Promise<void> {
  const named = { code: codeText(code.digits) }
  if (code.lost_at !== null) throw conflict(codeSentences.lost, named)
  if (code.order_id !== null) throw await boundElsewhere(db, code, code.order_id)
  if (code.pick_list_id !== null && !may_take_kept)
    throw conflict(codeSentences.kept, { ...named, slot: code.slot_no, wagon: code.wagon_no, list: code.pick_list_id })
}

/** A code's own sentences, wherever it is scanned. */
export const codeSentences = {
  unknown: 'There is no code PP{{digits}} here',
  free: 'The code PP{{digits}} carries no order',
  kept: '{{code}} is kept for slot {{slot}} of wagon {{wagon}}, list {{list}}: nothing has been put into it yet',
  lost: '{{code}} was reported lost. Mark it as found before it is used again.',
  lostWith: '{{code}} was reported lost with order {{order_no}}. Open the order by its number, and mark the code as found.',
  atStation: '{{code}} carries order {{order_no}}, which is at {{station}}',
  onWagon: '{{code}} carries order {{order_no}} in slot {{slot}} of wagon {{wagon}}, list {{list}}',
  bound: '{{code}} carries order {{order_no}}',
} as const

/** @returns the 404 of a code that nobody made */
export const unknownCode = (digits: string) => notFound(codeSentences.unknown, { digits })

async function boundElsewhere(db: Db, code: TakenCode, order_id: number) {
  const order = await db
    .selectFrom('orders as o')
    .leftJoin('packing_sessions as s', j => j.onRef('s.order_id', '=', 'o.id').on('s.ended_at', 'is', null))
    .select(['o.order_no', 's.station'])
    .where('o.id', '=', order_id)
    .executeTakeFirst()
  const values = { code: codeText(code.digits), order_no: order?.order_no ?? `${order_id}` }
  if (order?.station) return conflict(codeSentences.atStation, { ...values, station: order.station })
  if (code.pick_list_id === null) return conflict(codeSentences.bound, values)
  return conflict(codeSentences.onWagon, { ...values, slot: code.slot_no, wagon: code.wagon_no, list: code.pick_list_id })
}

/** The order behind a scanned code. @throws {Refusal} 404 unknown; 409 free, kept for a slot, or lost – each in its own words */
export async function orderOfCode(db: Db, digits: string): Promise<number> {
  const code = await db
    .selectFrom('paperless_codes as c')
    .leftJoin('orders as o', 'o.id', 'c.order_id')
    .select(['c.order_id', 'c.lost_at', 'c.pick_list_id', 'c.wagon_no', 'c.slot_no', 'o.order_no'])
    .where('c.digits', '=', digits)
    .executeTakeFirst()
  if (!code) throw unknownCode(digits)
  const named = { code: codeText(digits) }
  if (code.lost_at !== null)
    throw code.order_no === null
      ? conflict(codeSentences.lost, named)
      : conflict(codeSentences.lostWith, { ...named, order_no: code.order_no })
  if (code.order_id !== null) return code.order_id
  if (code.pick_list_id !== null)
    throw conflict(codeSentences.kept, { ...named, slot: code.slot_no, wagon: code.wagon_no, list: code.pick_list_id })
  throw conflict(codeSentences.free, { digits })
}

/** The totes that an order lies in, the first bound first. */
export async function codesOfOrder({ db }: Pick<CodeTools, 'db'>, order_id: number): Promise<CodeOfOrder[]> {
  const rows = await db
    .selectFrom('paperless_codes')
    .select(['digits', 'state', 'pick_list_id', 'wagon_no', 'slot_no'])
    .where('order_id', '=', order_id)
    .orderBy('bound_at')
    .orderBy('id')
    .execute()
  return rows as CodeOfOrder[]
}

/** Pieces lie in the tote `c` that have to go back into their bins: it is not free before that. */
const piecesInside = sql`exists (select from put_backs t where t.operator_id = scope_operator() and t.company_id = any (scope_companies())
  and t.pick_list_id = c.pick_list_id and t.wagon_no = c.wagon_no and t.slot_no = c.slot_no and t.done_at is null)`

/**
 * The order has left its totes: they are free again, and so are those kept for its slot; not those in which pieces lie that have
 * to go back. Answers their digits.
 */
export async function freeCodesOfOrder({ db, record, tell }: CodeTools, order_id: number): Promise<string[]> {
  const { rows } = await sql<{ id: number; digits: string; company_id: number | null }>`
    with gone as (
      select c.id, c.order_company_id from paperless_codes c where c.operator_id = scope_operator() and (c.order_id = ${order_id}
        or c.order_id is null and (c.pick_list_id, c.wagon_no, c.slot_no) in (
          select s.pick_list_id, s.wagon_no, s.slot_no from pick_slots s
          where s.operator_id = scope_operator() and s.company_id = any (scope_companies()) and s.order_id = ${order_id}))
        and not ${piecesInside} order by c.id for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null, order_company_id = null,
      bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = scope_operator() and c.id = gone.id
    returning c.id, c.digits, gone.order_company_id company_id`.execute(db)
  return noteFreed({ record, tell }, order_id, rows)
}

/** The same for many orders in one statement. */
export async function freeCodesOfOrders({ db, record, tell }: CodeTools, order_ids: readonly number[]): Promise<void> {
  if (order_ids.length === 0) return
  const { rows } = await sql<{ id: number; digits: string; order_id: number | null; company_id: number | null }>`
    with gone as (
      select c.id, c.order_id, c.order_company_id from paperless_codes c where c.operator_id = scope_operator() and (c.order_id = any (${order_ids}::bigint[])
        or c.order_id is null and (c.pick_list_id, c.wagon_no, c.slot_no) in (
          select s.pick_list_id, s.wagon_no, s.slot_no from pick_slots s
          where s.operator_id = scope_operator() and s.company_id = any (scope_companies()) and s.order_id = any (${order_ids}::bigint[])))
      and not ${piecesInside} order by c.id for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null, order_company_id = null,
      bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = scope_operator() and c.id = gone.id
    returning c.id, c.digits, gone.order_id, gone.order_company_id company_id`.execute(db)
  for (const [order_id, codes] of Map.groupBy(rows, row => row.order_id)) await noteFreed({ record, tell: () => {} }, order_id ?? 0, codes)
  if (rows.length > 0) tell('paperless')
}

async function noteFreed(
  { record, tell }: Pick<CodeTools, 'record' | 'tell'>,
  order_id: number,
  rows: readonly { id: number; digits: string; company_id: number | null }[],
): Promise<string[]> {
  const digits = rows.map(row => row.digits)
  const company_id = rows.find(row => row.company_id !== null)?.company_id
  // Codes that were only kept leave no trace on the order.
  if (company_id) {
    const codes = rows.filter(row => row.company_id !== null).map(row => codeText(row.digits))
    await record({ kind: 'order.tote_freed', order_id, company_id, data: { codes } })
  }
  for (const { id } of rows) tell('paperless', id)
  return digits
}

/** Codes that are only kept for slots of these wagons are free again; those that carry an order stay. */
export async function freeKept(
  { db, tell }: Pick<CodeTools, 'db' | 'tell'>,
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
  if (rows.length > 0) tell('paperless')
  return rows.length
}

/** A slot's totes are empty: they are free again. */
export async function freeCodesOfSlot(
  { db, record, tell }: CodeTools,
  { pick_list_id, wagon_no, slot_no }: Pick<CodePlace, 'pick_list_id' | 'wagon_no' | 'slot_no'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: number; digits: string; order_id: number | null; company_id: number | null }>`
    with gone as (
      select id, order_id, order_company_id from paperless_codes
      where operator_id = scope_operator() and pick_list_id = ${pick_list_id} and wagon_no = ${wagon_no} and slot_no = ${slot_no} order by id for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null, order_company_id = null,
      bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = scope_operator() and c.id = gone.id
    returning c.id, c.digits, gone.order_id, gone.order_company_id company_id`.execute(db)
  for (const order_id of new Set(rows.map(row => row.order_id)))
    await noteFreed(
      { record, tell },
      order_id ?? 0,
      rows.filter(row => row.order_id === order_id),
    )
  return rows.map(row => row.digits)
}

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
  { db, tell }: Pick<CodeTools, 'db' | 'tell'>,
  order_id: number,
  on: boolean,
): Promise<WagonOfOrder | undefined> {
  const { rows } = await sql<WagonOfOrder & { ids: number[] }>`
    with moved as (
      update paperless_codes set at_packing_at = case when ${on} then now() end, version = version + 1
      where operator_id = scope_operator() and order_id = ${order_id} and (at_packing_at is null) = ${on} and lost_at is null
      returning id)
    select w.pick_list_id, w.wagon_no, w.state, array(select id from moved) ids from (select 1) one
    left join pick_slots s on s.operator_id = scope_operator() and s.company_id = any (scope_companies()) and s.order_id = ${order_id} and s.live
    left join pick_wagons w on w.operator_id = s.operator_id and w.pick_list_id = s.pick_list_id and w.wagon_no = s.wagon_no`.execute(db)
  return toldOf(tell, rows[0])
}

/** The order is packed: its totes are free, and its slot claims it no longer. One statement. Answers its wagon for the caller to settle. */
export async function packedOut({ db, record, tell }: CodeTools, order_id: number): Promise<WagonOfOrder | undefined> {
  const { rows } = await sql<WagonOfOrder & { ids: number[]; codes: string[]; company_id: number | null }>`
    with slot as (
      update pick_slots set state = 'packed', live = false
      where operator_id = scope_operator() and company_id = any (scope_companies()) and order_id = ${order_id} and live
      returning pick_list_id, wagon_no, slot_no
    ), gone as (
      select c.id, c.order_id, c.order_company_id, c.pick_list_id, c.wagon_no from paperless_codes c
      where c.operator_id = scope_operator() and (c.order_id = ${order_id}
        or c.order_id is null and (c.pick_list_id, c.wagon_no, c.slot_no) in (select pick_list_id, wagon_no, slot_no from slot))
        and not ${piecesInside} order by c.id for update
    ), freed as (
      update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null,
        order_company_id = null, bound_at = null, at_packing_at = null, version = c.version + 1
      from gone where c.operator_id = scope_operator() and c.id = gone.id
      returning c.id, c.digits, gone.order_id, gone.order_company_id
    )
    select w.pick_list_id, w.wagon_no, w.state, array(select id from freed) ids,
      array(select digits from freed where order_id is not null order by length(digits), digits) codes,
      (select max(order_company_id) from freed) company_id
    from (select 1) one
    left join lateral (
      select pick_list_id, wagon_no from slot union all select pick_list_id, wagon_no from gone where pick_list_id is not null limit 1) s on true
    left join pick_wagons w on w.operator_id = scope_operator() and w.pick_list_id = s.pick_list_id and w.wagon_no = s.wagon_no`.execute(db)
  const row = rows[0]
  if (row?.company_id)
    await record({ kind: 'order.tote_freed', order_id, company_id: row.company_id, data: { codes: row.codes.map(codeText) } })
  return toldOf(tell, row)
}

function toldOf(tell: Tools['tell'], row: (WagonOfOrder & { ids: number[] }) | undefined): WagonOfOrder | undefined {
  for (const id of row?.ids ?? []) tell('paperless', id)
  return row && row.pick_list_id !== null ? row : undefined
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
  { db, record, tell }: CodeTools,
  ids: readonly number[],
  { even_open = false }: { even_open?: boolean } = {},
): Promise<{ freed: string[]; open: StillOpen[] }> {
  if (ids.length === 0) return { freed: [], open: [] }
  // Orders before codes, as everywhere: whoever packs or cancels one of them meanwhile is waited for, and then seen.
  await sql`select o.id from orders o where o.operator_id = scope_operator() and o.company_id = any (scope_companies()) and o.id in (
    select c.order_id from paperless_codes c where c.operator_id = scope_operator() and c.id = any (${ids}::bigint[]))
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
  const { rows } = await sql<{ id: number; digits: string; order_id: number | null; company_id: number | null }>`
    with gone as (
      select id, order_id, order_company_id from paperless_codes where operator_id = scope_operator() and id = any (${ids}::bigint[])
        and digits <> all (${[...stays]}::text[]) and (order_id is not null or pick_list_id is not null) for update)
    update paperless_codes c set pick_list_id = null, wagon_no = null, slot_no = null, reserved_at = null, order_id = null, order_company_id = null,
      bound_at = null, at_packing_at = null, version = c.version + 1
    from gone where c.operator_id = scope_operator() and c.id = gone.id
    returning c.id, c.digits, gone.order_id, gone.order_company_id company_id`.execute(db)
  for (const order_id of new Set(rows.map(row => row.order_id)))
    await noteFreed(
      { record, tell },
      order_id ?? 0,
      rows.filter(row => row.order_id === order_id),
    )
  return { freed: byNumber(rows.map(row => row.digits)), open }
}

const stillOpen = (db: Db, ids: readonly number[]) =>
  sql<StillOpen>`
    select c.digits, o.id order_id, o.company_id, o.order_no, o.phase, c.pick_list_id, c.wagon_no, c.slot_no, p.station, b.n put_backs
    from paperless_codes c
    left join pick_slots s on s.operator_id = c.operator_id and s.company_id = any (scope_companies()) and s.pick_list_id = c.pick_list_id
      and s.wagon_no = c.wagon_no and s.slot_no = c.slot_no
    join orders o on o.operator_id = c.operator_id and o.company_id = any (scope_companies()) and o.id = coalesce(c.order_id, s.order_id)
    left join packing_sessions p on p.operator_id = o.operator_id and p.company_id = any (scope_companies()) and p.order_id = o.id and p.ended_at is null
    left join lateral (select count(*)::integer n from put_backs t where t.operator_id = c.operator_id and t.company_id = any (scope_companies())
      and t.order_id = o.id and t.pick_list_id = c.pick_list_id and t.wagon_no = c.wagon_no and t.slot_no = c.slot_no and t.done_at is null) b on true
    where c.operator_id = scope_operator() and c.id = any (${ids}::bigint[]) and (
      b.n > 0
      or c.order_id is not null and o.cancelled_at is not null and o.put_back_due
      or o.cancelled_at is null and o.work_state in ('in_pick', 'picked', 'in_pack') and (c.order_id is not null or s.live))
    order by length(c.digits), c.digits`.execute(db)

/** PP9 comes before PP10. */
export const byNumber = (digits: readonly string[]): string[] => [...digits].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
