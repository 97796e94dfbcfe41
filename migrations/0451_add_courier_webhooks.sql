-- Couriers that send events by themselves: one row since a company made the secret. The secret lies sealed beside the others.
create table courier_webhooks (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  agent_code text not null check (length(agent_code) <= 40),
  made_at timestamptz not null default now(),
  -- To the minute: a row that every delivery writes would make them wait for each other.
  received_at timestamptz,
  refused_at timestamptz,
  primary key (operator_id, company_id, agent_code),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('courier_webhooks');
