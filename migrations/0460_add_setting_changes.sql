-- Who changed which setting of a company, from what to what. Kept for five years.
create table setting_changes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- As in the settings of the company, such as `cut_off` or `serials.min_length`; `name` is the company's name.
  name text not null check (length(name) between 1 and 80),
  -- Null where the value was absent. A picture is "set" or "removed", never its number.
  before jsonb,
  after jsonb,
  changed_by text not null check (length(changed_by) <= 200),
  at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index setting_changes_of_company on setting_changes (operator_id, company_id, id desc);
create index setting_changes_of_setting on setting_changes (operator_id, company_id, name, id desc);
create index setting_changes_by_age on setting_changes (at);
call enable_tenant_rls('setting_changes');
