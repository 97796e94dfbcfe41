-- What an export of orders was asked for, until its file is made. A search may name a person, which no task of the queue may hold.
create table order_exports (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  job_id bigint not null,
  format text not null check (format in ('csv', 'xlsx')),
  columns text[] not null check (cardinality(columns) between 1 and 50 and length(columns::text) <= 2000),
  sort text not null check (length(sort) <= 20),
  locale text not null check (length(locale) <= 10),
  filters jsonb not null check (length(filters::text) <= 20000),
  created_at timestamptz not null default now(),
  primary key (operator_id, job_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, job_id) references jobs
);
create index order_exports_of_company on order_exports (operator_id, company_id);
call enable_tenant_rls('order_exports');
