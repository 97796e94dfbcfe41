-- Values that companies of an operator follow unless they have set their own. `companies.settings` always holds the value that counts.
create table operator_defaults (
  operator_id bigint not null default current_operator_id() references operators,
  name text not null check (length(name) between 1 and 80),
  value jsonb not null,
  primary key (operator_id, name)
);
call enable_tenant_rls('operator_defaults', 'operator');

-- Settings that the company has set itself; null: those that differ from the product's defaults.
alter table companies add column own_settings text[];
