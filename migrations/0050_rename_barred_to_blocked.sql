-- A label that must not be used has the state `blocked`, the term of the trade; stored shipments, events and queued jobs follow.
alter table shipments drop constraint shipments_state_check;
drop index shipments_one_live;
-- The migrating role owns the tables; forced row-level security would hide every row from it.
alter table shipments no force row level security;
alter table events no force row level security;
update shipments set state = 'blocked' where state = 'barred';
update events set kind = 'shipment.blocked' where kind = 'shipment.barred';
alter table shipments force row level security;
alter table events force row level security;
alter table shipments add constraint shipments_state_check check (state in ('draft', 'booking', 'unknown', 'booked', 'handed_over', 'in_transit',
  'out_for_delivery', 'ready_for_pickup', 'delivered', 'delivery_failed', 'needs_attention', 'returning', 'returned_to_sender', 'lost', 'cancelled',
  'blocked', 'error'));
create unique index shipments_one_live on shipments (operator_id, order_id, parcel_no, operation_code) where state not in ('cancelled', 'blocked', 'draft', 'error');
-- The task that voids a label at the courier.
update graphile_worker._private_tasks set identifier = 'labels.void' where identifier = 'labels.withdraw';
update graphile_worker._private_jobs set key = 'labels.void:' || split_part(key, ':', 2) where key like 'labels.withdraw:%';
