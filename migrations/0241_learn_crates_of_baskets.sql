-- What packers used for the same basket, what a person decided about it, and the crates that were suggested with a pick list.
alter table crate_choices
  -- A hash of SKUs and quantities; null where a line has no SKU, or the order became several parcels.
  add column basket_key text check (length(basket_key) between 1 and 64);
create index crate_choices_of_basket on crate_choices (operator_id, company_id, basket_key, closed_at desc)
  where basket_key is not null and closed_at is not null;

create table crate_baskets (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  basket_key text not null check (length(basket_key) between 1 and 64),
  -- 'adopted': this crate is suggested for the basket. 'ignored': the report leaves the basket out.
  state text not null check (state in ('adopted', 'ignored')),
  crate_type_id bigint,
  decided_by text not null check (length(decided_by) <= 200),
  decided_at timestamptz not null default now(),
  primary key (operator_id, company_id, basket_key),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, crate_type_id) references crate_types,
  check ((state = 'adopted') = (crate_type_id is not null))
);
call enable_tenant_rls('crate_baskets');

create table crate_suggestions (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  order_id bigint not null,
  status text not null check (status in ('exact', 'rule', 'learned', 'estimate', 'none')),
  -- [{ id, name, fill_percent }], one for each parcel.
  crates jsonb not null check (length(crates::text) <= 100000),
  made_at timestamptz not null default now(),
  primary key (operator_id, order_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade
);
call enable_tenant_rls('crate_suggestions');
