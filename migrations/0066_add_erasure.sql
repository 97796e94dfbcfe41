-- What erasing a person needs: personal data of events and of the label log in rows of their own, an index of stored files, and the
-- erasures themselves.

-- The part of an event's data that is about a person. The event keeps the fact when this row is deleted.
create table event_personal (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  event_id bigint not null,
  -- The time of the event, which may lie in another partition.
  at timestamptz not null,
  order_id bigint,
  data jsonb not null,
  primary key (operator_id, event_id, at)
);
create index event_personal_of_order on event_personal (operator_id, order_id);
call enable_tenant_rls('event_personal');

-- What was sent to a courier and what it answered.
create table label_log_personal (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  label_log_id bigint not null,
  at timestamptz not null,
  order_id bigint,
  request jsonb,
  response jsonb,
  error text,
  primary key (operator_id, label_log_id, at)
);
create index label_log_personal_of_order on label_log_personal (operator_id, order_id);
call enable_tenant_rls('label_log_personal');

-- Whom a stored file is about.
create table file_subjects (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  subject_type text not null check (subject_type in ('order')),
  subject_id bigint not null,
  file_id bigint not null,
  primary key (operator_id, subject_type, subject_id, file_id),
  foreign key (operator_id, file_id) references files on delete cascade
);
create index file_subjects_of_file on file_subjects (operator_id, file_id);
call enable_tenant_rls('file_subjects');

-- Erased: nothing may read it any more. Removed: its bytes are gone too.
alter table files add column erased_at timestamptz, add column removed_at timestamptz;
create index files_to_remove on files (operator_id, id) where erased_at is not null and removed_at is null;
create index files_by_content on files (operator_id, sha256);

alter table orders add column erased_at timestamptz;

-- Requests to erase the person of some orders, and what was done. Holds no personal data; kept for ever.
create table erasures (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- 'report' counts what an erasure would touch and changes nothing.
  kind text not null check (kind in ('erase', 'report')),
  -- Waiting: an order of the person is still open.
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  reason text not null check (length(reason) <= 200),
  -- The orders of a whole shop, whichever they are when the erasure runs.
  shop text check (length(shop) <= 40),
  order_ids bigint[] not null default '{}',
  customer_ids bigint[] not null default '{}',
  -- The orders up to this id are done.
  done_order_id bigint not null default 0,
  report jsonb not null default '{}',
  requested_by bigint,
  job_id bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index erasures_waiting on erasures (operator_id, id) where state <> 'done';
call enable_tenant_rls('erasures');
