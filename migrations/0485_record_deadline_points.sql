-- How much was left of a pickup at a time, and how much was forecast to miss it: the burn-down of the board, and what alarms follow.
create table deadline_points (
  operator_id bigint not null default current_operator_id(),
  deadline_id bigint not null,
  due_at timestamptz not null,
  at timestamptz not null,
  remaining integer not null check (remaining >= 0),
  -- Null without a forecast.
  missed integer check (missed >= 0),
  primary key (operator_id, deadline_id, due_at, at),
  foreign key (operator_id, deadline_id) references deadlines
);
call enable_tenant_rls('deadline_points', 'operator');
