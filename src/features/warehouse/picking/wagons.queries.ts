/** Wagons and the people who walk with them: which wait, what is on one, who joins and who leaves. */
import { sql } from 'kysely'
import { metresOf, minutesOf } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import type { WagonShape } from '#features/warehouse/pick-lists/pick-lists.schemas.ts'
import { peopleOn, reclaimWagon } from '#features/warehouse/pick-lists/wagon-pickers.commands.ts'
import { wagonSeen } from '#features/warehouse/pick-lists/wagon-views.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { idleMinutes, isOpen, takenMinutes } from './picking.rules.ts'
import type { Wagon, WagonCard } from './picking.schemas.ts'
import type { Key } from './wagon-state.queries.ts'

/** The wagon for the phone. */
export async function wagonFor(db: Db, key: Key, user_id: number, now: Date): Promise<Wagon | undefined> {
  const since = new Date(now.getTime() - takenMinutes * 60_000).toISOString()
  const wagon = await wagonSeen(db, key.pick_list_id, key.wagon_no)
  if (!wagon) return undefined
  const people = await peopleOn(db, key)
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
      // Who decided a line stays with it.
      isOpen(line) && line.taken_by !== null && (old.has(line.id) || !here.has(line.taken_by))
        ? { ...line, taken_by: null, taken_by_name: null }
        : line,
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
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.pick_list_id = ${pick_list_id} and l.wagon_no = ${wagon_no}
      and l.state in ('open', 'skipped') and l.bin is not null and l.product_id is not null`.execute(db)
  return rows
}

interface CardRow {
  pick_list_id: number
  type: WagonCard['type']
  wagon_no: number
  state: WagonCard['state']
  user_id: number | null
  user_name: string | null
  last_at: string | null
  walk_dm: number | null
  estimated_s: number | null
  wagon_type: Partial<WagonShape>
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
      where x.operator_id = w.operator_id and x.company_id = any (current_company_ids()) and x.pick_list_id = w.pick_list_id and x.wagon_no = w.wagon_no and x.live) s
    cross join lateral (
      select count(*)::integer lines, count(*) filter (where n.state not in ('open', 'skipped'))::integer lines_done, coalesce(sum(n.asked), 0)::integer pieces,
        count(distinct coalesce(n.cell::text, n.bin, ''))::integer stops,
        (array_agg(n.bin order by n.walk_no) filter (where n.state in ('open', 'skipped')))[1] first_bin
      from pick_lines n where n.operator_id = w.operator_id and n.company_id = any (current_company_ids()) and n.pick_list_id = w.pick_list_id
        and n.wagon_no = w.wagon_no and n.state <> 'gone') l
    where w.operator_id = current_operator_id() and w.state in ('open', 'claimed', 'picking', 'paused') and t.state in ('open', 'picking', 'picked', 'packing')
    order by s.pinned > 0 desc, s.ship_by nulls last, w.pick_list_id, w.wagon_no
    limit 500`.execute(db)
  return rows.map(({ walk_dm, estimated_s, wagon_type, pickers, ...row }) => ({
    ...row,

    pickers: pickers.map(one => one.user_name),
    user_ids: pickers.map(one => one.user_id),
    idle: row.state === 'paused' || isIdle(row.last_at, now),
    wagon_type: wagon_type.name ?? '',
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

/** Claims a wagon again that was freed while its picker worked offline: only a free one, and only for a picker without another. */
export async function claimAgain(db: Db, key: Key, user: { id: number; name: string }): Promise<boolean> {
  return !(await otherWagonOf(db, user.id, key)) && reclaimWagon(db, key, user)
}
