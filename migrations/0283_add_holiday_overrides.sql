-- Where a company's calendar of public holidays differs from that of its country.
create table holiday_overrides (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  day date not null,
  name text not null check (length(name) between 1 and 80),
  -- False where a public holiday is a working day here.
  free boolean not null,
  primary key (operator_id, company_id, day),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('holiday_overrides');
