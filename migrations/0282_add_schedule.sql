-- Shifts, leave and availability, in one table: the specification numbers them together.
create extension if not exists btree_gist;

create table schedule_entries (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  kind text not null check (kind in ('shift', 'leave', 'availability')),
  -- The client's own id: sent again, it gets the same answer.
  client_id uuid,
  -- An open shift has none.
  user_id bigint,
  -- The local day on which it begins.
  work_date date not null,
  -- The last day of a leave.
  date_to date,
  start_local text check (start_local ~ '^[0-2][0-9]:[0-5][0-9]$'),
  end_local text check (end_local ~ '^[0-2][0-9]:[0-5][0-9]$'),
  start_at timestamptz,
  end_at timestamptz,
  break_s integer not null default 0 check (break_s between 0 and 28800),
  station text check (length(station) between 1 and 100),
  skill text check (length(skill) between 1 and 100),
  -- 1 sick day, 2 child's first sick day, 3 holiday with pay, 4 holiday without pay.
  reason_id smallint check (reason_id between 1 and 4),
  part text check (part in ('full', 'morning', 'afternoon')),
  state text not null check (state in ('draft', 'published', 'removed', 'requested', 'approved', 'rejected', 'withdrawn', 'cancel_requested', 'cancelled', 'registered', 'seen', 'available', 'unavailable')),
  -- A shift as staff see it: what stands above until the next publication is the plan of the lead.
  published_user_id bigint,
  published_date date,
  published_start_at timestamptz,
  published_end_at timestamptz,
  published_break_s integer,
  published_station text check (length(published_station) <= 100),
  -- Whether the plan differs from what staff see.
  unpublished boolean not null default false,
  -- The shift that this one opened to others, because its person is away.
  replaces_id bigint,
  -- The leave for which it was opened.
  leave_id bigint,
  -- Who decided about a leave, and in which words.
  decided_by text check (length(decided_by) <= 120),
  decided_at timestamptz,
  decision text check (length(decision) <= 500),
  -- True where the only lead decided about the own leave.
  own_decision boolean not null default false,
  changed_by text not null default '' check (length(changed_by) <= 120),
  changed_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users,
  foreign key (operator_id, published_user_id) references users,
  foreign key (operator_id, replaces_id) references schedule_entries,
  foreign key (operator_id, leave_id) references schedule_entries,
  check (start_at < end_at),
  check (work_date <= date_to),
  -- A person works one shift at a time. Checked at the end of a change, in which two people may swap.
  constraint schedule_entries_overlap exclude using gist (operator_id with =, user_id with =, tstzrange(start_at, end_at) with &&)
    where (kind = 'shift' and state <> 'removed' and user_id is not null and start_at is not null) deferrable initially deferred
);
create unique index schedule_entries_client on schedule_entries (operator_id, company_id, client_id) where client_id is not null;
create index schedule_entries_by_day on schedule_entries (operator_id, company_id, work_date, user_id);
create index schedule_entries_of_user on schedule_entries (operator_id, user_id, work_date);
create index schedule_entries_published on schedule_entries (operator_id, published_user_id, published_date) where published_user_id is not null;
create index schedule_entries_unpublished on schedule_entries (operator_id, company_id, work_date) where unpublished;
create index schedule_entries_waiting on schedule_entries (operator_id, company_id, work_date) where state in ('requested', 'cancel_requested', 'registered');
create index schedule_entries_of_leave on schedule_entries (operator_id, leave_id) where leave_id is not null;
create index schedule_entries_replacing on schedule_entries (operator_id, replaces_id) where replaces_id is not null;
call enable_tenant_rls('schedule_entries');

-- What people wrote beside a leave or a shift: erasable.
create table schedule_notes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  entry_id bigint not null,
  note text not null check (length(note) between 1 and 2000),
  primary key (operator_id, entry_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, entry_id) references schedule_entries on delete cascade
);
create index schedule_notes_of_company on schedule_notes (operator_id, company_id);
call enable_tenant_rls('schedule_notes');

