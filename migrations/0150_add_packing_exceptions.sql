-- Orders that left the packing station with a problem: what it is, who sees to it, and until when.
create table packing_exceptions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  order_line_id bigint,
  kind text not null check (kind in ('label_error', 'short', 'damaged', 'wrong_item', 'address', 'other')),
  -- The product of the line when it was reported.
  item text check (length(item) <= 300),
  -- What the courier or the packer said. Erased with the recipient.
  note text not null default '' check (length(note) <= 4000),
  -- The field of the order that the courier refused.
  field text check (length(field) <= 60),
  reports integer not null default 1,
  reported_by text not null check (length(reported_by) <= 200),
  station text check (length(station) <= 100),
  reported_at timestamptz not null,
  owner_user_id bigint,
  owner_name text check (length(owner_name) <= 200),
  due_at timestamptz not null,
  -- How often its lateness was said: at the due time, then each time that the lateness doubles.
  reminders integer not null default 0,
  state text not null default 'open' check (state in ('open', 'in_work', 'resolved', 'cancelled')),
  resolution text check (resolution in ('solved', 'back_to_queue', 'label_booked', 'packed', 'order_cancelled')),
  resolved_by text check (length(resolved_by) <= 200),
  resolved_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, owner_user_id) references users,
  check ((resolved_at is null) = (state in ('open', 'in_work')))
);
create unique index packing_exceptions_one_open on packing_exceptions (operator_id, order_id, kind, coalesce(order_line_id, 0))
  where resolved_at is null;
create index packing_exceptions_due on packing_exceptions (operator_id, due_at, id) where resolved_at is null;
create index packing_exceptions_resolved on packing_exceptions (operator_id, resolved_at desc, id desc) where resolved_at is not null;
create index packing_exceptions_of_order on packing_exceptions (operator_id, order_id);
create index packing_exceptions_of_company on packing_exceptions (operator_id, company_id);
create index packing_exceptions_of_owner on packing_exceptions (operator_id, owner_user_id) where owner_user_id is not null;
call enable_tenant_rls('packing_exceptions');
