/** How fast the warehouse works now, and who works where. Needs the scope of the operator. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

type Stage = 'pack' | 'pick'

interface StagePace {
  /** Work done in the last half hour, in small orders, and the person-hours that it took. */
  done: number
  hours: number
  /** Users whose last event here is no older than a quarter of an hour. */
  active: number[]
  /** Orders that a person usually does in an hour; null without history. */
  usual: number | null
}

interface PlannedShift {
  user_id: number
  from: number
  until: number
}

export interface Pace {
  pack: StagePace
  pick: StagePace
  packed_last_hour: number
  /** Who is clocked in, by the type of the punch; empty where no one uses the punch clock. */
  punched: { user_id: number; type: string }[]
  shifts: PlannedShift[]
  /** The stage at which people mostly worked in the last weeks. */
  stageOf: Map<number, Stage>
}

const window_ms = 1_800_000
const active_ms = 900_000
/** A longer gap between two events is no work. */
const gap_s = 300

const work = sql.raw('least(5, 1 + 0.15 * greatest(0, o.item_count - 1))')

export async function paceOf(db: Db, now: Date): Promise<Pace> {
  const since = new Date(now.getTime() - window_ms).toISOString()
  const at = now.toISOString()
  const [people, done, usual, stageRows, punched, shifts] = await Promise.all([
    sql<{ stage: Stage; user_id: number; active_s: number; last_at: string }>`
    with s as (
      select 'pack' as stage, s.user_id, s.at from packing_scans s
      where s.operator_id = current_operator_id() and s.at >= ${since} and s.at <= ${at} and s.user_id is not null and s.undone_by is null
      union all
      select 'pick', s.user_id, s.at from pick_scans s
      where s.operator_id = current_operator_id() and s.at >= ${since} and s.at <= ${at} and s.undone_by is null),
    gaps as (select stage, user_id, at, extract(epoch from at - lag(at) over (partition by stage, user_id order by at)) gap from s)
    select stage, user_id, coalesce(sum(gap) filter (where gap < ${gap_s}), 0)::float8 active_s, max(at) last_at from gaps group by stage, user_id`.execute(
      db,
    ),
    sql<{ stage: Stage | 'hour'; work: number }>`
    select 'pack' as stage, coalesce(sum(${work}), 0)::float8 as work from packing_sessions c
      join orders o on o.operator_id = c.operator_id and o.id = c.order_id
      where c.operator_id = current_operator_id() and c.state = 'done' and c.ended_at >= ${since} and c.ended_at <= ${at}
    union all
    select 'pick', coalesce(sum(${work}), 0)::float8 from (
      select distinct s.order_id from pick_scans s where s.operator_id = current_operator_id() and s.at >= ${since} and s.at <= ${at}
        and s.result in ('slot_done', 'wagon_done') and s.undone_by is null and s.order_id is not null) p
      join orders o on o.operator_id = current_operator_id() and o.id = p.order_id
    union all
    select 'hour', count(*)::float8 from packing_sessions c where c.operator_id = current_operator_id() and c.state = 'done'
      and c.ended_at >= ${new Date(now.getTime() - 3_600_000).toISOString()} and c.ended_at <= ${at}`.execute(db),
    sql<{ kind: Stage; usual: number | null }>`
    select w.kind, percentile_cont(0.5) within group (order by w.orders * 3600.0 / w.active_s) as usual from work_daily w
    where w.operator_id = current_operator_id() and w.company_id = any (current_company_ids()) and w.day >= (${at}::timestamptz - interval '56 days')::date
      and w.active_s >= 1800 and w.orders > 0 group by w.kind`.execute(db),
    sql<{ user_id: number; kind: Stage }>`
    select distinct on (w.user_id) w.user_id, w.kind from work_daily w
    where w.operator_id = current_operator_id() and w.company_id = any (current_company_ids()) and w.day >= (${at}::timestamptz - interval '21 days')::date
    group by w.user_id, w.kind order by w.user_id, sum(w.active_s) desc`.execute(db),
    sql<{ user_id: number; type: string }>`
    select p.user_id, p.type from punches p where p.operator_id = current_operator_id() and p.company_id = any (current_company_ids())
      and p.ended_at is null and p.out_not_after is null and p.state in ('open', 'time_unverified') limit 1000`.execute(db),
    sql<{ user_id: number; start_at: string; end_at: string }>`
    select e.published_user_id as user_id, e.published_start_at as start_at, e.published_end_at as end_at from schedule_entries e
    where e.operator_id = current_operator_id() and e.company_id = any (current_company_ids()) and e.kind = 'shift' and e.published_user_id is not null
      and e.published_date between (${at}::timestamptz - interval '1 day')::date and (${at}::timestamptz + interval '1 day')::date
      and e.published_end_at > ${at} limit 1000`.execute(db),
  ])

  const workIn = (stage: Stage | 'hour') => done.rows.find(row => row.stage === stage)?.work ?? 0
  const of = (stage: Stage): StagePace => {
    const here = people.rows.filter(row => row.stage === stage)
    return {
      done: workIn(stage),
      hours: here.reduce((sum, row) => sum + row.active_s, 0) / 3_600,
      active: here.filter(row => Date.parse(row.last_at) >= now.getTime() - active_ms).map(row => row.user_id),
      usual: usual.rows.find(row => row.kind === stage)?.usual ?? null,
    }
  }
  return {
    pack: of('pack'),
    pick: of('pick'),
    packed_last_hour: workIn('hour'),
    punched: punched.rows,
    shifts: shifts.rows.map(row => ({ user_id: row.user_id, from: Date.parse(row.start_at), until: Date.parse(row.end_at) })),
    stageOf: new Map(stageRows.rows.map(row => [row.user_id, row.kind])),
  }
}
