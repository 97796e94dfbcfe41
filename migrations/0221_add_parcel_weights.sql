-- Every weighing of a parcel at a station: what was expected, and who took a weight that differs.
create table parcel_weights (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  session_id bigint not null,
  parcel_no integer not null check (parcel_no > 0),
  -- Of what lay in the parcel: after another piece the weight holds no longer.
  contents text not null check (length(contents) <= 32),
  weight_g integer not null check (weight_g between 0 and 2000000),
  source text not null check (source in ('scale', 'typed', 'scanned')),
  expected_g integer not null check (expected_g >= 0),
  tolerance_g integer not null check (tolerance_g >= 0),
  -- 'asked' and 'refused' weights were not taken.
  outcome text not null check (outcome in ('ok', 'unchecked', 'asked', 'overridden', 'refused')),
  overridden_by text check (length(overridden_by) <= 200),
  -- Where one product alone has no weight: what each of its pieces weighs by this weighing.
  unweighed_product_id bigint,
  unweighed_each_g integer check (unweighed_each_g > 0),
  weighed_by text not null check (length(weighed_by) <= 200),
  station text not null check (length(station) <= 100),
  weighed_at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  check ((overridden_by is not null) = (outcome = 'overridden')),
  check ((unweighed_product_id is null) = (unweighed_each_g is null))
);
create index parcel_weights_of_order on parcel_weights (operator_id, order_id, parcel_no, id desc);
create index parcel_weights_by_day on parcel_weights (operator_id, weighed_at desc, id desc);
create index parcel_weights_of_company on parcel_weights (operator_id, company_id);
call enable_tenant_rls('parcel_weights');
