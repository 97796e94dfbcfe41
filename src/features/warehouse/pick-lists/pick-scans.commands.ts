/** Events of picking phones: the scan log, the line and the order line change in one statement, so that they never disagree. */
import { sql } from 'kysely'
import { addPicked } from '#features/orders/orders/lines/order-lines.commands.ts'
import type { WagonKey } from '#features/warehouse/paperless/paperless.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { SeenWagon } from './pick-lists.schemas.ts'

type LineState = SeenWagon['pick_lines'][number]['state']

export interface ScanToWrite extends WagonKey {
  id: string
  kind: string
  raw: string
  result: string
  quantity: number
  line: { line_id: number; order_id: number; company_id: number } | null
  user: { id: number; name: string }
  at: string
  answer: object
}

const scanInsert = (scan: ScanToWrite) => sql`
  insert into pick_scans (id, pick_list_id, wagon_no, pick_line_id, order_id, order_company_id, kind, raw, result, quantity, user_id, user_name, at, answer)
  values (${scan.id}::uuid, ${scan.pick_list_id}, ${scan.wagon_no}, ${scan.line?.line_id ?? null}::bigint, ${scan.line?.order_id ?? null}::bigint,
    ${scan.line?.company_id ?? null}::bigint, ${scan.kind}, ${scan.raw.slice(0, 256)}, ${scan.result}, ${scan.quantity}, ${scan.user.id}, ${scan.user.name},
    ${scan.at}::timestamptz, ${JSON.stringify(scan.answer)}::jsonb)
  on conflict (operator_id, id) do nothing
  returning pick_list_id, wagon_no`

/** Says that somebody is at work with the wagon, without ever waiting for a colleague who says so too. */
const touched = sql`
  update pick_wagons w set last_at = clock_timestamp() from written
  where w.operator_id = current_operator_id() and w.ctid = (
    select n.ctid from pick_wagons n where n.operator_id = current_operator_id() and n.pick_list_id = written.pick_list_id and n.wagon_no = written.wagon_no
      and (n.last_at is null or n.last_at < clock_timestamp() - interval '10 seconds') for no key update skip locked)`

/** Writes an event down. False when the very same one is written already: look again. */
export async function writeScan(db: Db, scan: ScanToWrite): Promise<boolean> {
  const { rows } = await sql`with written as (${scanInsert(scan)}), touched as (${touched}) select 1 from written`.execute(db)
  return rows.length > 0
}

/** A product was scanned: the line is in this picker's hands for a while. */
export async function takeLine(db: Db, scan: ScanToWrite): Promise<boolean> {
  const { rows } = await sql`
    with written as (${scanInsert(scan)}), touched as (${touched}),
    taken as (
      update pick_lines l set taken_by = ${scan.user.id}, taken_by_name = ${scan.user.name}, taken_at = clock_timestamp() from written
      where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = ${scan.line?.line_id ?? null}::bigint
        and l.state in ('open', 'skipped')
        and (l.taken_by is distinct from ${scan.user.id} or l.taken_at is null or l.taken_at < clock_timestamp() - interval '1 minute'))
    select 1 from written`.execute(db)
  return rows.length > 0
}

/**
 * Counts pieces into a slot: the event, the line and the order's line in one statement, so that they never disagree. Undefined,
 * with nothing to keep, when the event is written already or the line takes no more pieces: the transaction must end without it.
 */
export async function writePick(
  db: Db,
  scan: ScanToWrite,
): Promise<{ picked: number; state: LineState; open_in_slot: number; open_on_wagon: number } | undefined> {
  const line_id = scan.line?.line_id ?? null
  const { rows } = await sql<{ picked: number; state: LineState; open_in_slot: number; open_on_wagon: number }>`
    with written as (${scanInsert(scan)}), touched as (${touched}),
    counted as (
      update pick_lines l set picked = l.picked + ${scan.quantity},
        state = case when l.picked + ${scan.quantity} = l.asked then 'picked' else l.state end,
        decided_at = case when l.picked + ${scan.quantity} = l.asked then clock_timestamp() end,
        taken_by = ${scan.user.id}, taken_by_name = ${scan.user.name}, taken_at = clock_timestamp()
      from written
      where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = ${line_id}::bigint
        and l.state in ('open', 'skipped') and l.picked + ${scan.quantity} <= l.asked
      returning l.id, l.picked, l.state, l.order_line_id, l.pick_list_id, l.wagon_no, l.slot_no),
    booked as (${addPicked('counted', scan.quantity)})
    select c.picked, c.state, n.open_in_slot, n.open_on_wagon from counted c cross join lateral (
      select count(*) filter (where n.slot_no = c.slot_no)::integer open_in_slot, count(*)::integer open_on_wagon
      from pick_lines n join orders o on o.operator_id = n.operator_id and o.id = n.order_id and not o.held and o.cancelled_at is null
      where n.operator_id = current_operator_id() and n.company_id = any (current_company_ids()) and n.pick_list_id = c.pick_list_id and n.wagon_no = c.wagon_no
        and n.id <> c.id and n.state in ('open', 'skipped')) n`.execute(db)
  return rows[0]
}

