-- The methods of a company's account at a courier whose products belong to accounts.
create table courier_methods (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  agent_code text not null check (length(agent_code) <= 40),
  code text not null check (length(code) between 1 and 60),
  position integer not null,
  name text not null check (length(name) between 1 and 120),
  -- What a booking needs to know of it.
  details jsonb not null check (octet_length(details::text) <= 50000),
  primary key (operator_id, company_id, agent_code, code),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('courier_methods');

-- When the account was last asked for its methods.
alter table courier_settings add column methods_asked_at timestamptz;
