-- The pickup that an order is on, and who set its ship-by date; null stands for `shop` or `company`, as orders of earlier releases.
alter table orders
  add column deadline_id bigint,
  add column deadline_at timestamptz,
  add column ship_by_source text check (ship_by_source in ('shop', 'manual', 'deadline', 'company'));
-- What is still in the warehouse, by pickup.
create index orders_of_deadline on orders (operator_id, deadline_id, deadline_at)
  where deadline_id is not null and phase in ('new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error', 'packed');
-- What one pickup had, done or not.
create index orders_of_pickup on orders (operator_id, deadline_id, deadline_at) where deadline_id is not null;
