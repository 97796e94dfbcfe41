-- The outbox: changes that are delivered to systems outside, in order per object. Written in the transaction of the change.

-- The last sequence number of each object. Its row lock orders the changes of one object, so that numbers have no gap and no double.
create table outbox_objects (
  operator_id bigint not null default current_operator_id(),
  object_type text not null,
  object_id bigint not null,
  seq integer not null,
  primary key (operator_id, object_type, object_id)
) with (fillfactor = 80);
call enable_tenant_rls('outbox_objects', 'operator');

create table outbox (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  object_type text not null,
  object_id bigint not null,
  seq integer not null,
  -- The public name of the event, such as order.packed.
  kind text not null,
  -- Facts without personal data.
  payload jsonb not null default '{}',
  primary key (operator_id, id, at),
  unique (operator_id, object_type, object_id, seq, at)
) partition by range (at);
call enable_tenant_rls('outbox');
revoke update, delete on outbox from pakhus_app;
call add_default_partition('outbox');

-- Where a company's changes are delivered to. The feature of a kind keeps what it needs for sending.
create table outbox_destinations (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  kind text not null,
  events text[] not null,
  -- Paused: deliveries are kept and wait. Disabled: none are made.
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  -- Failures since the last success, and the time before which only waiting is useful.
  failures integer not null default 0,
  failing_since timestamptz,
  resume_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index outbox_destinations_of_company on outbox_destinations (operator_id, company_id);
call enable_tenant_rls('outbox_destinations');

create table outbox_deliveries (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- The time of the row in the outbox.
  at timestamptz not null,
  destination_kind text not null,
  destination_id bigint not null,
  outbox_id bigint not null,
  object_type text not null,
  object_id bigint not null,
  seq integer not null,
  replay_no integer not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When it is tried next; while it is sent, the end of the lease.
  next_at timestamptz not null,
  finished_at timestamptz,
  status integer,
  answer text,
  took_ms integer,
  primary key (operator_id, id, at),
  unique (operator_id, destination_id, outbox_id, replay_no, at)
) partition by range (at);
create index outbox_deliveries_due on outbox_deliveries (operator_id, destination_id, next_at) where state in ('waiting', 'sending');
create index outbox_deliveries_unfinished on outbox_deliveries (operator_id, destination_id, object_type, object_id, seq, replay_no)
  where state in ('waiting', 'sending');
call enable_tenant_rls('outbox_deliveries');
call add_default_partition('outbox_deliveries');

-- Outgoing webhooks: the destinations that are addresses of a company's own systems. The secret stands in `secrets`.
create table webhooks (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  -- That of its destination.
  id bigint not null,
  name text not null,
  url text not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, id) references outbox_destinations
);
create index webhooks_of_company on webhooks (operator_id, company_id);
call enable_tenant_rls('webhooks');

select create_month_partitions(now());
