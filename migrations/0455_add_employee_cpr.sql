-- The CPR number of an employee, encrypted with the server's key for personal numbers: a key of its own, which opens nothing else.
create table employee_cpr (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  user_id bigint not null,
  sealed bytea not null check (length(sealed) <= 200),
  set_at timestamptz not null,
  set_by text not null check (length(set_by) <= 120),
  primary key (operator_id, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index employee_cpr_of_company on employee_cpr (operator_id, company_id);
call enable_tenant_rls('employee_cpr');
