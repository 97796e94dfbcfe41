-- Additional products: samples, flyers, gifts and inserts that rules add to orders, and which orders they were added to.

-- They lie on one shelf for all companies, so the main company writes them.
create table additional_products (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 120),
  barcode text check (length(barcode) between 1 and 256),
  -- What the packer reads, by language.
  texts jsonb not null default '{}' check (length(texts::text) <= 4000),
  -- The rule grammar: see src/domain/rules/rule-grammar.ts.
  conditions jsonb not null check (length(conditions::text) <= 100000),
  per text not null check (per in ('order', 'customer')),
  qty integer not null default 1 check (qty between 1 and 100),
  handling text not null check (handling in ('show', 'confirm', 'scan')),
  on_pick_list boolean not null default false,
  bin text check (length(bin) between 1 and 64),
  weight_g integer not null default 0 check (weight_g between 0 and 100000),
  hs_code text check (length(hs_code) between 1 and 20),
  -- Of one piece, in minor units.
  value integer check (value between 0 and 100000000),
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Null where it is not counted.
  stock_left integer check (stock_left >= 0),
  valid_from date,
  valid_to date,
  -- Null stands for all.
  company_ids bigint[] check (cardinality(company_ids) between 1 and 200),
  position integer not null default 0 check (position between 0 and 10000),
  active boolean not null default true,
  image_file_id bigint,
  -- Shops read the picture, but not the main company's rows of files.
  image_sha256 text,
  image_bytes bigint,
  version integer not null default 1,
  -- Orders keep its name.
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, image_file_id) references files,
  check (valid_from <= valid_to),
  check ((value is null) = (currency is null)),
  check (handling <> 'scan' or barcode is not null),
  check ((image_file_id is null) = (image_sha256 is null) and (image_file_id is null) = (image_bytes is null))
);
create unique index additional_products_barcode on additional_products (operator_id, upper(barcode))
  where barcode is not null and removed_at is null;
create index additional_products_in_order on additional_products (operator_id, position, id) where removed_at is null;
call enable_tenant_rls('additional_products', 'operator');

-- No order line: what the shop sends neither removes nor doubles it.
create table order_additions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  additional_product_id bigint not null,
  qty integer not null check (qty between 1 and 100),
  -- Blocked: it would need an HS code and a value to cross the border.
  state text not null check (state in ('planned', 'packed', 'skipped', 'blocked', 'released')),
  -- Set where it is added once per customer.
  customer_id bigint,
  session_id bigint,
  skip_reason text check (skip_reason in ('missing', 'damaged', 'left_out')),
  decided_by text check (length(decided_by) <= 120),
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, additional_product_id) references additional_products
);
create unique index order_additions_of_order on order_additions (operator_id, order_id, additional_product_id) where state <> 'released';
create unique index order_additions_of_customer on order_additions (operator_id, additional_product_id, customer_id)
  where customer_id is not null and state in ('planned', 'packed');
create index order_additions_of_product on order_additions (operator_id, additional_product_id, state);
call enable_tenant_rls('order_additions');
