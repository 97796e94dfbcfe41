-- A secret that was replaced goes on opening deliveries until its time is up, because a shop takes over the new one later than we do.
create table retired_secrets (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  name text not null,
  sealed bytea not null,
  last4 text not null,
  retired_at timestamptz not null,
  valid_until timestamptz not null,
  last_used_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index retired_secrets_by_name on retired_secrets (operator_id, company_id, name);
call wall('retired_secrets');
