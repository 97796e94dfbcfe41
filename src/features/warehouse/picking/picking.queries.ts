/** Picking in the database: what one event needs to be judged, and the statements that write it down – few, because forty phones wait for them. */
import { sql } from 'kysely'
import { shortestTour } from '#routing/tour.ts'
import type { Db } from '#server/database.ts'
import type { House, Tools } from '#server/serve.ts'
import type { WagonShape } from '../pick-lists/pick-lists.contract.ts'
import { wagonSeen } from '../pick-lists/pick-lists.queries.ts'
import { metresOf, minutesOf } from '../pick-lists/pick-lists.rules.ts'
import { resultMap } from '../warehouse-maps/warehouse-maps.queries.ts'
import type { EventKind, LineNow, Wagon, WagonCard } from './picking.contract.ts'
import { idleMinutes, takenMinutes } from './picking.rules.ts'

export interface Key {
  pick_list_id: number
  wagon_no: number
}

export interface WagonStand {
  wagon_state: Wagon['state']
  wagon_user_id: number | null
  wagon_user_name: string | null
  list_state: string
  map_result_id: number | null
  /** The person who asks walks with it, or did until then. */
  member: boolean
  left_at: string | null
  pickers: number
  /** The same event, answered before. */
  answered: { pick_list_id: number; wagon_no: number; user_id: number; line_id: number | null; answer: unknown } | null
}

export interface LineStand extends WagonStand {
  line_id: number
  company_id: number
  order_id: number
  order_line_id: number
  product_id: number | null
  sku: string | null
  name: string
  bin: string | null
  slot_no: number
  asked: number
  picked: number
  line_state: LineNow['state']
  walk_no: number
  cell: number | null
  taken_by: number | null
  taken_by_name: string | null
  /** Somebody else scanned for it a moment ago, and still walks with the wagon. */
  taken: boolean
  order_no: string
  phase: string
  held: boolean
  cancelled: boolean
  work_state: string
  live: boolean
  /** Pieces that the scanned code stands for; 0 when it is not this product's. */
  meant: number
  /** Totes of the whole wagon. */
  codes: { digits: string; state: string; slot_no: number }[]
}

const wagonPart = (event_id: string) => sql`
    w.state wagon_state, w.user_id wagon_user_id, w.user_name wagon_user_name, t.state list_state, t.map_result_id,
    (select count(*)::integer from pick_wagon_people n where n.operator_id = w.operator_id and n.pick_list_id = w.pick_list_id
      and n.wagon_no = w.wagon_no and n.left_at is null) pickers,
    m.user_id is not null member, m.left_at,
    (select json_build_object('pick_list_id', x.pick_list_id, 'wagon_no', x.wagon_no, 'user_id', x.user_id, 'line_id', x.pick_line_id, 'answer', x.answer)
      from pick_scans x where x.operator_id = w.operator_id and x.id = ${event_id}::uuid) answered`

const memberJoin = (
  user_id: number,
) => sql`left join pick_wagon_people m on m.operator_id = w.operator_id and m.pick_list_id = w.pick_list_id
      and m.wagon_no = w.wagon_no and m.user_id = ${user_id}`

