-- in batches
-- The kind of who acted as far as an old event says it, and the present names on old scans and steps of shipments.
with events_filled as (
  update events set actor_kind = case when actor_name = 'system' then 'system' when user_id is not null then 'user' else 'api_key' end
  where ctid = any (array(select ctid from events where actor_kind is null limit 20000))
  returning 1),
packing_scans_filled as (
  update packing_scans s set user_name = coalesce(u.name, '')
  from (select p.ctid as place, p.operator_id, p.user_id from packing_scans p where p.user_id is not null and p.user_name is null limit 20000) old
    left join users u on u.operator_id = old.operator_id and u.id = old.user_id
  where s.ctid = old.place
  returning 1),
collect_scans_filled as (
  update collect_scans s set user_name = coalesce(u.name, '')
  from (select c.ctid as place, c.operator_id, c.user_id from collect_scans c where c.user_id is not null and c.user_name is null limit 20000) old
    left join users u on u.operator_id = old.operator_id and u.id = old.user_id
  where s.ctid = old.place
  returning 1),
shipment_events_filled as (
  update shipment_events e set user_name = coalesce(u.name, '')
  from (select s.ctid as place, s.operator_id, s.user_id from shipment_events s where s.user_id is not null and s.user_name is null limit 20000) old
    left join users u on u.operator_id = old.operator_id and u.id = old.user_id
  where e.ctid = old.place
  returning 1)
select 1 from events_filled union all select 1 from packing_scans_filled union all select 1 from collect_scans_filled
  union all select 1 from shipment_events_filled limit 1;
