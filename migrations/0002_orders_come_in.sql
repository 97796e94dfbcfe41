-- Products, orders, their lines, what stops them and how they are found.

create table serial_checks (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  -- A linear-time pattern that a serial number must match whole.
  regex text not null,
  -- The product barcode (or SKU) that asks for a serial.
  barcode text not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, id)
);
create unique index serial_checks_barcode on serial_checks (operator_id, company_id, barcode);
call wall('serial_checks');

create table products (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  sku text not null,
  -- SKUs are the same whatever their letters' case.
  sku_key text generated always as (upper(sku)) stored,
  name text not null,
  variant text,
  weight_g integer check (weight_g >= 0),
  length_mm integer check (length_mm > 0),
  width_mm integer check (width_mm > 0),
  height_mm integer check (height_mm > 0),
  bin text,
  image_file_id bigint,
  image_url text,
  hs_code text,
  origin text,
  customs_text text,
  serial_required boolean not null default false,
  -- Has no barcode to scan: counted by hand without a right.
  no_barcode boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, image_file_id) references files
);
create unique index products_sku on products (operator_id, company_id, sku_key);
create index products_name on products (operator_id, company_id, name);
call wall('products');

create table product_barcodes (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  product_id bigint not null,
  barcode text not null,
  -- Pieces that one scan counts: 1, or what an outer pack holds.
  quantity integer not null default 1 check (quantity > 0),
  created_at timestamptz not null default now(),
  primary key (operator_id, company_id, barcode, product_id),
  foreign key (operator_id, product_id) references products on delete cascade
);
create index product_barcodes_of_product on product_barcodes (operator_id, product_id);
call wall('product_barcodes');

create table order_imports (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  shop text not null,
  file_id bigint not null,
  file_name text not null,
  mapping jsonb not null,
  job_id bigint,
  error_file_id bigint,
  rows_read integer not null default 0,
  rows_refused integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  -- Up to a hundred reasons with their counts, in words.
  problems jsonb not null default '[]',
  created_by bigint,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, file_id) references files,
  foreign key (operator_id, job_id) references jobs
);
create index order_imports_newest on order_imports (operator_id, company_id, id desc);
call wall('order_imports');

create table import_mappings (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  shop text not null,
  mapping jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (operator_id, company_id, shop)
);
call wall('import_mappings');

