-- A stage that a pickup has reached: each stage once, however many servers look.
create table deadline_alarms (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  deadline_id bigint not null,
  due_at timestamptz not null,
  stage text not null check (stage in ('watch', 'soon', 'urgent', 'missed')),
  at timestamptz not null,
  missed integer not null check (missed >= 0),
  -- Nothing was forecast to miss any more, or what was late is done.
  ended_at timestamptz,
  seen_at timestamptz,
  -- A user of the main company.
  seen_by bigint,
  mailed_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, deadline_id) references deadlines,
  check ((seen_at is null) = (seen_by is null))
);
create unique index deadline_alarms_once on deadline_alarms (operator_id, deadline_id, due_at, stage);
create index deadline_alarms_at on deadline_alarms (operator_id, at desc);
call enable_tenant_rls('deadline_alarms', 'operator');

-- Of the main company: who gets a mail about alarms, in which hours only the last stage, and whether boards sound.
create table deadline_alarm_settings (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  recipients text[] not null default '{}' check (cardinality(recipients) <= 10),
  quiet_from text check (quiet_from ~ '^\d\d:\d\d$'),
  quiet_until text check (quiet_until ~ '^\d\d:\d\d$'),
  sound boolean not null default true,
  version integer not null default 1,
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies,
  check ((quiet_from is null) = (quiet_until is null))
);
call enable_tenant_rls('deadline_alarm_settings');
