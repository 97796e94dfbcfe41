-- What happens where a chosen parcel shop is closed or full before the label is made; an absent row asks.
create table parcel_shop_replacement (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  mode text not null check (mode in ('ask', 'nearest')),
  version integer not null default 1,
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('parcel_shop_replacement');
