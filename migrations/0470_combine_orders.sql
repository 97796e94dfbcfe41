-- Orders that go in one parcel: the lead carries it, the others follow its work.
alter table orders add combined_into bigint;
create index orders_combined_into on orders (operator_id, combined_into) where combined_into is not null;
-- Orders of one customer that wait to be picked: those that may go together.
create index orders_waiting_of_customer on orders (operator_id, company_id, customer_id) where phase = 'ready' and customer_id is not null;

-- The order whose line it is, while another order carries it.
alter table order_lines add combined_order_id bigint;

alter table orders drop constraint orders_phase_check;
alter table orders add constraint orders_phase_check check (phase in ('new', 'ready', 'in_pick', 'picked', 'in_pack', 'packed', 'handed_over', 'closed',
  'held', 'label_error', 'short', 'combined', 'delivered', 'cancelled', 'cancelled_return_to_stock')) not valid;
