-- Alerts about orders: who learns of an order beyond thresholds or of certain conditions, and each time it happened.

-- Orders of shops meet alerts of the main company, so that the tables of what is set are the operator's; the owner reads and writes them.
create table order_alerts (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  owner_company_id bigint not null,
  email text not null check (length(email) between 3 and 254),
  -- Companies whose orders it is about; null stands for all. A shop's alerts are about its own.
  company_ids bigint[] check (cardinality(company_ids) between 1 and 200),
  enabled boolean not null default true,
  mode text not null check (mode in ('note', 'hold', 'pin')),
  threshold_mode text not null default 'inside' check (threshold_mode in ('inside', 'outside')),
  match text not null default 'any' check (match in ('any', 'all')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  row_count_min integer check (row_count_min between 0 and 100000000),
  row_count_max integer check (row_count_max between 0 and 100000000),
  -- Amounts in minor units.
  row_value_min bigint check (row_value_min between 0 and 100000000000),
  row_value_max bigint check (row_value_max between 0 and 100000000000),
  order_count_min integer check (order_count_min between 0 and 100000000),
  order_count_max integer check (order_count_max between 0 and 100000000),
  order_value_min bigint check (order_value_min between 0 and 100000000000),
  order_value_max bigint check (order_value_max between 0 and 100000000000),
  -- The rule grammar: see src/domain/rules/rule-grammar.ts.
  conditions jsonb not null default '{"v": 1, "all": []}' check (length(conditions::text) <= 100000),
  digest boolean not null default true,
  note text not null default '' check (length(note) <= 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, owner_company_id) references companies (operator_id, id)
);
create index order_alerts_of_owner on order_alerts (operator_id, owner_company_id, lower(email), id);
call enable_tenant_rls('order_alerts', 'operator');

create table order_alert_settings (
  operator_id bigint not null default current_operator_id(),
  owner_company_id bigint not null,
  digest_minutes integer not null default 10 check (digest_minutes between 5 and 1440),
  from_name text not null default '' check (length(from_name) <= 120),
  hold_reason text not null default 'alert' check (length(hold_reason) <= 40),
  version integer not null default 1,
  primary key (operator_id, owner_company_id),
  foreign key (operator_id, owner_company_id) references companies (operator_id, id)
);
call enable_tenant_rls('order_alert_settings', 'operator');

-- One for each alert, order and set of signals. The row outlives its alert.
create table order_alert_hits (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  alert_id bigint not null,
  owner_company_id bigint not null,
  order_id bigint not null,
  -- What was met: codes joined by commas, sorted.
  signals text not null check (length(signals) between 1 and 80),
  mode text not null check (mode in ('note', 'hold', 'pin')),
  -- The reason of the hold that it set.
  hold_reason text check (length(hold_reason) <= 40),
  digest boolean not null,
  note text not null default '' check (length(note) <= 500),
  state text not null default 'open' check (state in ('open', 'released', 'kept')),
  decided_by text check (length(decided_by) <= 120),
  decided_at timestamptz,
  -- The mail that names it has this time.
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, alert_id, order_id, signals),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index order_alert_hits_of_order on order_alert_hits (operator_id, order_id);
create index order_alert_hits_by_time on order_alert_hits (operator_id, alert_id, created_at);
create index order_alert_hits_to_mail on order_alert_hits (operator_id, owner_company_id, alert_id, created_at) where mailed_at is null;
create index order_alert_hits_old on order_alert_hits (created_at);
call enable_tenant_rls('order_alert_hits');
