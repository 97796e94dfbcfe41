-- Rules that choose the shipping method of an order, and why each order has the method that it has.

create table method_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- The first rule that is met decides.
  position integer not null check (position > 0),
  name text not null default '' check (length(name) <= 120),
  -- The rule grammar: see src/domain/rules/rule-grammar.ts.
  conditions jsonb not null check (length(conditions::text) <= 100000),
  agent_code text not null check (length(agent_code) <= 64),
  shipping_method text not null check (length(shipping_method) <= 64),
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  -- Places are exchanged in one statement.
  unique (operator_id, company_id, position) deferrable initially deferred,
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('method_rules');

alter table orders add column method_why jsonb;
