-- Announcements to the people of a company, to be read or agreed with.
create table announcements (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- The client's own id: sent again, it gets the same answer.
  client_id uuid,
  -- In the language of the company, for lists.
  title text not null check (length(title) between 1 and 120),
  -- Title and text by language, as they are written now. What people read is a version.
  texts jsonb not null,
  mode text not null check (mode in ('info', 'must_agree')),
  -- Whom it is for: everyone, or the members of groups and single people.
  everyone boolean not null,
  group_ids bigint[] not null default '{}' check (cardinality(group_ids) <= 100),
  user_ids bigint[] not null default '{}' check (cardinality(user_ids) <= 500),
  from_at timestamptz not null,
  to_at timestamptz,
  state text not null default 'draft' check (state in ('draft', 'published', 'withdrawn')),
  -- The version that people read; 0 before the first.
  version_no integer not null default 0,
  created_by text not null default '' check (length(created_by) <= 120),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  reminded_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  check (from_at < to_at)
);
create index announcements_of_company on announcements (operator_id, company_id, id desc);
create unique index announcements_client on announcements (operator_id, company_id, client_id) where client_id is not null;
call enable_tenant_rls('announcements');

-- What was published, word for word. Only an erasure changes the texts; the hash stays that of what was read.
create table announcement_versions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  announcement_id bigint not null,
  no integer not null,
  texts jsonb not null,
  sha256 text not null check (length(sha256) <= 64),
  published_at timestamptz not null,
  published_by text not null check (length(published_by) <= 120),
  primary key (operator_id, announcement_id, no),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, announcement_id) references announcements
);
create index announcement_versions_of_company on announcement_versions (operator_id, company_id);
call enable_tenant_rls('announcement_versions');
revoke delete on announcement_versions from pakhus_app;

-- Who read or agreed with which version, and when: never changed.
create table announcement_agreements (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  announcement_id bigint not null,
  version_no integer not null,
  user_id bigint not null,
  sha256 text not null check (length(sha256) <= 64),
  at timestamptz not null,
  -- The language in which it was read.
  locale text not null check (length(locale) <= 5),
  primary key (operator_id, announcement_id, version_no, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, announcement_id, version_no) references announcement_versions,
  foreign key (operator_id, user_id) references users
);
create index announcement_agreements_of_user on announcement_agreements (operator_id, user_id);
create index announcement_agreements_of_company on announcement_agreements (operator_id, company_id);
call enable_tenant_rls('announcement_agreements');
revoke update, delete on announcement_agreements from pakhus_app;

-- Mail accounts send reminders of announcements too.
update outbox_destinations set events = events || 'user.announcement_reminder'::text
  where kind = 'mail' and not 'user.announcement_reminder' = any (events);