/** Everything still open of a line is decided as short. Undefined as with `writePick`. */
export async function writeShort(db: Db, scan: ScanToWrite): Promise<{ short: number } | undefined> {
  const { rows } = await sql<{ short: number }>`
    with written as (${scanInsert(scan)}), touched as (${touched})
    update pick_lines l set state = 'short', decided_at = clock_timestamp(), taken_by = ${scan.user.id}, taken_by_name = ${scan.user.name} from written
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = ${scan.line?.line_id ?? null}::bigint
      and l.state in ('open', 'skipped')
    returning l.asked - l.picked short`.execute(db)
  return rows[0]
}

/** The journal's line of a short names what was reported: a photo may follow, or the picker takes it back. */
export async function noteShort(db: Db, event_id: string, short_id: number): Promise<void> {
  await db
    .updateTable('pick_scans')
    .set({ answer: sql`answer || ${JSON.stringify({ short_id })}::jsonb` })
    .where('id', '=', event_id)
    .execute()
}

export async function writeSkip(db: Db, scan: ScanToWrite): Promise<boolean> {
  const { rows } = await sql`
    with written as (${scanInsert(scan)}), touched as (${touched})
    update pick_lines l set state = 'skipped', skips = l.skips + 1, taken_by = null, taken_by_name = null, taken_at = null from written
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = ${scan.line?.line_id ?? null}::bigint
      and l.state in ('open', 'skipped')
    returning l.id`.execute(db)
  return rows.length > 0
}

export interface Undoable {
  id: string
  kind: string
  line_id: number
  quantity: number
  short_id: number | null
}

/** The event that somebody wants back, or their last one; undefined when there is none that still stands. */
export async function lastOf(
  db: Db,
  { pick_list_id, wagon_no }: WagonKey,
  user_id: number,
  id: string | null,
): Promise<Undoable | undefined> {
  const { rows } = await sql<Undoable>`
    select x.id, x.kind, x.pick_line_id line_id, x.quantity, (x.answer->>'short_id')::bigint short_id from pick_scans x
    where x.operator_id = current_operator_id() and x.pick_list_id = ${pick_list_id} and x.wagon_no = ${wagon_no} and x.user_id = ${user_id}
      and x.kind in ('pick', 'skip', 'short') and (x.answer->>'ok')::boolean and x.undone_by is null and x.pick_line_id is not null
      ${id === null ? sql`` : sql`and x.id = ${id}::uuid`}
    order by x.received_at desc limit 1`.execute(db)
  return rows[0]
}

/** Takes an event back: undefined when somebody did so already, or the line has moved on meanwhile. */
export async function writeUndo(db: Db, scan: ScanToWrite, back: Undoable): Promise<{ picked: number } | undefined> {
  const pieces = back.kind === 'pick' ? back.quantity : 0
  const { rows } = await sql<{ picked: number }>`
    with written as (${scanInsert(scan)}), touched as (${touched}),
    undone as (
      update pick_scans x set undone_by = ${scan.id}::uuid from written
      where x.operator_id = current_operator_id() and x.id = ${back.id}::uuid and x.undone_by is null
      returning x.id),
    opened as (
      update pick_lines l set picked = l.picked - ${pieces}, state = 'open', decided_at = null,
        skips = case when ${back.kind} = 'skip' then greatest(0, l.skips - 1) else l.skips end
      from undone
      where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = ${back.line_id} and l.state <> 'gone' and l.picked >= ${pieces}
      returning l.picked, l.order_line_id),
    booked as (${addPicked('opened', -pieces)})
    select picked from opened`.execute(db)
  return rows[0]
}

/** Pieces reported missing are there after all: the line is picked again. Answers false when the line is not short on this list. */
export async function reopenShortLine(db: Db, pick_list_id: number, pick_line_id: number): Promise<boolean> {
  const line = await db
    .updateTable('pick_lines')
    .set({ state: 'open', decided_at: null, taken_by: null, taken_by_name: null, taken_at: null })
    .where('id', '=', pick_line_id)
    .where('pick_list_id', '=', pick_list_id)
    .where('state', '=', 'short')
    .returning('id')
    .executeTakeFirst()
  return line !== undefined
}
