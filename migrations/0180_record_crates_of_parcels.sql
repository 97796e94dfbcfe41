-- Which crate each parcel went out in, beside the one that was suggested.
create table crate_choices (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  parcel_no integer not null check (parcel_no > 0),
  -- Null where none was suggested, or the order became several parcels.
  suggested_id bigint,
  used_id bigint not null,
  -- Of the crates when they were chosen, in minor units; they compare in one currency only.
  suggested_cost integer,
  used_cost integer not null,
  currency text not null,
  -- 'scanned': a person scanned it. 'suggested': no one scanned another.
  source text not null check (source in ('scanned', 'suggested')),
  -- Set when the parcel was closed: then the crate has left the stock.
  closed_at timestamptz,
  -- What has left the stock for this parcel: another crate afterwards leaves it too, the same one does not.
  taken_id bigint,
  primary key (operator_id, id),
  unique (operator_id, order_id, parcel_no),
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, suggested_id) references crate_types,
  foreign key (operator_id, used_id) references crate_types,
  foreign key (operator_id, taken_id) references crate_types,
  check ((suggested_id is null) = (suggested_cost is null))
);
create index crate_choices_by_day on crate_choices (operator_id, closed_at, company_id) where closed_at is not null;
call enable_tenant_rls('crate_choices');
