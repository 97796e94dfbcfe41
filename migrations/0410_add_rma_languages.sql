-- The return portal by shop and language: its texts, its pictures, and whether customers see it.

create table rma_languages (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- `main` serves the orders of all shops that have no portal of their own.
  shop text not null default 'main' check (length(shop) between 1 and 64),
  language text not null check (length(language) <= 5),
  enabled boolean not null default false,
  -- greeting, return_address, confirmation, legal, support
  texts jsonb not null default '{}' check (length(texts::text) <= 40000),
  logo_file_id bigint,
  header_file_id bigint,
  background_file_id bigint,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id, shop, language),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, logo_file_id) references files,
  foreign key (operator_id, header_file_id) references files,
  foreign key (operator_id, background_file_id) references files
);
call enable_tenant_rls('rma_languages');
