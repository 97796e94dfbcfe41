-- Orders that were closed with something missing: what was decided of each missing piece, and what the recipient is to know.
create table partial_shipments (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  session_id bigint not null,
  -- [{ order_line_id, quantity, rest }]: rest is 'backorder', 'cancel' or 'hold'.
  lines jsonb not null check (octet_length(lines::text) <= 200000),
  notify_recipient boolean not null,
  -- The day on which the missing pieces should leave.
  expected_on date,
  decided_by text not null check (length(decided_by) <= 200),
  created_at timestamptz not null default now(),
  -- Set when the labels of the session are there: from then on it is true.
  shipped_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, session_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index partial_shipments_of_order on partial_shipments (operator_id, order_id, id desc);
create index partial_shipments_of_company on partial_shipments (operator_id, company_id);
call enable_tenant_rls('partial_shipments');
