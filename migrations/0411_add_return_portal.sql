-- The return portal that customers see: secret links, photos until their return is sent, and what a company offers.

create table portal_links (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- A session is of an order that was found, the page of a running return of the return.
  order_id bigint,
  return_id bigint,
  purpose text not null check (purpose in ('session', 'progress')),
  -- SHA-256 of the token, which is kept nowhere.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, return_id) references returns on delete cascade,
  check ((purpose = 'session') = (order_id is not null)),
  check ((purpose = 'progress') = (return_id is not null))
);
create unique index portal_links_token on portal_links (operator_id, company_id, token_hash);
create index portal_links_of_order on portal_links (operator_id, order_id) where order_id is not null;
create unique index portal_links_of_return on portal_links (operator_id, return_id) where return_id is not null;
create index portal_links_old on portal_links (expires_at);
call enable_tenant_rls('portal_links');

create table portal_photos (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  file_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, file_id) references files
);
create index portal_photos_of_order on portal_photos (operator_id, order_id);
create index portal_photos_old on portal_photos (created_at);
call enable_tenant_rls('portal_photos');

create table return_portal_offers (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  outcomes text[] not null check (cardinality(outcomes) between 1 and 4),
  methods text[] not null check (cardinality(methods) between 1 and 5),
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('return_portal_offers');