/** Everything by which one event about a line is judged, in one statement. `take` takes the order's row first, as everybody does who changes an order. */
export async function standOfLine(
  db: Db,
  { pick_list_id, wagon_no }: Key,
  line_id: number,
  asked: { user_id: number; event_id: string; codes: readonly string[]; now: Date; take: boolean },
): Promise<LineStand | undefined> {
  const since = new Date(asked.now.getTime() - takenMinutes * 60_000).toISOString()
  const { rows } = await sql<LineStand>`
    select ${wagonPart(asked.event_id)},
      l.id line_id, l.company_id, l.order_id, l.order_line_id, l.product_id, l.sku, l.name, l.bin, l.slot_no, l.asked, l.picked, l.state line_state,
      l.walk_no, l.cell, l.taken_by, l.taken_by_name,
      l.taken_by is not null and l.taken_by <> ${asked.user_id} and l.taken_at > ${since}::timestamptz and exists (
        select from pick_wagon_people n where n.operator_id = l.operator_id and n.pick_list_id = l.pick_list_id and n.wagon_no = l.wagon_no
          and n.user_id = l.taken_by and n.left_at is null) taken,
      o.order_no, o.phase, o.held, o.cancelled_at is not null cancelled, o.work_state, s.live,
      coalesce((select max(b.quantity) from product_barcodes b where b.operator_id = l.operator_id and b.company_id = l.company_id
          and b.product_id = l.product_id and b.barcode = any (${asked.codes}::text[])),
        case when upper(l.sku) = any (${asked.codes.map(code => code.toUpperCase())}::text[]) or exists (
          select from order_lines ol where ol.operator_id = l.operator_id and ol.id = l.order_line_id and ol.barcode = any (${asked.codes}::text[]))
        then 1 else 0 end) meant,
      (select coalesce(json_agg(json_build_object('digits', c.digits, 'state', c.state, 'slot_no', c.slot_no) order by length(c.digits), c.digits), '[]')
        from paperless_codes c where c.operator_id = l.operator_id and c.pick_list_id = l.pick_list_id and c.wagon_no = l.wagon_no) codes
    from pick_lines l
    join orders o on o.operator_id = l.operator_id and o.id = l.order_id
    join pick_wagons w on w.operator_id = l.operator_id and w.pick_list_id = l.pick_list_id and w.wagon_no = l.wagon_no
    join pick_lists t on t.operator_id = w.operator_id and t.id = w.pick_list_id
    join pick_slots s on s.operator_id = l.operator_id and s.pick_list_id = l.pick_list_id and s.wagon_no = l.wagon_no and s.slot_no = l.slot_no
    ${memberJoin(asked.user_id)}
    where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = ${line_id}
      and l.pick_list_id = ${pick_list_id} and l.wagon_no = ${wagon_no}
    ${asked.take ? sql`for no key update of o` : sql``}`.execute(db)
  return rows[0]
}

export async function standOfWagon(
  db: Db,
  { pick_list_id, wagon_no }: Key,
  asked: { user_id: number; event_id: string },
): Promise<WagonStand | undefined> {
  const { rows } = await sql<WagonStand>`
    select ${wagonPart(asked.event_id)}
    from pick_wagons w join pick_lists t on t.operator_id = w.operator_id and t.id = w.pick_list_id ${memberJoin(asked.user_id)}
    where w.operator_id = scope_operator() and w.pick_list_id = ${pick_list_id} and w.wagon_no = ${wagon_no}`.execute(db)
  return rows[0]
}

