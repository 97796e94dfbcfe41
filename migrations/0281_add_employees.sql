-- What a company keeps of the people that it employs.
create table employees (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  user_id bigint not null,
  birth_date date,
  -- Kept while the person is under 18.
  guardian_name text check (length(guardian_name) <= 120),
  guardian_phone text check (length(guardian_phone) <= 40),
  guardian_email text check (length(guardian_email) <= 254),
  employed_from date,
  employed_to date,
  -- Contracted, in seconds.
  weekly_s integer check (weekly_s between 0 and 604800),
  days_per_week integer not null default 5 check (days_per_week between 1 and 7),
  -- Whose law of working time applies; null is the company's.
  country text check (country in ('DK', 'DE', 'NO', 'SE', 'GB')),
  compulsory_school boolean not null default false,
  version integer not null default 1,
  primary key (operator_id, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users,
  check (employed_from <= employed_to)
);
create index employees_of_company on employees (operator_id, company_id);
call enable_tenant_rls('employees');

-- How a person is paid, each with the day from which it holds. A row is never changed, only withdrawn before its day.
create table pay_terms (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  valid_from date not null,
  salary_type text not null check (salary_type in ('hourly', 'commission')),
  -- Of an hour, in minor units.
  rate integer not null check (rate between 0 and 10000000),
  -- Of an hour on commission, in minor units.
  floor_rate integer not null default 0 check (floor_rate between 0 and 10000000),
  currency text not null default 'DKK' check (currency ~ '^[A-Z]{3}$'),
  reason text not null default '' check (length(reason) <= 200),
  made_by text not null check (length(made_by) <= 120),
  made_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create unique index pay_terms_of_user on pay_terms (operator_id, user_id, valid_from) where withdrawn_at is null;
create index pay_terms_of_company on pay_terms (operator_id, company_id);
call enable_tenant_rls('pay_terms');
