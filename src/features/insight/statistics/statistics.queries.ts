/** Queries of statistics: one day at a time, along the index by time. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { breakGap_s, shiftGap_s, type WagonEvent } from './statistics.rules.ts'
import type { PackDay, PickDay, PickStatistics } from './statistics.schemas.ts'

/** Start and end of a day in a time zone. */
export function dayOf(day: string, time_zone: string): { from: string; to: string } {
  const date = Temporal.PlainDate.from(day)
  const at = (date: Temporal.PlainDate) => new Date(date.toZonedDateTime(time_zone).epochMilliseconds).toISOString()
  return { from: at(date), to: at(date.add({ days: 1 })) }
}

interface Span {
  day: string
  from: string
  to: string
}

/** Results of the phone that counted pieces into a slot. */
const picked = sql`(s.kind = 'pick' and s.result in ('ok', 'line_done', 'slot_done', 'wagon_done'))`

/** Events without an order, such as taking a wagon, belong to the main company. */
const inReach = (main: boolean) => sql`(s.order_company_id = any (current_company_ids()) or (${main} and s.order_company_id is null))`

export async function picksOfDay(db: Db, main: boolean, { day, from, to }: Span): Promise<PickDay[]> {
  const { rows } = await sql<PickDay>`
    with s as (
      select s.user_id, s.user_name, s.at, s.kind, s.result, s.quantity, s.order_id, s.pick_line_id, s.pick_list_id, s.wagon_no,
        extract(epoch from s.at - lag(s.at) over (partition by s.user_id order by s.at)) gap
      from pick_scans s
      where s.operator_id = current_operator_id() and s.at >= ${from} and s.at < ${to} and s.undone_by is null and ${inReach(main)}),
    walked as (
      select w.user_id, sum(w.walk_dm) walk_dm from pick_wagons w
      where w.operator_id = current_operator_id() and ${main} and w.picked_at >= ${from} and w.picked_at < ${to} and w.user_id is not null
      group by w.user_id)
    select s.user_id, max(s.user_name) user_name, ${day} as day,
      coalesce(sum(s.quantity) filter (where ${picked}), 0)::integer pieces,
      count(distinct s.pick_line_id) filter (where ${picked})::integer lines,
      count(distinct s.order_id) filter (where ${picked})::integer orders,
      count(*) filter (where s.kind in ('bin', 'product', 'pick', 'wrong'))::integer scans,
      count(*) filter (where s.kind = 'wrong' or s.result in ('wrong_product', 'wrong_bin', 'wrong_slot', 'tote_elsewhere'))::integer wrong,
      coalesce(round(sum(s.gap) filter (where s.gap < ${breakGap_s})), 0)::integer active_s,
      coalesce(round(sum(s.gap) filter (where s.gap >= ${breakGap_s} and s.gap < ${shiftGap_s})), 0)::integer break_s,
      count(distinct (s.pick_list_id, s.wagon_no)) filter (where s.kind = 'pick')::integer wagons,
      count(distinct s.pick_line_id) filter (where s.result = 'short')::integer shorts,
      count(*) filter (where s.result = 'skipped')::integer skips,
      coalesce(max(walked.walk_dm), 0)::integer walk_dm
    from s left join walked on walked.user_id = s.user_id
    group by s.user_id order by s.user_id`.execute(db)
  return rows
}

