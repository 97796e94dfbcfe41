-- How a company pays: codes of its payroll system, quality, and the columns of its file.
create table pay_settings (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  settings jsonb not null default '{}' check (length(settings::text) <= 10000),
  version integer not null default 1,
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('pay_settings');

-- Supplements and tariffs, each with the days from and to which it holds. What a rule pays is never changed: another one follows it.
create table pay_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  client_id uuid not null,
  kind text not null check (kind in ('supplement', 'tariff')),
  name text not null check (length(name) between 1 and 60),
  valid_from date not null,
  valid_to date,
  -- When a supplement is paid: days of the week from 1 for Monday, none for all, or public holidays, between two times of the local clock.
  weekdays smallint[] not null default '{}' check (weekdays <@ '{1,2,3,4,5,6,7}'),
  public_holiday boolean not null default false,
  from_local text check (from_local ~ '^[0-2][0-9]:[0-5][0-9]$'),
  to_local text check (to_local ~ '^[0-2][0-9]:[0-5][0-9]$'),
  -- What a tariff counts.
  unit text check (unit in ('pick_order', 'pick_line', 'pick_piece', 'pick_kg', 'pick_wagon', 'pack_order', 'pack_line', 'pack_piece', 'pack_kg')),
  -- Millionths of the currency: of an hour, or of one unit.
  rate_micro bigint not null check (rate_micro between 0 and 1000000000000),
  -- Of the rules of one group the highest is paid.
  rule_group text not null default '' check (length(rule_group) <= 40),
  pay_code text not null default '' check (pay_code ~ '^[A-Za-z0-9]{0,10}$'),
  -- Counted beside the tariffs that are paid.
  pilot boolean not null default false,
  made_by text not null check (length(made_by) <= 200),
  made_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  check ((kind = 'tariff') = (unit is not null)),
  check ((from_local is null) = (to_local is null)),
  check (valid_from <= valid_to)
);
create index pay_rules_of_company on pay_rules (operator_id, company_id, valid_from);
create unique index pay_rules_by_client on pay_rules (operator_id, company_id, client_id);
call enable_tenant_rls('pay_rules');

create table pay_periods (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  from_day date not null,
  to_day date not null,
  state text not null default 'open' check (state in ('open', 'exported', 'reopened')),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  check (from_day <= to_day),
  constraint pay_periods_overlap exclude using gist (operator_id with =, company_id with =, daterange(from_day, to_day, '[]') with &&)
);
create index pay_periods_of_company on pay_periods (operator_id, company_id, from_day);
call enable_tenant_rls('pay_periods');

-- What was handed to the payroll system: rows and file stay as they are.
create table pay_exports (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  period_id bigint not null,
  format text not null check (format in ('danlon', 'csv')),
  file_name text not null check (length(file_name) between 1 and 120),
  content bytea not null check (length(content) <= 4000000),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  rows integer not null check (rows >= 0),
  -- In minor units.
  total bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  made_by text not null check (length(made_by) <= 200),
  made_at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, period_id) references pay_periods
);
create index pay_exports_of_period on pay_exports (operator_id, company_id, period_id, id);
call enable_tenant_rls('pay_exports');
revoke update, delete on pay_exports from pakhus_app;

create table pay_export_lines (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  export_id bigint not null,
  user_id bigint not null,
  -- The period in which the work was done; another than that of the export where a line corrects it.
  origin_period_id bigint not null,
  -- What a later export compares it with.
  line_key text not null check (length(line_key) between 1 and 60),
  kind text not null check (kind in ('hours', 'supplement', 'commission', 'floor', 'leave')),
  name text not null check (length(name) <= 60),
  pay_code text not null check (length(pay_code) <= 10),
  -- Hundredths of an hour or of a day; null for an amount without units.
  units_c integer,
  -- Of an hour, in minor units, and the amount in the same.
  rate integer,
  amount bigint not null,
  explanation jsonb not null check (length(explanation::text) <= 400000),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, export_id) references pay_exports,
  foreign key (operator_id, user_id) references users,
  foreign key (operator_id, origin_period_id) references pay_periods
);
create index pay_export_lines_of_export on pay_export_lines (operator_id, company_id, export_id, user_id);
create index pay_export_lines_of_origin on pay_export_lines (operator_id, company_id, origin_period_id, user_id);
call enable_tenant_rls('pay_export_lines');
revoke update, delete on pay_export_lines from pakhus_app;

-- Pay lists that were asked for, kept for seven days.
create table pay_lists (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  from_day date not null,
  to_day date not null,
  answer jsonb not null,
  made_by bigint,
  made_at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index pay_lists_by_age on pay_lists (operator_id, company_id, made_at);
call enable_tenant_rls('pay_lists');
