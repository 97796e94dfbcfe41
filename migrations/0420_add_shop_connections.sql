-- Shops whose orders are pulled and that learn what becomes of them. Keys and users of a shop stand in `secrets`.
create table shop_connections (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  -- That of its destination in the outbox.
  id bigint not null,
  -- Made by who created it: the same again is the same connection.
  client_id uuid not null,
  system text not null check (length(system) <= 40),
  -- The shop's code, as orders have it.
  shop text not null check (length(shop) <= 40),
  name text not null check (length(name) <= 100),
  base_url text not null check (length(base_url) <= 500),
  -- The system's own settings, and those that all systems share.
  settings jsonb not null default '{}' check (octet_length(settings::text) <= 20000),
  -- broken: the shop refuses the key, or answers what is not understood. Pushes wait.
  state text not null default 'active' check (state in ('active', 'paused', 'broken')),
  -- Orders that were placed before are not taken by themselves.
  pull_from timestamptz not null,
  -- { watermark, from, page, seen }: how far the orders are read, by the shop's own clock.
  cursor jsonb not null default '{}' check (octet_length(cursor::text) <= 500000),
  caught_up boolean not null default false,
  next_pull_at timestamptz not null default now(),
  -- A server is reading until then.
  pulling_until timestamptz,
  -- Failed readings in a row, and refusals of the key in a row.
  failures integer not null default 0,
  denials integer not null default 0,
  last_order_at timestamptz,
  last_ok_at timestamptz,
  swept_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id, shop),
  unique (operator_id, company_id, client_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, id) references outbox_destinations
);
create index shop_connections_due on shop_connections (operator_id, next_pull_at) where state = 'active';
call enable_tenant_rls('shop_connections');

-- What was read from a shop and written to it, for 30 days.
create table connection_log (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  connection_id bigint not null,
  at timestamptz not null,
  kind text not null check (kind in ('pull', 'push', 'sweep', 'backfill', 'fetch', 'test')),
  outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'echo', 'ignored', 'done', 'refused', 'failed')),
  -- What the shop says, or why we did not take it.
  shop_words text check (length(shop_words) <= 500),
  -- The order's number, else its id in the shop.
  ref text check (length(ref) <= 100),
  order_id bigint,
  count integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, connection_id) references shop_connections on delete cascade
);
create index connection_log_of_connection on connection_log (operator_id, connection_id, at desc, id desc);
create index connection_log_of_company on connection_log (operator_id, company_id);
create index connection_log_old on connection_log (operator_id, at);
call enable_tenant_rls('connection_log');

-- What we wrote to a shop and last read there of each order: what is written once is not written twice, and our own writes are recognised.
create table shop_refs (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  connection_id bigint not null,
  order_id bigint not null,
  -- The shipment of a parcel, or the order.
  object_type text not null check (object_type in ('order', 'shipment')),
  object_id bigint not null,
  -- The order's id in the shop.
  external_id text not null check (length(external_id) <= 100),
  -- content: as it was read last. status: as we wrote it last. Else the key of a pushed fact, such as parcel-7.
  fact text not null check (length(fact) <= 100),
  -- Of a tracking number that was changed: the fact that wrote the first one.
  of_fact text check (length(of_fact) <= 100),
  -- The tracking number or the shop's status.
  value text check (length(value) <= 200),
  value_hash text check (length(value_hash) <= 64),
  state text not null check (state in ('waiting', 'sending', 'done', 'refused')),
  leased_until timestamptz,
  -- Things of the shop that the push made: [{ external_type, external_id }].
  made jsonb not null default '[]' check (octet_length(made::text) <= 20000),
  written_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, connection_id, order_id, fact),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, connection_id) references shop_connections on delete cascade,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index shop_refs_of_order on shop_refs (operator_id, order_id);
create index shop_refs_of_external on shop_refs (operator_id, connection_id, external_id, fact);
create index shop_refs_waiting on shop_refs (operator_id, connection_id) where state = 'waiting';
create index shop_refs_of_company on shop_refs (operator_id, company_id);
call enable_tenant_rls('shop_refs');
