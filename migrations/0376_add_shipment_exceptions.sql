-- Shipments that need somebody after the hand-over: why, who sees to it, and what comes next.
create table shipment_exceptions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  shipment_id bigint not null,
  order_id bigint,
  kind text not null check (kind in ('no_scan', 'no_movement', 'customs', 'address', 'delivery_failed', 'delayed', 'problem',
    'waiting_in_shop', 'returned', 'lost')),
  opened_at timestamptz not null,
  owner_user_id bigint,
  owner_name text check (length(owner_name) <= 120),
  next_step text not null default '' check (length(next_step) <= 200),
  next_at timestamptz,
  note text not null default '' check (length(note) <= 4000),
  resolution text check (resolution in ('solved', 'reshipped', 'returned', 'lost', 'no_action', 'delivered', 'moving', 'replaced', 'cancelled')),
  resolved_by text check (length(resolved_by) <= 120),
  resolved_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
create unique index shipment_exceptions_one_open on shipment_exceptions (operator_id, shipment_id, kind) where resolved_at is null;
create index shipment_exceptions_open on shipment_exceptions (operator_id, company_id, coalesce(next_at, opened_at)) where resolved_at is null;
create index shipment_exceptions_of_company on shipment_exceptions (operator_id, company_id, id);
create index shipment_exceptions_of_shipment on shipment_exceptions (operator_id, shipment_id, kind);
create index shipment_exceptions_of_order on shipment_exceptions (operator_id, order_id) where order_id is not null;
call enable_tenant_rls('shipment_exceptions');

-- What the clock looks at: parcels that couriers have.
create index shipments_on_the_way on shipments (operator_id, company_id, id)
  where state in ('handed_over', 'in_transit', 'out_for_delivery', 'ready_for_pickup', 'delivery_failed', 'needs_attention');
