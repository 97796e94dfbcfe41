-- When the courier is asked next where a parcel is; null where no one asks.
alter table shipments add column next_track_at timestamptz;
create index shipments_to_track on shipments (operator_id, company_id, next_track_at) where next_track_at is not null;

-- What a courier reported is kept once, however often it is read.
alter table shipment_events add column courier_key text check (length(courier_key) <= 64);
create unique index shipment_events_of_courier on shipment_events (operator_id, shipment_id, courier_key) where courier_key is not null;
