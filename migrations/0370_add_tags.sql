-- Tags: names with a colour by which a company gathers orders, products and customers.
create table tags (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- A create that is sent again is the same one.
  client_id uuid not null default gen_random_uuid(),
  name text not null check (length(name) between 1 and 40),
  -- The name in lower case.
  code text not null check (length(code) between 1 and 80),
  -- The code, earlier ones, and those of tags that were merged into it: a shop that still sends one of them means this tag.
  words text[] not null check (cardinality(words) between 1 and 50 and length(words::text) <= 4000),
  color text not null check (color in ('c1', 'c2', 'c3', 'c4', 'c5', 'c6')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index tags_code on tags (operator_id, company_id, code);
create unique index tags_client on tags (operator_id, company_id, client_id);
call enable_tenant_rls('tags');

create table order_tags (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  tag_id bigint not null,
  order_id bigint not null,
  -- Whether a person set it or the shop sent it.
  source text not null check (source in ('person', 'import')),
  created_at timestamptz not null default now(),
  primary key (operator_id, order_id, tag_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, tag_id) references tags,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index order_tags_of_tag on order_tags (operator_id, company_id, tag_id, order_id desc);
call enable_tenant_rls('order_tags');

create table product_tags (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  tag_id bigint not null,
  product_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, product_id, tag_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, tag_id) references tags,
  foreign key (operator_id, product_id) references products on delete cascade
);
create index product_tags_of_tag on product_tags (operator_id, company_id, tag_id, product_id);
call enable_tenant_rls('product_tags');

-- A customer belongs to all companies of the operator, a tag of it to one.
create table customer_tags (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  tag_id bigint not null,
  customer_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, customer_id, tag_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, tag_id) references tags,
  foreign key (operator_id, customer_id) references customers on delete cascade
);
create index customer_tags_of_tag on customer_tags (operator_id, company_id, tag_id, customer_id);
call enable_tenant_rls('customer_tags');
