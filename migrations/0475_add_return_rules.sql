-- The rules of returns: a draft that a company works on, and the set that decides. Sets that decided before are kept.
create table return_rule_sets (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  state text not null check (state in ('draft', 'active', 'retired')),
  -- The rules in their order, as return-policy.schemas.ts describes them.
  rules jsonb not null default '[]',
  -- SHA-256 of the rules: only rules that were tried can be switched on.
  hash text not null check (length(hash) <= 64),
  -- What the rules would have done to the returns of the last 90 days; null after each change.
  dry_run jsonb,
  dry_run_at timestamptz,
  changed_at timestamptz not null default now(),
  changed_by text not null default '' check (length(changed_by) <= 200),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index return_rule_sets_draft on return_rule_sets (operator_id, company_id) where state = 'draft';
create unique index return_rule_sets_active on return_rule_sets (operator_id, company_id) where state = 'active';
create index return_rule_sets_of_company on return_rule_sets (operator_id, company_id, id desc);
call enable_tenant_rls('return_rule_sets');

alter table returns
  add column rule_set_id bigint,
  -- Names of the rules that changed something for it, as they were called then.
  add column applied_rules text[] not null default '{}' check (cardinality(applied_rules) <= 50),
  -- A withdrawal of goods alone that the law excludes from it: a person decides.
  add column exempt boolean not null default false,
  add foreign key (operator_id, rule_set_id) references return_rule_sets;
create index returns_of_rule_set on returns (operator_id, rule_set_id) where rule_set_id is not null;
