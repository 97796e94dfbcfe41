-- Bulk jobs: one action on many orders, whose ids are fixed by its preview, with what became of each.
create table bulk_jobs (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- Null until it is started.
  job_id bigint,
  action text not null check (action in ('release', 'reopen', 'close', 'cancel', 'hold', 'lock', 'pin', 'unpin', 'method', 'tag')),
  args jsonb not null default '{}' check (length(args::text) <= 20000),
  asked integer not null,
  -- The job that this one undoes.
  undo_of bigint,
  created_by bigint,
  actor text not null check (length(actor) <= 300),
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, undo_of) references bulk_jobs on delete cascade
);
create unique index bulk_jobs_job on bulk_jobs (operator_id, company_id, job_id) where job_id is not null;
create unique index bulk_jobs_undo on bulk_jobs (operator_id, undo_of) where undo_of is not null;
create index bulk_jobs_age on bulk_jobs (created_at);
call enable_tenant_rls('bulk_jobs');

-- The company is the order's.
create table bulk_job_rows (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  bulk_job_id bigint not null,
  order_id bigint not null,
  -- Its place in the list.
  n integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'undone')),
  -- Why it was refused: a sentence with places, and what fills them.
  reason text check (length(reason) <= 500),
  reason_values jsonb check (length(reason_values::text) <= 5000),
  -- What an undo restores, and the order's version after the change.
  before jsonb check (length(before::text) <= 20000),
  version_after integer,
  primary key (operator_id, bulk_job_id, order_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, bulk_job_id) references bulk_jobs on delete cascade,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index bulk_job_rows_place on bulk_job_rows (operator_id, bulk_job_id, state, n);
create index bulk_job_rows_order on bulk_job_rows (operator_id, order_id);
call enable_tenant_rls('bulk_job_rows');
