-- Everything of one company in one archive. The row and its file are the company's; the job is of the main company, whose people ask for it.
create table company_exports (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  job_id bigint not null,
  -- Null until it is made, and again when its days have ended.
  file_id bigint,
  row_count bigint not null default 0,
  file_count bigint not null default 0,
  requested_by bigint not null,
  requested_by_name text not null check (length(requested_by_name) <= 120),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, job_id) references jobs,
  foreign key (operator_id, file_id) references files
);
create index company_exports_of_company on company_exports (operator_id, company_id, id desc);
create index company_exports_to_end on company_exports (finished_at) where file_id is not null;
call enable_tenant_rls('company_exports');

-- Who had everything of a company copied stands in the log of accesses.
alter table access_log drop constraint access_log_subject_type_check,
  add constraint access_log_subject_type_check check (subject_type in ('customer', 'order', 'user', 'company'));
