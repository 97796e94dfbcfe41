/** Weights of the demo: the second station has a scale, which sometimes says more than the products weigh. */
import { sql } from 'kysely'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

/** One parcel in so many weighs more than it should; the lead takes each second of these. */
const every = 29
const tolerance_g = 200

export const buildParcelWeights = (services: Services, scope: TenantScope, { lead }: { lead: { name: string } }): Promise<unknown> =>
  services.database.transaction(scope, db =>
    sql`
      with weighed as (
        select s.operator_id, s.company_id, s.id as session_id, s.order_id, s.user_name, s.station, s.ended_at, h.weight_g,
          row_number() over (order by s.id) as nth,
          (select md5(string_agg(l.order_line_id || ':' || l.qty, ',' order by l.order_line_id)) from parcel_lines l
            where l.operator_id = s.operator_id and l.order_id = s.order_id and l.parcel_no = 1 and l.qty > 0) as contents
        from packing_sessions s
        join shipments h on h.operator_id = s.operator_id and h.order_id = s.order_id and h.parcel_no = 1 and h.operation_code = 'outbound'
        where s.operator_id = current_operator_id() and s.state = 'done' and s.station = 'Packing 2' and h.weight_g > 0
      )
      insert into parcel_weights (company_id, order_id, session_id, parcel_no, contents, weight_g, source, expected_g, tolerance_g, outcome,
        overridden_by, weighed_by, station, weighed_at)
      select w.company_id, w.order_id, w.session_id, 1, w.contents, w.weight_g + t.more_g, 'scale', w.weight_g,
        greatest(${tolerance_g}, w.weight_g / 10), t.outcome, case when t.outcome = 'overridden' then ${lead.name} end, w.user_name, w.station,
        w.ended_at - t.ago
      from weighed w cross join lateral (
        select 'ok' as outcome, (w.nth * 37 % 90)::integer - 30 as more_g, interval '14 seconds' as ago where w.nth % ${every} <> 0
        union all select 'asked', greatest(${tolerance_g}, w.weight_g / 10) + 60, interval '30 seconds' where w.nth % ${every} = 0
        union all select case when w.nth % ${2 * every} = 0 then 'overridden' else 'ok' end,
          case when w.nth % ${2 * every} = 0 then greatest(${tolerance_g}, w.weight_g / 10) + 60 else 12 end, interval '12 seconds'
          where w.nth % ${every} = 0
      ) t
      where w.contents is not null and w.weight_g + t.more_g > 0`.execute(db),
  )
