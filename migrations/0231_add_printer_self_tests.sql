-- When the label printer of a station prints a page by itself, which the station scans back before the first order.
create table station_self_tests (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  station_id bigint not null,
  -- On the company's clock.
  at text not null check (at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- 1 is Monday.
  days integer[] not null check (cardinality(days) between 1 and 7 and days <@ array[1, 2, 3, 4, 5, 6, 7]),
  -- The station asks for the page before its first order.
  asks boolean not null default false,
  primary key (operator_id, company_id, station_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, station_id) references stations on delete cascade
);
create index station_self_tests_of_station on station_self_tests (operator_id, station_id);
call enable_tenant_rls('station_self_tests');

create table printer_self_tests (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  station_id bigint not null,
  printer_id bigint not null,
  print_job_id bigint not null,
  -- The number in the code on the page.
  number integer not null,
  -- The day on the company's clock.
  day date not null,
  -- By the clock; without one a person asked for it.
  scheduled boolean not null,
  asked_at timestamptz not null,
  proved_at timestamptz,
  proved_by_name text check (length(proved_by_name) <= 200),
  skipped_at timestamptz,
  skipped_by_name text check (length(skipped_by_name) <= 200),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, station_id) references stations on delete cascade,
  foreign key (operator_id, printer_id) references printers
);
create unique index printer_self_tests_of_day on printer_self_tests (operator_id, company_id, station_id, day) where scheduled;
create index printer_self_tests_of_station on printer_self_tests (operator_id, company_id, station_id, id desc);
create index printer_self_tests_by_station on printer_self_tests (operator_id, station_id);
create index printer_self_tests_of_printer on printer_self_tests (operator_id, printer_id);
create index printer_self_tests_by_job on printer_self_tests (operator_id, print_job_id);
call enable_tenant_rls('printer_self_tests');
