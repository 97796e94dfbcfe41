-- How many orders each company has by status and country, so that lists do not count them.

create table order_counts (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  phase text not null,
  -- The country that an order in the warehouse goes to; empty for orders that have left it.
  ship_country text not null,
  -- May be below 0 for a moment: changes are added in any order.
  n bigint not null,
  primary key (operator_id, company_id, phase, ship_country)
) with (fillfactor = 50);
call enable_tenant_rls('order_counts');

-- What the transactions since have changed. Rows are only added, so that writers of one company do not wait for each other; a schedule adds
-- them to order_counts and deletes them.
create table order_count_changes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  phase text not null,
  ship_country text not null,
  n bigint not null,
  primary key (operator_id, company_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);
call enable_tenant_rls('order_count_changes');

-- When the counts were last compared with the orders. A company without a row is counted in its orders.
create table order_count_checks (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  checked_at timestamptz not null,
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('order_count_checks');
