-- Hours that were approved: a day without a row is open, and its plan and punches are read where they are.
create table timesheet_days (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  user_id bigint not null,
  work_date date not null,
  state text not null check (state in ('approved', 'locked')),
  -- From, to, kind of time, and whether it is paid.
  intervals jsonb not null check (length(intervals::text) <= 20000),
  paid_s integer not null check (paid_s between 0 and 90000),
  -- The version of each punch from which it was approved.
  from_versions jsonb not null check (length(from_versions::text) <= 20000),
  approved_by bigint,
  approved_by_name text not null check (length(approved_by_name) <= 200),
  approved_at timestamptz not null,
  -- Approved by the rule of the tolerance, or by the person themselves.
  auto boolean not null default false,
  own boolean not null default false,
  version integer not null default 1,
  primary key (operator_id, company_id, user_id, work_date),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index timesheet_days_of_day on timesheet_days (operator_id, company_id, work_date);
call enable_tenant_rls('timesheet_days');

create table timesheet_versions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  work_date date not null,
  why text not null check (why in ('approved', 'unapproved', 'locked', 'unlocked')),
  intervals jsonb not null check (length(intervals::text) <= 20000),
  paid_s integer not null,
  reason text not null default '' check (length(reason) <= 500),
  by_name text not null check (length(by_name) <= 200),
  at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index timesheet_versions_of_day on timesheet_versions (operator_id, company_id, user_id, work_date, id);
call enable_tenant_rls('timesheet_versions');
revoke update, delete on timesheet_versions from pakhus_app;
