-- A label names the cage in which its parcel waits for the courier, and a cage takes what names it.

alter table shipments add column cage text;
update shipments s set cage = g.cage
from (select distinct on (operator_id, shipment_id) operator_id, shipment_id, response->>'cage' cage
  from label_log where action in ('book', 'find') and outcome in ('ok', 'found') and response->>'cage' is not null
  order by operator_id, shipment_id, id desc) g
where g.operator_id = s.operator_id and g.shipment_id = s.id;

-- The mark on the labels of its parcels; without one it takes parcels by their method.
alter table collect_cages add column mark text;
create unique index collect_cages_mark on collect_cages (operator_id, agent_code, lower(mark)) where mark is not null;

-- Which list a parcel went with is asked for its drawer and its order.
create index collect_parcels_of_shipment on collect_parcels (operator_id, shipment_id);
