-- A label that must not be used has the state `blocked`, the term of the trade. In steps, since one would lock shipments for as long as they
-- are read: here both states are allowed, without a look at the rows.
alter table shipments drop constraint shipments_state_check;
alter table shipments add constraint shipments_state_check check (state in ('draft', 'booking', 'unknown', 'booked', 'handed_over', 'in_transit',
  'out_for_delivery', 'ready_for_pickup', 'delivered', 'delivery_failed', 'needs_attention', 'returning', 'returned_to_sender', 'lost', 'cancelled',
  'blocked', 'barred', 'error')) not valid;
-- The task that voids a label at the courier.
update graphile_worker._private_tasks set identifier = 'labels.void' where identifier = 'labels.withdraw';
update graphile_worker._private_jobs set key = 'labels.void:' || split_part(key, ':', 2) where key like 'labels.withdraw:%';