-- Every change of a shift, with what it was before: the last ones can be undone.
create table schedule_changes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  change_id uuid not null,
  entry_id bigint not null,
  -- Null where the change made the entry.
  before jsonb,
  after jsonb not null,
  user_id bigint not null,
  changed_by text not null check (length(changed_by) <= 120),
  changed_at timestamptz not null,
  undone_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, entry_id) references schedule_entries,
  foreign key (operator_id, user_id) references users
);
create index schedule_changes_together on schedule_changes (operator_id, change_id);
create index schedule_changes_of_entry on schedule_changes (operator_id, entry_id, id desc);
create index schedule_changes_of_user on schedule_changes (operator_id, company_id, user_id, id desc);
call enable_tenant_rls('schedule_changes');

-- Kinds of shift that a lead plans again and again, and whole weeks.
create table shift_templates (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 60),
  -- Of the local day.
  start_minute smallint not null check (start_minute between 0 and 1439),
  end_minute smallint not null check (end_minute between 0 and 1439),
  break_s integer not null default 0 check (break_s between 0 and 28800),
  station text check (length(station) between 1 and 100),
  skill text check (length(skill) between 1 and 100),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index shift_templates_name on shift_templates (operator_id, company_id, lower(name));
call enable_tenant_rls('shift_templates');

create table week_templates (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 60),
  shifts jsonb not null check (length(shifts::text) <= 200000),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index week_templates_name on week_templates (operator_id, company_id, lower(name));
call enable_tenant_rls('week_templates');

-- Somebody asks for an open shift, gives one away, or wants to swap; a lead decides.
create table shift_offers (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  kind text not null check (kind in ('take', 'give', 'swap')),
  entry_id bigint not null,
  from_user_id bigint not null,
  -- Who gets the shift: of a gift, once somebody takes it.
  to_user_id bigint,
  -- What is given for it.
  with_entry_id bigint,
  state text not null check (state in ('open', 'requested', 'accepted', 'refused', 'withdrawn', 'gone')),
  reason text check (length(reason) <= 500),
  decided_by text check (length(decided_by) <= 120),
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, entry_id) references schedule_entries,
  foreign key (operator_id, with_entry_id) references schedule_entries,
  foreign key (operator_id, from_user_id) references users,
  foreign key (operator_id, to_user_id) references users
);
create unique index shift_offers_live on shift_offers (operator_id, entry_id, from_user_id) where state in ('open', 'requested');
create index shift_offers_waiting on shift_offers (operator_id, company_id, id) where state in ('open', 'requested');
create index shift_offers_of_user on shift_offers (operator_id, from_user_id, id desc);
call enable_tenant_rls('shift_offers');

-- Days on which no holiday can be taken.
create table block_dates (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  from_day date not null,
  to_day date not null,
  reason text not null check (length(reason) between 1 and 200),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  check (from_day <= to_day)
);
create index block_dates_by_day on block_dates (operator_id, company_id, to_day);
call enable_tenant_rls('block_dates');

-- Feeds for the calendars of phones: the link alone shows times and stations of one person.
create table calendar_links (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create unique index calendar_links_token on calendar_links (operator_id, token_hash);
create unique index calendar_links_of_user on calendar_links (operator_id, user_id) where revoked_at is null;
create index calendar_links_of_company on calendar_links (operator_id, company_id);
call enable_tenant_rls('calendar_links');

-- Leave accounts: what was earned and taken, in thousandths of a day, each row with its reason. Rows are only added.
create table leave_ledger (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  -- The first day of the holiday year.
  year_start date not null,
  kind text not null check (kind in ('start', 'taken', 'returned', 'carry_over', 'advance', 'adjust', 'paid_out')),
  days_milli integer not null check (days_milli between -366000 and 366000),
  day date not null,
  entry_id bigint,
  explanation text not null default '' check (length(explanation) <= 500),
  made_by text not null check (length(made_by) <= 120),
  made_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users,
  foreign key (operator_id, entry_id) references schedule_entries
);
create index leave_ledger_of_user on leave_ledger (operator_id, user_id, year_start);
create index leave_ledger_of_company on leave_ledger (operator_id, company_id);
create index leave_ledger_of_entry on leave_ledger (operator_id, entry_id) where entry_id is not null;
call enable_tenant_rls('leave_ledger');
