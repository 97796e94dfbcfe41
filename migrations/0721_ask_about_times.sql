-- A lead asks a person about a time that is missing: when, and which lead it was.
alter table punches add column asked_at timestamptz, add column asked_by bigint;
