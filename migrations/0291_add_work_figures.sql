-- What each person of the warehouse picked and packed on a day: counted once from the scans, so that a month of pay reads hundreds of rows.
create table work_daily (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  user_id bigint not null,
  day date not null,
  kind text not null check (kind in ('pick', 'pack')),
  orders integer not null,
  lines integer not null,
  pieces integer not null,
  grams bigint not null,
  wagons integer not null,
  scans integer not null,
  wrong integer not null,
  shorts integer not null,
  -- Wagons that were taken, whether or not anything was picked from them.
  wagon_claims integer not null,
  active_s integer not null,
  break_s integer not null,
  primary key (operator_id, company_id, user_id, day, kind),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index work_daily_of_day on work_daily (operator_id, company_id, day);
call enable_tenant_rls('work_daily');

-- Which days are counted, and when that was.
create table work_days_counted (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  day date not null,
  counted_at timestamptz not null,
  primary key (operator_id, company_id, day),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('work_days_counted');
