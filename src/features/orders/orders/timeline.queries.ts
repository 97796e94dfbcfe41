/** The timeline: everything that happened to an order – events, scans, prints and the parcel's way – in one list. */
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod'
import type { Page } from '#contract/page.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { TimelineEntry, TimelineKind } from './orders.schemas.ts'
import { asEntry, kindsOf } from './timeline.rules.ts'

export interface TimelineRow {
  source: 'event' | 'scan' | 'print' | 'parcel'
  id: string
  at: string
  kind: string
  actor: string
  station: string | null
  data: unknown
}

const Data = z.record(z.string(), z.unknown()).catch({})

/** A row as its reader sees it. */
export const entryOf = ({ source, id, data, kind, ...row }: TimelineRow): TimelineEntry => ({
  key: `${source} ${id}`,
  ...row,
  ...asEntry(source, kind, Data.parse(data)),
})

/** How people of companies beyond the scope appear: by their first names, or as "Warehouse". */
export type StaffNames = 'first_names' | 'warehouse'

/** The name in a column as the reader may see it; `foreign` says that the person is of a company beyond the scope. */
export const shownActor = (name: string, staff: StaffNames, foreign: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case when ${foreign} then ${staff === 'warehouse' ? sql`'Warehouse'` : sql`split_part(${sql.ref(name)}, ' ', 1)`} else coalesce(${sql.ref(name)}, 'system') end`

/**
 * One page, the newest first. Four sources, each along the index by its order. Staff of companies beyond the scope, which a shop's is
 * the warehouse, appear by their first names or as "Warehouse".
 */
export async function timelineOf(
  db: Db,
  { operator_id, companies }: TenantScope,
  order_id: number,
  { kinds, staff, offset, limit }: { kinds: readonly TimelineKind[]; staff: StaffNames; offset: number; limit: number },
): Promise<Page<TimelineEntry>> {
  const { eventPattern, scans, prints, parcels } = kindsOf(kinds)
  const named = (name: string, foreign: RawBuilder<unknown>) => shownActor(name, staff, foreign)
  const isForeign = (user: string) => sql`${sql.ref(user)} is not null and not exists (
    select from users u where u.operator_id = ${operator_id} and u.id = ${sql.ref(user)} and u.company_id = any(${companies}))`
  const all = sql`
    select 'event' as source, e.id::text as id, e.at, e.kind, ${named('e.actor_name', sql`e.actor_kind is distinct from 'system' and e.actor_company_id <> all(${companies})`)} as actor, e.station, e.data || coalesce(p.data, '{}') as data
      from events e left join event_personal p on p.operator_id = e.operator_id and p.event_id = e.id and p.at = e.at
      where e.operator_id = ${operator_id} and e.company_id = any(${companies}) and e.order_id = ${order_id} and e.kind ~ ${eventPattern}
    union all
    select 'scan', s.id::text, s.at, s.result, ${named('s.user_name', isForeign('s.user_id'))}, s.station, jsonb_build_object('raw', s.raw, 'method', s.method,
        'quantity', s.quantity, 'serial', s.serial, 'undone', s.undone_by is not null, 'name', l.name, 'sku', l.sku)
      from packing_sessions p join packing_scans s on s.operator_id = p.operator_id and s.session_id = p.id
      left join order_lines l on l.operator_id = s.operator_id and l.id = s.order_line_id
      where ${scans} and p.operator_id = ${operator_id} and p.company_id = any(${companies}) and p.order_id = ${order_id}
        and s.result <> 'parcel_next'
    union all
    select 'print', j.id::text, coalesce(j.accepted_at, j.finished_at, j.created_at), j.state, ${named('j.requested_by_name', isForeign('j.requested_by'))}, j.station,
        jsonb_build_object('title', j.title, 'copy_no', j.copy_no, 'error', j.error, 'printer', r.name)
      from print_jobs j left join printers r on r.operator_id = j.operator_id and r.id = j.printer_id
      where ${prints} and j.operator_id = ${operator_id} and j.company_id = any(${companies}) and j.order_id = ${order_id}
    union all
    select 'parcel', v.id::text, v.at, v.state, v.source, null, jsonb_build_object('text', v.text, 'place', v.place, 'tracking_no', s.tracking_no, 'parcel_no', s.parcel_no)
      from shipments s join shipment_events v on v.operator_id = s.operator_id and v.shipment_id = s.id
      where ${parcels} and s.operator_id = ${operator_id} and s.company_id = any(${companies}) and s.order_id = ${order_id}`
  const [{ rows }, counted] = await Promise.all([
    sql<TimelineRow>`select * from (${all}) happened order by at desc, id desc limit ${limit} offset ${offset}`.execute(db),
    sql<{ n: number }>`select count(*) n from (${all} limit 10001) happened`.execute(db),
  ])
  const total = Number(counted.rows[0]?.n ?? 0)
  return {
    rows: rows.map(entryOf),
    total: Math.min(total, 10_000),
    total_is_more: total > 10_000,
    offset,
    limit,
  }
}
