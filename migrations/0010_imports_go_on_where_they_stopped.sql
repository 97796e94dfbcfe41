-- An import that was interrupted goes on where it stopped, and a shop sees what became of its deliveries.

-- Groups of rows already stored, and what storing refused: written in the transaction of each batch.
alter table order_imports add column orders_done integer not null default 0;
alter table order_imports add column refusals jsonb not null default '[]';

alter table orders add column paid_at timestamptz;

-- What the delivery did: created, updated, unchanged, refused …
alter table shop_deliveries add column outcome text;
create index shop_deliveries_newest on shop_deliveries (operator_id, company_id, source, received_at desc);
