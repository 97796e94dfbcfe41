-- Deadlines: until when an order leaves with which pickup. One warehouse has one clock: they are the operator's.
create table deadlines (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  -- A create that is sent again is the same one.
  client_id uuid not null,
  name text not null check (length(name) between 1 and 40),
  -- What an order must match; an empty list matches all.
  company_ids bigint[] not null default '{}' check (cardinality(company_ids) <= 200),
  agent_codes text[] not null default '{}' check (cardinality(agent_codes) <= 40 and length(agent_codes::text) <= 4000),
  -- `agent:method`.
  shipping_methods text[] not null default '{}' check (cardinality(shipping_methods) <= 100 and length(shipping_methods::text) <= 20000),
  countries text[] not null default '{}' check (cardinality(countries) <= 250 and length(countries::text) <= 1000),
  -- 1 is Monday.
  weekdays integer[] not null check (cardinality(weekdays) between 1 and 7),
  cut_off text not null check (cut_off ~ '^\d\d:\d\d$'),
  pickup_time text not null check (pickup_time ~ '^\d\d:\d\d$'),
  -- Further pickup days after the first.
  sla_days integer not null default 0 check (sla_days between 0 and 10),
  target text not null check (target in ('packed', 'handed_over')),
  -- Whose public holidays have no pickup.
  holidays text check (holidays ~ '^[A-Z]{2}$'),
  -- The main company's, which its shops cannot read.
  time_zone text not null check (length(time_zone) <= 60),
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Packed orders keep the deadline that they had.
  deleted_at timestamptz,
  primary key (operator_id, id),
  check (cut_off <= pickup_time or sla_days > 0)
);
create unique index deadlines_name on deadlines (operator_id, lower(name)) where deleted_at is null;
create unique index deadlines_client on deadlines (operator_id, client_id);
call enable_tenant_rls('deadlines', 'operator');

-- Single days that differ: closed, open on a holiday, or with other times.
create table deadline_days (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  -- Null stands for all deadlines.
  deadline_id bigint,
  day date not null,
  open boolean not null,
  cut_off text check (cut_off ~ '^\d\d:\d\d$'),
  pickup_time text check (pickup_time ~ '^\d\d:\d\d$'),
  note text not null default '' check (length(note) <= 80),
  primary key (operator_id, id),
  foreign key (operator_id, deadline_id) references deadlines,
  check (open or (cut_off is null and pickup_time is null))
);
create unique index deadline_days_day on deadline_days (operator_id, day, coalesce(deadline_id, 0));
call enable_tenant_rls('deadline_days', 'operator');
