-- The parcel into which a serial number was packed, so that a list names its tracking number. Older rows know only their line.
alter table order_serials add column parcel_no integer check (parcel_no > 0);
-- The list is read from its newest row, of one product or between two days.
create index order_serials_of_sku on order_serials (operator_id, company_id, sku_key, id desc) where removed_at is null;
create index order_serials_by_time on order_serials (operator_id, company_id, created_at desc) where removed_at is null;
