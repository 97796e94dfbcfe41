-- Where the nightly check found other numbers in the stored figures of a day than in the rows themselves; they are corrected.
create table counter_checks (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  at timestamptz not null,
  day date not null,
  metric text not null check (length(metric) <= 40),
  agent_code text not null default '' check (length(agent_code) <= 64),
  -- In the rows, and as it was stored.
  expected integer not null,
  found integer not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('counter_checks');
