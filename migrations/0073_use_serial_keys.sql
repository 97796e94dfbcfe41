-- Serials that another server has stored meanwhile. Readers go on; writers wait.
lock table order_serials in share mode;
update order_serials set serial_key = serial, scope_key = 'p:' || sku_key where serial_key is null;
create index order_serials_key on order_serials (operator_id, company_id, serial_key) where removed_at is null and returned_at is null;
-- Of two stations that scan one serial in the same moment, this index lets one pass. A serial without scope is not unique.
create unique index order_serials_scope on order_serials (operator_id, company_id, scope_key, serial_key)
  where removed_at is null and returned_at is null and scope_key is not null;
-- A look at some hundred thousand rows takes tens of milliseconds.
alter table order_serials alter column serial_key set not null;
drop index order_serials_once;
alter table order_serials force row level security;
