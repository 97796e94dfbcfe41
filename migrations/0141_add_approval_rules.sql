-- Rules by which the packing station asks a lead before it counts a line, packs an order or prints its label; and each time it asked.
create table approval_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 120),
  conditions jsonb not null,
  subject text not null check (subject in ('line', 'order', 'label')),
  methods text[] not null,
  approver_codes text[] not null,
  position integer not null,
  active boolean not null default true,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index approval_rules_of_company on approval_rules (operator_id, company_id, position, id);
call enable_tenant_rls('approval_rules');

-- Rules that were read when the session was opened: a later change of a rule does not alter it.
alter table packing_sessions add column plan jsonb not null default '{}';

create table approval_requests (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  rule_id bigint not null,
  rule_name text not null check (length(rule_name) <= 120),
  approver_codes text[] not null,
  order_id bigint not null,
  session_id bigint not null,
  order_line_id bigint,
  -- How it is answered; null while only the station shows it.
  method text check (method in ('pin', 'badge', 'remote')),
  state text not null default 'asked' check (state in ('asked', 'approved', 'refused', 'expired', 'cancelled')),
  asked_by_id bigint not null,
  asked_by_name text not null,
  station text not null,
  asked_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  decided_by_id bigint,
  decided_by_name text,
  decided_at timestamptz,
  used_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, session_id) references packing_sessions on delete cascade
);
create unique index approval_requests_open on approval_requests (operator_id, session_id, rule_id, coalesce(order_line_id, 0)) where state = 'asked';
create index approval_requests_of_session on approval_requests (operator_id, session_id);
create index approval_requests_remote on approval_requests (operator_id, expires_at) where state = 'asked' and method = 'remote';
create index approval_requests_by_time on approval_requests (operator_id, company_id, id desc);
call enable_tenant_rls('approval_requests');
