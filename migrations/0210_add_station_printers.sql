-- Which printer a station uses for which document. Each company names its own printers: those of another one it cannot see.
create table station_printers (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  station_id bigint not null,
  role text not null
    check (role in ('label', 'return_label', 'slip', 'customs', 'invoice', 'sheet', 'pick', 'collect', 'test')),
  printer_id bigint not null,
  fallback_printer_id bigint,
  copies integer not null default 1 check (copies between 1 and 5),
  primary key (operator_id, company_id, station_id, role),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, station_id) references stations on delete cascade,
  foreign key (operator_id, printer_id) references printers,
  foreign key (operator_id, fallback_printer_id) references printers,
  check (fallback_printer_id <> printer_id)
);
create index station_printers_of_station on station_printers (operator_id, station_id);
create index station_printers_of_printer on station_printers (operator_id, printer_id);
create index station_printers_of_fallback on station_printers (operator_id, fallback_printer_id) where fallback_printer_id is not null;
call enable_tenant_rls('station_printers');

-- What the station's table says of the job, and since when it is not known whether a try came out.
alter table print_jobs
  add column fallback_printer_id bigint,
  add column copies integer not null default 1 check (copies between 1 and 5),
  add column doubted_at timestamptz,
  add foreign key (operator_id, fallback_printer_id) references printers;
create index print_jobs_of_fallback on print_jobs (operator_id, fallback_printer_id) where fallback_printer_id is not null;