create table orders (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  shop text not null default 'main',
  external_id text not null,
  order_no text not null,
  source text not null default 'api',
  work_state text not null default 'new'
    check (work_state in ('new', 'ready', 'in_pick', 'picked', 'in_pack', 'packed', 'handed_over', 'closed')),
  -- Facts from which the phase follows.
  held boolean not null default false,
  label_error boolean not null default false,
  short boolean not null default false,
  backorder boolean not null default false,
  cancelled_at timestamptz,
  put_back_due boolean not null default false,
  delivered_at timestamptz,
  -- What people see: the first that holds.
  phase text not null generated always as (case
    when cancelled_at is not null and put_back_due then 'cancelled_return_to_stock'
    when cancelled_at is not null then 'cancelled'
    when held then 'held'
    when label_error then 'label_error'
    when short then 'short'
    when delivered_at is not null then 'delivered'
    else work_state end) stored,
  payment_state text not null default 'paid',
  currency text not null,
  locale text,
  ordered_at timestamptz not null,
  ship_by timestamptz,
  release_at timestamptz,
  packed_at timestamptz,
  pinned_at timestamptz,
  customer_external_id text,
  customer_name text not null default '',
  customer_email text,
  customer_phone text,
  ship_to jsonb not null,
  bill_to jsonb,
  ship_country text not null,
  service_point jsonb,
  shipping_title text,
  shipping_code text,
  agent_code text,
  shipping_method text,
  delivery jsonb not null default '{}',
  customs jsonb not null default '{}',
  tags text[] not null default '{}',
  attributes jsonb not null default '{}',
  -- Amounts in minor units of the currency.
  total_excl_vat bigint,
  total_vat bigint,
  total_incl_vat bigint,
  -- Validation badges: [{field, severity, text, values}].
  badges jsonb not null default '[]',
  item_count integer not null default 0,
  weight_g integer not null default 0,
  import_id bigint,
  -- SHA-256 of the content as it came: the same again changes nothing.
  fingerprint bytea not null,
  source_version bigint,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index orders_external on orders (operator_id, company_id, shop, external_id);
create index orders_newest on orders (operator_id, company_id, id desc);
create index orders_by_phase on orders (operator_id, company_id, phase, id desc) where phase not in ('closed', 'delivered', 'cancelled', 'handed_over');
create index orders_by_end on orders (operator_id, company_id, phase, id desc) where phase in ('closed', 'delivered', 'cancelled', 'handed_over');
create index orders_due on orders (operator_id, company_id, ship_by) where phase in ('new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error');
create index orders_pinned on orders (operator_id, company_id, pinned_at) where pinned_at is not null;
create index orders_to_release on orders (release_at) where work_state = 'new' and release_at is not null;
create index orders_of_import on orders (operator_id, import_id) where import_id is not null;
call wall('orders');

create table order_lines (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  -- The specification's order_item_id.
  id bigint generated always as identity,
  order_id bigint not null,
  line_no integer not null,
  external_id text,
  type text not null default 'item' check (type in ('item', 'shipping', 'discount', 'gift_card', 'payment_fee', 'fee')),
  sku text,
  product_id bigint,
  name text not null,
  variant text,
  barcode text,
  qty integer not null check (qty >= 0),
  cancelled_qty integer not null default 0 check (cancelled_qty between 0 and qty),
  picked_qty integer not null default 0 check (picked_qty >= 0),
  packed_qty integer not null default 0 check (packed_qty between 0 and qty - cancelled_qty),
  shipped_qty integer not null default 0 check (shipped_qty between 0 and packed_qty),
  returned_qty integer not null default 0 check (returned_qty between 0 and shipped_qty),
  -- Minor units; null where the shop told no price.
  unit_price_excl_vat bigint,
  unit_price_incl_vat bigint,
  discount_excl_vat bigint not null default 0,
  cost_price bigint,
  vat_percent text,
  weight_g integer,
  bin text,
  image_url text,
  hs_code text,
  origin text,
  customs_text text,
  serial_required boolean not null default false,
  requires_shipping boolean not null default true,
  bundle_of text,
  custom jsonb not null default '{}',
  primary key (operator_id, id),
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, product_id) references products
);
create index order_lines_of_order on order_lines (operator_id, order_id, line_no);
create index order_lines_of_product on order_lines (operator_id, product_id) where product_id is not null;
call wall('order_lines');

-- How an order is found. Narrow and apart, so that a change of state never touches the word index.
-- Each word begins with its company's id, so that a common name of one company costs another nothing.
create table order_words (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  order_id bigint not null,
  words tsvector not null,
  primary key (operator_id, order_id),
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index order_words_find on order_words using gin (words);
call wall('order_words');

-- `@@` is not leakproof, so under row-level security it would lose its index: this function runs as its owner and keeps the
-- wall itself, by the scope of the transaction. `asked` is a tsquery whose every word begins with a company id in scope.
create function find_orders(asked tsquery, before bigint, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public as $$
  select order_id from public.order_words
  where words @@ asked
    and operator_id = public.scope_operator()
    and company_id = any (public.scope_companies())
    and order_id < before
  order by order_id desc
  limit most
$$;
revoke all on function find_orders from public;
grant execute on function find_orders to pakhus_app;

-- Why an order stands still: several at once, each with who, why and until when.
create table order_locks (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  order_id bigint not null,
  kind text not null check (kind in ('manual', 'auto', 'hold')),
  -- For holds: payment, address, fraud, customer, cancel_requested …
  reason text,
  note text not null default '',
  body jsonb not null default '{}',
  until timestamptz,
  created_by bigint,
  actor text not null default 'system',
  created_at timestamptz not null default now(),
  released_at timestamptz,
  released_by bigint,
  primary key (operator_id, id),
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index order_locks_open on order_locks (operator_id, order_id) where released_at is null;
create unique index order_locks_one_open on order_locks (operator_id, order_id, kind) where released_at is null and kind <> 'hold';
create index order_locks_until on order_locks (until) where released_at is null and until is not null;
call wall('order_locks');

create table order_comments (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  order_id bigint not null,
  type text not null check (type in ('info', 'praise', 'advice', 'warning')),
  comment text not null,
  user_id bigint,
  actor text not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index order_comments_of_order on order_comments (operator_id, order_id, id);
call wall('order_comments');

-- What people keep of a list: filters with a name, their own or shared.
create table saved_views (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  screen text not null,
  name text not null,
  query jsonb not null,
  shared boolean not null default false,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, id)
);
create unique index saved_views_name on saved_views (operator_id, company_id, user_id, screen, lower(name));
call wall('saved_views');
