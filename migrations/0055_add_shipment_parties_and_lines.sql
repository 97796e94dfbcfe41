-- Who takes part in a shipment and what it holds stand in rows of the shipment: it may have no order, and the persons can be erased.
create table shipment_parties (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  shipment_id bigint not null,
  role text not null check (role in ('sender', 'recipient', 'return_to', 'importer', 'payer')),
  party jsonb not null,
  primary key (operator_id, shipment_id, role),
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
call enable_tenant_rls('shipment_parties');

create table shipment_lines (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  shipment_id bigint not null,
  line_no integer not null,
  -- The line of the order, where the shipment belongs to one.
  order_line_id bigint,
  sku text,
  description text not null,
  quantity integer not null check (quantity > 0),
  hs_code text,
  origin text,
  -- Of the whole line in minor units, after its discount, without VAT.
  value bigint,
  currency text,
  net_weight_g bigint,
  primary key (operator_id, shipment_id, line_no),
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
call enable_tenant_rls('shipment_lines');

-- Papers that a courier returns beside its labels.
create table shipment_documents (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  shipment_id bigint not null,
  document_no integer not null,
  kind text not null,
  format text not null check (format in ('pdf', 'zpl')),
  paper text not null check (paper in ('label', 'a4')),
  file_id bigint not null,
  primary key (operator_id, shipment_id, document_no),
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
call enable_tenant_rls('shipment_documents');

alter table shipments add column kind text, add column error_code text, add column client_id uuid;
-- Without a default in the statement above: rows that exist keep null until they are filled.
alter table shipments alter column kind set default 'order';
alter table shipments add constraint shipments_kind_check check (kind is not null and kind in ('order', 'free', 'return')) not valid;
