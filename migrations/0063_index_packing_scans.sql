-- Readers go on; writers wait for the indexes.
alter table packing_scans validate constraint packing_scans_first_bound;
create unique index packing_scans_first_key on packing_scans (operator_id, id, at);
-- A scan that a station sends twice is counted once: within a partition its id alone is unique.
create unique index packing_scans_first_id on packing_scans (operator_id, id);
