/** Reserving codes for slots and binding totes to orders. Each change is one conditional step, so that no code is bound twice. */
import { sql } from 'kysely'
import { type CodePlace, type CodeTools, codeText, mustBeUsable, unknownCode } from './paperless.queries.ts'

/** What a code is without list, wagon, slot and order; a lost one stays lost. */
export const nowhere = {
  pick_list_id: null,
  wagon_no: null,
  slot_no: null,
  reserved_at: null,
  order_id: null,
  order_company_id: null,
  bound_at: null,
  at_packing_at: null,
} as const

export interface WantedCode {
  wagon_no: number
  slot_no: number
  order_id: number
  company_id: number
  /** `now` binds the tote to its order at once; `first_scan` keeps it for the slot until it is scanned there. */
  bind: 'now' | 'first_scan'
}

/**
 * Keeps a free code for each slot, the lowest digits first, in the order of wagons and slots. Slots for which the pool has none
 * left stay without: any free tote can be scanned into them. Two lists made at once never share a code.
 * Answers the codes with their slots.
 */
export async function reserveCodes(
  { db, notify }: Pick<CodeTools, 'db' | 'notify'>,
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
      where operator_id = current_operator_id() and lost_at is null and order_id is null and pick_list_id is null
      order by length(digits), digits limit ${slots.length} for update skip locked
    ), lowest as (
      select id, row_number() over (order by length(digits), digits) n from taken
    )
    update paperless_codes c set pick_list_id = ${pick_list_id}, wagon_no = w.wagon_no, slot_no = w.slot_no, reserved_at = now(),
      order_id = case when w.bind then w.order_id end, order_company_id = case when w.bind then w.company_id end,
      bound_at = case when w.bind then now() end, at_packing_at = null, version = c.version + 1
    from wanted w join lowest l using (n)
    where c.operator_id = current_operator_id() and c.id = l.id
    returning c.digits, c.wagon_no, c.slot_no, c.order_id`.execute(db)
  if (rows.length > 0) notify('paperless')
  return rows.sort((a, b) => a.wagon_no - b.wagon_no || a.slot_no - b.slot_no)
}

/**
 * Binds a tote to an order in a slot: the reserved one, or any free one, which then takes the reserved one's place. A tote that
 * is kept for another slot of the same wagon changes places with this slot's. Bound here already, nothing changes.
 *
 * @throws {Refusal} 404 unknown; 409 lost, kept for another wagon, or bound to another order, which it names with its place
 */
export async function bindCode(
  { db, recordEvent, notify }: CodeTools,
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
    notify('paperless', kept.id)
  }
  await recordEvent({
    kind: 'order.tote_bound',
    order_id: place.order_id,
    company_id: place.company_id,
    subject: 'paperless_code',
    subject_id: code.id,
    data: { code: codeText(digits), list: place.pick_list_id, wagon: place.wagon_no, slot: place.slot_no },
  })
  notify('paperless', code.id)
  return { code_id: code.id, already: false }
}
