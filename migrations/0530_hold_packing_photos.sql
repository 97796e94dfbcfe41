-- A person keeps a photo beyond its days.
alter table packing_photos add column held_until date, add column held_by_name text, add column held_reason text;
alter table packing_photos add constraint packing_photos_hold_check
  check (length(held_by_name) <= 200 and length(held_reason) <= 2000) not valid;
