-- What customs want to know: of products, of the company, of each day's rates, and of each parcel.

alter table products
  -- Minor units of its currency, each.
  add column cost_price bigint check (cost_price >= 0),
  add column cost_currency text check (cost_currency ~ '^[A-Z]{3}$'),
  -- Without the product's own packaging; null where it weighs the same.
  add column net_weight_g integer check (net_weight_g between 0 and 10000000),
  add column customs_flags text[] not null default '{}'
    check (customs_flags <@ array['food', 'excise', 'alcohol', 'battery', 'textile', 'restricted']);

-- Grams of the whole line with its own packaging; null where only the net weight is known.
alter table shipment_lines add column gross_weight_g bigint check (gross_weight_g >= 0);

-- Numbers under which a company is registered.
create table customs_numbers (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  kind text not null check (kind in ('vat', 'eori', 'ioss', 'voec')),
  country text not null check (country ~ '^[A-Z]{2}$'),
  value text not null check (length(value) between 2 and 30),
  valid_from date,
  -- The last day; null while no end is known.
  valid_to date check (valid_to >= valid_from),
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id, kind, country, value),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('customs_numbers');

-- Reference rates of the European Central Bank: what one euro buys. Public facts, shared by the companies of an operator.
create table exchange_rates (
  operator_id bigint not null default current_operator_id(),
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Decimal text, so that no step of a conversion is a floating point number.
  rate text not null check (rate ~ '^[0-9]{1,9}(\.[0-9]{1,8})?$' and rate::numeric > 0),
  primary key (operator_id, day, currency)
);
call enable_tenant_rls('exchange_rates', 'operator');

-- What was decided when a parcel was booked. Its goods, as they were declared, are the lines of the shipment.
create table shipment_customs (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  shipment_id bigint not null,
  regime text not null check (length(regime) <= 20),
  papers text[] not null default '{}' check (cardinality(papers) <= 10),
  transit boolean not null default false,
  reason text not null check (length(reason) <= 20),
  terms text check (length(terms) <= 20),
  numbers jsonb not null default '[]' check (length(numbers::text) <= 4000),
  statements text[] not null default '{}' check (cardinality(statements) <= 10),
  -- Rules, each with the day from which it holds and its source.
  why jsonb not null default '[]' check (length(why::text) <= 10000),
  decided_at timestamptz not null default now(),
  primary key (operator_id, shipment_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
call enable_tenant_rls('shipment_customs');
