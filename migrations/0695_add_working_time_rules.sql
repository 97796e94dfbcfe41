-- Rules of working time that a company sets itself, by country of the law, each from a day until the next of its kind.
create table working_time_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  country text not null check (country in ('DK', 'DE', 'NO', 'SE', 'GB')),
  rule text not null check (rule in ('rest', 'weekly_rest', 'average', 'break', 'long_day', 'young_day', 'young_week', 'young_rest', 'young_weekly_rest', 'young_break')),
  valid_from date not null,
  minutes integer not null check (minutes between 1 and 10080),
  reason text not null default '' check (length(reason) <= 200),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  unique (operator_id, company_id, country, rule, valid_from)
);
call enable_tenant_rls('working_time_rules');
