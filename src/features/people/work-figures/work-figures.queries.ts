/** What each person of the warehouse did on a day, from the scans of the orders of every company that it packs for. */
import { sql } from 'kysely'
import { boundsOfDay } from '#domain/local-days.ts'
import type { Db } from '#platform/database/database.ts'

const figureNames = [
  'orders',
  'lines',
  'pieces',
  'grams',
  'wagons',
  'scans',
  'wrong',
  'shorts',
  'wagon_claims',
  'active_s',
  'break_s',
] as const
type FigureName = (typeof figureNames)[number]
type Figures = Record<FigureName, number>

export interface DayFigures extends Figures {
  user_id: number
  day: string
  kind: 'pick' | 'pack'
}

/** A gap of five minutes is a break; one of four hours is another shift. */
const breakGap_s = 300
const shiftGap_s = 14_400

/** Counts one day from the scans. Needs the scope of the operator: the orders are those of all its companies. */
export async function countDay(db: Db, day: string, time_zone: string): Promise<DayFigures[]> {
  const { from, to } = boundsOfDay(day, time_zone)
  const picks = await sql<DayFigures>`
    with s as (
      select s.user_id, s.at, s.kind, s.result, s.quantity, s.order_id, s.pick_line_id, s.pick_list_id, s.wagon_no, coalesce(l.weight_g, 0) weight_g,
        s.kind = 'pick' and s.result in ('ok', 'line_done', 'slot_done', 'wagon_done') as picked,
        extract(epoch from s.at - lag(s.at) over (partition by s.user_id order by s.at)) gap
      from pick_scans s
        left join pick_lines p on p.operator_id = s.operator_id and p.id = s.pick_line_id
        left join order_lines l on l.operator_id = s.operator_id and l.id = p.order_line_id
      where s.operator_id = current_operator_id() and s.at >= ${from} and s.at < ${to} and s.undone_by is null)
    select user_id, ${day} as day, 'pick' as kind,
      count(distinct order_id) filter (where picked)::integer orders,
      count(distinct pick_line_id) filter (where picked)::integer lines,
      coalesce(sum(quantity) filter (where picked), 0)::integer pieces,
      coalesce(sum(quantity * weight_g) filter (where picked), 0)::bigint grams,
      count(distinct (pick_list_id, wagon_no)) filter (where picked)::integer wagons,
      count(*) filter (where kind in ('bin', 'product', 'pick', 'wrong'))::integer scans,
      count(*) filter (where kind = 'wrong' or result in ('wrong_product', 'wrong_bin', 'wrong_slot', 'tote_elsewhere'))::integer wrong,
      count(distinct pick_line_id) filter (where result = 'short')::integer shorts,
      count(distinct (pick_list_id, wagon_no)) filter (where kind = 'claim')::integer wagon_claims,
      coalesce(round(sum(gap) filter (where gap < ${breakGap_s})), 0)::integer active_s,
      coalesce(round(sum(gap) filter (where gap >= ${breakGap_s} and gap < ${shiftGap_s})), 0)::integer break_s
    from s group by user_id`.execute(db)
  const packs = await sql<DayFigures>`
    with s as (
      select s.user_id, s.at, s.result, s.quantity, s.order_id, s.order_line_id, coalesce(l.weight_g, 0) weight_g,
        s.quantity > 0 and s.result in ('ok', 'line_done', 'order_done') as packed,
        extract(epoch from s.at - lag(s.at) over (partition by s.user_id order by s.at)) gap
      from packing_scans s left join order_lines l on l.operator_id = s.operator_id and l.id = s.order_line_id
      where s.operator_id = current_operator_id() and s.at >= ${from} and s.at < ${to} and s.undone_by is null and s.user_id is not null),
    closed as (
      select c.user_id, count(*) orders from packing_sessions c
      where c.operator_id = current_operator_id() and c.ended_at >= ${from} and c.ended_at < ${to} and c.state = 'done' group by c.user_id),
    worked as (
      select user_id,
        count(distinct order_line_id) filter (where packed) lines,
        sum(quantity) filter (where packed) pieces,
        sum(quantity * weight_g) filter (where packed) grams,
        count(*) filter (where result not in ('undone', 'ignored', 'stopped')) scans,
        count(*) filter (where result in ('wrong', 'unknown', 'over', 'serial_refused')) wrong,
        sum(gap) filter (where gap < ${breakGap_s}) active_s,
        sum(gap) filter (where gap >= ${breakGap_s} and gap < ${shiftGap_s}) break_s
      from s group by user_id)
    select user_id, ${day} as day, 'pack' as kind, coalesce(closed.orders, 0)::integer orders, coalesce(lines, 0)::integer lines,
      coalesce(pieces, 0)::integer pieces, coalesce(grams, 0)::bigint grams, 0 as wagons, coalesce(scans, 0)::integer scans,
      coalesce(wrong, 0)::integer wrong, 0 as shorts, 0 as wagon_claims,
      coalesce(round(active_s), 0)::integer active_s, coalesce(round(break_s), 0)::integer break_s
    from worked full join closed using (user_id)`.execute(db)
  return [...picks.rows, ...packs.rows].map(row => ({ ...row, grams: Number(row.grams) }))
}

/** Counted days of the company's staff; days that are not counted have no rows. */
export const figuresBetween = (db: Db, { from, to, user_id }: { from: string; to: string; user_id?: number | undefined }) =>
  db
    .selectFrom('work_daily')
    .select(['user_id', 'day', 'kind', ...figureNames])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .$if(user_id !== undefined, query => query.where('user_id', '=', user_id ?? 0))
    .orderBy('day')
    .execute()

/** Days of a period that were not counted after they had ended. */
export async function uncountedDays(db: Db, { from, to }: { from: string; to: string }, time_zone: string): Promise<string[]> {
  const rows = await db
    .selectFrom('work_days_counted')
    .select(['day', 'counted_at'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  const counted = new Map(rows.map(row => [row.day, row.counted_at]))
  const days: string[] = []
  for (
    let day = Temporal.PlainDate.from(from);
    Temporal.PlainDate.compare(day, Temporal.PlainDate.from(to)) <= 0;
    day = day.add({ days: 1 })
  ) {
    const at = counted.get(day.toString())
    if (at === undefined || Date.parse(at) < Date.parse(boundsOfDay(day.toString(), time_zone).to)) days.push(day.toString())
  }
  return days
}
