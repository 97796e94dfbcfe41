/** Parcels of the demo that need somebody after the hand-over, and claims against couriers – all invented. */
import { sql } from 'kysely'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

interface Person {
  id: number
  name: string
}

export async function buildShipmentExceptions(services: Services, scope: TenantScope, lead: Person): Promise<void> {
  const now = services.now().toISOString()
  await services.database.transaction(scope, async db => {
    await sql`
      insert into shipment_exceptions (company_id, shipment_id, order_id, kind, opened_at, owner_user_id, owner_name, next_step, next_at)
      select s.company_id, s.id, s.order_id, s.kind, s.opened_at,
        case when s.no % 3 = 1 then ${lead.id}::bigint end, case when s.no % 3 = 1 then ${lead.name}::text end,
        case when s.no % 3 = 1 then 'Ask the courier' else '' end,
        case when s.no % 3 = 1 then ${now}::timestamptz + (s.no - 4) * interval '5 hours' end
      from (
        select s.*, row_number() over (partition by s.kind order by s.id desc) no from (
          select s.company_id, s.id, s.order_id, case s.state when 'needs_attention' then 'no_scan' when 'delivery_failed' then 'delivery_failed'
            when 'ready_for_pickup' then 'waiting_in_shop' when 'lost' then 'lost' else 'returned' end as kind,
            least(coalesce((select max(e.at) from shipment_events e where e.operator_id = s.operator_id and e.shipment_id = s.id), s.created_at),
              ${now}::timestamptz) as opened_at
          from shipments s
          where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.operation_code = 'outbound'
            and s.state in ('needs_attention', 'delivery_failed', 'ready_for_pickup', 'lost', 'returning', 'returned_to_sender')) s) s
      where s.no <= 6`.execute(db)
    await sql`
      insert into claims (company_id, shipment_id, order_id, kind, state, amount, granted, currency, noticed_on, deadline_on, sent_at, settled_at, reference,
        note, created_by, created_at)
      select s.company_id, s.id, s.order_id, case when s.state = 'lost' then 'loss' when s.no % 4 = 0 then 'missing_item' else 'damage' end, s.claim,
        29900 + s.no * 4500, case s.claim when 'won' then 29900 + s.no * 4000 end, 'DKK', s.day,
        case s.claim when 'open' then ${now}::date + s.no::integer else s.day + 14 end,
        case when s.claim <> 'open' then s.day + interval '2 days' end,
        case when s.claim in ('won', 'lost') then s.day + interval '12 days' end,
        case when s.claim <> 'open' then 'C-' || (40210 + s.no) else '' end,
        case when s.no % 2 = 0 then 'The box is crushed on one side.' else '' end, ${lead.name}, s.day + interval '9 hours'
      from (
        select s.*, least(coalesce(s.delivered_at, s.created_at)::date + 1, ${now}::date) as day,
          (array['open', 'sent', 'won', 'lost'])[1 + s.no % 4] as claim
        from (
          select s.*, row_number() over (order by (s.state = 'lost') desc, s.id desc) no from shipments s
          where s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.operation_code = 'outbound'
            and s.order_id is not null and (s.state = 'lost' or (s.state = 'delivered' and s.id % 37 = 0))) s
        where s.no <= 9) s`.execute(db)
  })
}
