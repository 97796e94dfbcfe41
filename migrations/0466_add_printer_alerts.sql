create table printer_alerts (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  enabled boolean not null default false,
  recipients text[] not null default '{}' check (cardinality(recipients) <= 10),
  after_minutes smallint not null default 5 check (after_minutes between 1 and 240),
  version integer not null default 1,
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('printer_alerts');

-- A printer that is offline, from the minute in which that was seen until it is back.
create table printer_outages (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  printer_id bigint not null,
  began_at timestamptz not null,
  mailed_at timestamptz,
  ended_at timestamptz,
  end_mailed_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, printer_id) references printers
);
create unique index printer_outages_open on printer_outages (operator_id, printer_id) where ended_at is null;
create index printer_outages_ended on printer_outages (ended_at) where ended_at is not null;
call enable_tenant_rls('printer_outages');
