-- The punch clock: who worked from when to when. The row holds what counts now; each change is kept as a version.
create table punches (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  -- The shift that ran at the clock-in.
  shift_id bigint,
  -- The day that the time belongs to, also past midnight.
  work_date date not null,
  type text not null check (type in ('work', 'break', 'meeting', 'cleaning', 'other')),
  -- Null while only the times between which it lies are known.
  started_at timestamptz,
  ended_at timestamptz,
  not_before timestamptz,
  not_after timestamptz,
  out_not_before timestamptz,
  out_not_after timestamptz,
  state text not null check (state in ('open', 'closed', 'validated', 'correction_requested', 'corrected', 'missing_out', 'time_unverified', 'deleted')),
  source text not null check (source in ('kiosk', 'self', 'offline', 'entry')),
  way text not null check (way in ('badge', 'pin', 'picture_pin', 'session')),
  device_user_id bigint,
  station text check (length(station) <= 100),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users,
  check (ended_at > started_at),
  check (started_at is not null or (not_before is not null and not_after is not null)),
  check ((out_not_before is null) = (out_not_after is null))
);
-- A clock-in whose time is not verified counts as being in.
create unique index punches_one_open on punches (operator_id, user_id)
  where ended_at is null and out_not_after is null and state in ('open', 'time_unverified');
create index punches_of_day on punches (operator_id, company_id, work_date);
create index punches_of_user on punches (operator_id, user_id, work_date);
create index punches_unsettled on punches (operator_id, company_id, id)
  where state in ('open', 'closed', 'correction_requested', 'missing_out', 'time_unverified');
call enable_tenant_rls('punches');

-- Nothing is overwritten: what the punch held after each change, or what a correction asks for.
create table punch_versions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  punch_id bigint not null,
  no integer not null,
  why text not null check (why in ('made', 'undone', 'request', 'accepted', 'refused', 'lead', 'validated', 'deleted', 'system')),
  -- What was tapped, where it was a tap.
  action text check (action in ('in', 'out')),
  work_date date not null,
  type text not null check (length(type) <= 20),
  started_at timestamptz,
  ended_at timestamptz,
  not_before timestamptz,
  not_after timestamptz,
  out_not_before timestamptz,
  out_not_after timestamptz,
  state text not null check (length(state) <= 30),
  -- Asks for the entry to be deleted.
  removal boolean not null default false,
  by_user_id bigint,
  by_name text not null check (length(by_name) <= 200),
  at timestamptz not null,
  -- Made by the device: a tap that is sent again is the same one.
  client_id uuid,
  primary key (operator_id, punch_id, no),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, punch_id) references punches
);
create unique index punch_versions_client on punch_versions (operator_id, company_id, client_id) where client_id is not null;
call enable_tenant_rls('punch_versions');
revoke update, delete on punch_versions from pakhus_app;

-- Words of the staff on a version, erased with the person.
create table punch_notes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  punch_id bigint not null,
  no integer not null,
  note text not null check (length(note) <= 2000),
  primary key (operator_id, punch_id, no),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, punch_id, no) references punch_versions
);
call enable_tenant_rls('punch_notes');

-- Taps that a device kept without network and that turned out to be no clock-in.
create table kiosk_rejects (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  client_id uuid not null,
  device_user_id bigint not null,
  received_at timestamptz not null,
  -- When it was tapped, as far as that is known.
  estimate timestamptz,
  why text not null check (why in ('unknown_badge', 'wrong_pin', 'too_old', 'unsealed', 'already_in', 'not_in')),
  -- The number that was typed.
  employee_no text check (length(employee_no) <= 40),
  seen_by text check (length(seen_by) <= 200),
  seen_at timestamptz,
  primary key (operator_id, company_id, client_id),
  foreign key (operator_id, company_id) references companies
);
create index kiosk_rejects_unseen on kiosk_rejects (operator_id, company_id, received_at) where seen_at is null;
call enable_tenant_rls('kiosk_rejects');

-- Boards that are shown without a sign-in: who has the link may open it until it is revoked.
create table board_tokens (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  kind text not null check (kind in ('punchclock')),
  name text not null check (length(name) between 1 and 120),
  token_hash bytea not null,
  created_by text not null check (length(created_by) <= 200),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index board_tokens_hash on board_tokens (operator_id, company_id, token_hash);
call enable_tenant_rls('board_tokens');
