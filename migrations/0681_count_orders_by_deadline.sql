-- How many orders of each pickup stand in which status, so that boards do not count them. The changes of both counts are the same rows.

alter table order_count_changes
  add column deadline_id bigint,
  add column deadline_at timestamptz,
  -- Hundredths of the work of a small order, of all the orders that the row counts.
  add column work bigint not null default 0;

create table deadline_counts (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  deadline_id bigint not null,
  deadline_at timestamptz not null,
  phase text not null,
  -- May be below 0 for a moment: changes are added in any order.
  n bigint not null,
  work bigint not null,
  primary key (operator_id, company_id, deadline_id, deadline_at, phase)
) with (fillfactor = 50);
call enable_tenant_rls('deadline_counts');

-- A company is counted in its orders until they were counted by deadline once.
alter table order_count_checks add column by_deadline boolean not null default false;
