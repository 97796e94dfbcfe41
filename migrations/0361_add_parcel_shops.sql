-- Parcel shops that couriers named when they were asked: public facts, shared by the companies of an operator.
create table parcel_shops (
  operator_id bigint not null default current_operator_id(),
  agent_code text not null check (length(agent_code) <= 40),
  country text not null check (country ~ '^[A-Z]{2}$'),
  shop_id text not null check (length(shop_id) <= 60),
  name text not null check (length(name) <= 200),
  address1 text not null check (length(address1) <= 200),
  postcode text not null check (length(postcode) <= 20),
  city text not null check (length(city) <= 100),
  seen_at timestamptz not null default now(),
  primary key (operator_id, agent_code, country, shop_id)
);
create index parcel_shops_of_country on parcel_shops (operator_id, country, postcode);
call enable_tenant_rls('parcel_shops', 'operator');
