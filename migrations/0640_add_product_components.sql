-- What a product consists of, where a company sells several products as one. A component is never a bundle itself: the commands
-- check it under a lock of both products.
create table product_components (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  product_id bigint not null,
  component_id bigint not null check (component_id <> product_id),
  qty integer not null check (qty between 1 and 1000),
  position smallint not null check (position between 1 and 20),
  primary key (operator_id, product_id, component_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, product_id) references products on delete cascade,
  foreign key (operator_id, component_id) references products on delete cascade
);
create index product_components_of_component on product_components (operator_id, component_id);
call enable_tenant_rls('product_components');
