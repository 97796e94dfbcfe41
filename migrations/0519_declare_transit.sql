-- What goods are worth with VAT, in øre, where a parcel crosses Sweden or Finland on its way inside Norway and they are declared for transit.
alter table shipment_lines add column transit_value bigint check (transit_value >= 0);
