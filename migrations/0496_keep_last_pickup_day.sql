-- The last day on which a parcel can be collected, as its courier says it.
alter table shipments add column collect_by date;
