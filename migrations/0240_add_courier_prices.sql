-- What couriers charge a company: price zones, price steps, surcharges, and the price of each shipment.

create table price_zones (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 120),
  countries text[] not null check (cardinality(countries) between 1 and 250),
  -- Such as '2100-2999, 9000, SW1*'; empty covers the whole countries.
  postcodes text not null default '' check (length(postcodes) <= 2000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index price_zones_name on price_zones (operator_id, company_id, upper(name));
call enable_tenant_rls('price_zones');

create table courier_prices (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  agent_code text not null check (length(agent_code) between 1 and 64),
  shipping_method text not null check (length(shipping_method) between 1 and 64),
  -- Null holds everywhere.
  zone_id bigint,
  max_g integer not null check (max_g between 1 and 2000000),
  -- Null where the courier does not limit it.
  max_length_mm integer check (max_length_mm between 1 and 20000),
  max_side_sum_mm integer check (max_side_sum_mm between 1 and 60000),
  -- Cubic centimetres that count as a kilogram; null where only the weight counts.
  volume_divisor integer check (volume_divisor between 100 and 20000),
  -- In minor units, without VAT.
  amount integer not null check (amount between 0 and 100000000),
  -- For each kilogram that is begun above the step before.
  per_kg_amount integer check (per_kg_amount between 0 and 100000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  valid_from date not null,
  valid_to date,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, zone_id) references price_zones,
  check (valid_from <= valid_to)
);
create index courier_prices_of_method on courier_prices (operator_id, company_id, agent_code, shipping_method, valid_from desc);
create index courier_prices_of_zone on courier_prices (operator_id, zone_id) where zone_id is not null;
call enable_tenant_rls('courier_prices');

create table price_surcharges (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 120),
  agent_code text not null check (length(agent_code) between 1 and 64),
  -- Null holds for all methods of the courier.
  shipping_method text check (length(shipping_method) between 1 and 64),
  zone_id bigint,
  kind text not null check (kind in ('amount', 'percent')),
  amount integer check (amount between 0 and 100000000),
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Thousandths of a percent.
  percent_milli integer check (percent_milli between 1 and 1000000),
  -- The surcharge holds for parcels above either of them; null where it holds for all.
  over_g integer check (over_g between 1 and 2000000),
  over_length_mm integer check (over_length_mm between 1 and 20000),
  valid_from date not null,
  valid_to date,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, zone_id) references price_zones,
  check ((kind = 'amount') = (amount is not null) and (kind = 'amount') = (currency is not null)),
  check ((kind = 'percent') = (percent_milli is not null)),
  check (valid_from <= valid_to)
);
create index price_surcharges_of_courier on price_surcharges (operator_id, company_id, agent_code, valid_from desc);
create index price_surcharges_of_zone on price_surcharges (operator_id, zone_id) where zone_id is not null;
call enable_tenant_rls('price_surcharges');

-- What a shipment costs by the table of the day on which it was booked.
create table shipment_prices (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  shipment_id bigint not null,
  amount integer not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The weight that the courier charges.
  charged_g integer not null check (charged_g >= 0),
  zone text check (length(zone) <= 120),
  -- [{ name, amount }]: the step, then each surcharge.
  parts jsonb not null check (length(parts::text) <= 20000),
  priced_at timestamptz not null default now(),
  primary key (operator_id, shipment_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
call enable_tenant_rls('shipment_prices');
