-- How long a courier takes claims, as the company's agreement with it says; an absent row stands for what the courier publishes.
create table claim_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  agent_code text not null check (length(agent_code) <= 40),
  kind text not null check (kind in ('damage', 'loss', 'missing_item')),
  -- Null: as the courier publishes it.
  count integer check (count between 1 and 1000),
  unit text not null check (unit in ('working_days', 'days', 'months')),
  counts_from text not null check (counts_from in ('delivered', 'booked', 'noticed')),
  version integer not null default 1,
  primary key (operator_id, company_id, agent_code, kind),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('claim_rules');
