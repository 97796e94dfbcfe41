-- Several parcels that a courier takes in one booking.
alter table shipments
  -- The first parcel of the booking, which holds its key, its reference and its lease; null where the parcel is booked alone.
  add column consignment_id bigint,
  -- The courier's number of the whole booking, where it is cancelled by that.
  add column courier_no text check (length(courier_no) between 1 and 64);
create index shipments_of_consignment on shipments (operator_id, consignment_id) where consignment_id is not null;
