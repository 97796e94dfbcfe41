-- Addresses that labels and orders by hand are made from again and again. Deleting a row erases the person that it names.
create table predefined_addresses (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  client_id uuid,
  kind text not null check (kind in ('sender', 'recipient')),
  title text not null check (length(title) between 1 and 60),
  name text not null check (length(name) between 1 and 120),
  company text check (length(company) <= 120),
  attention text check (length(attention) <= 120),
  address1 text not null check (length(address1) between 1 and 200),
  address2 text check (length(address2) <= 200),
  postcode text not null check (length(postcode) between 1 and 20),
  city text not null check (length(city) between 1 and 100),
  country text not null check (length(country) <= 2),
  phone text check (length(phone) <= 40),
  email text check (length(email) <= 254),
  instruction text check (length(instruction) <= 300),
  is_default boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index predefined_addresses_of_company on predefined_addresses (operator_id, company_id, kind, title);
create unique index predefined_addresses_default on predefined_addresses (operator_id, company_id, kind) where is_default;
create unique index predefined_addresses_client on predefined_addresses (operator_id, company_id, client_id) where client_id is not null;
call enable_tenant_rls('predefined_addresses');
