-- Claims against couriers: one for each shipment and kind.
create table claims (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  shipment_id bigint not null,
  order_id bigint,
  kind text not null check (kind in ('damage', 'loss', 'missing_item')),
  state text not null default 'open' check (state in ('open', 'sent', 'won', 'lost')),
  -- In minor units.
  amount bigint not null check (amount between 1 and 100000000000),
  granted bigint check (granted between 0 and 100000000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  noticed_on date not null,
  -- The last day on which the courier takes it.
  deadline_on date,
  sent_at timestamptz,
  settled_at timestamptz,
  -- The courier's number of the case.
  reference text not null default '' check (length(reference) <= 100),
  note text not null default '' check (length(note) <= 2000),
  created_by text not null check (length(created_by) <= 120),
  created_at timestamptz not null default now(),
  client_id uuid,
  version integer not null default 1,
  primary key (operator_id, id),
  unique (operator_id, shipment_id, kind),
  check ((state = 'won') = (granted is not null)),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
create unique index claims_client_id on claims (operator_id, company_id, client_id) where client_id is not null;
create index claims_of_company on claims (operator_id, company_id, state, deadline_on);
create index claims_of_order on claims (operator_id, order_id) where order_id is not null;
call enable_tenant_rls('claims');
