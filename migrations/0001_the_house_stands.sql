-- Operators, companies, people, and the wall between them.
--
-- Every tenant table carries operator_id (the distribution key, first in every key) and company_id, both filled from the
-- transaction's settings. `wall(table)` raises the fence: row-level security, forced, for the role that requests run under.

do $$ begin
  if not exists (select from pg_roles where rolname = 'pakhus_app') then create role pakhus_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'pakhus_system') then create role pakhus_system nologin; end if;
end $$;
-- The login role changes into these two and does nothing as itself except migrate.
do $$ begin execute format('grant pakhus_app, pakhus_system to %I', current_user); end $$;
grant usage on schema public to pakhus_app, pakhus_system;

-- The settings of the transaction. They raise an error when absent, so that a forgotten scope shows nothing instead of all.
create function scope_operator() returns bigint language sql stable parallel safe as $$ select current_setting('app.operator')::bigint $$;
create function scope_company() returns bigint language sql stable parallel safe as $$ select current_setting('app.company')::bigint $$;
create function scope_companies() returns bigint[] language sql stable parallel safe as $$ select current_setting('app.companies')::bigint[] $$;

-- kind 'company': rows of the companies in scope. kind 'operator': rows that all companies of an operator share.
create procedure wall(of regclass, kind text default 'company') language plpgsql as $$
declare rule text := 'operator_id = (select scope_operator())';
begin
  if kind = 'company' then rule := rule || ' and company_id = any ((select scope_companies())::bigint[])'; end if;
  execute format('alter table %s enable row level security', of);
  execute format('alter table %s force row level security', of);
  execute format('create policy wall on %s to pakhus_app using (%s) with check (%s)', of, rule, rule);
  -- The system role serves what stands before or beside a tenant: login, keys, jobs, the first link. It is entered by few, named functions.
  execute format('create policy system on %s to pakhus_system using (true) with check (true)', of);
  execute format('grant select, insert, update, delete on %s to pakhus_app, pakhus_system', of);
end $$;

create table operators (
  id bigint generated always as identity primary key,
  name text not null,
  -- Invented data with published passwords: while it exists the server stays on this machine.
  demo boolean not null default false,
  created_at timestamptz not null default now()
);
grant select, insert, update on operators to pakhus_system;

create table companies (
  operator_id bigint not null references operators,
  id bigint generated always as identity,
  code text not null check (code ~ '^[a-z][a-z0-9-]{1,30}$'),
  name text not null,
  is_main boolean not null default false,
  -- Everything a company can set, as `CompanySettings` in the contract declares it.
  settings jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (operator_id, id)
);
-- Host names are unique in a deployment; companies are one of the two small reference tables that may be unique across operators.
create unique index companies_code on companies (code);
create unique index companies_one_main on companies (operator_id) where is_main;
alter table companies enable row level security;
alter table companies force row level security;
create policy wall on companies to pakhus_app using (operator_id = (select scope_operator()) and id = any ((select scope_companies())::bigint[]));
create policy system on companies to pakhus_system using (true) with check (true);
grant select, update on companies to pakhus_app;
grant select, insert, update on companies to pakhus_system;

-- Write-only secrets, sealed with the server's key: the database alone never opens them.
create table secrets (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  name text not null,
  sealed bytea not null,
  last4 text not null,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (operator_id, company_id, name),
  foreign key (operator_id, company_id) references companies
);
call wall('secrets');

create table files (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  -- Where the bytes lie in the store: their SHA-256 in hexadecimal.
  sha256 text not null,
  media_type text not null,
  bytes integer not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
call wall('files');

create table users (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  name text not null,
  user_name text,
  email text,
  phone text,
  role text,
  employee_no text,
  locale text,
  -- Permission ids, as the specification numbers them.
  permission smallint[] not null default '{}',
  password_hash text,
  image_file_id bigint,
  badge_hash bytea,
  settings jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, image_file_id) references files
);
create unique index users_email on users (operator_id, company_id, lower(email)) where removed_at is null;
create unique index users_user_name on users (operator_id, company_id, lower(user_name)) where removed_at is null;
create unique index users_employee_no on users (operator_id, company_id, employee_no) where removed_at is null;
call wall('users');

create table sessions (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  user_id bigint not null,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ip text,
  user_agent text,
  primary key (operator_id, id),
  foreign key (operator_id, user_id) references users
);
create index sessions_token on sessions (token_hash);
create index sessions_of_user on sessions (operator_id, user_id) where ended_at is null;
call wall('sessions');

-- What happened, for ever: who, when, where, what, from, to.
create table events (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  order_id bigint,
  subject text,
  subject_id bigint,
  user_id bigint,
  -- The company of the person who acted: main-company staff act on other companies' orders.
  actor_company_id bigint,
  actor text not null default 'system',
  station text,
  data jsonb not null default '{}',
  primary key (operator_id, id)
);
create index events_of_order on events (operator_id, order_id, id) where order_id is not null;
create index events_by_time on events (operator_id, company_id, id desc);
call wall('events');
revoke update, delete on events from pakhus_app;

create table stations (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  name text not null,
  first_used_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  scanner jsonb,
  primary key (operator_id, id)
);
create unique index stations_name on stations (operator_id, lower(name));
call wall('stations', 'operator');

-- Long work with progress and cancel; the queue runs it, this row tells about it.
create table jobs (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  kind text not null,
  title text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  done integer not null default 0,
  total integer,
  message text,
  result jsonb,
  cancel_asked_at timestamptz,
  created_by bigint,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (operator_id, id)
);
create index jobs_newest on jobs (operator_id, company_id, id desc);
call wall('jobs');

-- Keys with which shops send orders. The key is shown once; only its hash stays.
create table cms_keys (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  name text not null,
  shop text not null default 'main',
  prefix text not null,
  key_hash bytea not null,
  last_used_at timestamptz,
  last_used_ip text,
  expires_at timestamptz,
  created_by bigint,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (operator_id, id)
);
create index cms_keys_hash on cms_keys (key_hash);
call wall('cms_keys');

-- Deliveries of shop webhooks already taken, so that five copies of one make one change.
create table shop_deliveries (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  source text not null,
  delivery_id text not null,
  received_at timestamptz not null default now(),
  primary key (operator_id, company_id, source, delivery_id)
);
call wall('shop_deliveries');

-- Numbers that must not repeat: one row a series, taken in the transaction that uses them.
create table number_series (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  name text not null,
  next bigint not null default 1,
  primary key (operator_id, company_id, name)
);
call wall('number_series');
