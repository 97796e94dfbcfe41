-- Links that stand at the names of products: addresses with places for SKU, barcode and the shop's id.
create table product_links (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  title text not null check (length(title) between 1 and 40),
  url text not null check (length(url) between 8 and 500),
  icon text not null default 'link' check (icon in ('link', 'shop', 'picture', 'manual', 'supplier', 'search')),
  position integer not null default 0 check (position between 0 and 10000),
  -- Companies whose products show it; null stands for all. A shop writes its own only.
  company_ids bigint[] check (cardinality(company_ids) between 1 and 200),
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id)
);
call enable_tenant_rls('product_links', 'operator');
