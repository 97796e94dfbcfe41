-- Texts that staff read or agree with.
create table announcements (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  client_id uuid,
  mode text not null check (mode in ('info', 'must_agree')),
  -- Everyone, or the members of these groups and these people.
  for_all boolean not null,
  group_ids bigint[] not null default '{}' check (cardinality(group_ids) <= 100),
  user_ids bigint[] not null default '{}' check (cardinality(user_ids) <= 500),
  from_at timestamptz not null,
  to_at timestamptz,
  state text not null check (state in ('draft', 'published', 'withdrawn')),
  -- The text as it is edited, by language: { title, body }.
  texts jsonb not null check (length(texts::text) <= 220000),
  -- The latest published one; 0 before the first.
  version_no integer not null default 0,
  created_by text not null check (length(created_by) <= 120),
  created_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  check (from_at < to_at)
);
create index announcements_of_company on announcements (operator_id, company_id, id desc);
create unique index announcements_client on announcements (operator_id, company_id, client_id) where client_id is not null;
call enable_tenant_rls('announcements');

-- Published texts: never changed.
create table announcement_versions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  announcement_id bigint not null,
  no integer not null,
  texts jsonb not null check (length(texts::text) <= 220000),
  sha256 text not null check (length(sha256) <= 64),
  published_by text not null check (length(published_by) <= 120),
  published_at timestamptz not null,
  primary key (operator_id, announcement_id, no),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, announcement_id) references announcements
);
create index announcement_versions_of_company on announcement_versions (operator_id, company_id);
call enable_tenant_rls('announcement_versions');
revoke update, delete on announcement_versions from pakhus_app;

create table announcement_agreements (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  announcement_id bigint not null,
  version_no integer not null,
  user_id bigint not null,
  sha256 text not null check (length(sha256) <= 64),
  locale text not null check (length(locale) <= 40),
  agreed_at timestamptz not null,
  primary key (operator_id, announcement_id, version_no, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, announcement_id, version_no) references announcement_versions,
  foreign key (operator_id, user_id) references users
);
create index announcement_agreements_of_user on announcement_agreements (operator_id, user_id, announcement_id);
create index announcement_agreements_of_company on announcement_agreements (operator_id, company_id);
call enable_tenant_rls('announcement_agreements');
revoke update, delete on announcement_agreements from pakhus_app;