export async function packsOfDay(db: Db, { day, from, to }: Span): Promise<PackDay[]> {
  const { rows } = await sql<PackDay>`
    with s as (
      select s.user_id, s.user_name, s.at, s.result, s.quantity, s.order_id, s.order_line_id,
        extract(epoch from s.at - lag(s.at) over (partition by s.user_id order by s.at)) gap
      from packing_scans s
      where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.at >= ${from} and s.at < ${to}
        and s.undone_by is null and s.user_id is not null),
    closed as (
      select c.user_id, count(*) parcels, sum(least(extract(epoch from c.ended_at - c.opened_at), ${shiftGap_s})) pack_s, max(c.user_name) user_name
      from packing_sessions c
      where c.operator_id = current_operator_id() and c.company_id = any (current_company_ids()) and c.ended_at >= ${from} and c.ended_at < ${to} and c.state = 'done'
      group by c.user_id),
    worked as (
      select s.user_id, max(s.user_name) user_name,
        sum(s.quantity) filter (where s.quantity > 0 and s.result in ('ok', 'line_done', 'order_done')) pieces,
        count(distinct s.order_line_id) filter (where s.quantity > 0) lines,
        count(distinct s.order_id) orders,
        count(*) filter (where s.result not in ('undone', 'ignored', 'stopped')) scans,
        count(*) filter (where s.result in ('wrong', 'unknown', 'over', 'serial_refused')) wrong,
        sum(s.gap) filter (where s.gap < ${breakGap_s}) active_s,
        sum(s.gap) filter (where s.gap >= ${breakGap_s} and s.gap < ${shiftGap_s}) break_s
      from s group by s.user_id)
    select user_id, coalesce(closed.user_name, worked.user_name, '') user_name, ${day} as day, coalesce(pieces, 0)::integer pieces, coalesce(lines, 0)::integer lines,
      coalesce(orders, 0)::integer orders, coalesce(scans, 0)::integer scans, coalesce(wrong, 0)::integer wrong,
      coalesce(round(active_s), 0)::integer active_s, coalesce(round(break_s), 0)::integer break_s,
      coalesce(parcels, 0)::integer parcels, coalesce(round(pack_s), 0)::integer pack_s
    from worked full join closed using (user_id)
    order by user_id`.execute(db)
  return rows
}

/** Sums up each picker of a wagon first, because few names remain to be grouped then. */
export async function wagonsOf(db: Db, main: boolean, { from, to }: Omit<Span, 'day'>): Promise<PickStatistics['wagons']> {
  const { rows } = await sql<PickStatistics['wagons'][number]>`
    select w.pick_list_id, w.wagon_no, string_agg(distinct w.user_name, ', ') user_name, min(w.began_at) began_at, max(w.ended_at) ended_at,
      sum(w.pieces)::integer pieces
    from (
      select s.pick_list_id, s.wagon_no, s.user_name, min(s.at) began_at, max(s.at) ended_at,
        coalesce(sum(s.quantity) filter (where ${picked} and s.undone_by is null), 0) pieces
      from pick_scans s
      where s.operator_id = current_operator_id() and s.at >= ${from} and s.at < ${to} and ${inReach(main)}
      group by s.pick_list_id, s.wagon_no, s.user_name) w
    group by w.pick_list_id, w.wagon_no order by min(w.began_at) desc limit 500`.execute(db)
  return rows
}

export async function wagonEvents(db: Db, pick_list_id: number, wagon_no: number): Promise<(WagonEvent & { user_name: string })[]> {
  const { rows } = await sql<WagonEvent & { user_name: string }>`
    select s.at, s.kind, s.user_name, l.bin from pick_scans s
      left join pick_lines l on l.operator_id = s.operator_id and l.id = s.pick_line_id and l.company_id = any (current_company_ids())
    where s.operator_id = current_operator_id() and s.pick_list_id = ${pick_list_id} and s.wagon_no = ${wagon_no}
    order by s.at limit 20000`.execute(db)
  return rows
}

export const wagonExists = (db: Db, pick_list_id: number, wagon_no: number) =>
  db
    .selectFrom('pick_wagons')
    .select('wagon_no')
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .executeTakeFirst()

const keptDays = 7

/** Stores an answer, and deletes old ones. */
export async function keepAnswer(
  db: Db,
  kept: { kind: string; question: object; answer: object; user_id: number; now: Date },
): Promise<number> {
  await db
    .deleteFrom('statistics_results')
    .where('created_at', '<', new Date(kept.now.getTime() - keptDays * 86_400_000).toISOString())
    .execute()
  const { id } = await db
    .insertInto('statistics_results')
    .values({
      kind: kept.kind,
      question: JSON.stringify(kept.question),
      answer: JSON.stringify(kept.answer),
      created_by: kept.user_id,
      created_at: kept.now.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A stored answer of this company. */
export const keptAnswer = (db: Db, kind: string, id: number) =>
  db
    .selectFrom('statistics_results')
    .select(['id', 'question', 'answer', 'created_at'])
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
