-- A shipment may have no order. The long steps come first: they block no readers, and the last ones change the catalogue alone.
alter table shipments validate constraint shipments_kind_check;
create unique index shipments_client_id on shipments (operator_id, company_id, client_id, parcel_no) where client_id is not null;
-- Every row that exists has an order.
alter table shipments add constraint shipments_order_check check (kind <> 'order' or order_id is not null) not valid;
alter table shipments alter column kind set not null;
alter table shipments alter column order_id drop not null;
alter table shipment_events alter column order_id drop not null;
alter table collect_parcels alter column order_id drop not null;
