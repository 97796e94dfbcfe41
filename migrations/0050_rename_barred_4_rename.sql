-- in batches
with shipments_renamed as (
  update shipments set state = 'blocked' where ctid = any (array(select ctid from shipments where state = 'barred' limit 20000)) returning 1),
events_renamed as (
  update events set kind = 'shipment.blocked' where ctid = any (array(select ctid from events where kind = 'shipment.barred' limit 20000)) returning 1)
select 1 from shipments_renamed union all select 1 from events_renamed limit 1;
