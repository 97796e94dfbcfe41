-- Row-level security is forced for the owner of the tables too.
set local role pakhus_system;
-- Delivery and hand-over now stand before holds, and a failed label or missing pieces count only until the order is packed.
-- A transaction of its own: the one before holds a lock that readers wait for.
update orders set phase = case when work_state = 'closed' then 'closed' when delivered_at is not null then 'delivered' else work_state end
where cancelled_at is null
  and (work_state = 'closed' and phase <> 'closed'
    or work_state = 'handed_over' and phase in ('held', 'label_error', 'short')
    or delivered_at is not null and phase in ('held', 'label_error', 'short')
    or work_state = 'packed' and phase in ('label_error', 'short'));
reset role;
-- Readers and writers go on while the rows are looked at.
alter table orders add constraint orders_phase_check check (phase in ('new', 'ready', 'in_pick', 'picked', 'in_pack', 'packed', 'handed_over', 'closed',
  'held', 'label_error', 'short', 'delivered', 'cancelled', 'cancelled_return_to_stock')) not valid;
