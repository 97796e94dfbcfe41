-- What is said to the shop about an order: a status of the shop's own, a text, or both.
create table order_status_histories (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  -- Counts up within the company, without gaps: a shop reads on from the last one it has.
  seq bigint not null,
  status text not null default '' check (length(status) <= 40),
  -- Erased with the customer.
  comment text not null default '' check (length(comment) <= 2000),
  visible_to_customer boolean not null default false,
  notify_customer boolean not null default false,
  user_id bigint,
  actor text not null check (length(actor) <= 200),
  -- The same again is the same entry.
  client_id uuid,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create unique index order_status_histories_seq on order_status_histories (operator_id, company_id, seq);
create unique index order_status_histories_client on order_status_histories (operator_id, order_id, client_id) where client_id is not null;
create index order_status_histories_of_order on order_status_histories (operator_id, order_id, id desc);
call enable_tenant_rls('order_status_histories');