export interface ScanToWrite extends Key {
  id: string
  kind: EventKind | 'claim'
  raw: string
  result: string
  quantity: number
  line: Pick<LineStand, 'line_id' | 'order_id' | 'company_id'> | null
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
  where w.operator_id = scope_operator() and w.ctid = (
    select n.ctid from pick_wagons n where n.operator_id = scope_operator() and n.pick_list_id = written.pick_list_id and n.wagon_no = written.wagon_no
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
      where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = ${scan.line?.line_id ?? null}::bigint
        and l.state in ('open', 'skipped')
        and (l.taken_by is distinct from ${scan.user.id} or l.taken_at is null or l.taken_at < clock_timestamp() - interval '1 minute'))
    select 1 from written`.execute(db)
  return rows.length > 0
}

/**
 * Counts pieces into a slot: the event, the line and the order's line in one statement, so that they never disagree. Undefined,
 * with nothing to keep, when the event is written already or the line has no room (any more): the transaction must end without it.
 */
export async function writePick(
  db: Db,
  scan: ScanToWrite,
): Promise<{ picked: number; state: LineNow['state']; open_in_slot: number; open_on_wagon: number } | undefined> {
  const line_id = scan.line?.line_id ?? null
  const { rows } = await sql<{ picked: number; state: LineNow['state']; open_in_slot: number; open_on_wagon: number }>`
    with written as (${scanInsert(scan)}), touched as (${touched}),
    counted as (
      update pick_lines l set picked = l.picked + ${scan.quantity},
        state = case when l.picked + ${scan.quantity} = l.asked then 'picked' else l.state end,
        decided_at = case when l.picked + ${scan.quantity} = l.asked then clock_timestamp() end,
        taken_by = ${scan.user.id}, taken_by_name = ${scan.user.name}, taken_at = clock_timestamp()
      from written
      where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = ${line_id}::bigint
        and l.state in ('open', 'skipped') and l.picked + ${scan.quantity} <= l.asked
      returning l.id, l.picked, l.state, l.order_line_id, l.pick_list_id, l.wagon_no, l.slot_no),
    booked as (
      update order_lines o set picked_qty = o.picked_qty + ${scan.quantity} from counted
      where o.operator_id = scope_operator() and o.company_id = any (scope_companies()) and o.id = counted.order_line_id)
    select c.picked, c.state, n.open_in_slot, n.open_on_wagon from counted c cross join lateral (
      select count(*) filter (where n.slot_no = c.slot_no)::integer open_in_slot, count(*)::integer open_on_wagon
      from pick_lines n join orders o on o.operator_id = n.operator_id and o.id = n.order_id and not o.held and o.cancelled_at is null
      where n.operator_id = scope_operator() and n.company_id = any (scope_companies()) and n.pick_list_id = c.pick_list_id and n.wagon_no = c.wagon_no
        and n.id <> c.id and n.state in ('open', 'skipped')) n`.execute(db)
  return rows[0]
}

/** Everything still open of a line is decided as short. Undefined as with `writePick`. */
export async function writeShort(db: Db, scan: ScanToWrite): Promise<{ short: number } | undefined> {
  const { rows } = await sql<{ short: number }>`
    with written as (${scanInsert(scan)}), touched as (${touched})
    update pick_lines l set state = 'short', decided_at = clock_timestamp(), taken_by = ${scan.user.id}, taken_by_name = ${scan.user.name} from written
    where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = ${scan.line?.line_id ?? null}::bigint
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

/** Somebody looked into a bin and saw nothing: that is a count, and what was to be counted there is counted. */
export async function foundEmpty(
  db: Db,
  {
    company_id,
    bin,
    product_id,
    sku,
    name,
  }: { company_id: number; bin: string; product_id: number | null; sku: string | null; name: string },
  by: string,
  note: string,
): Promise<void> {
  await db
    .insertInto('bin_counts')
    .values({
      company_id,
      bin,
      product_id,
      sku,
      name,
      reason: 'zero_check',
      asked_by: by,
      counted: 0,
      note,
      done_by: by,
      done_at: sql<string>`now()`,
    })
    .execute()
}

export async function writeSkip(db: Db, scan: ScanToWrite): Promise<boolean> {
  const { rows } = await sql`
    with written as (${scanInsert(scan)}), touched as (${touched})
    update pick_lines l set state = 'skipped', skips = l.skips + 1, taken_by = null, taken_by_name = null, taken_at = null from written
    where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = ${scan.line?.line_id ?? null}::bigint
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
export async function lastOf(db: Db, { pick_list_id, wagon_no }: Key, user_id: number, id: string | null): Promise<Undoable | undefined> {
  const { rows } = await sql<Undoable>`
    select x.id, x.kind, x.pick_line_id line_id, x.quantity, (x.answer->>'short_id')::bigint short_id from pick_scans x
    where x.operator_id = scope_operator() and x.pick_list_id = ${pick_list_id} and x.wagon_no = ${wagon_no} and x.user_id = ${user_id}
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
      where x.operator_id = scope_operator() and x.id = ${back.id}::uuid and x.undone_by is null
      returning x.id),
    opened as (
      update pick_lines l set picked = l.picked - ${pieces}, state = 'open', decided_at = null,
        skips = case when ${back.kind} = 'skip' then greatest(0, l.skips - 1) else l.skips end
      from undone
      where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = ${back.line_id} and l.state <> 'gone' and l.picked >= ${pieces}
      returning l.picked, l.order_line_id),
    booked as (
      update order_lines o set picked_qty = greatest(0, o.picked_qty - ${pieces}) from opened
      where o.operator_id = scope_operator() and o.company_id = any (scope_companies()) and o.id = opened.order_line_id)
    select picked from opened`.execute(db)
  return rows[0]
}

/** A picker is at work: the wagon moves. Answers false when it did so before. */
export async function beginWalking(db: Db, { pick_list_id, wagon_no }: Key, states: readonly string[]): Promise<boolean> {
  const changed = await db
    .updateTable('pick_wagons')
    .set(eb => ({
      state: 'picking',
      started_at: sql<string>`coalesce(started_at, clock_timestamp())`,
      last_at: sql<string>`clock_timestamp()`,
      picked_at: null,
      version: eb('version', '+', 1),
    }))
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', '=', sql<'open'>`any(${states}::text[])`)
    .returning('wagon_no')
    .execute()
  return changed.length > 0
}

export const wagonState = async (db: Db, { pick_list_id, wagon_no }: Key): Promise<Wagon['state']> =>
  (
    await db
      .selectFrom('pick_wagons')
      .select('state')
      .where('pick_list_id', '=', pick_list_id)
      .where('wagon_no', '=', wagon_no)
      .executeTakeFirstOrThrow()
  ).state as Wagon['state']

/** The line as it is, for the answer to an event sent again. */
export const lineNow = (db: Db, line_id: number): Promise<LineNow | undefined> =>
  db
    .selectFrom('pick_lines')
    .select(['id', 'asked', 'picked', 'state', 'walk_no', 'taken_by', 'taken_by_name'])
    .where('id', '=', line_id)
    .executeTakeFirst() as Promise<LineNow | undefined>

/** What a code is, where it is not the line's product: the name of what was scanned, of the same company. */
export async function productMeant(db: Db, company_id: number, codes: readonly string[]): Promise<string | undefined> {
  const row = await db
    .selectFrom('products as p')
    .leftJoin('product_barcodes as b', 'b.product_id', 'p.id')
    .select('p.name')
    .where('p.company_id', '=', company_id)
    .where(eb =>
      eb.or([
        eb('b.barcode', '=', sql<string>`any(${codes}::text[])`),
        eb('p.sku_key', '=', sql<string>`any(${codes.map(code => code.toUpperCase())}::text[])`),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.name
}

/**
 * The walk of what is left, from here: the open lines by the shortest way, what was set aside after them. The lines change their
 * numbers among themselves, so that what is picked keeps its own. Answers the new numbers.
 */
export async function walkOn(
  db: Db,
  house: Pick<House, 'files'>,
  { pick_list_id, wagon_no }: Key,
  from: { cell: number | null; map_result_id: number | null },
): Promise<{ id: number; walk_no: number }[]> {
  const lines = await db
    .selectFrom('pick_lines')
    .select(['id', 'walk_no', 'cell', 'state', 'bin'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', 'in', ['open', 'skipped'])
    .orderBy('walk_no')
    .orderBy('id')
    .execute()
  const map = from.map_result_id === null ? null : await resultMap(db, house, from.map_result_id)
  type Row = (typeof lines)[number]
  const tourOf = (some: readonly Row[], start: number | null): Row[] => {
    const placed = some.filter(line => line.cell !== null)
    if (!map || start === null || placed.length < 2) return [...some]
    const between = (one: number, other: number) => map.distances.between(one, other)
    // All phones wait meanwhile: a good walk at once, not the best one.
    const stops = [...new Set(placed.map(line => line.cell as number))]
    const { order, length } = shortestTour(between, { start, end: map.end, stops, patience_ms: 2 })
    if (!Number.isFinite(length)) return [...some]
    const place = new Map(order.map((cell, i) => [cell, i]))
    const sorted = placed.toSorted(
      (a, b) => (place.get(a.cell as number) ?? 0) - (place.get(b.cell as number) ?? 0) || a.walk_no - b.walk_no,
    )
    return [...sorted, ...some.filter(line => line.cell === null)]
  }
  const first = tourOf(
    lines.filter(line => line.state === 'open'),
    from.cell,
  )
  const last = tourOf(
    lines.filter(line => line.state === 'skipped'),
    first.findLast(line => line.cell !== null)?.cell ?? from.cell,
  )
  const numbers = lines.map(line => line.walk_no).sort((a, b) => a - b)
  const walk = [...first, ...last].map((line, i) => ({ id: line.id, walk_no: numbers[i] as number }))
  await sql`update pick_lines l set walk_no = n.walk_no from unnest(${walk.map(one => one.id)}::bigint[], ${walk.map(one => one.walk_no)}::integer[]) n (id, walk_no)
    where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = n.id and l.walk_no <> n.walk_no`.execute(
    db,
  )
  return walk
}

/** The wagon for the phone. */
export async function wagonFor(db: Db, key: Key, user_id: number, now: Date): Promise<Wagon | undefined> {
  const since = new Date(now.getTime() - takenMinutes * 60_000).toISOString()
  const wagon = await wagonSeen(db, key.pick_list_id, key.wagon_no)
  if (!wagon) return undefined
  const people = await db
    .selectFrom('pick_wagon_people')
    .select(['user_id', 'user_name'])
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .where('left_at', 'is', null)
    .orderBy('joined_at')
    .execute()
  const seen = await db
    .selectFrom('pick_scans')
    .select('id')
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .where('user_id', '=', user_id)
    .orderBy('received_at', 'desc')
    .limit(200)
    .execute()
  const stale = await db
    .selectFrom('pick_lines')
    .select('id')
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .where('taken_by', 'is not', null)
    .where(eb => eb.or([eb('taken_at', 'is', null), eb('taken_at', '<', since)]))
    .execute()
  const here = new Set(people.map(one => one.user_id))
  const old = new Set(stale.map(one => one.id))
  return {
    ...wagon,
    pick_lines: wagon.pick_lines.map(line =>
      line.taken_by !== null && (old.has(line.id) || !here.has(line.taken_by)) ? { ...line, taken_by: null, taken_by_name: null } : line,
    ),
    pickers: people,
    seen: seen.map(one => one.id),
    expected: await expectedIn(db, key),
    now: now.toISOString(),
  }
}

/** What the last count of a bin left there, less what was picked from it since: a fact only where somebody has counted. */
async function expectedIn(db: Db, { pick_list_id, wagon_no }: Key): Promise<{ line: number; pieces: number }[]> {
  const { rows } = await sql<{ line: number; pieces: number }>`
    select l.id line, (c.counted - coalesce(p.picked, 0))::integer pieces
    from pick_lines l
    join lateral (
      select b.counted, b.done_at from bin_counts b
      where b.operator_id = l.operator_id and b.company_id = l.company_id and b.bin = l.bin and b.product_id = l.product_id and b.done_at is not null
        and b.counted is not null
      order by b.done_at desc limit 1) c on true
    left join lateral (
      select sum(x.quantity) picked from pick_lines n
      join pick_scans x on x.operator_id = n.operator_id and x.pick_line_id = n.id and x.kind = 'pick' and x.undone_by is null
      where n.operator_id = l.operator_id and n.company_id = l.company_id and n.bin = l.bin and n.product_id = l.product_id and x.received_at > c.done_at) p on true
    where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.pick_list_id = ${pick_list_id} and l.wagon_no = ${wagon_no}
      and l.state in ('open', 'skipped') and l.bin is not null and l.product_id is not null`.execute(db)
  return rows
}

interface CardRow {
  pick_list_id: number
  type: string
  wagon_no: number
  state: string
  user_id: number | null
  user_name: string | null
  last_at: string | null
  walk_dm: number | null
  estimated_s: number | null
  wagon_type: unknown
  pickers: { user_id: number; user_name: string }[]
  orders: number
  lines: number
  lines_done: number
  pieces: number
  stops: number
  ship_by: string | null
  first_bin: string | null
  pinned: number
}

/** Every wagon that can be walked with, the most urgent first. */
export async function wagonCards(db: Db, now: Date): Promise<(WagonCard & { user_ids: number[] })[]> {
  const { rows } = await sql<CardRow>`
    select w.pick_list_id, t.type, w.wagon_no, w.state, w.user_id, w.user_name, w.last_at, w.walk_dm, w.estimated_s, t.wagon_type,
      (select coalesce(json_agg(json_build_object('user_id', m.user_id, 'user_name', m.user_name) order by m.joined_at), '[]') from pick_wagon_people m
        where m.operator_id = w.operator_id and m.pick_list_id = w.pick_list_id and m.wagon_no = w.wagon_no and m.left_at is null) pickers,
      s.orders, s.ship_by, s.pinned, l.lines, l.lines_done, l.pieces, l.stops, l.first_bin
    from pick_wagons w join pick_lists t on t.operator_id = w.operator_id and t.id = w.pick_list_id
    cross join lateral (
      select count(*)::integer orders, min(o.ship_by) ship_by, count(o.pinned_at)::integer pinned
      from pick_slots x join orders o on o.operator_id = x.operator_id and o.id = x.order_id
      where x.operator_id = w.operator_id and x.company_id = any (scope_companies()) and x.pick_list_id = w.pick_list_id and x.wagon_no = w.wagon_no and x.live) s
    cross join lateral (
      select count(*)::integer lines, count(*) filter (where n.state not in ('open', 'skipped'))::integer lines_done, coalesce(sum(n.asked), 0)::integer pieces,
        count(distinct coalesce(n.cell::text, n.bin, ''))::integer stops,
        (array_agg(n.bin order by n.walk_no) filter (where n.state in ('open', 'skipped')))[1] first_bin
      from pick_lines n where n.operator_id = w.operator_id and n.company_id = any (scope_companies()) and n.pick_list_id = w.pick_list_id
        and n.wagon_no = w.wagon_no and n.state <> 'gone') l
    where w.operator_id = scope_operator() and w.state in ('open', 'claimed', 'picking', 'paused') and t.state in ('open', 'picking', 'picked', 'packing')
    order by s.pinned > 0 desc, s.ship_by nulls last, w.pick_list_id, w.wagon_no
    limit 500`.execute(db)
  return rows.map(({ walk_dm, estimated_s, wagon_type, pickers, ...row }) => ({
    ...row,
    type: row.type as WagonCard['type'],
    state: row.state as WagonCard['state'],
    pickers: pickers.map(one => one.user_name),
    user_ids: pickers.map(one => one.user_id),
    idle: row.state === 'paused' || isIdle(row.last_at, now),
    wagon_type: (wagon_type as Partial<WagonShape>).name ?? '',
    metres: metresOf(walk_dm),
    minutes: minutesOf(estimated_s),
  }))
}

export const isIdle = (last_at: string | null, now: Date): boolean =>
  last_at !== null && now.getTime() - Date.parse(last_at) > idleMinutes * 60_000

/** An active wagon of somebody, other than this one. */
export const otherWagonOf = (db: Db, user_id: number, { pick_list_id, wagon_no }: Key) =>
  db
    .selectFrom('pick_wagon_people as m')
    .innerJoin('pick_wagons as w', j => j.onRef('w.pick_list_id', '=', 'm.pick_list_id').onRef('w.wagon_no', '=', 'm.wagon_no'))
    .select(['w.pick_list_id', 'w.wagon_no'])
    .where('m.user_id', '=', user_id)
    .where('m.left_at', 'is', null)
    .where('w.state', 'in', ['claimed', 'picking', 'paused'])
    .where(eb => eb.not(eb.and([eb('w.pick_list_id', '=', pick_list_id), eb('w.wagon_no', '=', wagon_no)])))
    .executeTakeFirst()

export async function join({ db }: Pick<Tools, 'db'>, { pick_list_id, wagon_no }: Key, user: { id: number; name: string }): Promise<void> {
  await db
    .insertInto('pick_wagon_people')
    .values({ pick_list_id, wagon_no, user_id: user.id, user_name: user.name })
    .onConflict(c =>
      c.columns(['operator_id', 'pick_list_id', 'wagon_no', 'user_id']).doUpdateSet({ left_at: null, joined_at: sql`now()` }),
    )
    .execute()
}

/** Somebody leaves a wagon, or everybody but one does; what they had scanned for is free. */
export async function leave(
  { db }: Pick<Tools, 'db'>,
  { pick_list_id, wagon_no }: Key,
  who: { only: number } | { but: number },
): Promise<void> {
  const [user_id, sign] = 'only' in who ? [who.only, '='] : [who.but, '<>']
  await db
    .updateTable('pick_wagon_people')
    .set({ left_at: sql<string>`clock_timestamp()` })
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('left_at', 'is', null)
    .where('user_id', sign as '=', user_id)
    .execute()
  await db
    .updateTable('pick_lines')
    .set({ taken_by: null, taken_by_name: null, taken_at: null })
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', 'in', ['open', 'skipped'])
    .where('taken_by', sign as '=', user_id)
    .execute()
}

/** Wagons that nobody has touched for long, paused now. For the clock, which knows no tenant. */
export async function pauseIdleWagons(db: Db, now: Date): Promise<{ operator_id: number; pick_list_id: number; company_id: number }[]> {
  const before = new Date(now.getTime() - idleMinutes * 60_000).toISOString()
  const { rows } = await sql<{ operator_id: number; pick_list_id: number; company_id: number }>`
    update pick_wagons w set state = 'paused', version = w.version + 1
    from companies c
    where c.operator_id = w.operator_id and c.is_main and w.state = 'picking' and w.last_at < ${before}::timestamptz
    returning w.operator_id, w.pick_list_id, c.id company_id`.execute(db)
  return rows
}
