/** The history of a return: its events, and those of its pieces that were put back. */
import { sql } from 'kysely'
import type { Page } from '#contract/page.ts'
import type { TimelineEntry } from '#features/orders/orders/orders.schemas.ts'
import { entryOf, type StaffNames, shownActor, type TimelineRow } from '#features/orders/orders/timeline.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'

export async function timelineOfReturn(
  db: Db,
  { operator_id, companies }: TenantScope,
  id: number,
  { staff, offset, limit }: { staff: StaffNames; offset: number; limit: number },
): Promise<Page<TimelineEntry>> {
  const columns = sql`'event' as source, e.id, e.at, e.kind, ${shownActor('e.actor_name', staff, sql`e.actor_kind is distinct from 'system' and e.actor_company_id <> all(${companies})`)} as actor,
    e.station, e.data || coalesce(p.data, '{}') as data`
  const from = sql`events e left join event_personal p on p.operator_id = e.operator_id and p.event_id = e.id and p.at = e.at
    where e.operator_id = ${operator_id} and e.company_id = any(${companies})`
  const all = sql`
    select ${columns} from ${from} and e.subject = 'return' and e.subject_id = ${id}
    union all
    select ${columns} from put_backs b, ${from} and e.order_id = b.order_id and e.kind = 'order.piece_put_back' and e.subject_id = b.id
      and b.operator_id = ${operator_id} and b.return_id = ${id}`
  const { rows } =
    await sql<TimelineRow>`select * from (${all}) happened order by at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`select count(*) n from (${all}) happened`.execute(db)
  return {
    rows: rows.map(entryOf),
    total: Number(counted.rows[0]?.n ?? 0),
    total_is_more: false,
    offset,
    limit,
  }
}
