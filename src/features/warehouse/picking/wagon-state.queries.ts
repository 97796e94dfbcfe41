/** What one event is judged by, in one statement: forty phones wait for it. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { takenMinutes } from './picking.rules.ts'
import type { LineNow, Wagon } from './picking.schemas.ts'

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
  codes: { digits: string; state: string; slot_no: number; full: boolean }[]
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
  asked: {
    user_id: number
    event_id: string
    codes: readonly string[]
    now: Date
    /** When the event happened: a tote that was full only later could still be used. */
    at: string
    take: boolean
  },
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
      (select coalesce(json_agg(json_build_object('digits', c.digits, 'state', c.state, 'slot_no', c.slot_no,
          'full', exists (select from paperless_codes n where n.operator_id = c.operator_id and n.pick_list_id = c.pick_list_id and n.wagon_no = c.wagon_no
            and n.slot_no = c.slot_no and n.bound_at > c.bound_at and n.bound_at < ${asked.at}::timestamptz)) order by length(c.digits), c.digits), '[]')
        from paperless_codes c where c.operator_id = l.operator_id and c.pick_list_id = l.pick_list_id and c.wagon_no = l.wagon_no) codes
    from pick_lines l
    join orders o on o.operator_id = l.operator_id and o.id = l.order_id
    join pick_wagons w on w.operator_id = l.operator_id and w.pick_list_id = l.pick_list_id and w.wagon_no = l.wagon_no
    join pick_lists t on t.operator_id = w.operator_id and t.id = w.pick_list_id
    join pick_slots s on s.operator_id = l.operator_id and s.pick_list_id = l.pick_list_id and s.wagon_no = l.wagon_no and s.slot_no = l.slot_no
    ${memberJoin(asked.user_id)}
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = ${line_id}
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
    where w.operator_id = current_operator_id() and w.pick_list_id = ${pick_list_id} and w.wagon_no = ${wagon_no}`.execute(db)
  return rows[0]
}

export const wagonState = async (db: Db, { pick_list_id, wagon_no }: Key): Promise<Wagon['state']> =>
  (
    await db
      .selectFrom('pick_wagons')
      .select('state')
      .where('pick_list_id', '=', pick_list_id)
      .where('wagon_no', '=', wagon_no)
      .executeTakeFirstOrThrow()
  ).state

/** The line as it is, for the answer to an event sent again. */
export const lineNow = (db: Db, line_id: number): Promise<LineNow | undefined> =>
  db
    .selectFrom('pick_lines')
    .select(['id', 'asked', 'picked', 'state', 'walk_no', 'taken_by', 'taken_by_name'])
    .where('id', '=', line_id)
    .executeTakeFirst()

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
