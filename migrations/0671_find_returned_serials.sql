-- A unit that comes back is found by its number, whether it is still out or not. This index serves what the narrower one did.
create index order_serials_by_key on order_serials (operator_id, company_id, serial_key) where removed_at is null;
drop index order_serials_key;
