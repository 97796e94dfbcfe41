-- When a courier is asked to collect parcels.
create table pickups (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- The caller's id of its request: the same id orders nothing new.
  client_id uuid not null,
  agent_code text not null check (length(agent_code) between 1 and 40),
  -- On the clock of the company.
  day date not null,
  from_time text not null check (from_time ~ '^[0-2][0-9]:[0-5][0-9]$'),
  to_time text not null check (to_time ~ '^[0-2][0-9]:[0-5][0-9]$'),
  parcels integer not null check (parcels between 1 and 999),
  weight_g bigint not null check (weight_g between 0 and 100000000),
  note text not null default '' check (length(note) <= 200),
  -- `ordering` while the courier is asked; `unknown` when it gave no answer that makes sense.
  state text not null default 'ordering' check (state in ('ordering', 'ordered', 'unknown', 'refused', 'cancelled')),
  -- The courier's number, by which it is cancelled.
  courier_no text check (length(courier_no) between 1 and 100),
  -- The day on which the courier says it comes.
  comes_on date,
  -- What the courier said when it refused.
  words text check (length(words) <= 500),
  created_by text not null check (length(created_by) <= 120),
  created_at timestamptz not null default now(),
  cancelled_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index pickups_client_id on pickups (operator_id, company_id, client_id);
-- A courier is asked once for a day.
create unique index pickups_open on pickups (operator_id, company_id, agent_code, day) where state in ('ordering', 'ordered', 'unknown');
create index pickups_of_company on pickups (operator_id, company_id, day desc, id desc);
call enable_tenant_rls('pickups');
