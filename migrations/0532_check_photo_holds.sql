-- Apart from adding it, so that reading the rows blocks no one.
alter table packing_photos validate constraint packing_photos_hold_check;
