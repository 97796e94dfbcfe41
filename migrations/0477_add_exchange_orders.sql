-- Exchanged pieces: what the customer gets instead, and the order that sends it.
alter table return_items
  -- The customer wants something else: a person says which product, before it is sent.
  add column exchange_other boolean not null default false,
  add column exchange_order_id bigint,
  add foreign key (operator_id, exchange_order_id) references orders;
create index return_items_by_exchange on return_items (operator_id, exchange_order_id) where exchange_order_id is not null;
