-- A resolved return that somebody opened again is under review until something is done to it.
alter table returns add column reopened_at timestamptz;
