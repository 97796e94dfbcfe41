-- How parcels to a country outside the customs area are invoiced together, by courier and country, and the company's own rates.

create table bulk_invoice_configs (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  agent_code text not null check (length(agent_code) <= 64),
  country text not null check (country ~ '^[A-Z]{2}$'),
  active boolean not null default false,
  -- Who imports and who exports: name, address and registration numbers.
  importer jsonb not null default '{}' check (length(importer::text) <= 4000),
  exporter jsonb not null default '{}' check (length(exporter::text) <= 4000),
  terms text not null default 'DAP' check (terms in ('DAP', 'DDP', 'EXW', 'DAT')),
  terms_place text not null default '' check (length(terms_place) <= 100),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  grouping text not null default 'hs_origin' check (grouping in ('hs_origin', 'hs_origin_sku')),
  hs_digits integer not null default 8 check (hs_digits between 6 and 11),
  -- The language of the paper.
  locale text not null default 'en_GB' check (length(locale) <= 10),
  -- What stands before the year in the number.
  series text not null default '' check (length(series) <= 10),
  min_parcels integer not null default 0 check (min_parcels between 0 and 10000),
  max_lines integer not null default 200 check (max_lines between 1 and 5000),
  emails text[] not null default '{}' check (cardinality(emails) <= 10),
  formats text[] not null default '{pdf}' check (cardinality(formats) between 1 and 3),
  send_when text not null default 'manual' check (send_when in ('freeze', 'hand_over', 'manual')),
  subject text not null default '' check (length(subject) <= 150),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id, agent_code, country),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('bulk_invoice_configs');

-- One unit of the first currency is worth so many of the second one.
create table manual_rates (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  from_currency text not null check (from_currency ~ '^[A-Z]{3}$'),
  to_currency text not null check (to_currency ~ '^[A-Z]{3}$'),
  -- Decimal text, so that no step of a conversion is a floating point number.
  rate text not null check (rate ~ '^[0-9]{1,9}(\.[0-9]{1,8})?$' and rate::numeric > 0),
  valid_from date not null,
  -- The last day; null while no end is known.
  valid_to date check (valid_to >= valid_from),
  note text not null default '' check (length(note) <= 200),
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id, from_currency, to_currency, valid_from),
  check (from_currency <> to_currency),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('manual_rates');
