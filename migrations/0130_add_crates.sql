-- Crates: the boxes, bags and pallets that parcels are packed into, and the rules by SKU about them.

-- They stand on one shelf for all companies, so the main company writes them.
create table crate_types (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 120),
  -- Printed with CR before it.
  code text not null check (code ~ '^[A-Za-z0-9_.-]{1,40}$'),
  barcode text check (length(barcode) between 1 and 256),
  -- Length, width and height; the last is the side that stands.
  inner_mm integer[] not null check (cardinality(inner_mm) = 3 and 1 <= all (inner_mm) and 5000 >= all (inner_mm)),
  outer_mm integer[] not null check (cardinality(outer_mm) = 3 and 1 <= all (outer_mm) and 5000 >= all (outer_mm)),
  tare_g integer not null check (tare_g between 0 and 2000000),
  -- Of the packed crate, its own weight included.
  max_g integer not null check (max_g between 1 and 2000000),
  -- In minor units.
  cost integer not null check (cost >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null where it is not counted.
  stock integer check (stock >= 0),
  filler_percent integer not null default 0 check (filler_percent between 0 and 90),
  -- Null stands for all.
  agent_codes text[] check (cardinality(agent_codes) between 1 and 50),
  company_ids bigint[] check (cardinality(company_ids) between 1 and 200),
  letter_box boolean not null default false,
  max_side_sum_mm integer check (max_side_sum_mm between 1 and 15000),
  position integer not null default 0 check (position between 0 and 10000),
  active boolean not null default true,
  image_file_id bigint,
  -- Shops read the picture, but not the main company's rows of files.
  image_sha256 text,
  image_bytes bigint,
  version integer not null default 1,
  -- Set where a parcel went out in it: then it is switched off instead of deleted.
  used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, image_file_id) references files,
  check (inner_mm[1] <= outer_mm[1] and inner_mm[2] <= outer_mm[2] and inner_mm[3] <= outer_mm[3]),
  check ((image_file_id is null) = (image_sha256 is null) and (image_file_id is null) = (image_bytes is null))
);
create unique index crate_types_code on crate_types (operator_id, upper(code));
create unique index crate_types_barcode on crate_types (operator_id, upper(barcode)) where barcode is not null;
create index crate_types_in_order on crate_types (operator_id, position, upper(code));
call enable_tenant_rls('crate_types', 'operator');

create table crate_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  sku text not null check (length(sku) between 1 and 64),
  sku_key text not null generated always as (upper(sku)) stored,
  kind text not null check (kind in ('alone', 'must', 'must_not', 'keep_flat', 'pieces', 'filler', 'fragile_top')),
  crate_type_id bigint,
  pieces integer check (pieces between 1 and 10000),
  percent integer check (percent between 1 and 90),
  -- The rule grammar: see src/domain/rules/rule-grammar.ts. Null holds for every order.
  conditions jsonb check (length(conditions::text) <= 100000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, crate_type_id) references crate_types,
  check (kind not in ('must', 'must_not') or crate_type_id is not null),
  check ((kind = 'pieces') = (pieces is not null)),
  check ((kind = 'filler') = (percent is not null))
);
create unique index crate_rules_key on crate_rules (operator_id, company_id, sku_key, kind, coalesce(crate_type_id, 0));
create index crate_rules_of_type on crate_rules (operator_id, crate_type_id) where crate_type_id is not null;
call enable_tenant_rls('crate_rules');
