-- What came in and went out in each hour: counted once from the orders, sessions and parcels after the day has ended.
create table activity_hours (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  -- The start of an hour on the warehouse's clock.
  at timestamptz not null,
  metric text not null check (metric in ('received', 'packed', 'packed_on_time', 'handed_over')),
  -- The courier of parcels that were handed over; empty for orders.
  agent_code text not null default '',
  n integer not null,
  primary key (operator_id, company_id, at, metric, agent_code),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('activity_hours');

-- Days that are counted for all companies of the operator, and when that was. A row belongs to the main company.
create table activity_days (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  day date not null,
  counted_at timestamptz not null,
  primary key (operator_id, company_id, day),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('activity_days');

create index orders_by_arrival on orders (operator_id, company_id, created_at);
create index shipments_by_hand_over on shipments (operator_id, company_id, handed_over_at) where handed_over_at is not null;

alter table board_tokens drop constraint board_tokens_kind_check;
alter table board_tokens add constraint board_tokens_kind_check check (kind in ('punchclock', 'deadlines', 'stats'));
