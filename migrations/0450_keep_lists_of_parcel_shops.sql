-- What the finder shows of a shop, and whether the courier still has it.
alter table parcel_shops
  add column lat double precision check (lat between -90 and 90),
  add column lng double precision check (lng between -180 and 180),
  -- Squares of a tenth of a degree, in which near shops are looked for.
  add column cell integer generated always as (
    case when lat is null or lng is null then null else floor((lat + 90) * 10)::integer * 3601 + floor((lng + 180) * 10)::integer end) stored,
  add column locker boolean not null default false,
  add column opening_hours text[] not null default '{}' check (cardinality(opening_hours) <= 14 and octet_length(opening_hours::text) <= 4000),
  -- When its postcode was asked for, since when an answer leaves it out, and since when it counts as gone.
  add column checked_at timestamptz not null default now(),
  add column missed_at timestamptz,
  add column gone_at timestamptz;
create index parcel_shops_by_postcode on parcel_shops (operator_id, agent_code, country, postcode);
create index parcel_shops_by_cell on parcel_shops (operator_id, agent_code, country, cell);

-- How a courier's shops of a country are kept: all of them at once, or the postcodes that were asked for again and again.
create table parcel_shop_lists (
  operator_id bigint not null default current_operator_id(),
  agent_code text not null check (length(agent_code) <= 40),
  country text not null check (country ~ '^[A-Z]{2}$'),
  asked_at timestamptz,
  -- When the last reading ended well, and how many shops it found.
  read_at timestamptz,
  shops integer not null default 0,
  -- Why the last reading failed, in the courier's words.
  failure text check (length(failure) <= 300),
  primary key (operator_id, agent_code, country)
);
call enable_tenant_rls('parcel_shop_lists', 'operator');
